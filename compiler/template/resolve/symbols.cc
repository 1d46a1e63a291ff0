// The table of visible names, and the numbering of slots at the end.
#include "template/resolve/symbols.h"

#include <algorithm>

#include "base/check.h"

namespace capwright::jinja {

FunctionBuilder& Symbols::add_function(bool detached) {
  FunctionBuilder& function = functions_.emplace_back();
  function.result = arena_.make<Function>();
  if (detached || current_ == nullptr) return function;
  function.outer = current_->function;
  function.depth = function.outer->depth + 1;
  function.outer->result->captured = true;
  return function;
}

Frame& Symbols::open(FunctionBuilder& function, bool is_filter) {
  Frame& frame = frames_.emplace_back();
  frame.function = &function;
  frame.outer = current_;
  frame.level = current_ == nullptr ? 0 : current_->level + 1;
  frame.serial = static_cast<std::uint32_t>(frames_.size());
  frame.is_filter = is_filter;
  frame.is_base = function.result->scope == nullptr && !is_filter;
  frame.scope = arena_.make<Scope>();
  if (frame.is_base) function.result->scope = frame.scope;
  current_ = &frame;
  return frame;
}

void Symbols::close() {
  for (Binding* binding : current_->bindings) visible_[binding->name.text] = binding->outer;
  current_ = current_->outer;
}

Binding* Symbols::find(std::string_view name) const {
  const auto found = visible_.find(name);
  return found == visible_.end() ? nullptr : found->second;
}

Binding& Symbols::add(const Identifier& name, Binding::Kind kind) {
  Binding& binding = bindings_.emplace_back();
  Binding*& visible = visible_[name.text];
  binding.kind = kind;
  binding.name = name;
  binding.frame = current_;
  binding.outer = visible;
  visible = &binding;
  current_->bindings.push_back(&binding);
  return binding;
}

Binding& Symbols::declare(const Identifier& name) {
  Binding* known = find(name.text);
  Binding& binding = known != nullptr && known->frame == current_ ? *known : add(name, Binding::Kind::Parameter);
  binding.kind = Binding::Kind::Parameter;
  binding.stored = true;
  ++binding.store_count;
  return binding;
}

void Symbols::store(const Identifier& name, bool in_branch) {
  Binding* binding = find(name.text);
  if (binding == nullptr) {
    binding = &add(name, in_branch ? Binding::Kind::Resolve : Binding::Kind::Clear);
  } else if (binding->frame != current_) {
    binding = &add(name, Binding::Kind::Copy);
  }
  binding->stored = true;
  ++binding->store_count;
}

void Symbols::load(const Identifier& name) {
  if (find(name.text) == nullptr) add(name, Binding::Kind::Resolve);
}

void Symbols::reach(Binding& binding, SlotRef& slot, const FunctionBuilder& from) {
  slot.hops = static_cast<std::uint16_t>(from.depth - binding.frame->function->depth);
  if (slot.hops != 0) binding.captured = binding.pinned = true;
  uses_.push_back({&slot, &binding});
}

Binding& Symbols::use(const Identifier& name, SlotRef& slot, const FunctionBuilder& function) {
  Binding* binding = find(name.text);
  CW_CHECK(binding != nullptr, "every name is mentioned to the frame that uses it");
  reach(*binding, slot, function);
  return *binding;
}

std::span<const VisibleName> Symbols::locals() {
  Frame& frame = *current_;
  if (frame.listed || overflow()) return frame.locals;
  frame.listed = true;
  std::vector<Binding*> names;
  for (const Frame* around = &frame; around != nullptr; around = around->outer) {
    for (const Binding* stored : around->bindings) {
      Binding* innermost = find(stored->name.text);
      if (!stored->stored || innermost->listed == frame.serial) continue;
      innermost->listed = frame.serial;
      names.push_back(innermost);
    }
  }
  listed_names_ += names.size();
  if (overflow()) return {};
  auto* list = arena_.make_array<VisibleName>(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i]->read = true;
    new (&list[i]) VisibleName{names[i]->name, {}};
    reach(*names[i], list[i].slot, *frame.function);
  }
  return frame.locals = {list, names.size()};
}

SlotRef Symbols::reference(const Binding& binding, std::uint16_t hops) {
  const bool has_slot = binding.pinned || binding.kind != Binding::Kind::Resolve;
  return {has_slot ? NameAccess::Slot : NameAccess::Context, hops, binding.index};
}

void Symbols::finish() {
  for (Binding& binding : bindings_) {
    if (binding.stored) binding.pinned = true;
    if (binding.kind != Binding::Kind::Copy) continue;
    binding.outer->pinned = true;
    if (binding.outer->frame->function != binding.frame->function) binding.outer->captured = true;
  }
  // Reading a copy reads its source; later bindings are copies of earlier ones.
  for (auto binding = bindings_.rbegin(); binding != bindings_.rend(); ++binding) {
    if (binding->kind == Binding::Kind::Copy && binding->read) binding->outer->read = true;
  }
  for (const Frame& frame : frames_) number(frame);
  for (const Frame& frame : frames_) write_scope(frame);
  for (const Use& use : uses_) *use.slot = reference(*use.binding, use.slot->hops);
  for (const auto& [slot, binding] : numbers_) *slot = binding->index;
}

void Symbols::number(const Frame& frame) {
  FunctionBuilder& function = *frame.function;
  for (Binding* binding : frame.bindings) {
    if (reference(*binding, 0).access == NameAccess::Slot) {
      std::uint32_t& count = function.result->slot_count;
      const FunctionBuilder::SlotKey key{binding->name.text, frame.level * 2 + (frame.is_filter ? 1 : 0)};
      binding->index = function.slots.try_emplace(key, count).first->second;
      count = std::max(count, binding->index + 1);
    } else {
      std::uint32_t& count = function.result->context_count;
      binding->index = function.context.try_emplace(binding->name.text, count).first->second;
      count = std::max(count, binding->index + 1);
    }
  }
}

void Symbols::write_scope(const Frame& frame) {
  std::vector<Load> loads;
  std::vector<std::uint32_t> cleared;
  for (const Binding* binding : frame.bindings) {
    if (!frame.is_base && binding->captured) cleared.push_back(binding->index);
    switch (binding->kind) {
      case Binding::Kind::Parameter: break;
      case Binding::Kind::Clear:
        // In a new record all slots are missing.
        if (!frame.is_base) loads.push_back({Load::Kind::Clear, binding->index, {}, binding->name});
        break;
      case Binding::Kind::Copy: {
        const auto hops = static_cast<std::uint16_t>(frame.function->depth - binding->outer->frame->function->depth);
        loads.push_back({Load::Kind::Copy, binding->index, reference(*binding->outer, hops), binding->name});
        break;
      }
      case Binding::Kind::Resolve:
        if (binding->pinned) loads.push_back({Load::Kind::Resolve, binding->index, {}, binding->name});
        break;
    }
  }
  frame.scope->loads = arena_.copy(loads);
  frame.scope->cleared = arena_.copy(cleared);
}

}  // namespace capwright::jinja
