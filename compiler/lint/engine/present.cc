// The frame chain of a finding: value, template line, rendered line.
#include "lint/engine/present.h"

#include <algorithm>
#include <fmt/format.h>

#include "crd/object_place.h"
#include "files/blame.h"
#include "lint/facts/credential_places.h"
#include "lint/fixes/source_fix.h"
#include "lint/model/input_map.h"
#include "rotation/naming.h"

namespace capwright::lint {
namespace {

// Quotes that are the template's: the value between them made what counts.
Span without_quotes(Span span, std::string_view text) {
  const std::string_view scalar = text.substr(span.begin, span.size());
  const bool quoted = scalar.size() > 2 && (scalar[0] == '"' || scalar[0] == '\'') && scalar.back() == scalar[0];
  return quoted ? Span{span.file, span.begin + 1, span.end - 1} : span;
}

// The bytes of a rendered file to ask for the makers of: never none.
Span asked(const Place& place) {
  const std::string& text = place.file->rendered->body.text();
  const auto size = static_cast<std::uint32_t>(text.size());
  Span span = place.is_about_quotes ? Span{place.span.file, place.span.begin, place.span.begin + 1}
                                    : without_quotes(place.span, text);
  if (span.begin >= span.end) span.end = std::min(span.begin + 1, size);
  if (span.begin >= size) span = {span.file, size - 1, size};
  return span;
}

// A name without its digest: the template is another one with each change, and the finding is the same.
std::string subject_of(const Place& place) {
  if (place.object == nullptr) return {};
  const std::string_view base = rotation::rotated_base(place.object->root().value(), place.object->name());
  return fmt::format("{}/{}{}{}", place.object->kind(), base.empty() ? place.object->name() : base,
                     place.path.empty() ? "" : " ", place.path);
}

bool is_built_in(FileId file, const TemplateSet& set) { return set.built_in && SourceSet::is_shared(file); }

std::string rendered_text(const Place& place) {
  return place.object == nullptr ? "rendered here" : fmt::format("rendered here, in {}", place.object->title());
}

const Document* document_at(const File& file, Span place) {
  const auto found = std::find_if(file.documents.begin(), file.documents.end(), [&](const Document& document) {
    return document.span.file == place.file && document.span.begin <= place.begin && place.end <= document.span.end;
  });
  return found == file.documents.end() ? nullptr : &*found;
}

// All places of one spot, the one to edit first.
struct Chain {
  Span where;
  std::vector<Label> labels;
  std::vector<TraceFrame> trace;
  Span built_in;     // the line of a built-in set that made it, where something else is shown
  ValuesKey values;  // that decide it then
  std::string note;  // of a place in the output of a command
  const patch::RemovedField* removed = nullptr;  // by a patch, which is the place then
};

bool mentions(std::string_view text, std::string_view word) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return true;
  }
  return false;
}

// Whether the finding is about the field: at its path or below, or about what is around it, with words that name it.
bool is_about(const Finding& finding, const patch::RemovedField& field) {
  std::string path = field.around;
  if (!field.is_item) crd::append_key(path, field.field);
  const std::string_view at = finding.place.path;
  const bool is_below =
      at.starts_with(path) && (at.size() == path.size() || at[path.size()] == '.' || at[path.size()] == '[');
  if (!field.is_item && is_below) return true;
  return at == field.around && (mentions(finding.message, field.field) || mentions(finding.advice, field.field));
}

// The field that a patch removed from the object, and that the finding is about; null: none.
const patch::RemovedField* removed_field(const Finding& finding) {
  const Object* object = finding.place.object;
  const CompiledCluster* compiled = object == nullptr ? nullptr : object->cluster().compiled();
  if (compiled == nullptr || compiled->removed.empty() || object->file().rendered == nullptr) return nullptr;
  const Value* existing = compiled->values.is(Kind::Map) ? compiled->values.find("existing_names") : nullptr;
  const std::string_view name =
      rotation::rendered_name(existing == nullptr ? Value() : *existing, object->kind(), object->name());
  const std::string_view base = rotation::rotated_base(object->root().value(), name);
  const auto found = std::ranges::find_if(compiled->removed, [&](const patch::RemovedField& field) {
    return field.kind == object->kind() && (field.name == name || (!base.empty() && field.name == base)) &&
           is_about(finding, field);
  });
  return found == compiled->removed.end() ? nullptr : &*found;
}

// A built-in set is not in the repository: what people can edit are values, else what they see is the rendered line.
void leave_built_in(const Place& place, std::string_view code, Chain& chain) {
  chain.built_in = chain.where;
  chain.values = values_key_of(place, chain.where, code);
  chain.labels.clear();
  chain.trace = {{chain.built_in, "rendered by the built-in"}};
  chain.where = place.span;
  if (!chain.values.where.known()) return;
  chain.where = chain.values.where;
  chain.labels.push_back({place.span, rendered_text(place)});
}

// Of a value's way through a built-in set, one line is enough: the repository doesn't have the files.
void hide_built_in(const TemplateSet& set, Chain& chain) {
  const auto made = std::find_if(chain.labels.begin(), chain.labels.end(),
                                 [&](const Label& label) { return is_built_in(label.where.file, set); });
  if (made == chain.labels.end()) return;
  chain.trace = {{made->where, "rendered by the built-in"}};
  chain.labels.erase(made);
}

// In the output of a command: at the input that made it, if there is exactly one.
void lead_to_input(const Place& place, Blame blame, Chain& chain) {
  InputMap& inputs = *place.cluster->inputs();
  const Document* document = document_at(*place.file, place.span);
  const Span input = document == nullptr ? Span() : inputs.find(*document, place.span);
  const std::string command = fmt::format("the output of `{}`", inputs.output().shown);
  if (!input.known()) {
    const std::string marked = document == nullptr ? std::string() : inputs.marked_file(*document);
    chain.note = fmt::format("in {}{}", command, marked.empty() ? "" : fmt::format(", from `{}`", marked));
    return;
  }
  if (blame == Blame::Rendered) return chain.labels.push_back({input, "written here"});
  chain.where = input;
  chain.labels.push_back({place.span, place.object == nullptr
                                          ? "in " + command
                                          : fmt::format("in {}, in {}", command, place.object->title())});
}

// At the patch, because no byte shows what isn't there.
Chain chain_of_removal(const Place& place, const patch::RemovedField& removed, Blame blame) {
  Chain chain;
  chain.removed = &removed;
  chain.where = removed.patch;
  chain.labels.push_back({place.span, rendered_text(place)});
  if (blame == Blame::Rendered) {
    std::swap(chain.where, chain.labels.front().where);
    chain.labels.front().text = "removed here";
  }
  return chain;
}

Chain chain_of(const Place& place, Blame blame, std::string_view code) {
  Chain chain;
  chain.where = place.span;
  if (place.file == nullptr || !place.span.known()) return chain;
  if (place.file->rendered == nullptr) {
    if (place.cluster->inputs() != nullptr) lead_to_input(place, blame, chain);
    return chain;
  }
  const Span bytes = asked(place);
  const CompiledCluster& compiled = *place.cluster->compiled();
  const Stage makers = place.cluster->makers();
  capwright::Blame found = blame_bytes(place.file->rendered->body, bytes.begin, bytes.end, makers, &compiled.trace);
  chain.where = found.where;
  chain.labels = std::move(found.labels);
  chain.trace = std::move(found.trace);
  const Label rendered{place.span, rendered_text(place)};
  if (blame == Blame::Template && found.by_value) {
    std::swap(chain.where, chain.labels.front().where);
    chain.labels.front().text = "from this value";
  }
  if (blame == Blame::Rendered) {
    chain.labels.insert(chain.labels.begin(), {chain.where, found.by_value ? "from this value" : "written here"});
    chain.where = place.span;
  } else {
    chain.labels.push_back(rendered);
  }
  // A value of a patch is written where it is printed.
  std::erase_if(chain.labels, [&](const Label& label) { return label.where == chain.where; });
  const TemplateSet* set = place.cluster->templates();
  if (set == nullptr) return chain;
  if (blame == Blame::Value && is_built_in(chain.where.file, *set)) leave_built_in(place, code, chain);
  else hide_built_in(*set, chain);
  return chain;
}

// `allowedCIDRs` of `spec.apiServerLoadBalancer.allowedCIDRs` by the key of the values that decides it.
void name_key(std::string& message, std::string_view path, const std::string& key) {
  const std::string field = fmt::format("`{}`", path.substr(path.rfind('.') + 1));
  const std::size_t at = message.find(field);
  if (at != std::string::npos) message.replace(at, field.size(), fmt::format("`{}`", key));
}

Chain chain_of(const Finding& finding, Blame blame) {
  const patch::RemovedField* removed = removed_field(finding);
  return removed == nullptr ? chain_of(finding.place, blame, finding.info->code)
                            : chain_of_removal(finding.place, *removed, blame);
}

// The patch could write the rule's advice.
void advise_on_removal(const patch::RemovedField& removed, Finding& finding, Diagnostic& diagnostic) {
  std::string path = removed.around;
  if (!removed.is_item) crd::append_key(path, removed.field);
  const std::string what =
      removed.is_item ? fmt::format("`{}` from `{}`", removed.field, path) : fmt::format("`{}`", path);
  diagnostic.notes.push_back(fmt::format("the patch removes {}", what));
  diagnostic.help = "remove this from the patch";
  const bool is_reason = finding.advice.starts_with('`');  // "`has(self.flavor)` is false"
  if (is_reason) diagnostic.notes.push_back(std::move(finding.advice));
  else if (!finding.advice.empty()) diagnostic.help->append("; or let the patch write it: ").append(finding.advice);
}

// In the words of values, where the templates are not the user's.
void say_what_decides(const Chain& chain, Finding& finding, Diagnostic& diagnostic) {
  if (chain.removed != nullptr) return advise_on_removal(*chain.removed, finding, diagnostic);
  if (!finding.advice.empty()) diagnostic.help = std::move(finding.advice);
  const ValuesKey& values = chain.values;
  if (!values.key.empty()) {
    if (!values.is_written && diagnostic.label.empty()) diagnostic.label = fmt::format("`{}` isn't set", values.key);
    if (chain.built_in.known()) name_key(diagnostic.message, finding.place.path, values.key);
    if (!values.advice.empty()) diagnostic.help = values.advice;
    else if (!values.is_written) diagnostic.help = fmt::format("set `{}`, whose default this is", values.key);
    return;
  }
  const TemplateSet* set = finding.place.cluster->templates();
  if (set == nullptr || finding.advises_value || finding.is_of_change ||
      (!chain.built_in.known() && !is_built_in(chain.where.file, *set)))
    return;
  diagnostic.notes.push_back(
      fmt::format("no known value decides it: {}`capwright eject {}` makes the template yours",
                  finding.is_foreign ? "" : "`lint.per_path_ignores` suppresses the finding, and ", set->id));
}

Blame blame_of(const Finding& finding, Blame chosen) {
  const TemplateSet* set = finding.place.cluster == nullptr ? nullptr : finding.place.cluster->templates();
  const bool is_own = set != nullptr && !set->built_in;
  return finding.is_of_template && is_own && chosen == Blame::Value ? Blame::Template : chosen;
}

// Adds places that the finding redacts to `redacted`.
void present(Finding finding, Blame blame, Sink& sink, std::vector<Span>& redacted) {
  Chain chain = chain_of(finding, blame_of(finding, blame));
  std::optional<Fix> fix = chain.removed == nullptr ? source_fix(finding) : std::nullopt;
  if (finding.redacts) {
    redacted.push_back(chain.where);
    for (const Label& label : chain.labels) redacted.push_back(label.where);
  }
  Diagnostic& diagnostic = sink.add(*finding.info, chain.where, std::move(finding.message));
  diagnostic.severity = finding.severity;
  diagnostic.label = std::move(finding.caret);
  diagnostic.labels = std::move(chain.labels);
  diagnostic.trace = std::move(chain.trace);
  diagnostic.notes = std::move(finding.notes);
  if (!chain.note.empty()) diagnostic.note(std::move(chain.note));
  diagnostic.subject = subject_of(finding.place);
  say_what_decides(chain, finding, diagnostic);
  diagnostic.cause = chain.built_in;
  if (chain.built_in.known() || SourceSet::is_shared(chain.where.file)) diagnostic.pattern = finding.pattern;
  diagnostic.fix = std::move(fix);
  for (Finding::Related& related : finding.related) {
    if (related.place.cluster != finding.place.cluster) continue;
    const Chain there = chain_of(related.place, blame, finding.info->code);
    diagnostic.also(there.where, std::move(related.text));
  }
}

}  // namespace

void present(Finding finding, Blame blame, Cluster& cluster) {
  std::vector<Span> redacted;
  present(std::move(finding), blame, cluster.sink(), redacted);
  for (const Span secret : redacted) cluster.redact(secret);
}

std::vector<Span> places_of(const Finding& finding) {
  const Chain chain = chain_of(finding, blame_of(finding, Blame::Value));
  std::vector<Span> places = {chain.where};
  for (const Label& label : chain.labels) places.push_back(label.where);
  if (chain.built_in.known()) places.push_back(chain.built_in);
  return places;
}

KeptFindings::KeptFindings(const SourceSet* shared) : shared_(shared) {
  if (shared != nullptr) sources_.attach(*shared);
}

FileId KeptFindings::copy_of(FileId file, const SourceSet& from) {
  if (shared_ != nullptr && SourceSet::is_shared(file)) return file;
  std::string path(from.path(file));
  const std::uint32_t first_line = from.line_col(file, 0).line;
  return from.is_borrowed(file) ? sources_.add_borrowed(std::move(path), from.text(file), first_line)
                                : sources_.add(std::move(path), std::string(from.text(file)), first_line);
}

Span KeptFindings::carried(const SourceSet& from, const std::vector<Span>& secrets, Span span) {
  if (!span.known()) return span;
  const auto [known, is_new] = known_.try_emplace({&from, span.file});
  if (is_new) {
    known->second = copy_of(span.file, from);
    for (const Span secret : secrets) {
      if (secret.file == span.file) secrets_.push_back({known->second, secret.begin, secret.end});
    }
  }
  return {known->second, span.begin, span.end};
}

void KeptFindings::add(Diagnostic diagnostic, const SourceSet& from, const std::vector<Span>& secrets) {
  Diagnostic& added = diagnostics_.emplace_back(std::move(diagnostic));
  for_each_place(added, [&](Span& place) { place = carried(from, secrets, place); });
}

void KeptFindings::add(std::size_t number, const KeptFindings& from) {
  add(from.diagnostics_[number], from.sources_, from.secrets_);
}

secrets::Places KeptFindings::take(Sink& sink, const SourceSet& from, secrets::Redactor secrets) {
  std::vector<Diagnostic>& diagnostics = sink.diagnostics();
  const secrets::Places places = secrets.redact(diagnostics, from);
  diagnostics_.reserve(diagnostics_.size() + diagnostics.size());
  for (Diagnostic& diagnostic : diagnostics) add(std::move(diagnostic), from, places.all());
  diagnostics.clear();
  known_.clear();  // of sources that may go now
  return places;
}

secrets::Redactor KeptFindings::redactor() const {
  secrets::Redactor redactor;
  redactor.places = secrets_;
  return redactor;
}

// Words about one cluster may quote what is another's.
void KeptFindings::redact(const Cluster& cluster, Diagnostic& diagnostic) {
  const auto [known, is_new] = of_clusters_.try_emplace(&cluster);
  secrets::Redactor& redactor = known->second;
  if (is_new) redactor.texts = redactor_of(cluster).all_texts();
  for (const Span secret : redactor.places_on_lines(diagnostic, sources_)) secrets_.push_back(secret);
  redactor.redact_words(diagnostic);
}

void KeptFindings::add(const Finding& finding, Blame blame) {
  const Cluster& cluster = *finding.place.cluster;
  Sink one;
  std::vector<Span> redacted;
  present(finding, blame, one, redacted);
  if (one.diagnostics().empty()) return;
  Diagnostic diagnostic = std::move(one.diagnostics().front());
  for_each_place(diagnostic, [&](Span& place) { place = carried(cluster, place); });
  for (const Span secret : redacted) {
    if (secret.known()) secrets_.push_back(carried(cluster, secret));
  }
  for (const Finding::Related& related : finding.related) {
    if (related.place.cluster == nullptr || related.place.cluster == finding.place.cluster) continue;
    const Chain there = chain_of(related.place, blame, finding.info->code);
    diagnostic.also(carried(*related.place.cluster, there.where), related.text);
  }
  redact(cluster, diagnostic);
  for (const Finding::Related& related : finding.related) {
    if (related.place.cluster != nullptr && related.place.cluster != &cluster)
      redact(*related.place.cluster, diagnostic);
  }
  diagnostics_.push_back(std::move(diagnostic));
}

}  // namespace capwright::lint
