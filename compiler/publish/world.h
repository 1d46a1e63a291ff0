// What a publication does to the world and learns from it, as interfaces: the core in this folder is a function of
// their answers, so that tests can refuse or cut off each of them.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/repository.h"
#include "publish/audit.h"
#include "publish/remote.h"
#include "publish/step.h"
#include "source/file_system.h"
#include "source/process.h"

namespace capwright::publish {

// Time is handed in: the core never reads a clock.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t seconds() = 0;  // since 1970 in UTC
  virtual int nanoseconds() = 0;       // of the second
  virtual void wait(std::int64_t seconds) = 0;
};

// The person who runs the command, or the log of a CI job.
class Dialogue {
 public:
  virtual ~Dialogue() = default;
  // A step has come to an end, or says something about itself.
  virtual void say(Step step, std::string_view line) = 0;
  // Whether there is somebody to answer.
  virtual bool can_ask() = 0;
  // True without asking where nobody can answer.
  virtual bool agrees(std::string_view question) = 0;
  // What `capwright diff` and `capwright plan` print; secrets are covered.
  virtual void show_diff(std::string_view text) = 0;
};

enum class Verdict : std::uint8_t { Fine, Findings, Fault };

// One commit of the sources, rendered in memory onto what is published.
class Rendering {
 public:
  virtual ~Rendering() = default;
  // The files that differ from `base`; the bytes live as long as this does.
  virtual const std::vector<git::FileChange>& changes() const = 0;
  // All that were rendered, by name.
  virtual const std::vector<RenderedCluster>& clusters() const = 0;
  // Clusters whose folders the commit takes away, by name.
  virtual const std::vector<std::string>& removed() const = 0;
  // These, and those that commits of the user take away from what is published; by name.
  virtual const std::vector<GoneCluster>& gone() const = 0;
  // Findings that stop the run are shown by whoever implements this; `said` is about the others.
  virtual Verdict lint(std::string& said) = 0;
  // What differs, and what that does to machines, as a text. Findings: it must not happen.
  virtual Verdict diff(std::string& text) = 0;
};

struct Commits {
  git::ObjectId source;                    // that is rendered
  std::optional<git::ObjectId> base;       // what earlier generations, files and the like are taken from
  std::optional<git::ObjectId> published;  // what the branch has there; `base` has commits of the user besides
};

class Fleet {
 public:
  virtual ~Fleet() = default;
  // Null: it can't be rendered, what is wrong was shown, and `verdict` says whose fault it is.
  virtual std::unique_ptr<Rendering> render(const Commits& commits, Verdict& verdict) = 0;
};

struct World {
  git::Repository& repository;
  Remote& remote;
  FileSystem& files;  // of the repository's private folder
  Programs& programs;
  Clock& clock;
  Dialogue& dialogue;
  Fleet& fleet;
  Audit* audit = nullptr;  // null: nothing is kept
};

}  // namespace capwright::publish
