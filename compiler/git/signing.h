// Signs commits with the programs of Git's configuration.
#pragma once
#include <optional>

#include "git/commit.h"
#include "git/repository.h"
#include "source/process.h"

namespace capwright::git {

// Whether commit.gpgsign is set.
bool signs_commits(Repository&);

// Signs like `git commit -S`: by gpg.format `openpgp` (the default), `ssh` or `x509`, with the key user.signingkey, or
// the committer's. For `ssh` the key is a file. Errors are reported when it signs. Repository, Programs and Sink must
// outlive it.
Signer configured_signer(Repository&, Programs&, const Identity& committer, Sink&);

}  // namespace capwright::git
