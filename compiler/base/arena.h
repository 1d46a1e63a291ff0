// A bump allocator: everything made for one document or one render lives in an Arena and dies with it at once.
// Objects are never destroyed one by one, hence must be trivially destructible.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace capwright {

class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) noexcept = default;
  Arena& operator=(Arena&&) noexcept = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Uninitialised room for `size` bytes, aligned to `align` (a power of two, at most 16).
  void* allocate(std::size_t size, std::size_t align) {
    const std::size_t padding = (align - (reinterpret_cast<std::uintptr_t>(next_) & (align - 1))) & (align - 1);
    if (padding + size > static_cast<std::size_t>(end_ - next_)) return allocate_slow(size);
    char* start = next_ + padding;
    next_ = start + size;
    return start;
  }

  template <class T, class... Args>
  T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>, "an Arena never runs destructors");
    return ::new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }

  // An uninitialised array; the caller fills every element.
  template <class T>
  T* make_array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "an Arena never runs destructors");
    return static_cast<T*>(allocate(sizeof(T) * count, alignof(T)));
  }

  template <class T>
  std::span<const T> copy(std::span<const T> items) {
    if (items.empty()) return {};
    T* start = make_array<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), start);
    return {start, items.size()};
  }
  template <class T>
  std::span<const T> copy(const std::vector<T>& items) {
    return copy(std::span<const T>(items));
  }

  // A copy of `text` that lives as long as the Arena.
  std::string_view text(std::string_view text) {
    if (text.empty()) return {};
    char* start = static_cast<char*>(allocate(text.size(), 1));
    std::memcpy(start, text.data(), text.size());
    return {start, text.size()};
  }

  // Bytes taken from the system so far: what `Limits::arena_bytes` bounds.
  std::size_t bytes_reserved() const { return reserved_; }

 private:
  void* allocate_slow(std::size_t size);

  static constexpr std::size_t kFirstBlock = 16 * 1024;
  static constexpr std::size_t kLargestBlock = 1024 * 1024;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  char* end_ = nullptr;
  std::size_t block_size_ = kFirstBlock;
  std::size_t reserved_ = 0;
};

}  // namespace capwright
