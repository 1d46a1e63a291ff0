// Finds the configuration of a cluster to deploy, and reads it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "deploy/read_configuration.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

struct DeploymentRequest {
  RepositoryOptions repository;
  ValueOptions values;
  std::string target;                         // `[org/]NAME`
  std::string clusters;                       // the folder of opencenter's organizations; empty: the working directory
  std::vector<deploy::Variable> environment;  // of this process
};

// A configuration, with the data that findings about it point into.
struct Deployment {
  OwnStage own;                              // of opencenter's configuration, and of findings without a place
  std::unique_ptr<OpenProject> open;         // of values
  std::unique_ptr<CompiledCluster> cluster;  // of values
  deploy::Settings settings;                 // complete, if no finding is an error

  // All findings, with secrets redacted.
  report::Findings findings();
};

std::unique_ptr<Deployment> find_deployment(const DeploymentRequest& request);

}  // namespace capwright::workflow
