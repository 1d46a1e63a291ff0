// Collects the places to redact from the reader and the comparison, then searches for other occurrences of their bytes.
#include "diff/file_texts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <vector>

#include "diff/inner.h"
#include "files/text_diff.h"
#include "secrets/manifest_text.h"
#include "secrets/redact.h"
#include "secrets/texts.h"
#include "secrets/urls.h"

namespace capwright::diff {
namespace {

// The places of one side that must not be shown.
class SecretPlaces {
 public:
  explicit SecretPlaces(Side& side) : side_(side) {
    for (const Object& object : side_.objects()) collect(object.value);
  }

  // The text with each of them replaced by a word; `changed`: places whose secret differs from the one before.
  std::string redact(const SideFile& file, const std::vector<Span>& changed) {
    add_makers(file);
    std::vector<Span> spans;
    for (const Span span : spans_) {
      if (span.file == file.source && span.size() != 0) spans.push_back(span);
    }
    std::sort(spans.begin(), spans.end());
    merge_overlaps(spans);
    const std::string_view text = side_.text(file);
    std::string shown;
    std::uint32_t done = 0;
    for (const Span span : spans) {
      const std::string_view secret = text.substr(span.begin, span.size());
      const bool is_new = std::any_of(changed.begin(), changed.end(), [&](Span each) {
        return each.file == span.file && each.begin < span.end && span.begin < each.end;
      });
      shown.append(text.substr(done, span.begin - done));
      shown += fmt::format("<secret, {}{} B>{}", is_new ? "changed, " : "", secret.size(),
                           secret.ends_with('\n') ? "\n" : "");
      done = span.end;
    }
    return shown.append(text.substr(done));
  }

  void add(Span span) { spans_.push_back(span); }

 private:
  static void merge_overlaps(std::vector<Span>& sorted) {
    std::size_t count = 0;
    for (const Span& span : sorted) {
      if (count != 0 && span.begin < sorted[count - 1].end)
        sorted[count - 1].end = std::max(sorted[count - 1].end, span.end);
      else sorted[count++] = span;
    }
    sorted.resize(count);
  }

  void collect(const Value& value, bool is_of_list = false) {
    if (value.is(Kind::String)) {
      if (holds_secret(value, side_)) add(side_.span(value));
    } else if (value.is(Kind::List)) {
      for (const Value& item : value.items()) collect(item);
    } else if (value.is(Kind::Map)) {
      const bool is_secret = is_of_list || is_secret_object(value);
      for (const Entry& entry : value.entries()) {
        const std::string_view key = entry.key.text();
        if (key == kLastApplied) add(side_.span(entry.value));
        else if (is_secret && !secrets::is_public_in_secret(key)) add_data(entry.value);
        else if (key == "items" && is_list_of_secrets(value)) collect_items(entry.value);
        else collect(entry.value);
      }
    }
  }

  void collect_items(const Value& secrets) {
    if (!secrets.is(Kind::List)) return;
    for (const Value& secret : secrets.items()) collect(secret, true);
  }

  void add_data(const Value& data) {
    if (!data.is(Kind::Map)) return add(side_.span(data));
    for (const Entry& entry : data.entries()) add(side_.span(entry.value));
  }

  void add_makers(const SideFile& file) {
    if (file.rendered == nullptr) return;
    secrets::each_secret(file.rendered->body, [&](std::uint32_t begin, std::uint32_t end) {
      add({file.source, begin, end});
    });
  }

  Side& side_;  // parses texts in it
  std::vector<Span> spans_;
};

SecretTexts secrets_of(const Side* side) {
  SecretTexts secrets;
  if (side == nullptr || side->compiled() == nullptr) return secrets;
  for (const RenderedFile& file : side->compiled()->files.files()) {
    const std::string_view text = file.body.text();
    secrets::each_secret(file.body,
                         [&](std::uint32_t begin, std::uint32_t end) { secrets.add(text.substr(begin, end - begin)); });
  }
  return secrets;
}

bool may_hold_secret(const SideFile& file, std::string_view text) {
  return file.secret || text.find("Secret") != std::string_view::npos;
}

class FileDiffs {
 public:
  FileDiffs(const ClusterDiff& diff, Side* before, Side* after, const KnownPlaces& known)
      : before_(before), after_(after) {
    for (const ObjectPair& pair : diff.pairs) {
      for (const Change& change : pair.changes) note(change);
    }
    const auto add = [&](const Side* side, std::vector<Span>& secrets) {
      if (side == nullptr || !known) return;
      for (const Span place : known(*side)) secrets.push_back(place);
    };
    add(before, old_secrets_);
    add(after, new_secrets_);
  }

  std::string text() {
    std::set<std::string> paths;
    for (const Side* side : {before_, after_}) {
      if (side == nullptr) continue;
      for (const SideFile& file : side->files()) paths.insert(file.path);
    }
    std::string text;
    for (const std::string& path : paths) text += file_diff(path);
    return redact_urls(secrets_of(before_).redact(secrets_of(after_).redact(text)));
  }

 private:
  void note(const Change& change) {
    if (!change.secret) return;
    old_secrets_.push_back(change.before_where);
    new_secrets_.push_back(change.after_where);
    if (change.kind == Change::Kind::Replace) changed_.push_back(change.after_where);
  }

  std::string file_diff(const std::string& path) {
    const SideFile* before = before_ != nullptr ? before_->find(path) : nullptr;
    const SideFile* after = after_ != nullptr ? after_->find(path) : nullptr;
    const std::string_view old_text = before != nullptr ? before_->text(*before) : std::string_view();
    const std::string_view new_text = after != nullptr ? after_->text(*after) : std::string_view();
    if (old_text == new_text) return {};
    const bool hidden = (before != nullptr && before->broken && may_hold_secret(*before, old_text)) ||
                        (after != nullptr && after->broken && may_hold_secret(*after, new_text));
    // Uses the names of `render --check`, so that the diff applies from the root of the repository.
    Side& side = after_ != nullptr ? *after_ : *before_;
    const std::string in_folder = (side.compiled() != nullptr ? "clusters/" : "") + side.cluster() + "/" + path;
    const std::string name = is_outside(path) ? path.substr(1) : in_folder;
    if (hidden) return fmt::format("{}: not shown, because it isn't YAML and may contain a secret\n", name);
    const std::string shown_before = before != nullptr ? redacted(*before_, *before, old_secrets_, {}) : "";
    const std::string shown_after = after != nullptr ? redacted(*after_, *after, new_secrets_, changed_) : "";
    return unified_diff({before != nullptr ? name : "/dev/null", shown_before},
                        {after != nullptr ? name : "/dev/null", shown_after}, {.most_lines = 0});
  }

  static std::string redacted(Side& side, const SideFile& file, const std::vector<Span>& secrets,
                              const std::vector<Span>& changed) {
    if (file.source == FileId::None) return {};
    SecretPlaces places(side);
    for (const Span span : secrets) places.add(span);
    return places.redact(file, changed);
  }

  Side* before_;
  Side* after_;
  std::vector<Span> old_secrets_, new_secrets_, changed_;
};

}  // namespace

std::string diff_of_files(const ClusterDiff& diff, Side* before, Side* after, const KnownPlaces& known) {
  return FileDiffs(diff, before, after, known).text();
}

}  // namespace capwright::diff
