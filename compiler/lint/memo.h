// What several rules want to know of the same object or cluster: worked out when the first of them asks, then kept.
#pragma once
#include <memory>
#include <utility>
#include <vector>

namespace capwright::lint {

class Memo {
 public:
  // What `find_out` says of `thing`. The function is the key, so every answer has one of its own.
  template <class Answer, class Thing>
  const Answer& operator()(const Thing& thing, Answer (*find_out)(const Thing&)) {
    const auto question = reinterpret_cast<Question>(find_out);
    for (const auto& [known, answer] : answers_) {
      if (known == question) return *static_cast<const Answer*>(answer.get());
    }
    auto answer = std::make_shared<const Answer>(find_out(thing));  // which may ask for more
    answers_.emplace_back(question, answer);
    return *answer;
  }

 private:
  using Question = void (*)();
  std::vector<std::pair<Question, std::shared_ptr<const void>>> answers_;
};

}  // namespace capwright::lint
