// The policy for bytes of secrets. A marked value may only be rendered in the form that `secrets.form` names, as data
// of a Secret; readable ones (`plain`) only to standard output or to a folder outside of every Git working tree, and
// never in CI.
#pragma once
#include <span>

#include "files/file_set.h"
#include "secrets/form.h"
#include "value/stage.h"

namespace capwright {

// Where the output goes, as far as it matters for readable secrets.
struct OutputPlace {
  bool ci = false;
  bool inside_work_tree = false;
};

// Reports every place where a secret would violate the policy. Call it when files are split. `secrets`: the places of
// secrets in the values, which may be a part of what an expression reads.
void check_secret_policy(const FileSet& files, const SecretForm& form, OutputPlace output,
                         std::span<const Span> secrets, Stage&);

// The part of it that needs no files: whether the form `plain` may be used for this output.
void check_plain_form(const SecretForm& form, OutputPlace output, Stage&);

}  // namespace capwright
