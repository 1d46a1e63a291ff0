// The repository as an editor sees it: documents with unsaved texts, findings by file, and what a line of values makes.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/values_words.h"
#include "report/finding.h"
#include "report/region.h"
#include "workflow/rename_key.h"
#include "workflow/session.h"

namespace capwright::lsp {

// A range of a file; lines and columns start at 1.
struct Place {
  std::string path;  // as shown
  LineCol start, end;
  friend bool operator==(const Place&, const Place&) = default;
};

struct TextChange {
  Place where;
  std::string text;
  friend bool operator==(const TextChange&, const TextChange&) = default;
};

struct Problem {
  Place where;
  Severity severity = Severity::Error;
  std::string code, message;
  std::vector<std::pair<Place, std::string>> related;
  std::string fix_title;  // empty: no fix
  std::vector<TextChange> fix;
  bool is_safe_fix = false;
  friend bool operator==(const Problem&, const Problem&) = default;
};

// A value at a line of a values file or layer.
struct LineValue {
  std::string path, text;   // the text is empty for maps, lists and secrets
  std::string description;  // of its schema
  std::vector<std::string> clusters;
  std::vector<Place> printed;      // template lines on disk that print it
  std::vector<std::string> files;  // rendered files with its bytes
};

// What a key at the top of a values file or layer does in the first cluster that reads the file.
struct KeyUse {
  Place key;
  std::string cluster;
  std::size_t files = 0;     // rendered ones with bytes or lines from the values that the file sets below the key
  std::size_t clusters = 0;  // that read the file
};

// The key of values at a place.
struct RenameTarget {
  std::string refusal;  // why it can't be renamed; otherwise empty
  Place where;          // of the key; its path is empty if there is none
  std::string name;
};

struct Renaming {
  std::string refusal;  // why it can't be done; otherwise empty
  std::vector<TextChange> changes;
};

class RepositoryView {
 public:
  // `root`: the folder that the editor opened, absolute; it counts until a configuration could be read. May be empty.
  RepositoryView(workflow::RepositoryOptions repository, report::ColumnUnit unit, std::string root);

  workflow::Session& session() { return session_; }
  // Lints what changed; by file. Explains in `stop` why nothing can be linted.
  using Problems = std::map<std::string, std::vector<Problem>>;
  Problems problems(std::string& stop);
  // The value on a line, in the first cluster that reads the file.
  std::optional<LineValue> value_at(const std::string& path, std::uint32_t line);
  std::vector<Word> words_at(const std::string& path, const ValuesCursor& cursor);
  // Without keys whose values another file overrides. Empty while the cluster has errors.
  std::vector<KeyUse> uses_of_keys(const std::string& path);

  // Of a key in a values file, a layer, a reference, or a template on disk; `offset` in bytes.
  RenameTarget rename_target(const std::string& path, std::size_t offset);
  // `edits`: the editor's texts.
  Renaming rename(const std::string& path, std::size_t offset, const std::string& name,
                  const workflow::FileTexts& edits);
  // In a template: where values files set the key that it reads, or the template that it names.
  std::vector<Place> definition_in_template(const std::string& path, std::size_t offset);

  // Paths as shown, and absolute ones.
  std::string shown(const std::string& absolute);
  std::string absolute(std::string_view shown);

 private:
  std::string root();
  std::vector<std::string> readers_of(const std::string& path);
  Problem problem_of(const report::Finding& finding) const;
  const std::vector<Problem>& problems_of(const std::shared_ptr<const workflow::LintedCluster>& cluster);
  Place place_of(Span span, const SourceSet& sources) const;
  Place place_of(const workflow::FilePlace& place, std::string_view text) const;

  workflow::OpenRequest request_;
  workflow::Session session_;
  report::ColumnUnit unit_;
  std::string root_;
  std::vector<std::shared_ptr<const workflow::LintedCluster>> linted_;
  // What a cluster's findings became, while the session knows the same findings: a change of one cluster costs one.
  struct Converted {
    std::shared_ptr<const workflow::LintedCluster> from;
    std::vector<Problem> problems;
  };
  std::map<std::string, Converted, std::less<>> converted_;  // by values file
};

}  // namespace capwright::lsp
