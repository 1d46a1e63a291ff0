// Stub.
#include "template/resolve/resolve.h"
namespace capwright::jinja {
void resolve(Template&, Sink&) {}
}
