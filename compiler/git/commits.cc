// Creates commits without an index, and moves branches only from their expected commits.
#include <fmt/format.h>

#include "diag/catalog/git.h"
#include "git/local_repository.h"
#include "git/pack_writer.h"
#include "git/tree_edit.h"
#include "source/real_fs.h"

namespace capwright::git {
namespace {

SignatureHandle as_signature(const Signature& by) {
  SignatureHandle signature;
  receive(signature, [&](auto out) {
    return git_signature_new(out, by.who.name.c_str(), by.who.email.c_str(), by.seconds, by.minutes_east);
  });
  return signature;
}

}  // namespace

std::optional<ObjectId> LocalRepository::make_commit(const CommitRequest& request, Sink& sink) {
  ObjectId base, made;
  if (request.parent && !tree_of(*request.parent, base, sink)) return std::nullopt;
  PackWriter writer(store_.odb());
  TreeEdit edit(store_, writer);
  for (const FileChange& change : request.changes) {
    if (!edit.add(change, sink)) return std::nullopt;
  }
  if (!edit.apply(base, made, sink)) return std::nullopt;
  if (request.parent && made == base) return request.parent;
  if (const int answer = writer.write()) {
    sink.report(diag::commit_not_written, Span(), reason(answer));
    return std::nullopt;
  }
  return write_commit(request, made, sink);
}

std::optional<ObjectId> LocalRepository::write_commit(const CommitRequest& request, const ObjectId& tree, Sink& sink) {
  const auto fail = [&](int answer) {
    sink.report(diag::commit_not_written, Span(), reason(answer));
    return std::optional<ObjectId>();
  };
  const SignatureHandle author = as_signature(request.author), committer = as_signature(request.committer);
  if (author == nullptr || committer == nullptr) {
    const bool nameless = request.author.who.name.empty() || request.committer.who.name.empty();
    sink.report(diag::git_identity_missing, Span(), nameless ? "user.name" : "user.email");
    return std::nullopt;
  }
  const git_oid tree_oid = as_oid(tree);
  TreeHandle tree_object;
  CommitHandle parent;
  int answer = receive(tree_object, [&](auto out) { return git_tree_lookup(out, repository_.get(), &tree_oid); });
  if (answer == 0 && request.parent) {
    const git_oid parent_oid = as_oid(*request.parent);
    answer = receive(parent, [&](auto out) { return git_commit_lookup(out, repository_.get(), &parent_oid); });
  }
  if (answer != 0) return fail(answer);
  const git_commit* parents[] = {parent.get()};
  Buffer text;
  answer = git_commit_create_buffer(&text, repository_.get(), author.get(), committer.get(), nullptr,
                                    request.message.c_str(), tree_object.get(), parent == nullptr ? 0 : 1, parents);
  if (answer != 0) return fail(answer);
  git_oid made{};
  if (request.sign) {
    const std::optional<std::string> signature = request.sign(text.text());
    if (!signature) return std::nullopt;
    answer = git_commit_create_with_signature(&made, repository_.get(), text.ptr, signature->c_str(), nullptr);
  } else {
    answer = git_odb_write(&made, store_.odb(), text.ptr, text.size, GIT_OBJECT_COMMIT);
  }
  return answer == 0 ? std::optional(from_oid(&made)) : fail(answer);
}

std::optional<ObjectId> LocalRepository::ref_target(const std::string& ref) {
  git_oid oid{};
  if (git_reference_name_to_id(&oid, repository_.get(), ref.c_str()) != 0) return std::nullopt;
  return from_oid(&oid);
}

// Only capwright writes refs below refs/capwright/, and only one process per clone at a time: so a lock on one of them
// was left by a killed process.
bool LocalRepository::clear_own_lock(const std::string& ref) const {
  return ref.starts_with("refs/capwright/") && !RealFs().remove(shared_folder_ + "/" + ref + ".lock");
}

bool LocalRepository::move_ref(const RefMove& move, Sink& sink) {
  int valid = 0;
  if (git_reference_name_is_valid(&valid, move.ref.c_str()) != 0 || valid == 0) {
    sink.report(diag::no_ref_name, Span(), move.ref);
    return false;
  }
  const git_oid target = as_oid(move.target);
  const git_oid expected = as_oid(move.expected.value_or(ObjectId()));
  const auto attempt = [&] {
    ReferenceHandle moved;
    return receive(moved, [&](auto out) {
      if (!move.expected)
        return git_reference_create(out, repository_.get(), move.ref.c_str(), &target, 0, move.reason.c_str());
      return git_reference_create_matching(out, repository_.get(), move.ref.c_str(), &target, 1, &expected,
                                           move.reason.c_str());
    });
  };
  int answer = attempt();
  if (answer == GIT_ELOCKED && clear_own_lock(move.ref)) answer = attempt();
  if (answer == 0) return true;
  if (answer == GIT_ELOCKED) {
    sink.report(diag::ref_locked, Span(), move.ref)
        .advise(fmt::format("if no Git process is running, delete `{}/{}.lock`", shared_folder_, move.ref));
  } else if (answer == GIT_EMODIFIED || answer == GIT_EEXISTS || answer == GIT_ENOTFOUND) {
    const auto shown_id = [](const std::optional<ObjectId>& id) { return id ? short_hex(*id) : "no commit"; };
    sink.report(diag::ref_moved, Span(), move.ref, shown_id(ref_target(move.ref)), shown_id(move.expected))
        .note("another process updated it; it is left unchanged")
        .advise("run the command again");
  } else {
    sink.report(diag::commit_not_written, Span(), reason(answer));
  }
  return false;
}

}  // namespace capwright::git
