// A tree that was moved or copied is known by the index in its folder.
#include "workflow/edited_files.h"

#include <algorithm>

#include "files/index.h"
#include "secrets/lines.h"
#include "secrets/urls.h"

namespace capwright::workflow {

bool is_rendered(const std::string& path, const OpenProject& open) {
  if (!open.project->owner_of_output(path).empty()) return true;
  constexpr std::string_view kTree = "clusters/";
  const std::size_t at = path.rfind(kTree);
  const std::size_t slash = at == std::string::npos ? at : path.find('/', at + kTree.size());
  FileStat stat;
  return slash != std::string::npos &&
         !open.project->fs().stat(
             open.project->workspace().io_path(path.substr(0, slash + 1) + std::string(kIndexName)), stat);
}

bool is_encrypted(std::string_view text) {
  return text.starts_with("sops:") || text.find("\nsops:") != std::string_view::npos ||
         text.find("\"sops\":") != std::string_view::npos;
}

std::string without_secrets(std::string text, const SecretNames& names) {
  for (const Span& secret : secret_lines(text, FileId::None, false, names)) {
    for (std::size_t at = secret.begin; at < std::min<std::size_t>(secret.end, text.size()); ++at) {
      if (text[at] != '\n' && text[at] != ' ') text[at] = '*';
    }
  }
  return redact_urls(text);
}

}  // namespace capwright::workflow
