// A file system in memory, for tests: it logs its calls and can fail or die at the n-th call.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "source/file_system.h"

namespace capwright {

// Paths from the working directory start at its root; a leading `/` changes nothing.
class MemoryFs final : public FileSystem {
 public:
  MemoryFs();
  ~MemoryFs() override;

  // Building and inspecting a tree; none of these count as calls. Missing parents are created.
  void add(std::string_view path, std::string_view bytes, std::uint32_t mode = 0644);
  void add_dir(std::string_view path);
  void add_symlink(std::string_view path, std::string_view target);
  // Every path with its content: a file's bytes, `-> target` for a link, `/` for an empty directory.
  std::map<std::string, std::string> tree() const;
  // How often the file at `path` was written; 0 if there is none. A link or rename doesn't count.
  std::uint64_t version(std::string_view path) const;

  // Calls so far, as lines: `read clusters/a/x.yaml`. close_dir isn't logged: it can't fail.
  const std::vector<std::string>& log() const { return log_; }
  void clear_log() { log_.clear(); }
  // Call number `n` (from 0, counted from now on) does nothing and returns `code`; later calls work again.
  void fail_at(std::uint64_t n, int code);
  // The first call whose log line starts with the first word of `line` and ends with the rest returns `code`: `create
  // cluster.yaml`.
  void fail_on(std::string_view line, int code);
  // Call number `n` and all later ones do nothing and return EIO, as if the process had been killed before it.
  void die_at(std::uint64_t n);
  // Starts the next process: calls work again; locks and handles of the dead process are released.
  void revive();
  // Whether the call that fail_at() or die_at() chose was reached.
  bool reached() const { return reached_; }
  // Unsupported features of some file systems: exchange returns EINVAL, link EPERM, any change EROFS.
  bool can_exchange = true, can_link = true, can_write = true;

  IoError read(PathAt file, std::string& bytes, std::uint64_t max_bytes) override;
  IoError list(PathAt directory, std::vector<DirEntry>& entries) override;
  IoError stat(PathAt path, FileStat& stat) override;
  IoError open_dir(PathAt directory, DirId& opened) override;
  void close_dir(DirId opened) override;
  IoError lock(DirId opened) override;
  IoError make_dir(PathAt directory, std::uint32_t mode) override;
  IoError create(PathAt file, std::string_view bytes, std::uint32_t mode) override;
  IoError link(PathAt existing, PathAt added) override;
  IoError rename(PathAt from, PathAt to) override;
  IoError exchange(PathAt one, PathAt other) override;
  IoError remove(PathAt file) override;
  IoError remove_dir(PathAt empty_directory) override;

 private:
  struct Node;
  using NodePtr = std::shared_ptr<Node>;
  struct Slot;  // a name in a directory, used or not

  IoError begin(std::string_view name, std::initializer_list<PathAt> paths, bool changes);
  NodePtr start_of(PathAt) const;
  IoError find(PathAt, NodePtr& found) const;
  IoError find_slot(PathAt, Slot& slot) const;
  NodePtr made_parent(std::string_view path, std::string& name);
  std::string shown(PathAt) const;

  mutable std::mutex mutex_;
  NodePtr root_;
  std::map<int, std::pair<NodePtr, std::string>> open_;
  std::map<int, Node*> locks_;
  int next_id_ = 3;
  std::vector<std::string> log_;
  std::uint64_t calls_ = 0, fail_call_ = ~std::uint64_t{0}, death_call_ = ~std::uint64_t{0};
  std::string fail_word_, fail_path_;
  int fail_code_ = 0;
  bool reached_ = false;
  std::uint64_t next_version_ = 1;
};

}  // namespace capwright
