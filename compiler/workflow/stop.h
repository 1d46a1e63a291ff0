// Why a workflow stopped before it had a result.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace capwright::workflow {

struct Stop {
  // One line each, about the request. Without them, the errors are in the project's sink.
  std::vector<std::string> messages;
  // The sink's errors are about the files to check, which a command reports as findings.
  bool is_about_input = false;

  static Stop because(std::string message) { return {{std::move(message)}, false}; }
};

}  // namespace capwright::workflow
