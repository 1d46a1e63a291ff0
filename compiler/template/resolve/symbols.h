// Names during resolution: the frame that gives a name its value, and finally its slot. Frames are Jinja2's: root,
// block, macro, loop body, with, … `if` has none. scopes.h describes the result.
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "template/resolve/scopes.h"
#include "template/resolve/template_references.h"

namespace capwright::jinja {

struct Frame;

// A name in one frame.
struct Binding {
  enum class Kind : std::uint8_t {
    Parameter,  // has a value at the start of the frame: targets of for and with, parameters, `loop` …
    Clear,      // missing until it is stored
    Copy,       // starts with the value of `outer`, because the frame stores the name
    Resolve,    // starts with the context's value
  };
  Kind kind = Kind::Resolve;
  bool stored = false;    // parameters included
  bool pinned = false;    // needs a slot: stored, or used by another function or by a Copy
  bool captured = false;  // used by another function
  bool read = false;
  std::uint32_t store_count = 0;
  std::uint32_t listed = 0;  // the frame that listed it last: Frame::serial
  Identifier name;
  Frame* frame = nullptr;
  Binding* outer = nullptr;  // the binding that this one hides
  std::uint32_t index = kNoSlot;
  std::span<const PathStep> path;  // the path of its value, if that is always the same: `worker_pools[]`
};

// A function being resolved.
struct FunctionBuilder {
  Function* result = nullptr;
  FunctionBuilder* outer = nullptr;
  std::uint32_t depth = 0;
  // Python shares a variable between frames of one depth, so frames share slots: closures make that observable.
  struct SlotKey {
    std::string_view name;
    std::uint32_t level = 0;
    friend bool operator==(const SlotKey&, const SlotKey&) = default;
  };
  struct SlotKeyHash {
    std::size_t operator()(const SlotKey& key) const { return hash_text(key.name) * 31u + key.level; }
  };
  std::unordered_map<SlotKey, std::uint32_t, SlotKeyHash> slots;
  std::unordered_map<std::string_view, std::uint32_t> context;
};

struct Frame {
  FunctionBuilder* function = nullptr;
  Frame* outer = nullptr;
  std::uint32_t level = 0;
  std::uint32_t serial = 0;  // counts frames from 1
  bool is_filter = false;    // a loop's `if` has separate slots
  bool is_base = false;      // the outermost frame of its function
  Scope* scope = nullptr;
  std::vector<Binding*> bindings;
  bool listed = false;
  std::span<const VisibleName> locals;
};

class Symbols {
 public:
  // The limit on names that all calls of locals() together may list.
  static constexpr std::uint32_t kMostListedNames = 1u << 20;

  explicit Symbols(Arena& arena) : arena_(arena) {}

  // A new activation record, inside the innermost function; `detached`: inside no function (root, blocks).
  FunctionBuilder& add_function(bool detached);
  // Frames are opened and closed like brackets. The innermost one is current.
  Frame& open(FunctionBuilder& function, bool is_filter = false);
  void close();
  Frame& current() { return *current_; }

  // The operations of Jinja2's symbol tables: the effect of a mention on the current frame.
  Binding& declare(const Identifier& name);
  void store(const Identifier& name, bool in_branch);
  void load(const Identifier& name);

  // The visible binding; null if no frame mentions the name.
  Binding* find(std::string_view name) const;
  // Registers a use of a mentioned name in `function`: finish() sets `slot`.
  Binding& use(const Identifier& name, SlotRef& slot, const FunctionBuilder& function);
  // A slot number that finish() sets, for a name declared in the current frame.
  void use(const Binding& binding, std::uint32_t& slot) { numbers_.emplace_back(&slot, &binding); }
  // The names that are stored in the current frame and its enclosing ones. Empty, with `overflow()` set, if a template
  // has far too many.
  std::span<const VisibleName> locals();
  bool overflow() const { return listed_names_ > kMostListedNames; }

  // Numbers all slots, resolves all uses, and writes every scope's loads.
  void finish();

 private:
  struct Use {
    SlotRef* slot;
    Binding* binding;
  };
  Binding& add(const Identifier& name, Binding::Kind kind);
  void reach(Binding& binding, SlotRef& slot, const FunctionBuilder& from);
  void number(const Frame& frame);
  void write_scope(const Frame& frame);
  static SlotRef reference(const Binding& binding, std::uint16_t hops);

  Arena& arena_;
  std::deque<FunctionBuilder> functions_;
  std::deque<Frame> frames_;
  std::deque<Binding> bindings_;
  std::unordered_map<std::string_view, Binding*> visible_;
  Frame* current_ = nullptr;
  std::vector<Use> uses_;
  std::vector<std::pair<std::uint32_t*, const Binding*>> numbers_;
  std::size_t listed_names_ = 0;
};

// The names that a frame mentions, collected before its statements are resolved one by one, like Jinja2's idtracking.
// Skips bodies of inner frames, but not those of `if`.

// Each adds its mentions to the current frame of `symbols`.
void mention(Symbols& symbols, Body body);
void mention(Symbols& symbols, const Expr& expr);
// A target whose names have a value at the start of the frame.
void mention_parameters(Symbols& symbols, const Expr& target);

}  // namespace capwright::jinja
