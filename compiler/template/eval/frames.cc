// The calls, and for `explain` and `plan` the conditions and loops, that lead to a piece of text. Frames are reused, so
// that loops don't fill the trace.
#include "diag/catalog/limits.h"
#include "template/eval/evaluator.h"

namespace capwright::jinja {

FrameId Evaluator::known_frame(const RenderFrame& wanted, std::string_view name) {
  const auto slot = (wanted.call_site.begin * 31 + static_cast<std::uint32_t>(wanted.parent) * 7 + name.size()) %
                    known_frames_.size();
  KnownFrame& known = known_frames_[slot];
  if (known.id == FrameId::Root || known.call_site != wanted.call_site || known.parent != wanted.parent ||
      known.value != wanted.value || known.name != name) {
    known = {wanted.call_site, wanted.parent, wanted.value, name, static_cast<FrameId>(trace.size())};
    trace.push_back(wanted);
    if (!name.empty()) trace.back().what.append(" `").append(name).append("`");
  }
  return known.id;
}

FrameId Evaluator::frame_for(Span call_site, const char* what, std::string_view name) {
  RenderFrame wanted;
  wanted.call_site = call_site;
  wanted.parent = frame;
  wanted.what = what;
  return known_frame(wanted, name);
}

FrameId Evaluator::control_frame(RenderFrame::Kind kind, Span expr, const Value& decides) {
  if (!input_.trace_control) return frame;
  RenderFrame wanted;
  wanted.call_site = expr;
  wanted.parent = frame;
  wanted.what = kind == RenderFrame::Kind::Loop ? "for" : "if";
  wanted.kind = kind;
  wanted.value = lineage(decides).origin;
  if (wanted.value == OriginId::None && kind == RenderFrame::Kind::Condition) wanted.value = tested_;
  return known_frame(wanted, {});
}

bool Evaluator::enter_call(std::uint32_t below) {
  if (calls_ + below < stage.limits.depth) return step();
  if (!stopped()) fail(diag::nested_too_deep, "calls", stage.limits.depth);
  stop();
  return false;
}

}  // namespace capwright::jinja
