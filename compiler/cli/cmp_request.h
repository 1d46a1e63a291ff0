// A request of Argo CD to the plugin (`capwright cmp`): the Application's parameters, and the folder of an unpacked
// repository in which the plugin runs.
#pragma once
#include <string>
#include <string_view>

#include "source/file_system.h"
#include "workflow/requests.h"

namespace capwright::cli {

inline constexpr std::string_view kPluginParameters = "ARGOCD_APP_PARAMETERS";

// The Application's parameters.
struct PluginParameters {
  std::string cluster;  // empty: those whose values are in the Application's folder
  std::string part = "all";
  workflow::ValueOptions values;
};

// The value of an environment variable; "" if it isn't set.
std::string plugin_variable(std::string_view name);

// Parses a JSON array of `{"name": …, "string"|"array"|"map": …}`; Argo CD sends `null` for an Application without
// parameters. Returns an error; otherwise empty.
std::string read_plugin_parameters(const std::string& text, PluginParameters& parameters);

// Finds the configuration from the Application's folder up to the repository's root: folders above weren't sent. The
// Application's path limits the search, as far as its names match the folders here; if only a part of the repository
// was sent, that is less than the whole path. Without Argo CD's variable, it is searched for as by other commands.
// Empty: there is none.
std::string find_plugin_config(FileSystem& fs, const std::string& here);

}  // namespace capwright::cli
