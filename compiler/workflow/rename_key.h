// Renames a key of values in everything that names it: values files and layers, references, and the templates and
// schemas of the repository's own sets. A rename is proved: all clusters render the same bytes after it.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "workflow/key_places.h"
#include "workflow/session.h"

namespace capwright::workflow {

// A range of bytes in a file, by shown path.
struct FilePlace {
  std::string path;
  std::uint32_t begin = 0, end = 0;
  friend auto operator<=>(const FilePlace&, const FilePlace&) = default;
};

// The key of values that a place in a file names.
struct NamedKey {
  KeyPath key;  // empty: none
  FilePlace where;
};

using FileTexts = std::map<std::string, std::string, std::less<>>;  // by shown path

class KeysOfRepository {
 public:
  explicit KeysOfRepository(Session& session);

  NamedKey key_at(const std::string& path, std::uint32_t offset);
  // In values files and layers, by file.
  std::vector<FilePlace> places_that_set(const NamedKey& key);
  // The file of the template that an `include`, `import` or `extends` names at a place; empty: none.
  std::string template_named_at(const std::string& path, std::uint32_t offset) const;
  // Of a file that these functions return; empty: another one.
  std::string_view text_of_file(std::string_view path) const;
  bool is_of_repository(std::string_view path) const;
  // Why the key can't be renamed, whatever the new name is; otherwise empty.
  std::string refusal(const NamedKey& key);

  struct Rename {
    std::string error;              // why it can't be done; otherwise empty
    std::vector<FilePlace> places;  // that get the new name
  };
  // `request` opened the session, and `edits` are its texts.
  Rename rename(const NamedKey& key, const std::string& name, OpenRequest request, const FileTexts& edits);

 private:
  struct File {
    std::string text;
    std::vector<KeyPlace> keys;
    bool is_of_repository = true, is_values = false, is_encrypted = false;
  };
  struct Reader {
    std::string values_path;
    const TemplateSet* set = nullptr;
    std::vector<std::string> files;
  };
  void add_values(const std::string& path);
  void add_set(const TemplateSet& set);
  std::string add_common_schema();
  std::string read(const std::string& path);
  std::vector<const Reader*> readers_of(const NamedKey& key) const;
  std::vector<std::string> files_of(const std::vector<const Reader*>& readers) const;
  std::string conflict_in(const std::string& path, const KeyPath& key) const;
  std::string collision(const NamedKey& key, const std::string& name, const std::vector<std::string>& files) const;
  std::string difference(const std::vector<const Reader*>& readers, Session& trial, const KeyPath& old_key);
  std::string place_text(const std::string& path, Span where) const;

  Session& session_;
  std::vector<Reader> readers_;
  std::map<std::string, File, std::less<>> files_;
  std::map<const TemplateSet*, std::vector<std::string>> of_sets_;  // paths of templates and schemas
};

}  // namespace capwright::workflow
