// A publication that a client asks for by a key: asked again, it isn't done again, whenever the process ended.
#pragma once
#include <cstdint>
#include <optional>

#include "publish/publisher.h"

namespace capwright::publish {

// What is durably known of one request. Each call is atomic, and reports its errors to the Sink.
class Ledger {
 public:
  virtual ~Ledger() = default;

  enum class Claim : std::uint8_t {
    Taken,     // by this call
    Busy,      // another process works on it
    Another,   // the key belongs to a request with another content
    Finished,  // its answer is known
    Failed,
  };
  // `pushed_onto`: the tip of the branch when the first attempt began to push; empty: none did.
  virtual Claim claim(std::optional<git::ObjectId>& pushed_onto, Sink& sink) = 0;
  // A push begins. False: it must not.
  virtual bool note_push(const std::optional<git::ObjectId>& tip, Sink& sink) = 0;
  // It is done: keeps the answer, together with the rows of the audit.
  virtual bool finish(const Publication& publication, Sink& sink) = 0;
  // It failed, and no push has begun: the key is free again.
  virtual void release() = 0;
};

// How and by whom; `options` has a request.
struct Job {
  const Settings& settings;
  const Options& options;
  const Place& place;
};

enum class OnceEnd : std::uint8_t { Done, Known, Busy, Another, Stopped, Failed };

// Done: the ledger has its answer; Known: it had it before. A push that was noted and may have arrived is looked for on
// the branch before another one begins, by the id in the messages of its commits.
OnceEnd publish_once(const World& world, const Job& job, Ledger& ledger, Sink& sink);

}  // namespace capwright::publish
