// Values are immutable: an operation rebuilds the containers on its path.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "diag/catalog/patches.h"
#include "diag/suggest.h"
#include "patch/patch_forms.h"
#include "schema/uri.h"

namespace capwright::patch {
namespace {

constexpr std::string_view kOperations[] = {"add", "remove", "replace", "move", "copy", "test"};

struct Pointer {
  std::string_view text;
  std::vector<std::string> tokens;
};

// RFC 6901, without the pointer to the whole document.
std::optional<Pointer> pointer_of(const Value* written) {
  if (written == nullptr || !written->is(Kind::String) || !written->text().starts_with('/')) return std::nullopt;
  Pointer pointer{written->text(), {}};
  std::string_view rest = pointer.text.substr(1);
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    pointer.tokens.push_back(schema::unescape_token(rest.substr(0, slash)));
    rest.remove_prefix(slash + 1);
  }
  pointer.tokens.push_back(schema::unescape_token(rest));
  return pointer;
}

// The number of an item; a negative one counts from the end, as in kustomize's library. Empty if there is none.
std::optional<std::size_t> index_of(std::string_view token, std::size_t size) {
  std::int64_t index = 0;
  const auto [stopped, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (token.empty() || error != std::errc() || stopped != token.data() + token.size()) return std::nullopt;
  if (index < 0) index += static_cast<std::int64_t>(size);
  if (index < 0 || index >= static_cast<std::int64_t>(size)) return std::nullopt;
  return static_cast<std::size_t>(index);
}

class Operation {
 public:
  Operation(const ObjectId& id, const Value& written, Stage& stage) : id_(id), written_(written), stage_(stage) {}

  std::optional<Value> apply(const Value& document) {
    if (!written_.is(Kind::Map)) return malformed("an operation isn't a map");
    op_ = written_.text_at("op");
    if (std::find(std::begin(kOperations), std::end(kOperations), op_) == std::end(kOperations))
      return malformed(op_.empty() ? "an operation has no `op`" : fmt::format("unknown `op: {}`", op_));
    const auto path = pointer_of(written_.find("path")), from = pointer_of(written_.find("from"));
    if (!path) return malformed(fmt::format("`{}` needs a `path` that begins with `/`", op_));
    const bool moves = op_ == "move" || op_ == "copy";
    if (moves && !from) return malformed(fmt::format("`{}` needs a `from` that begins with `/`", op_));
    const Value* value = written_.find("value");
    const bool sets = op_ == "add" || op_ == "replace" || op_ == "test";
    if (sets && value == nullptr) return malformed(fmt::format("`{}` needs a `value`", op_));
    if (op_ == "add") return add(document, *path, *value);
    if (op_ == "remove") return remove(document, *path);
    if (op_ == "replace") return replace(document, *path, *value);
    return moves ? move(document, *from, *path) : test(document, *path, *value);
  }

 private:
  using Result = std::optional<Value>;
  // Changes the container of a pointer's last token.
  using Change = std::function<Result(const Value& container, std::string_view token)>;

  Result malformed(std::string message) {
    stage_.sink.report(diag::malformed_patch, place(), std::move(message))
        .advise("write it like `{op: replace, path: /spec/replicas, value: 3}`");
    return std::nullopt;
  }

  Result failed(const Pointer& path, const std::string& why) {
    stage_.sink.report(diag::patch_fails, place(), std::string(op_), std::string(path.text), id_.shown(), why);
    return std::nullopt;
  }

  // The `path` of the operation.
  Span place() const {
    const Value* path = written_.is(Kind::Map) ? written_.find("path") : nullptr;
    const Span where = path == nullptr ? Span() : place_of(*path, stage_);
    return where.known() ? where : place_of(written_, stage_);
  }

  static const Value* child(const Value& container, std::string_view token) {
    if (container.is(Kind::Map)) return container.find(token);
    if (!container.is(Kind::List)) return nullptr;
    const auto index = index_of(token, container.items().size());
    return index ? &container.items()[*index] : nullptr;
  }

  const Value* find(const Value& document, const Pointer& path) const {
    const Value* at = &document;
    for (const std::string& token : path.tokens) {
      at = child(*at, token);
      if (at == nullptr) return nullptr;
    }
    return at;
  }

  Result change(const Value& at, const Pointer& path, std::size_t depth, const Change& last) {
    const std::string& token = path.tokens[depth];
    if (depth + 1 == path.tokens.size()) return last(at, token);
    const Value* below = child(at, token);
    if (below == nullptr) return failed(path, missing(at, path, depth));
    const Result changed = change(*below, path, depth + 1, last);
    return changed ? with_child(at, token, *changed) : Result();
  }

  static std::string shown(const Pointer& path, std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += "/" + path.tokens[i];
    return text.empty() ? "the object" : "`" + text + "`";
  }

  static std::string missing(const Value& at, const Pointer& path, std::size_t depth) {
    const std::string& token = path.tokens[depth];
    if (at.is(Kind::List))
      return fmt::format("{} has {} items, not `{}`", shown(path, depth), at.items().size(), token);
    if (!at.is(Kind::Map)) return fmt::format("{} is neither a map nor a list", shown(path, depth));
    std::vector<std::string_view> keys;
    for (const Entry& entry : at.entries()) keys.push_back(entry.key.text());
    const std::string near = did_you_mean(token, keys);
    return fmt::format("{} has no `{}`{}{}", shown(path, depth), token, near.empty() ? "" : "; ", near);
  }

  Value with_child(const Value& container, std::string_view token, const Value& value) const {
    if (container.is(Kind::List)) {
      std::vector<Value> items(container.items().begin(), container.items().end());
      items[*index_of(token, items.size())] = value;
      return make_list(stage_.arena, items).with_origin(container.origin());
    }
    std::vector<Entry> entries(container.entries().begin(), container.entries().end());
    const auto known =
        std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key.text() == token; });
    if (known != entries.end()) known->value = value;
    else entries.push_back({key(token), value});
    return make_map(stage_.arena, entries).with_origin(container.origin());
  }

  // A key has the place of the path that names it.
  Value key(std::string_view token) const {
    const Value* path = written_.find("path");
    return make_key(stage_.arena, token).with_origin(path->origin()).with_taint(path->tainted());
  }

  Result add(const Value& document, const Pointer& path, const Value& value) {
    return change(document, path, 0, [&](const Value& container, std::string_view token) -> Result {
      if (container.is(Kind::Map)) return with_child(container, token, value);
      if (!container.is(Kind::List)) return failed(path, missing(container, path, path.tokens.size() - 1));
      std::vector<Value> items(container.items().begin(), container.items().end());
      const auto index = token == "-" ? items.size() : index_of(token, items.size() + 1);
      if (!index) return failed(path, missing(container, path, path.tokens.size() - 1));
      items.insert(items.begin() + static_cast<std::ptrdiff_t>(*index), value);
      return make_list(stage_.arena, items).with_origin(container.origin());
    });
  }

  Result remove(const Value& document, const Pointer& path) {
    return change(document, path, 0, [&](const Value& container, std::string_view token) -> Result {
      const Value* gone = child(container, token);
      if (gone == nullptr) return failed(path, missing(container, path, path.tokens.size() - 1));
      if (container.is(Kind::List)) {
        std::vector<Value> items(container.items().begin(), container.items().end());
        items.erase(items.begin() + (gone - container.items().data()));
        return make_list(stage_.arena, items).with_origin(container.origin());
      }
      std::vector<Entry> entries(container.entries().begin(), container.entries().end());
      std::erase_if(entries, [&](const Entry& entry) { return entry.key.text() == token; });
      return make_map(stage_.arena, entries).with_origin(container.origin());
    });
  }

  Result replace(const Value& document, const Pointer& path, const Value& value) {
    return change(document, path, 0, [&](const Value& container, std::string_view token) -> Result {
      if (child(container, token) == nullptr) return failed(path, missing(container, path, path.tokens.size() - 1));
      return with_child(container, token, value);
    });
  }

  Result move(const Value& document, const Pointer& from, const Pointer& to) {
    const Value* found = find(document, from);
    if (found == nullptr) return failed(to, fmt::format("the object has no `{}` to {} from", from.text, op_));
    const Value value = *found;
    if (op_ == "copy") return add(document, to, value);
    const Result without = remove(document, from);
    return without ? add(*without, to, value) : without;
  }

  Result test(const Value& document, const Pointer& path, const Value& value) {
    const Value* found = find(document, path);
    const bool both_missing = value.is(Kind::Null) && (found == nullptr || found->is(Kind::Null));
    if (both_missing || (found != nullptr && json_equal(*found, value))) return document;
    if (found == nullptr) return failed(path, "the object doesn't have it");
    return failed(path, "the object has another value");
  }

  const ObjectId& id_;
  const Value& written_;
  Stage& stage_;
  std::string_view op_;
};

}  // namespace

namespace {

constexpr std::size_t kMostNodes = 200'000;  // of an object; the largest real ones have some thousands

// The values in `root`; kMostNodes + 1 if there are more, or if they are nested too deep.
std::size_t count_nodes(const Value& root, std::uint32_t depth) {
  std::vector<std::pair<const Value*, std::uint32_t>> waiting{{&root, 0}};
  std::size_t count = 0;
  while (!waiting.empty()) {
    const auto [value, level] = waiting.back();
    waiting.pop_back();
    if (++count > kMostNodes || level > depth) return kMostNodes + 1;
    if (value->is(Kind::List)) {
      for (const Value& item : value->items()) waiting.emplace_back(&item, level + 1);
    } else if (value->is(Kind::Map)) {
      for (const Entry& entry : value->entries()) waiting.emplace_back(&entry.value, level + 1);
    }
  }
  return count;
}

}  // namespace

std::optional<Value> json_patch(const ObjectId& id, const Value& object, const Value& operations, Stage& stage) {
  Value document = object;
  std::uint64_t steps = 0;  // an operation may rebuild any container
  for (const Value& written : operations.items()) {
    const std::optional<Value> changed = Operation(id, written, stage).apply(document);
    if (!changed) return std::nullopt;
    document = *changed;
    const std::size_t nodes = count_nodes(document, stage.limits.depth);
    steps += nodes;
    if (nodes <= kMostNodes && steps <= stage.limits.steps) continue;
    stage.sink.report(diag::malformed_patch, place_of(written, stage),
                      nodes > kMostNodes ? "the object grows too large or too deep" : "it takes too many steps");
    return std::nullopt;
  }
  if (id_of(document) == id_of(object)) return document;
  stage.sink
      .report(diag::patch_of_identity, operations.items().empty() ? Span() : place_of(operations.items()[0], stage),
              id.shown())
      .note("names of templates, the index, and `plan` depend on these fields")
      .advise("remove the operation; change the value that the template prints");
  return std::nullopt;
}

}  // namespace capwright::patch
