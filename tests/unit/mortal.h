// Real files and a real repository, for a process that fails or ends at a chosen call.
#pragma once
#include <cerrno>

#include "diag/catalog/tree.h"
#include "git/repository.h"
#include "source/real_fs.h"

namespace capwright::test {

// The lifetime of a process: calls are counted; one of them fails, or all from one on have no effect.
struct Life {
  enum class Fault { None, Fails, DiesBefore, DiesAfter };
  Fault fault = Fault::None;
  int at = 0;
  int calls = 0;
  bool is_dead = false;

  // Whether the call takes effect; `answered` is whether its result is returned.
  bool begins() {
    const bool is_it = calls++ == at;
    if (is_it && fault == Fault::Fails) return false;
    if (is_it && fault == Fault::DiesBefore) is_dead = true;
    return !is_dead;
  }
  void ends() {
    if (calls - 1 == at && fault == Fault::DiesAfter) is_dead = true;
  }
  bool was_reached() const { return calls > at; }
};

// Runs `call`, unless the process is dead or this is the call that fails.
template <class Answer, class Call>
Answer live(Life& life, Answer otherwise, Call call) {
  if (!life.begins()) return otherwise;
  Answer answer = call();
  life.ends();
  return life.is_dead ? otherwise : answer;
}

class MortalFs final : public FileSystem {
 public:
  explicit MortalFs(Life& life) : life_(life) {}

  IoError read(PathAt file, std::string& bytes, std::uint64_t most) override {
    return io([&] { return real_.read(file, bytes, most); });
  }
  IoError list(PathAt folder, std::vector<DirEntry>& entries) override {
    return io([&] { return real_.list(folder, entries); });
  }
  IoError stat(PathAt path, FileStat& stat) override {
    return io([&] { return real_.stat(path, stat); });
  }
  IoError open_dir(PathAt folder, DirId& opened) override {
    const IoError error = io([&] { return real_.open_dir(folder, opened); });
    return error;
  }
  // The system closes the handles of a dead process.
  void close_dir(DirId opened) override { real_.close_dir(opened); }
  IoError lock(DirId opened) override {
    return io([&] { return real_.lock(opened); });
  }
  IoError make_dir(PathAt folder, std::uint32_t mode) override {
    return io([&] { return real_.make_dir(folder, mode); });
  }
  IoError create(PathAt file, std::string_view bytes, std::uint32_t mode) override {
    return io([&] { return real_.create(file, bytes, mode); });
  }
  IoError link(PathAt existing, PathAt added) override {
    return io([&] { return real_.link(existing, added); });
  }
  IoError rename(PathAt from, PathAt to) override {
    return io([&] { return real_.rename(from, to); });
  }
  IoError exchange(PathAt one, PathAt other) override {
    return io([&] { return real_.exchange(one, other); });
  }
  IoError remove(PathAt file) override {
    return io([&] { return real_.remove(file); });
  }
  IoError remove_dir(PathAt folder) override {
    return io([&] { return real_.remove_dir(folder); });
  }

 private:
  template <class Call>
  IoError io(Call call) {
    return live(life_, IoError{ENOSPC}, call);
  }
  Life& life_;
  RealFs real_;
};

class MortalRepository final : public git::Repository {
 public:
  MortalRepository(git::Repository& real, Life& life) : real_(real), life_(life) {}

  const std::string& root() const override { return real_.root(); }
  const std::string& private_folder() const override { return real_.private_folder(); }
  const std::string& shared_folder() const override { return real_.shared_folder(); }
  std::optional<std::string> path_below_root(std::string_view path) const override {
    return real_.path_below_root(path);
  }
  std::optional<git::Head> head(Sink& sink) override {
    return call<std::optional<git::Head>>(sink, {}, [&] { return real_.head(sink); });
  }
  std::optional<git::ObjectId> commit(std::string_view revision, Sink& sink) override {
    return call<std::optional<git::ObjectId>>(sink, {}, [&] { return real_.commit(revision, sink); });
  }
  std::optional<git::CommitFacts> facts(const git::ObjectId& commit, Sink& sink) override {
    return call<std::optional<git::CommitFacts>>(sink, {}, [&] { return real_.facts(commit, sink); });
  }
  bool is_ancestor(const git::ObjectId& above, const git::ObjectId& commit) override {
    return real_.is_ancestor(above, commit);
  }
  std::optional<git::ObjectId> merge_base(const std::string& revision, Sink& sink) override {
    return real_.merge_base(revision, sink);
  }
  std::vector<git::ObjectId> merge_bases(const git::ObjectId& one, const git::ObjectId& other) override {
    return real_.merge_bases(one, other);
  }
  std::vector<std::string> merged_texts(const git::ThreeTexts& texts, git::Favored favored) const override {
    return real_.merged_texts(texts, favored);
  }
  bool is_shallow() override { return real_.is_shallow(); }
  bool is_partial() override { return real_.is_partial(); }
  std::vector<std::string> skipped_hooks(const std::string& remote) override { return real_.skipped_hooks(remote); }
  std::optional<git::Identity> identity(Sink& sink) override { return real_.identity(sink); }
  std::optional<std::string> setting(const std::string& key) override { return real_.setting(key); }
  std::optional<std::string> path_setting(const std::string& key) override { return real_.path_setting(key); }
  std::optional<std::string> remote_url(const std::string& remote, Sink& sink) override {
    return real_.remote_url(remote, sink);
  }
  std::unique_ptr<git::CommitFiles> files(const git::ObjectId& commit, std::string_view folder, Sink& sink) override {
    return real_.files(commit, folder, sink);
  }
  git::ObjectId blob_id(std::string_view bytes) const override { return real_.blob_id(bytes); }
  std::optional<std::vector<git::PathChange>> changes(const git::ObjectId& before, const git::ObjectId& after,
                                                      Sink& sink) override {
    return real_.changes(before, after, sink);
  }
  std::optional<std::vector<git::PathChange>> changes_on_disk(const git::ObjectId& before, Sink& sink) override {
    using Changes = std::optional<std::vector<git::PathChange>>;
    return call<Changes>(sink, {}, [&] { return real_.changes_on_disk(before, sink); });
  }
  std::optional<git::ObjectId> make_commit(const git::CommitRequest& request, Sink& sink) override {
    return call<std::optional<git::ObjectId>>(sink, {}, [&] { return real_.make_commit(request, sink); });
  }
  std::optional<git::ObjectId> ref_target(const std::string& ref) override { return real_.ref_target(ref); }
  bool move_ref(const git::RefMove& move, Sink& sink) override {
    return call(sink, false, [&] { return real_.move_ref(move, sink); });
  }
  std::optional<git::RemoteRefs> remote_refs(const std::string& remote, const git::RemoteAccess& access,
                                             Sink& sink) override {
    return call<std::optional<git::RemoteRefs>>(sink, {}, [&] { return real_.remote_refs(remote, access, sink); });
  }
  git::PushResult push(const git::PushRequest& request, const git::RemoteAccess& access, Sink& sink) override {
    return call(sink, git::PushResult::Failed, [&] { return real_.push(request, access, sink); });
  }
  std::optional<git::ObjectId> fetch(const git::FetchRequest& request, const git::RemoteAccess& access,
                                     Sink& sink) override {
    return call<std::optional<git::ObjectId>>(sink, {}, [&] { return real_.fetch(request, access, sink); });
  }

 private:
  template <class Answer, class Call>
  Answer call(Sink& sink, Answer otherwise, Call call) {
    bool has_answer = false;
    Answer answer = live(life_, otherwise, [&] {
      Answer real = call();
      has_answer = true;
      return real;
    });
    if (!has_answer || life_.is_dead) sink.report(diag::io_failed, Span(), "the network", "read", "it is gone");
    return answer;
  }
  git::Repository& real_;
  Life& life_;
};

}  // namespace capwright::test
