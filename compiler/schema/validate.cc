// The entry point of validation: one walk, then the report.
#include "schema/evaluate.h"
#include "schema/schema.h"

namespace capwright::schema {

bool validate(const Schema& schema, const Value& value, Stage& stage) {
  Findings findings(stage, *schema.root);
  const Place root{value};
  Evaluation(stage, &findings).check(*schema.root, root);
  if (findings.empty()) return true;
  findings.report(stage.sink);
  return false;
}

}  // namespace capwright::schema
