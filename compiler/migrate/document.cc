// After each step the text is read again, so that places are those of the text, and a step that doesn't have its
// result is undone.
#include "migrate/document.h"

#include <fmt/format.h>
#include <memory>
#include <utility>

#include "migrate/rewrite_step.h"
#include "patch/edit_document.h"
#include "patch/file_text.h"

namespace capwright::migrate {
namespace {

using Text = std::unique_ptr<patch::FileText>;

Text read(std::string text, const Limits& limits) {
  MappedText body;
  body.append(text, Segment());
  return std::make_unique<patch::FileText>(std::move(body), limits);
}

class Migration {
 public:
  Migration(std::string_view text, const Goal& goal, const Limits& limits)
      : goal_(goal), limits_(limits), first_(read(std::string(text), limits)), now_(read(std::string(text), limits)) {}

  MigratedDocument run() {
    out_.text = first_->text();
    if (first_->documents().size() != 1) return std::move(out_);
    std::optional<ApiType> type = type_of(object());
    if (!type) return std::move(out_);
    out_.kind = out_.to_kind = type->kind;
    out_.from = out_.to = type->version;
    out_.version_at = first_->place(*object().find("apiVersion")).begin;
    const Value* metadata = object().find("metadata");
    if (metadata != nullptr) out_.name = metadata->text_at("name");
    while (type) {
      const Conversion* conversion = next_conversion(*type, goal_);
      if (conversion == nullptr || !apply(*conversion)) break;
      type = type_of(object());
    }
    update_references();
    if (is_kept_) keep();
    else out_.text = now_->text();
    return std::move(out_);
  }

 private:
  const YamlDocument& document() const { return now_->documents().front(); }
  const Value& object() const { return document().value; }

  bool apply(const Conversion& conversion) {
    Skipped skipped;
    while (const auto step = next_step(conversion, object(), goal_, skipped)) {
      if (!step->blocked.empty()) {
        skipped.insert(step->key());
        leave(*step, step->blocked);
      } else if (write(*step)) {
        out_.steps.push_back(step->words());
      } else {
        skipped.insert(step->key());
        leave(*step, "its layout can't be edited, so the object stays as it is: the field " + step->effect());
        is_kept_ = true;
      }
    }
    const ApiType type = *type_of(object());
    const ApiType now{type.group, conversion.to, conversion.to_kind};
    if (!write_type({}, now)) return false;
    out_.to = conversion.to;
    out_.to_kind = conversion.to_kind;
    return true;
  }

  // Takes a new text if it reads as wanted.
  bool take(std::string text, const Value& wanted) {
    Text read_again = read(std::move(text), limits_);
    if (read_again->documents().size() != 1) return false;
    if (!json_equal(read_again->documents().front().value, wanted)) return false;
    now_ = std::move(read_again);
    return out_.changed = true;
  }

  bool write(const Step& step) {
    Arena arena;
    const Value wanted = applied(object(), step, arena);
    if (const auto rewrite = rewrite_of(step, *now_, document())) {
      if (take(perform(now_->text(), *rewrite, false), wanted)) return true;
    }
    OwnStage own(limits_);  // by values: comments in the changed part are lost
    auto edits = patch::edits_in_place(*now_, document(), wanted, Segment(), own.stage);
    return edits && take(patch::edited(now_->body(), std::move(*edits)).text(), wanted);
  }

  bool write_type(const FieldPath& path, const ApiType& type) {
    Arena arena;
    const Value wanted = with_type(object(), path, type, arena);
    const Value& map = path.empty() ? object() : *value_at(object(), path);
    const Rewrite rewrite = rewrite_of_type(map, std::string(type.version), std::string(type.kind), *now_);
    return take(perform(now_->text(), rewrite, false), wanted);
  }

  void update_references() {
    for (const FieldPath& path : old_references(object(), goal_)) {
      const ApiType end = type_of_reference(*value_at(object(), path), goal_);
      const std::string words =
          fmt::format("`{}` refers to {}{}{}", shown(path), end.version, end.version.empty() ? "" : " ", end.kind);
      if (write_type(path, end)) out_.steps.push_back(words);
    }
  }

  // Undoes all steps: an object in the new version with a field of the old one would be invalid.
  void keep() {
    out_.changed = false;
    out_.to = out_.from;
    out_.to_kind = out_.kind;
    out_.steps.clear();
  }

  void leave(const Step& step, std::string reason) {
    Undecided& left = out_.undecided.emplace_back();
    left.path = step.from;
    left.reason = std::move(reason);
    for (const std::string_view choice : step.move->choices) left.choices.emplace_back(choice);
    const Span place = place_before(step.from);
    left.begin = place.begin;
    left.end = place.end;
  }

  // The key of the field in the first text; of the closest map around it that was there, or of the version.
  Span place_before(FieldPath path) const {
    const Value& before = first_->documents().front().value;
    for (; !path.empty(); path.pop_back()) {
      const Value* around = value_at(before, parent(path));
      if (around == nullptr || !around->is(Kind::Map)) continue;
      for (const Entry& entry : around->entries()) {
        if (entry.key.text() == path.back()) return first_->place(entry.key);
      }
    }
    return first_->place(*before.find("apiVersion"));
  }

  const Goal& goal_;
  const Limits& limits_;
  Text first_, now_;
  MigratedDocument out_;
  bool is_kept_ = false;
};

bool begins_document(std::string_view line) {
  return line.starts_with("---") && (line.size() == 3 || line[3] == ' ' || line[3] == '\n' || line[3] == '\r');
}

}  // namespace

MigratedDocument migrate_document(std::string_view text, const Goal& goal, const Limits& limits) {
  return Migration(text, goal, limits).run();
}

std::vector<std::string_view> documents_of(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t line = 0; line < text.size();) {
    if (line != begin && begins_document(text.substr(line))) {
      parts.push_back(text.substr(begin, line - begin));
      begin = line;
    }
    line = std::min(text.find('\n', line), text.size() - 1) + 1;
  }
  if (begin < text.size()) parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace capwright::migrate
