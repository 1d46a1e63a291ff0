// The section `template` of capwright.yaml: a repository's own folder of Jinja2 templates.
#pragma once
#include <optional>

#include "files/workspace.h"
#include "pipeline/config.h"
#include "source/file_system.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// Reads the valid section. Reports a folder, a main template or a schema that can't be used, at the section's line;
// then empty.
std::optional<PlainFolder> read_own_templates(FileSystem&, const Workspace&, const Value& section, Stage&);

// The folder to render: `given` on the command line wins. Without a folder, its other options replace those of the
// section.
std::optional<PlainFolder> chosen_templates(const std::optional<PlainFolder>& given,
                                            const std::optional<PlainFolder>& own);

// Reads `outputs` of the section in the `document` of capwright.yaml. Reports patterns that are invalid, that clash
// with another one, or that reach files which capwright reads; `config` names these. Then it returns none.
Outputs read_outputs(FileSystem& fs, const Workspace& workspace, const Value& document, const Config& config,
                     Stage& stage);

}  // namespace capwright
