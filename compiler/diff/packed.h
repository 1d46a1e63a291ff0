// Keeps the results of many clusters until a report reads them one by one. The clusters of a fleet change in similar
// ways, so a text is kept once for all of them, with a mark in place of the cluster's name. A result is a list of
// numbers of such texts, and equal results are one list.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace capwright::diff {

// Texts by number, each once.
class TextPool {
 public:
  std::uint32_t add(std::string_view text);
  std::string_view operator[](std::uint32_t number) const { return texts_[number]; }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

// Packs the fields of a value. A type is packed if `fields(archive, value)`, in its namespace, passes its members to
// `archive`; the same function unpacks it. Items of lists are kept once each, as texts are.
class Packer {
 public:
  Packer(TextPool& pool, std::string_view name) : pool_(pool), name_(name) {}

  template <class... Fields>
  void operator()(Fields&... values) {
    (put(values), ...);
  }
  // The number of everything that was packed.
  std::uint32_t finish() { return pool_.add(bytes_); }

 private:
  void put(std::string& text);
  void put_number(std::uint64_t number);
  template <class T>
  void put(T& value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) put_number(static_cast<std::uint64_t>(value));
    else fields(*this, value);
  }
  template <class T>
  void put(std::optional<T>& value) {
    put_number(value ? 1 : 0);
    if (value) put(*value);
  }
  template <class T>
  void put(std::vector<T>& list) {
    put_number(list.size());
    for (T& item : list) {
      if constexpr (std::is_same_v<T, std::string>) {
        put(item);
      } else {
        Packer one(pool_, name_);
        one(item);
        put_number(one.finish());
      }
    }
  }

  TextPool& pool_;
  std::string_view name_;
  std::string bytes_;
};

class Unpacker {
 public:
  Unpacker(const TextPool& pool, std::string_view name, std::uint32_t number)
      : pool_(pool), name_(name), rest_(pool[number]) {}

  template <class... Fields>
  void operator()(Fields&... values) {
    (take(values), ...);
  }

 private:
  void take(std::string& text);
  std::uint64_t number();
  template <class T>
  void take(T& value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) value = static_cast<T>(number());
    else fields(*this, value);
  }
  template <class T>
  void take(std::optional<T>& value) {
    value.reset();
    if (number() != 0) take(value.emplace());
  }
  template <class T>
  void take(std::vector<T>& list) {
    list.resize(number());
    for (T& item : list) {
      if constexpr (std::is_same_v<T, std::string>) take(item);
      else Unpacker(pool_, name_, static_cast<std::uint32_t>(number()))(item);
    }
  }

  const TextPool& pool_;
  std::string_view name_;
  std::string_view rest_;
};

// Results of clusters, whose member `cluster` is the name.
template <class T>
class PackedList {
 public:
  PackedList() = default;
  PackedList(const PackedList&) = delete;
  PackedList& operator=(const PackedList&) = delete;
  PackedList(PackedList&&) = default;
  PackedList& operator=(PackedList&&) = default;

  // `order`: the place among results with the same name.
  void add(T value, std::size_t order = 0) {
    std::string name = std::move(value.cluster);
    value.cluster.clear();
    Packer packer(pool_, name);
    packer(value);
    entries_.push_back({std::move(name), order, packer.finish()});
  }
  void sort() {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.name != b.name ? a.name < b.name : a.order < b.order; });
  }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  const std::string& name(std::size_t number) const { return entries_[number].name; }
  T operator[](std::size_t number) const {
    const Entry& entry = entries_[number];
    T value;
    Unpacker(pool_, entry.name, entry.packed)(value);
    value.cluster = entry.name;
    return value;
  }

 private:
  struct Entry {
    std::string name;
    std::size_t order;
    std::uint32_t packed;
  };
  TextPool pool_;
  std::vector<Entry> entries_;
};

// A view of results, packed or not.
template <class T>
class Records {
 public:
  class Iterator {
   public:
    Iterator(const Records& of, std::size_t at) : of_(of), at_(at) {}
    T operator*() const { return of_[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    const Records& of_;
    std::size_t at_;
  };

  Records() = default;
  Records(const PackedList<T>& list) : packed_(&list) {}
  Records(std::span<const T> all) : all_(all) {}
  Records(std::span<T> all) : all_(all) {}
  Records(const std::vector<T>& all) : all_(all) {}

  std::size_t size() const { return packed_ != nullptr ? packed_->size() : all_.size(); }
  bool empty() const { return size() == 0; }
  // Without unpacking.
  const std::string& name(std::size_t number) const {
    return packed_ != nullptr ? packed_->name(number) : all_[number].cluster;
  }
  // A copy: take it once for all of its parts.
  T operator[](std::size_t number) const { return packed_ != nullptr ? (*packed_)[number] : all_[number]; }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  const PackedList<T>* packed_ = nullptr;
  std::span<const T> all_;
};

}  // namespace capwright::diff
