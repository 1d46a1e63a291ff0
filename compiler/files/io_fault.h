// One clear diagnostic for each kind of file system error.
#pragma once
#include <cstdint>
#include <string_view>

#include "diag/diag.h"
#include "source/file_system.h"

namespace capwright {

enum class IoTask : std::uint8_t { Read, List, Write, Remove };

// `shown_path` is the path for display; `asked_at` the text that names it, if any.
Diagnostic& report_io_fault(Sink& sink, IoTask task, std::string_view shown_path, IoError error, Span asked_at = {});

}  // namespace capwright
