// State that changes while a function of a template runs, and is restored afterwards.
#pragma once
#include <cstddef>
#include <memory>
#include <utility>

#include "template/eval/evaluator.h"

namespace capwright::jinja {

// Stack storage for a record that no closure captures; make_record() fills it.
struct Evaluator::LocalRecord {
  static constexpr std::uint32_t kMostValues = 12;
  Record record;
  alignas(Value) std::byte values[kMostValues * sizeof(Value)];
};

// Makes a record the current one; restores the previous one at the end.
class Activation {
 public:
  Activation(Evaluator& evaluator, Record& record, FrameId frame, bool escapes)
      : evaluator_(evaluator),
        record_(evaluator.record_),
        frame_(evaluator.frame),
        escapes_(evaluator.escapes_),
        autoescape_(evaluator.autoescape) {
    evaluator.record_ = &record;
    evaluator.frame = frame;
    evaluator.escapes_ = escapes;
    evaluator.autoescape = record.context->escape->on;
    ++evaluator.calls_;
  }
  ~Activation() {
    evaluator_.record_ = record_;
    evaluator_.frame = frame_;
    evaluator_.escapes_ = escapes_;
    evaluator_.autoescape = autoescape_;
    --evaluator_.calls_;
  }
  Activation(const Activation&) = delete;
  Activation& operator=(const Activation&) = delete;

 private:
  Evaluator& evaluator_;
  Record* record_;
  FrameId frame_;
  bool escapes_;
  bool autoescape_;
};

// Redirects output to its own buffer during its lifetime.
class Capture {
 public:
  explicit Capture(Evaluator& evaluator)
      : evaluator_(evaluator), outer_(evaluator.out_), decided_(std::exchange(evaluator.decisions_.output, false)) {
    if (evaluator.buffers_.empty()) evaluator.buffers_.push_back(std::make_unique<MappedText>());
    buffer_ = std::move(evaluator.buffers_.back());
    evaluator.buffers_.pop_back();
    evaluator.out_ = buffer_.get();
  }
  ~Capture() {
    evaluator_.out_ = outer_;
    evaluator_.decisions_.output = decided_;
    buffer_->truncate(0);
    evaluator_.buffers_.push_back(std::move(buffer_));
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  // The captured text, as a String with its map. It is a secret also if a secret prevented output.
  Value text() const {
    const Value text = evaluator_.mapped_string(*buffer_);
    return evaluator_.decisions_.output ? text.with_taint() : text;
  }

 private:
  Evaluator& evaluator_;
  MappedText* outer_;
  bool decided_;
  std::unique_ptr<MappedText> buffer_;
};

}  // namespace capwright::jinja
