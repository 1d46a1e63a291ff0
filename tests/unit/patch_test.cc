// Edits of a document: the result reads as the wanted value, and all other bytes keep their text and origin.
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "patch/edit_document.h"
#include "patch/file_text.h"
#include "yaml/read.h"

namespace capwright {
namespace {

constexpr FrameId kPatchFrame{1};

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(engine_); }
  bool one_in(std::size_t count) { return below(count) == 0; }

 private:
  std::mt19937 engine_;
};

// A document before it is written as YAML.
struct Node {
  enum class Type { Scalar, Map, List } type = Type::Scalar;
  std::string scalar;
  std::vector<std::pair<std::string, Node>> below;  // of a list: without keys
};

const std::vector<std::string> kScalars = {
    "1",         "x",       "\"a: b\"", "'it'",     "true", "null", "\"\"",     "-2.5",
    "two words", "\"yes\"", "~",        "\"0644\"", "{}",   "[]",   "\"# no\"", "\"line\\nend\\n\"",
    "ä€"};

Node random_node(Dice& dice, int depth) {
  Node node;
  const std::size_t kind = depth == 0 ? 1 : dice.below(depth > 3 ? 3 : 5);
  if (depth > 0 && (depth > 3 || kind < 2)) {
    node.scalar = kScalars[dice.below(kScalars.size())];
    return node;
  }
  node.type = depth > 0 && kind == 2 ? Node::Type::List : Node::Type::Map;
  const std::size_t count = 1 + dice.below(4);
  for (std::size_t i = 0; i < count; ++i)
    node.below.emplace_back("k" + std::to_string(i * 3 + dice.below(3)), random_node(dice, depth + 1));
  return node;
}

// Another document that shares most of it.
Node mutated(const Node& node, Dice& dice, int depth) {
  if (node.type == Node::Type::Scalar || (depth > 0 && dice.one_in(12)))
    return dice.one_in(3) ? random_node(dice, depth + 1) : node;
  Node result{node.type, {}, {}};
  for (const auto& [key, child] : node.below) {
    if (dice.one_in(6)) continue;
    result.below.emplace_back(key, mutated(child, dice, depth + 1));
    if (node.type == Node::Type::List && dice.one_in(6)) result.below.emplace_back("", random_node(dice, depth + 1));
  }
  if (dice.one_in(3)) result.below.emplace_back("new" + std::to_string(dice.below(100)), random_node(dice, depth + 1));
  if (result.below.empty()) return Node{Node::Type::Scalar, node.type == Node::Type::Map ? "{}" : "[]", {}};
  return result;
}

std::string in_brackets(const Node& node) {
  if (node.type == Node::Type::Scalar) return node.scalar;
  const bool is_map = node.type == Node::Type::Map;
  std::string text = is_map ? "{" : "[";
  for (const auto& [key, child] : node.below) {
    if (text.size() > 1) text += ", ";
    text += (is_map ? key + ": " : "") + in_brackets(child);
  }
  return text + (is_map ? "}" : "]");
}

// With random comments, indentation and brackets.
std::string as_block(const Node& node, std::size_t indent, Dice& dice) {
  const std::string comment = dice.one_in(6) ? "  # note" : "";
  if (node.type == Node::Type::Scalar && dice.one_in(8) && indent > 0)
    return " |" + comment + "\n" + std::string(indent + 2, ' ') + "a block\n" + (dice.one_in(2) ? "\n" : "");
  if (node.type == Node::Type::Scalar || (indent > 0 && dice.one_in(5)))
    return " " + in_brackets(node) + comment + "\n";
  const bool is_map = node.type == Node::Type::Map;
  std::string text = indent > 0 ? comment + "\n" : "";
  for (const auto& [key, child] : node.below) {
    if (dice.one_in(8)) text += "\n";
    if (dice.one_in(6)) text += std::string(indent, ' ') + "# above\n";
    const bool same = is_map && child.type == Node::Type::List && dice.one_in(2);
    const std::size_t deeper = indent + (same && indent > 0 ? 0 : 2 * (1 + dice.below(2)));
    std::string value = as_block(child, deeper, dice);
    // `- key: value` on one line.
    const std::size_t first = value.find_first_not_of(" \n");
    const bool joins = !is_map && child.type == Node::Type::Map && value.starts_with("\n") && value[first] != '#' &&
                       first == deeper + 1 && dice.one_in(2);
    if (joins) value = std::string(deeper - indent - 1, ' ') + value.substr(first);
    text += std::string(indent, ' ') + (is_map ? key + ":" : "-") + value;
  }
  return text;
}

Segment maker_at(const MappedText& text, std::uint32_t offset) {
  Segment maker = *text.segment_at(offset);
  maker.where.begin += offset - maker.begin;
  return maker;
}

// Every byte that no patch made is a byte of the old text, in the old order, with the old origin.
void check_kept_bytes(const MappedText& old, const MappedText& now) {
  std::uint32_t from = 0;
  for (std::uint32_t at = 0; at < now.size(); ++at) {
    REQUIRE(now.segment_at(at) != nullptr);
    const Segment maker = maker_at(now, at);
    if (maker.frame == kPatchFrame) continue;
    CHECK(maker.literal);
    REQUIRE(maker.where.begin >= from);
    REQUIRE(maker.where.begin < old.size());
    CHECK(old.text()[maker.where.begin] == now.text()[at]);
    from = maker.where.begin + 1;
  }
}

TEST_CASE("patches: edits of random documents read as the wanted value") {
  Dice dice(7);
  std::size_t in_place = 0, rounds = 0;
  for (int round = 0; round < 3000; ++round) {
    const Node node = random_node(dice, 0);
    OwnStage cluster;
    const std::string source = as_block(node, 0, dice);
    Segment template_text;
    template_text.where = {cluster.sources.add("main.j2", source), 0, static_cast<std::uint32_t>(source.size())};
    template_text.literal = true;
    MappedText body;
    body.append(source, template_text);
    const patch::FileText file(body, cluster.limits);
    if (file.documents().size() != 1) continue;  // a random layout may be invalid
    const std::string wanted_text = in_brackets(mutated(node, dice, 0));
    const Value wanted = read_yaml(cluster.sources.add("wanted.yaml", wanted_text), cluster.stage,
                                   {ScalarRules::Kubernetes, TextSyntax::Yaml});
    if (!wanted.is(Kind::Map) || wanted.entries().empty()) continue;
    ++rounds;
    Segment maker;
    maker.frame = kPatchFrame;
    const auto edits = patch::edits_in_place(file, file.documents()[0], wanted, maker, cluster.stage);
    if (edits) {
      const patch::FileText after(patch::edited(body, *edits), cluster.limits);
      const bool same = after.documents().size() == 1 && json_equal(after.documents()[0].value, wanted);
      in_place += same ? 1 : 0;
      check_kept_bytes(body, after.body());
    }
    const patch::FileText printed(
        patch::edited(body, {patch::edit_of_whole(file, file.documents()[0], wanted, maker, cluster.stage)}),
        cluster.limits);
    REQUIRE(printed.documents().size() == 1);
    INFO(source << "\nwanted: " << wanted_text << "\nis: " << printed.text());
    CHECK(json_equal(printed.documents()[0].value, wanted));
  }
  CHECK(rounds > 2500);
  CHECK(in_place == rounds);
}

}  // namespace
}  // namespace capwright
