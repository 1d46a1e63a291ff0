// Finds the input of a command that a place of its output comes from. A search that could mean two places finds none: a
// finding then stays in the output.
#pragma once
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/model/command_output.h"
#include "lint/model/helm_template.h"
#include "lint/model/node.h"

namespace capwright::lint {

// "base/cluster.yaml" of "overlays/prod" and "../../base/cluster.yaml".
std::string joined_path(std::string_view folder, std::string_view path);

class InputMap {
 public:
  // Adds the inputs to the sources of the cluster, which reads the output. All arguments outlive it.
  InputMap(const CommandOutput& output, SourceSet& sources, const Cluster& cluster);

  const CommandOutput& output() const { return output_; }
  const std::vector<FileId>& files() const { return files_; }

  // The place of the input that alone made a scalar, or that has the key of a list or map; otherwise unknown.
  Span find(const Document& document, Span place);
  // The path of the template or resource that markers of the output name; empty: none.
  std::string marked_file(const Document& document);

 private:
  struct Step {
    std::string_view key;  // empty: an item
    std::size_t index = 0;
    Node at;  // the value
  };
  using Steps = std::vector<Step>;
  struct Input {
    std::string path;
    FileId file = FileId::None;
    bool is_template = false;
    bool is_patch = false;
    std::list<Document> documents;
  };
  // One patch of a kustomization, with the objects that it names; empty: those that it is itself about.
  struct Patch {
    Node root;
    std::string_view kind, name;
    bool has_target = false;
  };
  struct Hits {
    std::vector<Span> places;
    bool has_others = false;  // the field has another value

    void add(const Node& made, const Node& written);
    Span only() const { return places.size() == 1 ? places[0] : Span(); }
  };

  void read_inputs();
  void read(Input& input);
  void read_kustomization(const Input& input);
  void add_patch(const Node& entry, std::string_view folder);
  Input* input_at(std::string_view path);
  bool is_chart_template(std::string_view path) const;
  bool is_named(std::string_view made, std::string_view written) const;

  static bool walk(const Node& node, Span place, Steps& steps);
  static Node follow(Node node, const Steps& steps, std::size_t from);
  static bool is_same(const Node& made, const Node& written);

  Span find_in_template(const Input& input, const Steps& steps, const Node& object) const;
  Span find_in_values(const TemplateLine& line, const Node& made, const Input& from) const;
  Span find_field(const Document& document, const Steps& steps, const Input* marked) const;
  Node resource_of(const Node& root, const Input* marked) const;
  Hits hits_of_patches(const Node& root, const Steps& steps) const;
  static void add_json_patch(const Node& operations, const Steps& steps, Hits& hits);
  Span find_scalar(const Document& document, const Steps& steps) const;
  Input* marked_input(const Document& document);
  std::string chart_of(std::string_view path) const;
  std::optional<std::vector<std::string>> values_files(const std::string& chart) const;

  const CommandOutput& output_;
  const Cluster& cluster_;
  std::vector<FileId> files_;
  bool has_read_ = false;
  std::deque<Input> inputs_;
  std::vector<Patch> patches_;
  std::vector<std::string_view> prefixes_, suffixes_;
  std::map<std::string, std::string, std::less<>> charts_;  // the folder of each, by name
  std::vector<std::string> overlays_;                       // folders with a kustomization
  std::map<Span, Span> known_;
};

}  // namespace capwright::lint
