// The documents that a schema can refer to, indexed by their identifiers: `$id`, `$anchor`, `$dynamicAnchor`. Nothing
// is ever fetched: documents are given by the caller, or are the built-in metaschemas.
#pragma once
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "schema/keywords.h"
#include "schema/program.h"
#include "schema/schema.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::schema {

// A document or an embedded part of one that has an `$id`.
struct DocumentPart {
  std::string uri;  // absolute if the document's is, without fragment
  Value root;
  Dialect dialect;
  std::map<std::string, Value, std::less<>> anchors;
  std::set<std::string, std::less<>> dynamic_anchors;  // those of `anchors` that `$dynamicAnchor` made
  Resource* resource = nullptr;                        // compiled at the first use
};

class Documents {
 public:
  // Given documents are indexed at the first reference to them.
  Documents(const CompileOptions& options, Stage& stage)
      : stage_(stage), given_(options.given.begin(), options.given.end()), default_dialect_{.draft7 = options.draft7} {}

  // Indexes a document known as `uri`, unless its own `$id` says otherwise.
  DocumentPart& add(std::string_view uri, const Value& document);

  // The part that `schema`, found inside `outer`, belongs to: a new part if it has an `$id`.
  DocumentPart& part_of(const Value& schema, DocumentPart& outer);

  struct Target {
    Value schema;
    DocumentPart* part;
    bool is_dynamic_anchor;
  };
  // The target of a resolved URI; empty if there is no such document, anchor or place.
  std::optional<Target> find(std::string_view uri);
  // Whether there is a document of the URI, regardless of its fragment.
  bool knows_document(std::string_view uri);
  // The fragment of an existing place, such as "#/$defs/name", whose last step is near that of `uri`, which leads
  // nowhere; or empty.
  std::string near_place(std::string_view uri);

 private:
  void index(const Value& schema, DocumentPart& outer);
  void index_below(const Keyword& keyword, const Value& value, DocumentPart& part);
  DocumentPart& make_part(std::string uri, const Value& schema, Dialect dialect);
  void add_anchor(const Value& schema, std::string_view keyword, DocumentPart& part);
  Dialect dialect_of(const Value& schema, Dialect outer);
  DocumentPart* part_by_uri(std::string_view uri);
  DocumentPart* load(std::string_view uri);
  std::optional<Target> follow_pointer(std::string_view pointer, DocumentPart& start);

  Stage& stage_;
  std::vector<SchemaDocument> given_;  // not indexed yet
  Dialect default_dialect_;
  std::deque<DocumentPart> parts_;
  std::map<std::string, DocumentPart*, std::less<>> by_uri_;
  std::unordered_map<const Map*, DocumentPart*> by_root_;
};

// The metaschemas of the supported drafts, so that schemas may refer to them (`$ref` to the draft's URI).

inline constexpr std::string_view kDraft2020 = "https://json-schema.org/draft/2020-12/schema";
inline constexpr std::string_view kDraft7 = "http://json-schema.org/draft-07/schema";

// JSON text; empty if `uri` (without fragment) isn't a supported metaschema.
std::string_view metaschema_text(std::string_view uri);

}  // namespace capwright::schema
