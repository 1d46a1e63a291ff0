// One function per command, each in its own file; returns the exit code.
#pragma once
#include "cli/command_line.h"

namespace capwright::cli {

int run_render(const RenderOptions&);
int run_explain(const ExplainOptions&);
int run_schema_print(const SchemaPrintOptions&);
int run_schema_add(const SchemaAddOptions&);
int run_schema_list(const SchemaListOptions&);
int run_catalogue_list(const CatalogueListOptions&);
int run_addons(const AddonsOptions&);
int run_eject(const EjectOptions&);
int run_lint(const LintOptions&);
int run_graph(const GraphOptions&);
int run_leftovers(const LeftoversOptions&);
int run_remap(const RemapOptions&);
int run_rules(const RulesOptions&);
int run_diff(const DiffOptions&);
int run_plan(const PlanOptions&);
int run_publish(const PublishOptions&);
int run_rules_test(const RulesOptions&);
int run_test(const TestOptions&);
int run_cmp(const CmpOptions&);
int run_audit(const AuditOptions&);
int run_dev(const DevOptions&);
int run_version();

}  // namespace capwright::cli
