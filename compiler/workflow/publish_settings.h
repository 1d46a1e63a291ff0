// What every publication of an open repository needs.
#pragma once
#include "publish/settings.h"
#include "publish/world.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

class RealClock final : public publish::Clock {
 public:
  std::int64_t seconds() override { return real_seconds(); }
  int nanoseconds() override { return real_nanoseconds(); }
  void wait(std::int64_t seconds) override { real_wait(seconds); }
};

// `publish:` of the repository's configuration, which was found right when the project was opened.
publish::Settings publish_settings(const OpenProject& open, const RepositoryOptions& repository);

}  // namespace capwright::workflow
