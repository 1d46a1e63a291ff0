// Searches finished messages: three hundred places build them as plain strings, so taint can't mark their bytes.
#include "secrets/redactor.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "secrets/urls.h"
#include "yaml/characters.h"

namespace capwright::secrets {
namespace {

template <class Finding, class Visit>
void each_text(Finding& finding, const Visit& visit) {
  visit(finding.message);
  visit(finding.label);
  for (auto& label : finding.labels) visit(label.text);
  for (auto& frame : finding.trace) visit(frame.what);
  for (auto& note : finding.notes) visit(note);
  if (finding.help) visit(*finding.help);
  visit(finding.subject);
}

bool shows_secret(std::string_view text, const SecretTexts& texts) {
  return (!texts.empty() && !texts.find(text).empty()) || !url_secrets(text).empty();
}

bool shows_secret(const Diagnostic& finding, const SecretTexts& texts) {
  bool found = false;
  each_text(finding, [&](const std::string& text) { found = found || shows_secret(text, texts); });
  return found;
}

void redact_texts(Diagnostic& finding, const SecretTexts& texts) {
  each_text(finding, [&](std::string& text) {
    if (shows_secret(text, texts)) text = redact_urls(texts.redact(text));
  });
}

bool is_one_of(std::span<const std::string> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Adds every word of `text` with at least `shortest` bytes, as a message may quote it, but none of `known`.
void add_words(std::string_view text, std::size_t shortest, std::span<const std::string> known, SecretTexts& texts) {
  constexpr std::string_view kIndicators = "&*!|>@%`?-$";
  if (text.starts_with("ENC[")) return;  // encrypted text is public
  each_word(text, shortest, [&](std::string_view word) {
    if (is_one_of(known, word)) return;
    texts.add(word);
    const std::size_t indicators = std::min(word.find_first_not_of(kIndicators), word.size());
    if (indicators != 0) texts.add(word.substr(indicators));
  });
}

// Whether a finding is about a place in `secret`, or on the line where it starts.
bool is_about(const Diagnostic& finding, Span secret, const SourceSet& sources) {
  const Span where = finding.where;
  if (!secret.known() || where.file != secret.file) return false;
  const std::string_view line = sources.line_text(secret.file, secret.begin);
  const auto begin = static_cast<std::uint32_t>(line.data() - sources.text(secret.file).data());
  return where.begin <= secret.end && where.end >= begin;
}

}  // namespace

void each_word(std::string_view text, std::size_t shortest, const std::function<void(std::string_view)>& visit) {
  static constexpr yaml::CharacterSet kBetween(" \t\r\n\"',:{}[]=");
  while (!text.empty()) {
    std::size_t begin = 0;
    while (begin < text.size() && kBetween.has(text[begin])) ++begin;
    std::size_t end = begin;
    while (end < text.size() && !kBetween.has(text[end])) ++end;
    if (end - begin >= shortest) visit(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

Places::Places(std::vector<Span> spans) : spans_(std::move(spans)) {
  std::erase_if(spans_, [](const Span& span) { return !span.known(); });
  std::sort(spans_.begin(), spans_.end());
  std::size_t count = 0;
  for (const Span& span : spans_) {
    Span* last = count == 0 ? nullptr : &spans_[count - 1];
    if (last != nullptr && last->file == span.file && span.begin <= last->end)
      last->end = std::max(last->end, span.end);
    else spans_[count++] = span;
  }
  spans_.resize(count);
}

std::string Places::redact(std::string_view line, FileId file, std::uint32_t begin) const {
  std::string shown(line);
  const auto end = begin + static_cast<std::uint32_t>(line.size());
  const auto is_before = [&](const Span& secret) {
    return secret.file != file ? secret.file < file : secret.end <= begin;
  };
  for (auto secret = std::partition_point(spans_.begin(), spans_.end(), is_before);
       secret != spans_.end() && secret->file == file && secret->begin < end; ++secret) {
    const std::size_t from = std::max(secret->begin, begin) - begin, to = std::min(secret->end, end) - begin;
    for (std::size_t i = from; i < to; ++i) shown[i] = (line[i] & 0xc0) == 0x80 ? '\0' : '*';
  }
  std::erase(shown, '\0');  // continuation bytes of redacted characters; a parsed source can't contain NUL
  return shown;
}

bool Places::meet(Span span) const {
  const auto is_before = [&](const Span& secret) {
    return secret.file != span.file ? secret.file < span.file : secret.end <= span.begin;
  };
  const auto first = std::partition_point(spans_.begin(), spans_.end(), is_before);
  return first != spans_.end() && first->file == span.file && first->begin < span.end;
}

Places Redactor::redact(std::vector<Diagnostic>& findings, const SourceSet& sources) {
  std::size_t number = 0;
  return redact(std::as_const(findings), sources, [&](const Diagnostic&, std::optional<Diagnostic> changed) {
    if (changed) findings[number] = std::move(*changed);
    ++number;
  });
}

std::optional<Diagnostic> Redactor::redacted(const Diagnostic& finding, const SourceSet& sources,
                                             const Places& known) const {
  const auto is_around = [&](const Span& part) {
    return part.file == finding.where.file && part.begin <= finding.where.end && finding.where.begin <= part.end;
  };
  if (std::none_of(unread.begin(), unread.end(), is_around)) return redacted(finding, known, words);
  SecretTexts here = words;
  for (const Span& secret : places) {
    if (is_about(finding, secret, sources)) add_words(sources.text(secret), 1, {}, here);
  }
  return redacted(finding, known, here);
}

std::optional<Diagnostic> Redactor::redacted(const Diagnostic& finding, const Places& known, const SecretTexts& here) {
  const auto shows = [&](const Edit& edit) { return known.meet(edit.where) || shows_secret(edit.text, here); };
  const bool has_secret_fix = finding.fix && std::any_of(finding.fix->edits.begin(), finding.fix->edits.end(), shows);
  if (!has_secret_fix && !shows_secret(finding, here)) return std::nullopt;
  Diagnostic shown = finding;
  if (has_secret_fix) shown.fix.reset();
  redact_texts(shown, here);
  return shown;
}

void Redactor::redact_words(Diagnostic& finding) const { redact_texts(finding, all_texts()); }

SecretTexts Redactor::all_texts() const {
  SecretTexts all = texts;
  all.add(words);
  return all;
}

bool Redactor::is_searched(Span place) const {
  const auto behind = searched_.upper_bound({place.file, place.begin});
  if (behind == searched_.begin()) return false;
  const auto& [line, end] = *std::prev(behind);
  return line.first == place.file && place.begin <= end;
}

std::vector<Span> Redactor::places_on_lines(const Diagnostic& finding, const SourceSet& sources) {
  std::vector<Span> found;
  const auto search = [&](Span where) {
    if (!where.known() || is_searched(where)) return;
    const std::string_view line = sources.line_text(where.file, where.begin);
    const auto begin = static_cast<std::uint32_t>(line.data() - sources.text(where.file).data());
    searched_.emplace(std::pair(where.file, begin), begin + static_cast<std::uint32_t>(line.size()));
    const auto add = [&](std::size_t from, std::size_t to) {
      found.push_back({where.file, begin + static_cast<std::uint32_t>(from), begin + static_cast<std::uint32_t>(to)});
    };
    for (const SecretTexts::Run& run : texts.find(line)) add(run.begin, run.end);
    for (const TextPlace& place : url_secrets(line)) add(place.begin, place.end);
  };
  search(finding.where);
  for (const Label& label : finding.labels) search(label.where);
  for (const TraceFrame& frame : finding.trace) search(frame.where);
  return found;
}

Redactor redactor_of(const KnownSecrets& secrets, const Value& values, const SourceSet& sources) {
  Redactor redactor;
  redactor.places = secrets.places;
  redactor.texts.add_tainted(values);
  for (const std::string_view text : secrets.texts) {
    if (!is_one_of(secrets.keys, text)) redactor.texts.add(text);
  }
  for (const Span place : secrets.places) {
    if (secrets.complete && place.known())
      add_words(sources.text(place), kShortestQuoted, secrets.keys, redactor.words);
  }
  if (secrets.complete) return redactor;
  for (const FileId file : sources.files())
    redactor.unread.push_back({file, 0, static_cast<std::uint32_t>(sources.text(file).size())});
  return redactor;
}

}  // namespace capwright::secrets
