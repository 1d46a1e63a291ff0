// Matches by name first, then templates by their names without digests, then retired generations.
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "diff/compare.h"

namespace capwright::diff {
namespace {

using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
using ByKey = std::map<Key, std::vector<const Object*>>;  // in the order of the side

Key key_of(const Object& object) { return {object.group, object.kind, object.space, object.name}; }
Key base_key_of(const Object& object) { return {object.group, object.kind, object.space, object.base}; }

class Matcher {
 public:
  Matcher(const Side& before, const Side& after) : before_(before), after_(after) {}

  std::vector<ObjectPair> match() {
    for (const bool retired : {false, true}) match_names(retired);
    match_bases();
    std::vector<ObjectPair> pairs;
    for (const Object& object : after_.objects()) pairs.push_back(pair_of(object));
    for (const Object& object : before_.objects()) {
      if (taken_.contains(&object)) continue;
      const bool is_back = object.retired && has_name(after_, object, false);
      if (!is_back) pairs.push_back(gone(object));
    }
    return pairs;
  }

 private:
  static ObjectPair gone(const Object& object) {
    ObjectPair pair;
    pair.kind = object.retired ? ObjectPair::Kind::Dropped : ObjectPair::Kind::Removed;
    pair.before = &object;
    return pair;
  }

  ObjectPair pair_of(const Object& object) {
    ObjectPair pair;
    pair.after = &object;
    const auto partner = partners_.find(&object);
    if (partner != partners_.end()) {
      pair.before = partner->second;
      const bool renamed = pair.before->name != object.name;
      pair.kind = renamed ? ObjectPair::Kind::Renamed : ObjectPair::Kind::Changed;
    } else {
      pair.kind = object.retired ? ObjectPair::Kind::Kept : ObjectPair::Kind::Added;
    }
    return pair;
  }

  void join(const Object& before, const Object& after) {
    partners_[&after] = &before;
    taken_[&before] = &after;
  }

  // Objects with the same key, in order: by mistake, a tree may contain one twice.
  void match_names(bool retired) {
    ByKey by_name;
    for (const Object& object : before_.objects()) {
      if (object.retired == retired) by_name[key_of(object)].push_back(&object);
    }
    std::map<Key, std::size_t> used;
    for (const Object& object : after_.objects()) {
      if (object.retired != retired) continue;
      const auto known = by_name.find(key_of(object));
      if (known == by_name.end()) continue;
      std::size_t& next = used[known->first];
      if (next < known->second.size()) join(*known->second[next++], object);
    }
  }

  void match_bases() {
    ByKey left;
    for (const Object& object : before_.objects()) {
      if (!object.base.empty() && !object.retired && !taken_.contains(&object))
        left[base_key_of(object)].push_back(&object);
    }
    for (const Object& object : after_.objects()) {
      if (object.base.empty() || object.retired || partners_.contains(&object)) continue;
      const auto known = left.find(base_key_of(object));
      if (known == left.end() || known->second.empty()) continue;
      join(*known->second.front(), object);
      known->second.erase(known->second.begin());
    }
  }

  static bool has_name(const Side& side, const Object& wanted, bool retired) {
    const auto& objects = side.objects();
    return std::any_of(objects.begin(), objects.end(), [&](const Object& object) {
      return object.retired == retired && key_of(object) == key_of(wanted);
    });
  }

  const Side& before_;
  const Side& after_;
  std::unordered_map<const Object*, const Object*> partners_;  // by the object after
  std::unordered_map<const Object*, const Object*> taken_;     // by the object before
};

}  // namespace

std::vector<ObjectPair> match_objects(const Side& before, const Side& after) { return Matcher(before, after).match(); }

}  // namespace capwright::diff
