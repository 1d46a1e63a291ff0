// The repository of a server, open for the requests of one thread. It is opened again when files that all requests
// share have changed on disk: the configuration, templates, schemas, rules, or the checked-out commit.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/cluster.h"
#include "workflow/git_history.h"
#include "workflow/session.h"

namespace capwright::portal {

struct CheckoutOptions {
  workflow::RepositoryOptions repository;
  workflow::ValueOptions values;      // above those of requests
  std::optional<std::string> folder;  // of values files of requests, relative to the root
};

// The values of a request, as a file of the repository that needn't exist.
struct ValuesFile {
  std::string path;  // as shown
  std::string text;
};

// Each purpose has its own session: commands open the repository with different options, too.
enum class Purpose : std::uint8_t {
  Render,   // `capwright render`, without starting programs that encrypt
  Encrypt,  // `capwright render`
  Lint,     // `capwright lint`
};

class Checkout {
 public:
  explicit Checkout(CheckoutOptions options) : options_(std::move(options)) {}

  // Call it first for each request. Null if the repository can't be used: faults() has the reason.
  workflow::OpenProject* open(Purpose purpose);
  // The findings of the last call that failed; valid until the next open().
  const report::Findings& faults() const { return *faults_; }

  // The file for the values of a cluster: where its file is, otherwise in the folder. After open().
  std::string values_path(std::string_view cluster, bool is_json) const;
  // The folder of new values files. After open().
  const std::string& folder() const { return folder_; }
  // The existing values file of a cluster; empty: there is none.
  std::string known_path(std::string_view cluster) const;

  // As `capwright render` has it in memory; valid until the next open(). Null: see faults(). After open() with the same
  // purpose.
  std::unique_ptr<CompiledCluster> render(const ValuesFile& file, Purpose purpose);
  // As `capwright lint` has it for this cluster alone. Null: see faults(). After open(Lint).
  std::shared_ptr<const workflow::LintedCluster> lint(const ValuesFile& file);

  // For a project of its own, such as that of a plan.
  workflow::OpenRequest request_of(Purpose purpose) const;

 private:
  struct Opened {
    std::unique_ptr<workflow::Session> session;  // null: not open
    std::unique_ptr<workflow::GitHistory> history;
    std::string digest;  // of the shared files that it was opened with
    std::int64_t looked_at = 0;
  };
  Opened& opened(Purpose purpose) { return opened_[static_cast<std::size_t>(purpose)]; }
  void reopen(Opened& opened, Purpose purpose);
  void find_values(workflow::OpenProject& open);
  void keep_faults(workflow::OpenProject& open);

  const CheckoutOptions options_;
  std::array<Opened, 3> opened_;
  std::optional<report::Findings> faults_;
  bool has_failed_ = false;                // then the next request opens everything again
  std::vector<std::string> values_files_;  // of the repository
  std::string folder_ = "values";
};

}  // namespace capwright::portal
