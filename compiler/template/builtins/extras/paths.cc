// Filters on POSIX paths as text; they don't access the file system.
#include <string_view>

#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"

namespace capwright::jinja {
namespace {

// The start of the last part of a path: after the last slash.
std::size_t last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? 0 : slash + 1;
}

// The dot that starts the extension; the size of `path` if there is none. Leading dots don't start one.
std::size_t extension(std::string_view path) {
  const std::size_t point = path.rfind('.');
  const std::size_t name = last_part(path);
  if (point == std::string_view::npos || point < name) return path.size();
  return path.find_first_not_of('.', name) < point ? point : path.size();
}

}  // namespace

Value basename_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto path = extras::string_argument(runtime, "basename", arguments[0]);
  return path ? runtime.string(path->substr(last_part(*path))) : Value::error();
}

Value dirname_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto path = extras::string_argument(runtime, "dirname", arguments[0]);
  if (!path) return Value::error();
  const std::string_view head = path->substr(0, last_part(*path));
  const std::size_t end = head.find_last_not_of('/');
  return runtime.string(end == std::string_view::npos ? head : head.substr(0, end + 1));
}

Value splitext_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto path = extras::string_argument(runtime, "splitext", arguments[0]);
  if (!path) return Value::error();
  const std::size_t point = extension(*path);
  const Value parts[] = {runtime.derived(runtime.string(path->substr(0, point)), arguments[0]),
                         runtime.derived(runtime.string(path->substr(point)), arguments[0])};
  return runtime.tuple(parts);
}

}  // namespace capwright::jinja
