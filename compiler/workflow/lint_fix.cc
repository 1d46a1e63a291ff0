// Only edits files of the repository that users write: not rendered, encrypted or outside files.
#include "workflow/lint_fix.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "files/index.h"
#include "files/text_diff.h"
#include "report/diff_words.h"
#include "report/printable.h"
#include "source/real_fs.h"
#include "workflow/edited_files.h"
#include "workflow/fixed_files.h"

namespace capwright::workflow {

LintFixes::LintFixes(const LintRequest& request) : request_(request) {}

void LintFixes::begin(OpenProject& open) {
  open_ = &open;
  offered_ = {};
  faults_ = {};
  editable_.clear();
  secrets_now_.clear();
}

void LintFixes::redact(std::string_view path, Span secret) {
  secrets_now_[std::string(path)].insert({FileId::None, secret.begin, secret.end});
}

void LintFixes::note(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster) {
  if (is_asked()) faults_.add(diagnostic, sources, cluster);
}

bool LintFixes::advance() {
  if (is_first_) secrets_at_first_ = secrets_now_;
  is_first_ = false;
  if (!is_asked()) return false;
  const Safety least_safe = request_.unsafe_fixes ? Safety::Unsafe : Safety::Safe;
  return trials_.advance(offered_, faults_, least_safe,
                         [this](const std::string& path, std::string_view text) { return may_edit(path, text); });
}

bool LintFixes::may_edit(const std::string& path, std::string_view text) {
  const auto [known, is_new] = editable_.try_emplace(path, false);
  if (is_new) known->second = is_editable(path, text);
  if (is_new && known->second && !edits().contains(path)) originals_.insert_or_assign(path, std::string(text));
  return known->second;
}

bool LintFixes::is_editable(const std::string& path, std::string_view text) const {
  const Workspace& workspace = open_->project->workspace();
  const std::string io_path = workspace.io_path(path);
  std::string read;
  if (path.starts_with('/') || path.starts_with("../")) return false;
  if (open_->fs.read(io_path, read, open_->limits.input_bytes) || read != text || is_encrypted(text)) return false;
  // Neither outside of the repository, nor through a link to another location.
  std::error_code failed;
  const auto root = std::filesystem::canonical(workspace.prefix.empty() ? "." : workspace.prefix, failed);
  if (failed) return false;
  const auto file = std::filesystem::canonical(io_path, failed);
  return !failed && file == (root / path).lexically_normal() && !is_rendered_by_us(path);
}

bool LintFixes::is_rendered_by_us(const std::string& path) const {
  if (!open_->project->owner_of_output(path).empty()) return true;
  constexpr std::string_view kFolder = "clusters/";
  for (std::size_t at = path.find(kFolder); at != std::string::npos; at = path.find(kFolder, at + 1)) {
    const std::size_t slash = path.find('/', at + kFolder.size());
    if (slash == std::string::npos || (at != 0 && path[at - 1] != '/')) continue;
    std::string text, why;
    const std::string index_path = path.substr(0, slash + 1) + std::string(kIndexName);
    if (open_->fs.read(open_->project->workspace().io_path(index_path), text, open_->limits.input_bytes)) continue;
    const auto index = read_index(text, why);
    if (!index || index->find(std::string_view(path).substr(slash + 1)) != nullptr) return true;
  }
  return false;
}

std::string LintFixes::write() {
  std::vector<FixedFile> files;
  for (const auto& [path, text] : edits())
    files.push_back({path, open_->project->workspace().io_path(path), originals_.at(path), text});
  RealFs real;
  return write_fixed_files(real, files);
}

std::string LintFixes::redacted(const std::string& path, std::string text, const SecretPlaces& secrets) const {
  const auto places = secrets.find(path);
  if (places == secrets.end()) return text;
  for (const Span& secret : places->second) {
    for (std::size_t at = secret.begin; at < std::min<std::size_t>(secret.end, text.size()); ++at) {
      if (text[at] != '\n' && text[at] != '\r') text[at] = '*';
    }
  }
  return text;
}

// A fix of a key may turn a secret into a value that is shown.
void LintFixes::redact_what_was_secret(const std::string& path, std::string& text) const {
  constexpr std::size_t kShortest = 6;  // bytes; shorter ones occur in other lines, too
  const auto places = secrets_at_first_.find(path);
  if (places == secrets_at_first_.end()) return;
  const std::string_view before = originals_.at(path);
  for (const Span& secret : places->second) {
    const std::string_view written = before.substr(secret.begin, secret.end - secret.begin);
    if (written.size() < kShortest) continue;
    for (std::size_t at = text.find(written); at != std::string::npos; at = text.find(written, at + written.size()))
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), written.size(), '*');
  }
}

std::string LintFixes::diff() const {
  std::string all;
  for (const auto& [path, text] : edits()) {
    const std::string before = redacted(path, originals_.at(path), secrets_at_first_);
    std::string after = redacted(path, text, secrets_now_);
    redact_what_was_secret(path, after);
    const std::string name = report::printable(path);
    all += unified_diff({name, before}, {name + " (fixed)", after}, {.most_lines = 0});
  }
  return all;
}

std::vector<std::string> LintFixes::left_out() const {
  std::vector<std::string> lines;
  for (const lint::FixTrials::LeftOut& fix : trials_.left_out()) {
    std::string why = "nothing could be checked after it";
    if (fix.why) {
      why = fmt::format("it leads to {}{}{}, {}", fix.why->code, fix.why->place.empty() ? "" : " at ",
                        report::printable(fix.why->place), report::printable(fix.why->message));
    }
    lines.push_back(fmt::format("the fix of {} at {} is skipped: {}", fix.rule, report::printable(fix.place), why));
  }
  for (const auto& [path, is_editable] : editable_) {
    if (is_editable || !(path.starts_with('/') || path.starts_with("../"))) continue;
    lines.push_back(
        fmt::format("the fixes in `{}` are skipped: the file is outside of the repository", report::printable(path)));
  }
  return lines;
}

std::string LintFixes::summary() const {
  std::map<std::string, bool> editable;  // checked once per file, whatever its number of fixes
  const auto may_edit = [&](const std::string& path, std::string_view text) {
    const auto [known, is_new] = editable.try_emplace(path, false);
    if (is_new) known->second = is_editable(path, text);
    return known->second;
  };
  const std::size_t done = trials_.fixes();
  const std::size_t safe = offered_.count(Safety::Safe, may_edit), unsafe = offered_.count(Safety::Unsafe, may_edit);
  std::string text;
  if (done != 0) {
    text = fmt::format("{} {} in {}", request_.diff ? "would fix" : "fixed", report::counted(done, "finding"),
                       report::counted(edits().size(), "file"));
  } else if (safe != 0 && !request_.fix && !request_.unsafe_fixes && !request_.diff) {
    text = fmt::format("{} can be fixed with `--fix`", safe);
  }
  if (unsafe != 0 && !request_.unsafe_fixes)
    text += fmt::format("{}{} {} `--unsafe-fixes`", text.empty() ? "" : "; ", unsafe,
                        text.empty() ? "can be fixed with" : "more with");
  return text;
}

}  // namespace capwright::workflow
