// The process that publishes.
#pragma once
#include "publish/settings.h"

namespace capwright::cli {

publish::Place place_of_process();

}  // namespace capwright::cli
