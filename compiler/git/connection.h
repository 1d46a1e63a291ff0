// One connection to another repository: its callbacks, and the meaning of its errors. Included only in this folder.
#pragma once
#include <string>
#include <vector>

#include "diag/diag.h"
#include "git/libgit2.h"
#include "git/remote_access.h"

namespace capwright::git {

class Connection {
 public:
  // `remote` belongs to `repository`; `git credential` runs in `folder`.
  Connection(git_remote* remote, std::string folder, const RemoteAccess& access);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // False: an error was reported.
  bool open(git_direction direction, Sink&);
  bool refs(RemoteRefs& refs, Sink&);
  // Return libgit2's codes; report() reports their errors.
  int upload(const std::string& refspec);
  int fetch(const std::string& refspec);
  void report(int answer, Sink&) const;

  // The remote's error for the pushed ref; empty if it was accepted.
  const std::string& refusal() const { return refusal_; }
  // The remote's other output, by line, safe for a terminal.
  std::vector<std::string> remote_words() const;
  const std::string& url() const { return shown_; }

 private:
  static int ask(git_credential** out, const char* url, const char* user, unsigned allowed, void* self);
  static int hear(const char* text, int length, void* self);
  static int note_status(const char* ref, const char* status, void* self);

  int password(git_credential** out, const std::string& url);
  int ssh_login(git_credential** out, const char* user);
  ProgramEnd ask_git(const char* verb, const std::string& description) const;
  int refuse(std::string why);
  git_remote_callbacks callbacks();

  git_remote* remote_;
  std::string folder_, shown_;
  const RemoteAccess& access_;
  bool pushes_ = false;  // it was opened for a push
  unsigned attempts_ = 0;
  std::string asked_description_;  // of the login from `git credential fill`
  std::string credential_fault_, refusal_, words_;
};

}  // namespace capwright::git
