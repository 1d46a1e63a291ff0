// Signatures of commits, made by the programs that Git's configuration names.
#pragma once
#include <optional>

#include "git/commit.h"
#include "git/repository.h"
#include "source/process.h"

namespace capwright::git {

// Whether commit.gpgsign asks for signed commits.
bool signs_commits(Repository&);

// Signs as `git commit -S` does: by gpg.format `openpgp` (the default), `ssh` or `x509`, with the key user.signingkey,
// else the committer's. For `ssh` the key is a file. A fault is reported when it signs. Repository, Programs and Sink
// outlive it.
Signer configured_signer(Repository&, Programs&, const Identity& committer, Sink&);

}  // namespace capwright::git
