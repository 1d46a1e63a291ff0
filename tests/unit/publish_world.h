// The environment of a publication in addition to files and repository; it records what happens.
#pragma once
#include <deque>
#include <fmt/format.h>
#include <map>
#include <string>

#include "diag/catalog/tree.h"
#include "mortal.h"
#include "publish/world.h"

namespace capwright::test {

// Each file below `values/` of the source becomes `clusters/NAME/out`, with the same text.
class CopyingFleet final : public publish::Fleet {
 public:
  CopyingFleet(git::Repository& repository, Life& life) : repository_(repository), life_(life) {}

  std::unique_ptr<publish::Rendering> render(const publish::Commits& commits, publish::Verdict& verdict) override {
    verdict = publish::Verdict::Fault;
    has_failed = !life_.begins();
    if (has_failed) return nullptr;
    verdict = next;
    if (next != publish::Verdict::Fine) return nullptr;
    return std::make_unique<Copy>(repository_, commits.source, commits.base, linted);
  }
  bool has_failed = false;  // and has reported the reason
  publish::Verdict next = publish::Verdict::Fine, linted = publish::Verdict::Fine;

 private:
  class Copy final : public publish::Rendering {
   public:
    Copy(git::Repository& repository, const git::ObjectId& source, const std::optional<git::ObjectId>& base,
         publish::Verdict verdict)
        : verdict_(verdict) {
      Sink sink;
      RealFs unused;
      const auto from = repository.files(source, "", sink);
      const auto onto = base ? repository.files(*base, "", sink) : nullptr;
      std::vector<DirEntry> entries;
      static_cast<void>(from->list("values", entries));
      for (const DirEntry& entry : entries) {
        CompiledCluster& cluster = compiled_.emplace_back();
        cluster.name = entry.name;
        std::string text, there;
        static_cast<void>(from->read("values/" + entry.name, text, 1000));
        const std::string path = "clusters/" + entry.name + "/out";
        const bool same = onto != nullptr && !onto->read(path, there, 1000) && there == text;
        clusters_.push_back({&cluster, !same});
        if (!same) changes_.push_back({path, texts_.emplace_back(text)});
      }
    }
    const std::vector<git::FileChange>& changes() const override { return changes_; }
    const std::vector<publish::RenderedCluster>& clusters() const override { return clusters_; }
    publish::Verdict lint(std::string&) override { return verdict_; }
    publish::Verdict diff(std::string& text) override {
      text = "a diff\n";
      return publish::Verdict::Fine;
    }
    const std::vector<std::string>& removed() const override { return removed_; }
    const std::vector<publish::GoneCluster>& gone() const override { return gone_; }

   private:
    publish::Verdict verdict_;
    std::vector<std::string> removed_;
    std::vector<publish::GoneCluster> gone_;
    std::deque<CompiledCluster> compiled_;
    std::deque<std::string> texts_;
    std::vector<git::FileChange> changes_;
    std::vector<publish::RenderedCluster> clusters_;
  };
  git::Repository& repository_;
  Life& life_;
};

class SetClock final : public publish::Clock {
 public:
  std::int64_t now = 1'700'000'000;
  std::int64_t seconds() override { return now; }
  int nanoseconds() override { return ++runs; }
  int runs = 0;
  void wait(std::int64_t seconds) override { now += seconds; }
};

class Script final : public publish::Dialogue {
 public:
  std::string said;
  bool answer = true, is_there = true;
  bool can_ask() override { return is_there; }
  void say(publish::Step step, std::string_view line) override {
    said += fmt::format("{}: {}\n", publish::info(step).id, line);
  }
  bool agrees(std::string_view question) override {
    said += fmt::format("? {}\n", question);
    return answer;
  }
  void show_diff(std::string_view text) override { said += text; }
};

class Records final : public publish::Audit {
 public:
  explicit Records(Life& life) : life_(life) {}
  std::map<std::string, std::string> rows;  // commit -> source
  bool record(const publish::Publication& publication, Sink& sink) override {
    const bool kept = live(life_, false, [&] {
      rows[hex(publication.commit)] = hex(publication.source);
      return true;
    });
    if (!kept) sink.report(diag::io_failed, Span(), "audit.db", "written", "no space left on device");
    return kept;
  }

 private:
  Life& life_;
};

}  // namespace capwright::test
