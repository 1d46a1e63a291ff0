// If the system's lock is free, the process in an existing lock file is dead.
#include "steps/process_lock.h"

#include <cerrno>

#include "diag/catalog/tree.h"

namespace capwright::steps {
namespace {

constexpr std::uint64_t kLargestLock = 64 * 1024;  // bytes

}  // namespace

ProcessLock::Answer ProcessLock::take(const Holder& self, std::string_view subject, std::optional<Holder>& other,
                                      Sink& sink) {
  const auto fail = [&](IoError error) {
    sink.report(diag::io_failed, Span(), path(), "written", describe(error));
    locked_.close();
    return Answer::Failed;
  };
  if (const IoError error = make_dirs(files_, folder_)) return fail(error);
  if (const IoError error = locked_.open(files_, folder_)) return fail(error);
  const IoError error = files_.lock(locked_.id());
  other = written();
  if (error.code == EWOULDBLOCK) {
    locked_.close();
    return Answer::Busy;
  }
  if (error) return fail(error);
  run_ = self.run;
  if (const IoError unwritten = replace_file(files_, path(), lock_text(self, subject))) return fail(unwritten);
  return Answer::Taken;
}

ProcessLock::Answer ProcessLock::take_expired(const Holder& self, std::string_view subject, bool breaks,
                                              std::optional<Holder>& other, Sink& sink) {
  std::optional<Holder> known = written();
  const bool is_elsewhere = known && known->host != self.host && known->until > self.since;
  if (is_elsewhere && !breaks) {
    other = std::move(known);
    return Answer::Busy;
  }
  const Answer answer = take(self, subject, other, sink);
  if (answer != Answer::Busy || !(breaks || (other && other->until <= self.since))) return answer;
  const std::string aside = folder_ + ".broken";  // the other process still has it open
  static_cast<void>(remove_tree(files_, aside));
  if (const IoError error = files_.rename(folder_, aside); error && error.code != ENOENT) {
    sink.report(diag::io_failed, Span(), folder_, "renamed", describe(error));
    return Answer::Failed;
  }
  static_cast<void>(remove_tree(files_, aside));
  std::optional<Holder> none;
  return take(self, subject, none, sink);
}

bool ProcessLock::renew(const Holder& self, std::string_view subject, Sink& sink) {
  const std::optional<Holder> known = written();
  if (!known || known->run != self.run) return false;
  const IoError error = replace_file(files_, path(), lock_text(self, subject));
  if (error) sink.report(diag::io_failed, Span(), path(), "written", describe(error));
  return !error;
}

void ProcessLock::release() {
  if (!locked_.is_open()) return;
  const std::optional<Holder> known = written();
  if (known && known->run == run_)
    static_cast<void>(files_.remove(path()));  // a remaining file is harmless: its process is dead
  locked_.close();
}

std::optional<Holder> ProcessLock::written() const {
  std::string text;
  if (files_.read(path(), text, kLargestLock)) return std::nullopt;
  return read_lock(text);
}

}  // namespace capwright::steps
