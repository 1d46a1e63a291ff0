// Caches facts that several rules need about the same object or cluster: computed on first use.
#pragma once
#include <memory>
#include <utility>
#include <vector>

namespace capwright::lint {

class Memo {
 public:
  // The result of `find_out` for `thing`. The function is the cache key, so each kind of fact needs its own function.
  template <class Answer, class Thing>
  const Answer& operator()(const Thing& thing, Answer (*find_out)(const Thing&)) {
    const auto question = reinterpret_cast<Question>(find_out);
    for (const auto& [known, answer] : answers_) {
      if (known == question) return *static_cast<const Answer*>(answer.get());
    }
    auto answer = std::make_shared<const Answer>(find_out(thing));  // which may request others
    answers_.emplace_back(question, answer);
    return *answer;
  }

 private:
  using Question = void (*)();
  std::vector<std::pair<Question, std::shared_ptr<const void>>> answers_;
};

}  // namespace capwright::lint
