// A language server for values files, layers, templates and rendered files: diagnostics while they are typed, hover,
// completion, definitions and fixes. Pure but for the session's files: messages in, messages out.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workflow/requests.h"

namespace capwright::lsp {

class LanguageServer {
 public:
  explicit LanguageServer(workflow::RepositoryOptions repository);
  LanguageServer(const LanguageServer&) = delete;
  LanguageServer& operator=(const LanguageServer&) = delete;
  ~LanguageServer();

  // Handles a JSON-RPC message, and returns those to send.
  std::vector<std::string> handle(std::string_view message);
  // Lints what the messages changed. Call it when no further message is waiting, so that fast typing costs one run.
  std::vector<std::string> settle();

  bool is_over() const;   // `exit` was received
  int exit_code() const;  // 0 before `initialize` and after `shutdown`, otherwise 1

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace capwright::lsp
