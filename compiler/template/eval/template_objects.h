// The evaluator's objects: macros, loops, modules, blocks.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "template/eval/evaluator.h"

namespace capwright::jinja {

// A macro, or the body of a call block (which has no name).
class MacroObject final : public Object {
 public:
  struct Definition {
    const MacroSignature* signature;
    std::string_view name;  // empty: a call block
    Body body;
    const Function* function;
    Record* outer;  // the record in which the definition ran
    bool escapes;
  };
  MacroObject(Evaluator& evaluator, const Definition& definition) : evaluator_(evaluator), definition_(definition) {}
  const Definition& definition() const { return definition_; }
  // Python's form: 'm' or None.
  std::string shown_name() const;

  std::string_view type_name() const override { return "Macro"; }
  std::optional<Value> attribute(Runtime&, const Identifier&) override;
  bool callable() const override { return true; }
  Value call(Runtime&, const CallArguments& arguments) override { return evaluator_.call_macro(*this, arguments); }
  bool print_call(Runtime&, const CallArguments& arguments) override {
    evaluator_.print_macro(*this, arguments);
    return true;
  }
  void repr(Runtime&, std::string& out) override;

 private:
  Evaluator& evaluator_;
  Definition definition_;
};

// `loop`: the state of a `for`. It looks one item ahead, and only on demand.
class LoopObject final : public Object {
 public:
  LoopObject(Evaluator& evaluator, const For& loop, Record* outer, const Value& iterable, Iterator* items)
      : evaluator_(evaluator), loop_(loop), outer_(outer), iterable_(iterable), items_(items) {}
  bool next(Value& item);
  const For& statement() const { return loop_; }
  Record* outer() const { return outer_; }
  std::int64_t depth() const { return depth_; }  // 0 for the outermost
  void at_depth(std::int64_t depth) { depth_ = depth; }
  Value cycle(const CallArguments&) const;
  Value changed(const CallArguments&);

  std::string_view type_name() const override { return "LoopContext"; }
  std::optional<Value> attribute(Runtime&, const Identifier&) override;
  bool callable() const override { return true; }
  Value call(Runtime&, const CallArguments&) override;
  std::optional<std::size_t> length(Runtime&) override { return static_cast<std::size_t>(count()); }
  bool truth(Runtime&) override { return count() != 0; }
  void repr(Runtime&, std::string& out) override;

 private:
  const Value* peek();
  std::int64_t count();

  Evaluator& evaluator_;
  const For& loop_;
  Record* outer_;
  Value iterable_;
  Iterator* items_;
  std::int64_t index_ = -1;
  std::int64_t depth_ = 0;
  std::int64_t count_ = -1;  // -1: not known yet
  bool decided_ = false;     // a secret determines what follows
  Value before_ = kMissing;
  Value current_ = kMissing;
  Value after_ = kMissing;
  Value last_changed_ = kMissing;
};

// The result of `import`: the exported names of a template that ran, and its text.
class ModuleObject final : public Object {
 public:
  ModuleObject(std::string_view name, const Value& exports, const Value& body)
      : name_(name), exports_(exports), body_(body) {}
  std::string_view name() const { return name_; }
  const Value& body() const { return body_; }
  const Value& exports() const { return exports_; }  // a Map
  const Value* find(const Identifier& name) const { return exports_.find(name.text, name.hash); }

  std::string_view type_name() const override { return "TemplateModule"; }
  Value names() const override { return exports_; }
  std::optional<Value> attribute(Runtime&, const Identifier&) override;
  void print(Runtime&, std::string& out) override { out.append(body_.text()); }
  void repr(Runtime&, std::string& out) override;
  bool is_html() const override { return true; }

 private:
  std::string_view name_;
  Value exports_;
  Value body_;
};

// `super` and `self.name`: a block that can be called.
class BlockObject final : public Object {
 public:
  BlockObject(Evaluator& evaluator, Context& context, const BlockStep* step)
      : evaluator_(evaluator), context_(context), step_(step) {}
  std::string_view type_name() const override { return "BlockReference"; }
  std::optional<Value> attribute(Runtime&, const Identifier&) override;
  bool callable() const override { return true; }
  Value call(Runtime&, const CallArguments&) override;

 private:
  Evaluator& evaluator_;
  Context& context_;
  const BlockStep* step_;
};

// `self`: the blocks of a template by name.
class SelfObject final : public Object {
 public:
  SelfObject(Evaluator& evaluator, Context& context) : evaluator_(evaluator), context_(context) {}
  std::string_view type_name() const override { return "TemplateReference"; }
  std::optional<Value> item(Runtime&, const Value& key) override;
  void repr(Runtime&, std::string& out) override;

 private:
  Evaluator& evaluator_;
  Context& context_;
};

}  // namespace capwright::jinja
