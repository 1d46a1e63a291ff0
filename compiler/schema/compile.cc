// Compiles documents to a graph of nodes: a node is made at the first reference to it, so that recursion in the schema
// is a cycle in the graph. Then computes for each node which kinds of work are needed below it.
#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "diag/catalog/values.h"
#include "schema/documents.h"
#include "schema/node_builder.h"
#include "schema/program.h"
#include "schema/reach.h"
#include "schema/schema.h"

namespace capwright::schema {
namespace {

class Compiler final : public NodeSource {
 public:
  Compiler(Schema& program, Stage& stage, const CompileOptions& options)
      : program_(program), stage_(stage), options_(options), documents_(options, stage) {}

  void compile(const Value& document) {
    DocumentPart& part = documents_.add(options_.uri, document);
    program_.root = node_of(document, part);
    drain();
    while (compile_dynamic_anchors()) drain();
    cut_endless_references(program_, stage_);
    find_what_lies_below(program_);
  }

  const Node* node_of(const Value& schema, DocumentPart& outer) override;
  Span place(const Value& value) const override { return stage_.origins[value.origin()].span; }
  const Regex* pattern(const Value& text) override;
  Documents& documents() override { return documents_; }

 private:
  struct Pending {
    Node* node;
    Value schema;
    DocumentPart* part;
  };
  struct Key {
    const void* schema;
    const DocumentPart* part;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return reinterpret_cast<std::uintptr_t>(key.schema) * 31 + reinterpret_cast<std::uintptr_t>(key.part);
    }
  };

  void drain();
  bool compile_dynamic_anchors();
  Resource* resource_of(DocumentPart& part);

  Schema& program_;
  Stage& stage_;
  const CompileOptions& options_;
  Documents documents_;
  std::vector<Pending> pending_;
  std::unordered_map<Key, const Node*, KeyHash> made_;
  std::map<std::string_view, const Regex*> patterns_;
  std::vector<DocumentPart*> parts_with_nodes_;
};

Resource* Compiler::resource_of(DocumentPart& part) {
  if (part.resource == nullptr) {
    part.resource = &program_.resources.emplace_back(Resource{part.uri, {}});
    parts_with_nodes_.push_back(&part);
  }
  return part.resource;
}

const Node* Compiler::node_of(const Value& schema, DocumentPart& outer) {
  DocumentPart& part = documents_.part_of(schema, outer);
  const void* identity = schema.is(Kind::Map) ? schema.map_rep() : nullptr;
  if (identity != nullptr) {
    if (const auto known = made_.find({identity, &part}); known != made_.end()) return known->second;
  }
  Node& node = program_.nodes.emplace_back();
  node.number = static_cast<std::uint32_t>(program_.nodes.size() - 1);
  node.resource = resource_of(part);
  if (identity != nullptr) made_.emplace(Key{identity, &part}, &node);
  pending_.push_back({&node, schema, &part});
  return &node;
}

void Compiler::drain() {
  const NodeBuilder::Context context{program_, *this, stage_, options_};
  while (!pending_.empty()) {
    const Pending next = pending_.back();
    pending_.pop_back();
    NodeBuilder(context, *next.node, next.schema, *next.part).build();
  }
}

// A `$dynamicRef` may lead to the anchor of any resource in use, including one without static references.
bool Compiler::compile_dynamic_anchors() {
  const auto is_dynamic = [](const Node& node) {
    return node.combination != nullptr && node.combination->dynamic != nullptr;
  };
  if (std::none_of(program_.nodes.begin(), program_.nodes.end(), is_dynamic)) return false;
  const std::size_t before = program_.nodes.size();
  for (std::size_t i = 0; i < parts_with_nodes_.size(); ++i) {
    DocumentPart& part = *parts_with_nodes_[i];
    for (const std::string& name : part.dynamic_anchors) {
      const Node* node = node_of(part.anchors.find(name)->second, part);
      part.resource->dynamic_anchors.emplace(name, node);
    }
  }
  return program_.nodes.size() != before;
}

const Regex* Compiler::pattern(const Value& text) {
  const auto [known, is_new] = patterns_.emplace(text.text(), nullptr);
  if (!is_new) return known->second;
  if (options_.built_in) return known->second = &program_.patterns.emplace_back(Regex::deferred(text.text(), {}));
  RegexFault fault;
  std::optional<Regex> compiled = Regex::compile(text.text(), {}, fault);
  if (compiled) return known->second = &program_.patterns.emplace_back(std::move(*compiled));
  stage_.sink.report(diag::refused_pattern, place(text), std::string(text.text()), fault.message);
  return nullptr;
}

}  // namespace

std::shared_ptr<const Schema> compile(const Value& document, Stage& stage, const CompileOptions& options) {
  auto program = std::make_shared<Schema>();
  program->origins = &stage.origins;
  Compiler(*program, stage, options).compile(document);
  return program;
}

}  // namespace capwright::schema
