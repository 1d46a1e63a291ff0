// The tables are built in, so an unexpected shape is a bug.
#include "migrate/tables.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/check.h"
#include "facts/built_in.h"
#include "facts/catalogue.h"

namespace capwright::migrate {
namespace {

constexpr std::array kFiles{"capi", "capo", "rke2", "k3s", "capa", "capz"};

using MoveKind = Move::Kind;
constexpr std::array<std::pair<std::string_view, MoveKind>, 9> kKinds{{{"move", MoveKind::Move},
                                                                       {"copy", MoveKind::Copy},
                                                                       {"drop", MoveKind::Drop},
                                                                       {"list", MoveKind::ToList},
                                                                       {"items", MoveKind::ToItems},
                                                                       {"wrap", MoveKind::Wrap},
                                                                       {"unwrap", MoveKind::Unwrap},
                                                                       {"set", MoveKind::Set},
                                                                       {"ask", MoveKind::Ask}}};
constexpr std::array<std::pair<std::string_view, Move::Unit>, 6> kUnits{{{"", Move::Unit::Same},
                                                                         {"seconds", Move::Unit::Seconds},
                                                                         {"group", Move::Unit::Group},
                                                                         {"not", Move::Unit::Not},
                                                                         {"split", Move::Unit::Split},
                                                                         {"flags", Move::Unit::Flags}}};

template <class Table>
auto named(const Table& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& each) { return each.first == name; });
  CW_CHECK(found != table.end(), "a migration has a known word");
  return found->second;
}

std::vector<std::string_view> texts_at(const Value& map, std::string_view key) {
  std::vector<std::string_view> texts;
  const Value* list = map.find(key);
  if (list == nullptr) return texts;
  for (const Value& item : list->items()) texts.push_back(item.text());
  return texts;
}

class Reader {
 public:
  explicit Reader(const Value& file, std::deque<Conversion>& out) : file_(file), out_(out) {}

  void read() {
    for (const Value& table : fact(file_, "conversions").items()) {
      for (const Entry& kind : fact(table, "kinds").entries()) {
        Conversion& added = out_.emplace_back();
        added.group = fact(table, "group").text();
        added.kind = kind.key.text();
        added.from = fact(table, "from").text();
        added.to = fact(table, "to").text();
        const Value* renames = table.find("renames");
        added.to_kind = renames == nullptr ? added.kind : fact(*renames, added.kind).text();
        added.until = table.text_at("until");
        added.source = fact(fact(file_, "sources"), fact(table, "source").text()).text();
        add_moves(kind.value, {}, added.moves);
      }
    }
  }

 private:
  static FieldPath below(const FieldPath& at, std::string_view path) {
    FieldPath whole = at;
    const FieldPath rest = read_path(path);
    whole.insert(whole.end(), rest.begin(), rest.end());
    return whole;
  }

  void add_moves(const Value& list, const FieldPath& at, std::vector<Move>& moves) {
    for (const Value& item : list.items()) {
      const std::string_view part = item.text_at("part");
      if (part.empty()) moves.push_back(read_move(item, at));
      else add_moves(fact(fact(file_, "parts"), part), below(at, item.text_at("at")), moves);
    }
  }

  static Move read_move(const Value& item, const FieldPath& at) {
    Move move;
    const std::string_view word = item.entries().front().key.text();
    move.kind = named(kKinds, word);
    move.from = below(at, item.text_at(word));
    if (item.find("to") != nullptr) move.to = below(at, item.text_at("to"));
    move.unit = named(kUnits, item.text_at("as"));
    move.type = item.text_at("is");
    if (item.find("has") != nullptr) move.has = below(at, item.text_at("has"));
    if (item.find("lacks") != nullptr) move.lacks = below(at, item.text_at("lacks"));
    move.unless = texts_at(item, "unless");
    move.name = item.text_at("name");
    move.value = item.text_at("value");
    if (const Value* constant = item.find("constant")) move.constant = *constant;
    move.because = item.text_at("because");
    move.choices = texts_at(item, "choices");
    return move;
  }

  const Value& file_;
  std::deque<Conversion>& out_;
};

struct Tables {
  Tables() {
    for (const char* name : kFiles) {
      files.push_back(std::make_unique<BuiltInYaml>("schemas/catalogue/migrations/" + std::string(name) + ".yaml"));
      Reader(files.back()->content(), all).read();
    }
  }
  std::vector<std::unique_ptr<BuiltInYaml>> files;
  std::deque<Conversion> all;
};

}  // namespace

const std::deque<Conversion>& conversions() {
  static const Tables tables;
  return tables.all;
}

const Conversion* conversion_of_kind(std::string_view group, std::string_view kind, std::string_view to_kind) {
  for (const Conversion& each : conversions()) {
    const bool is_wanted = each.changes_kind() && !to_kind.empty() && each.to_kind.starts_with(to_kind);
    if (is_wanted && each.group == group && each.kind == kind) return &each;
  }
  return nullptr;
}

const Conversion* conversion_from(std::string_view group, std::string_view version, std::string_view kind,
                                  std::string_view to_kind) {
  for (const Conversion& each : conversions()) {
    const bool is_from = each.group == group && each.from == version && each.kind == kind;
    const bool is_wanted = !each.changes_kind() || (!to_kind.empty() && each.to_kind.starts_with(to_kind));
    if (is_from && is_wanted) return &each;
  }
  return nullptr;
}

}  // namespace capwright::migrate
