// Optional values.
#include "cel/function.h"

namespace capwright::cel {
namespace {

// The server's definition of empty: null, zero, and values without elements or bytes.
bool is_zero(const Val& v) {
  switch (v.kind()) {
    case TypeKind::Null: return true;
    case TypeKind::Bool: return !v.as_bool();
    case TypeKind::Int:
    case TypeKind::Uint:
    case TypeKind::Duration: return v.as_int() == 0;
    case TypeKind::Double: return v.as_double() == 0;
    case TypeKind::String:
    case TypeKind::Bytes: return v.text().empty();
    case TypeKind::List:
    case TypeKind::Map: return !(v.is_data() && v.schema() != nullptr) && v.size() == 0;
    case TypeKind::Optional: return v.inner() == nullptr;
    case TypeKind::Timestamp: return v.as_instant() == Instant{kFirstSecond, 0, 0};
    default: return false;
  }
}

}  // namespace

Val optional_of(Call& call) { return make_optional(call.args[0], call.arena); }
Val optional_of_non_zero(Call& call) {
  return is_zero(call.args[0]) ? Val::optional_none() : make_optional(call.args[0], call.arena);
}
Val optional_none(Call&) { return Val::optional_none(); }

Val unwrap(Call& call) {
  std::vector<Val> out;
  for (std::size_t i = 0; i < call.args[0].size(); ++i) {
    const Val item = call.args[0].item(i, call.arena);
    if (!item.is(TypeKind::Optional))
      return call.fail("element " + std::to_string(i) + " isn't an optional value but " + to_text(item));
    if (item.inner() != nullptr) out.push_back(*item.inner());
  }
  return make_list(out, call.arena);
}

Val optional_value(Call& call) {
  const Val* inner = call.args[0].inner();
  return inner == nullptr ? call.fail("the optional has no value") : *inner;
}

Val has_value(Call& call) { return Val::boolean(call.args[0].inner() != nullptr); }

// The evaluator runs these two itself, so that the second operand is evaluated only if needed.
Val optional_or(Call& call) { return call.args[0].inner() != nullptr ? call.args[0] : call.args[1]; }
Val optional_or_value(Call& call) {
  const Val* inner = call.args[0].inner();
  return inner != nullptr ? *inner : call.args[1];
}

}  // namespace capwright::cel
