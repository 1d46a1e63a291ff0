// One clear diagnostic for each way in which the file system can refuse.
#pragma once
#include <cstdint>
#include <string_view>

#include "diag/diag.h"
#include "source/file_system.h"

namespace capwright {

enum class IoTask : std::uint8_t { Read, List, Write, Remove };

// `shown_path` is what the user calls the file; `asked_at` the text that names it, if any does.
Diagnostic& report_io_fault(Sink& sink, IoTask task, std::string_view shown_path, IoError error, Span asked_at = {});

}  // namespace capwright
