// The interfaces of a publication to its environment. The core in this folder is a function of their answers, so that
// tests can make each of them fail or interrupt the run.
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
#include "steps/clock.h"

namespace capwright::publish {

using steps::Clock;
using steps::rfc3339;
using steps::time_text;

// The user who runs the command, or the log of a CI job.
class Dialogue {
 public:
  virtual ~Dialogue() = default;
  // Reports the end of a step, or a message about it.
  virtual void say(Step step, std::string_view line) = 0;
  // Likewise, for results that differ from what the user asked for: shown also if messages aren't wanted.
  virtual void insist(Step step, std::string_view line) { say(step, line); }
  // Whether a user can answer.
  virtual bool can_ask() = 0;
  // Returns true without asking if no user can answer.
  virtual bool agrees(std::string_view question) = 0;
  // Shows the output of `capwright diff` and `capwright plan`, with secrets redacted.
  virtual void show_diff(std::string_view text) = 0;
};

enum class Verdict : std::uint8_t { Fine, Findings, Fault };

// One commit of the sources, rendered in memory against the published tree.
class Rendering {
 public:
  virtual ~Rendering() = default;
  // The files that differ from `base`; their bytes live as long as this object.
  virtual const std::vector<git::FileChange>& changes() const = 0;
  // All rendered clusters, by name.
  virtual const std::vector<RenderedCluster>& clusters() const = 0;
  // Clusters whose folders the commit removes, by name.
  virtual const std::vector<std::string>& removed() const = 0;
  // These, and those that commits of the user remove from the published tree; by name.
  virtual const std::vector<GoneCluster>& gone() const = 0;
  // The implementation shows findings that stop the run; `said` summarizes the others.
  virtual Verdict lint(std::string& said) = 0;
  // A text with the differences and their effects on machines. Findings: they violate a limit.
  virtual Verdict diff(std::string& text) = 0;
};

struct Commits {
  git::ObjectId source;                    // the commit to render
  std::optional<git::ObjectId> base;       // provides earlier generations, existing files and the like
  std::optional<git::ObjectId> published;  // the published tip of the branch; `base` may also have commits of the user
};

class Fleet {
 public:
  virtual ~Fleet() = default;
  // Null if it can't be rendered: the errors were shown, and `verdict` has their kind.
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
  Audit* audit = nullptr;  // null: nothing is recorded
};

}  // namespace capwright::publish
