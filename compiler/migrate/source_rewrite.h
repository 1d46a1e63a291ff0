// A change of rendered text as a change of the text that printed it: a template, through the origin of each byte.
#pragma once
#include <optional>
#include <string_view>

#include "migrate/rewrite.h"
#include "source/source.h"
#include "value/provenance.h"

namespace capwright::migrate {

struct SourceRewrite {
  FileId file = FileId::None;
  Rewrite rewrite;  // in bytes of the file
};

// Empty if the bytes come from several files, from values, or from the inside of an expression. The result has to be
// rendered again: a condition or a loop around the place may give the change another effect.
std::optional<SourceRewrite> source_rewrite(const Rewrite& rendered, const MappedText& text, const SourceSet& sources);

}  // namespace capwright::migrate
