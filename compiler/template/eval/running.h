// The evaluator's state for the running part.
#pragma once
#include <string_view>

#include "source/source.h"
#include "template/syntax/ast.h"
#include "value/provenance.h"

namespace capwright::jinja {

// Whether a secret decided that this part runs: then everything it prints and stores is secret.
struct Decision {
  bool secret = false;
  OriginId origin = OriginId::None;
};

struct Decisions {
  Decision now;
  bool rest = false;          // up to the end of the render
  bool rounds = false;        // up to the end of the running loop, which a secret may have left early
  bool output = false;        // the text of the innermost Capture, even if nothing is printed
  const For* loop = nullptr;  // the running one
};

// A recently made frame: loops call the same macros from the same places.
struct KnownFrame {
  Span call_site;
  FrameId parent{};
  OriginId value{};
  std::string_view name;
  FrameId id{};
};

}  // namespace capwright::jinja
