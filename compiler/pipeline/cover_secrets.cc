// Masking by the text of the lines, where there is nothing better, and covering messages by what secrets are known.
#include "pipeline/cover_secrets.h"

#include <string>

#include "pipeline/secret_lines.h"

namespace capwright {
namespace {

// Words of a masked place as a message may quote them: without quotes and without what YAML puts before them.
void add_words(std::string_view text, std::size_t shortest, SecretTexts& texts) {
  constexpr std::string_view kBetween = " \t\r\n\"',:{}[]=";
  constexpr std::string_view kIndicators = "&*!|>@%`?-$";
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_not_of(kBetween), text.size());
    const std::size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (word.size() >= shortest) {
      texts.add(word);
      texts.add(word.substr(std::min(word.find_first_not_of(kIndicators), word.size())));
    }
    text.remove_prefix(end);
  }
}

// Whether a finding is about what stands in `secret`, or on the line that it begins in.
bool is_about(const Diagnostic& diagnostic, Span secret, const SourceSet& sources) {
  const Span where = diagnostic.where;
  if (where.file != secret.file) return false;
  const std::string_view line = sources.line_text(secret.file, secret.begin);
  const auto begin = static_cast<std::uint32_t>(line.data() - sources.text(secret.file).data());
  return where.begin <= secret.end && where.end >= begin;
}

constexpr std::size_t kShortestWord = 8;  // shorter ones are words of other messages, too

// Words of the places of secrets; with `about`, only of those that the finding is about.
void add_places(const CompiledCluster& cluster, const Diagnostic* about, SecretTexts& texts) {
  for (const Span secret : cluster.secrets) {
    if (!secret.known() || (about != nullptr && !is_about(*about, secret, cluster.sources))) continue;
    const std::string_view text = cluster.sources.text(secret);
    const bool encrypted = text.starts_with("ENC[");  // anybody may read that
    if (!encrypted) add_words(text, about != nullptr ? 1 : kShortestWord, texts);
  }
}

}  // namespace

void cover_message(Diagnostic& diagnostic, const SecretTexts& texts) {
  const auto cover_text = [&](std::string& text) { text = texts.cover(text); };
  cover_text(diagnostic.message);
  cover_text(diagnostic.label);
  for (Label& label : diagnostic.labels) cover_text(label.text);
  for (TraceFrame& frame : diagnostic.trace) cover_text(frame.what);
  for (std::string& note : diagnostic.notes) cover_text(note);
  if (diagnostic.help) cover_text(*diagnostic.help);
}

void cover_messages(CompiledCluster& cluster) {
  if (cluster.sink.diagnostics().empty()) return;
  SecretTexts known;
  known.add_tainted(cluster.values);
  for (const std::string_view text : cluster.secret_texts) known.add(text);
  if (cluster.secrets_known) add_places(cluster, nullptr, known);
  for (Diagnostic& diagnostic : cluster.sink.diagnostics()) {
    SecretTexts here = known;
    if (!cluster.secrets_known) add_places(cluster, &diagnostic, here);
    if (!here.empty()) cover_message(diagnostic, here);
  }
}

void cover_unread_secrets(CompiledCluster& cluster, Project& project) {
  const SecretNames names = project.secret_names();
  for (const FileId file : cluster.sources.files()) {
    const bool assignment = cluster.sources.path(file).starts_with("--set");
    for (const Span span : secret_lines(cluster.sources.text(file), file, assignment, names)) {
      cluster.secrets.push_back(span);
    }
  }
}

}  // namespace capwright
