// Reports once per place, with the call trace, and stops at limits.
#include "template/runtime/faults.h"

#include <algorithm>
#include <array>
#include <utility>

#include "diag/catalog/limits.h"
#include "diag/catalog/template_eval.h"

namespace capwright::jinja {
namespace {

FaultKind kind_of(const DiagInfo& info) {
  static constexpr std::array undefined{&diag::undefined_variable.info, &diag::undefined_attribute.info,
                                        &diag::undefined_value.info};
  static constexpr std::array not_found{&diag::template_not_found.info, &diag::no_template_found.info};
  if (std::find(undefined.begin(), undefined.end(), &info) != undefined.end()) return FaultKind::Undefined;
  if (std::find(not_found.begin(), not_found.end(), &info) != not_found.end()) return FaultKind::NotFound;
  return FaultKind::Runtime;
}

}  // namespace

std::size_t Faults::PlaceHash::operator()(const Place& place) const {
  return hash_text(place.info->code) ^ (place.where.begin * 2654435761u) ^ static_cast<std::uint32_t>(place.where.file);
}

Value Faults::fail_as(const DiagInfo& info, std::string message) {
  if (!repeated(info, here)) add(info, here, std::move(message));
  return Value::error();
}

void Faults::fail_elsewhere(FaultKind kind) {
  ++failures_;
  const bool is_syntax = kind == FaultKind::Syntax;
  if (first_.kind == FaultKind::None) {
    first_ = {kind, {}, is_syntax ? nullptr : at, is_syntax ? FileId::None : here.file};
    if (!is_syntax && !stage.sink.diagnostics().empty()) first_.message = stage.sink.diagnostics().back().message;
  }
  if (stop_at_first) stopped_ = true;
}

bool Faults::repeated(const DiagInfo& info, Span where) {
  if (info.severity == Severity::Error) ++failures_;
  if (stopped_) return true;  // reports nothing after the end
  const auto known = reported_.find({&info, where});
  if (known == reported_.end()) return false;
  ++stage.sink.diagnostics()[known->second].repeats;
  return true;
}

Diagnostic* Faults::add(const DiagInfo& info, Span where, std::string message) {
  if (info.severity == Severity::Error) {
    if (first_.kind == FaultKind::None) first_ = {kind_of(info), message, at, here.file};
    if (stop_at_first) stopped_ = true;
  }
  const bool is_limit = info.code.starts_with('X');
  if (stage.sink.diagnostics().size() >= stage.limits.diagnostics && !is_limit) {
    ++dropped_;
    return nullptr;
  }
  const std::size_t before = stage.sink.diagnostics().size();
  Diagnostic& added = stage.sink.add(info, where, std::move(message));
  if (stage.sink.diagnostics().size() == before) return nullptr;  // an earlier render of this stage reported it
  reported_.emplace(Place{&info, where}, before);
  for (FrameId id = frame; id != FrameId::Root;) {
    const RenderFrame& call = trace[static_cast<std::size_t>(id)];
    if (call.kind == RenderFrame::Kind::Call) added.trace.push_back({call.call_site, call.what});
    id = call.parent;
  }
  return &added;
}

bool Faults::out_of_steps() {
  if (stopped_) return false;
  if (steps_ > stage.limits.steps) {
    report(diag::too_many_steps, here, stage.limits.steps);
  } else {
    report(diag::out_of_memory, here, stage.limits.arena_bytes);
  }
  stopped_ = true;
  return false;
}

void Faults::nested_too_deep(std::string_view what) {
  if (stopped_) return;
  report(diag::nested_too_deep, here, what, deepest());
  stopped_ = true;
}

bool Faults::room_for_text(std::uint64_t bytes) {
  if (bytes <= stage.limits.string_bytes) return true;
  report(diag::string_too_long, here, stage.limits.string_bytes);
  return false;
}

bool Faults::room_for_items(std::uint64_t items) {
  if (items <= stage.limits.list_items) return true;
  report(diag::list_too_long, here, stage.limits.list_items);
  return false;
}

}  // namespace capwright::jinja
