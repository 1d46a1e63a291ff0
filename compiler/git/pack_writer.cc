// Git's pack format, version 2: a header, objects without deltas, and the SHA-1 of everything. libgit2 checks and
// indexes it.
#include "git/pack_writer.h"

#include <algorithm>
#include <fmt/format.h>
#include <zlib.h>

#include "base/sha.h"

namespace capwright::git {
namespace {

// Up to this number one file per object is faster, and `git gc` has less to do. Git's own limit is also 100 objects.
constexpr std::size_t kMostLooseObjects = 100;
constexpr std::size_t kChunk = 1 << 20;  // bytes per call of the indexer

void append_number(std::string& out, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(number >> shift));
}

// Kind and size, 4 bits of it first, then 7 a byte.
void append_entry_header(std::string& out, ObjectKind kind, std::size_t size) {
  std::uint8_t byte = static_cast<std::uint8_t>(static_cast<unsigned>(kind) << 4 | (size & 15));
  for (size >>= 4; size != 0; size >>= 7) {
    out.push_back(static_cast<char>(byte | 0x80));
    byte = size & 0x7f;
  }
  out.push_back(static_cast<char>(byte));
}

// At zlib's fastest level, like Git for single objects.
bool append_deflated(std::string& out, std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  const std::size_t before = out.size();
  out.resize(before + size);
  const int answer = compress2(reinterpret_cast<Bytef*>(out.data() + before), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), Z_BEST_SPEED);
  out.resize(before + size);
  return answer == Z_OK;
}

}  // namespace

ObjectId object_id(ObjectKind kind, std::string_view bytes) {
  const char* word = "blob";
  if (kind == ObjectKind::Commit) word = "commit";
  else if (kind == ObjectKind::Tree) word = "tree";
  std::string header = fmt::format("{} {}", word, bytes.size());
  header.push_back('\0');
  return {sha1({header, bytes})};
}

bool PackWriter::has(const ObjectId& id) {
  const git_oid oid = as_oid(id);
  // Doesn't look for new packs, which would read a directory for each new object.
  return git_odb_exists_ext(odb_, &oid, GIT_ODB_LOOKUP_NO_REFRESH) == 1;
}

void PackWriter::add(ObjectKind kind, const ObjectId& id, std::string_view bytes) {
  if (known_.insert(id).second && !has(id)) objects_.push_back({kind, std::string(bytes)});
}

std::string PackWriter::pack() const {
  std::string pack = "PACK";
  append_number(pack, 2);
  append_number(pack, static_cast<std::uint32_t>(objects_.size()));
  for (const Object& object : objects_) {
    append_entry_header(pack, object.kind, object.bytes.size());
    if (!append_deflated(pack, object.bytes)) return {};
  }
  const Sha1 digest = sha1({pack});
  pack.append(digest.begin(), digest.end());
  return pack;
}

int PackWriter::write() {
  if (objects_.size() <= kMostLooseObjects) {
    for (const Object& object : objects_) {
      git_oid written{};
      const auto type = static_cast<git_object_t>(object.kind);
      if (const int answer = git_odb_write(&written, odb_, object.bytes.data(), object.bytes.size(), type))
        return answer;
    }
    return 0;
  }
  const std::string bytes = pack();
  if (bytes.empty()) return GIT_ERROR;
  git_odb_writepack* writer = nullptr;
  int answer = git_odb_write_pack(&writer, odb_, nullptr, nullptr);
  git_indexer_progress progress{};
  for (std::size_t at = 0; answer == 0 && at < bytes.size(); at += kChunk)
    answer = writer->append(writer, bytes.data() + at, std::min(kChunk, bytes.size() - at), &progress);
  if (answer == 0) answer = writer->commit(writer, &progress);
  if (writer != nullptr) writer->free(writer);
  return answer != 0 ? answer : git_odb_refresh(odb_);
}

}  // namespace capwright::git
