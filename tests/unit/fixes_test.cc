// Fixes on texts: which are applied, delayed or in conflict; and termination for any fixes.
#include "lint/fixes/fixes.h"

#include <catch2/catch.hpp>

namespace capwright::lint {
namespace {

constexpr DiagInfo kRule{"CAP1", "rule", Severity::Warning, {}, {}};
constexpr DiagInfo kOther{"CAP2", "other", Severity::Warning, {}, {}};

bool may_edit(const std::string&, std::string_view) { return true; }

// Findings in one text, `a.yaml`.
class OfferedFixes {
 public:
  explicit OfferedFixes(std::string text) : file_(sources_.add("a.yaml", std::move(text))) {}

  OfferedFixes& offer(std::uint32_t begin, std::uint32_t end, std::string text, Safety safety = Safety::Safe,
                      const DiagInfo& rule = kRule) {
    return offer({{{file_, begin, end}, std::move(text)}}, safety, rule);
  }
  OfferedFixes& offer(std::vector<Edit> edits, Safety safety = Safety::Safe, const DiagInfo& rule = kRule) {
    Diagnostic diagnostic;
    diagnostic.info = &rule;
    diagnostic.where = edits.front().where;
    diagnostic.fix = Fix{"title", safety, std::move(edits)};
    fixes_.add(diagnostic, sources_);
    return *this;
  }
  Edit edit(std::uint32_t begin, std::uint32_t end, std::string text) const {
    return {{file_, begin, end}, std::move(text)};
  }

  std::string fixed(Safety least_safe = Safety::Unsafe) const {
    const FixedTexts all = fixes_.carry_out(least_safe, may_edit);
    return all.texts.empty() ? "unchanged" : all.texts.at("a.yaml");
  }
  const Fixes& fixes() const { return fixes_; }

 private:
  SourceSet sources_;
  FileId file_;
  Fixes fixes_;
};

TEST_CASE("fixes are applied together, in any order") {
  CHECK(OfferedFixes("a: 1\nb: 2\n").offer(8, 9, "twenty").offer(3, 4, "ten").fixed() == "a: ten\nb: twenty\n");
  CHECK(OfferedFixes("abc").offer(0, 0, "<").offer(3, 3, ">").fixed() == "<abc>");
  CHECK(OfferedFixes("abc").offer(0, 1, "x").offer(1, 2, "y").fixed() == "xyc");
}

TEST_CASE("a fix of several edits is applied or delayed as a whole") {
  OfferedFixes look("abcdef");
  look.offer(0, 2, "X").offer({look.edit(1, 3, "Y"), look.edit(5, 6, "Z")}, Safety::Safe, kOther);
  CHECK(look.fixed() == "Xcdef");
}

TEST_CASE("of overlapping fixes the first is applied and the other waits for the next round") {
  CHECK(OfferedFixes("abcdef").offer(2, 4, "Y", Safety::Safe, kOther).offer(0, 3, "X").fixed() == "Xdef");
  CHECK(OfferedFixes("abc").offer(1, 1, "x").offer(1, 1, "y", Safety::Safe, kOther).fixed() == "axbc");
}

TEST_CASE("the same fix for many clusters is one; different texts of one rule at one place are a conflict") {
  OfferedFixes same("abc");
  same.offer(0, 1, "x").offer(0, 1, "x");
  const FixedTexts fixed = same.fixes().carry_out(Safety::Safe, may_edit);
  CHECK(fixed.texts.at("a.yaml") == "xbc");
  CHECK(fixed.fixes.at("a.yaml") == 1);
  OfferedFixes disputed("abc");
  disputed.offer(0, 1, "x").offer(0, 1, "y").offer(2, 3, "z");
  CHECK(disputed.fixed() == "abz");
  CHECK(disputed.fixes().count(Safety::Safe, may_edit) == 1);
}

TEST_CASE("unsafe fixes are applied on request, display-only fixes never") {
  OfferedFixes look("abc");
  look.offer(0, 1, "x").offer(1, 2, "y", Safety::Unsafe).offer(2, 3, "z", Safety::DisplayOnly);
  CHECK(look.fixed(Safety::Safe) == "xbc");
  CHECK(look.fixed(Safety::Unsafe) == "xyc");
  CHECK(look.fixes().count(Safety::Safe, may_edit) == 1);
  CHECK(look.fixes().count(Safety::Unsafe, may_edit) == 1);
}

TEST_CASE("protected files stay unchanged") {
  OfferedFixes look("abc");
  look.offer(0, 1, "x");
  const auto nothing = [](const std::string& path, std::string_view text) {
    CHECK(path == "a.yaml");
    CHECK(text == "abc");
    return false;
  };
  CHECK(look.fixes().carry_out(Safety::Unsafe, nothing).texts.empty());
  CHECK(look.fixes().count(Safety::Safe, nothing) == 0);
}

// Repeats a fix that replaces the whole text with `next(text)`; returns the final text.
template <class Next>
std::string fixed_by(std::string text, Next next, std::size_t& looks) {
  FixHistory history;
  for (looks = 1;; ++looks) {
    const std::string now = history.edits().empty() ? text : history.edits().at("a.yaml");
    OfferedFixes look(now);
    look.offer(0, static_cast<std::uint32_t>(now.size()), next(now));
    if (!history.advance(look.fixes(), look.fixes().carry_out(Safety::Safe, may_edit))) return now;
  }
}

TEST_CASE("rounds end: with a stable text, or with the first one") {
  std::size_t looks = 0;
  CHECK(fixed_by(
            "a", [](const std::string& text) { return text.size() < 4 ? text + "a" : text; }, looks) == "aaaa");
  // Alternating texts, and a text that grows.
  CHECK(fixed_by(
            "a", [](const std::string& text) { return text == "a" ? "b" : "a"; }, looks) == "a");
  CHECK(fixed_by(
            "a", [](const std::string& text) { return text + "a"; }, looks) == "a");
  CHECK(looks < 20);
}

TEST_CASE("only fixes that are kept at the end are counted") {
  FixHistory history;
  OfferedFixes first("abc");
  first.offer(0, 1, "x").offer(2, 3, "z");
  CHECK(history.advance(first.fixes(), first.fixes().carry_out(Safety::Safe, may_edit)));
  CHECK(history.fixes() == 2);
  OfferedFixes second("xbz");
  second.offer(0, 3, "abc");
  CHECK(history.advance(second.fixes(), second.fixes().carry_out(Safety::Safe, may_edit)));
  CHECK(history.edits().empty());
  CHECK(history.fixes() == 0);
}

}  // namespace
}  // namespace capwright::lint
