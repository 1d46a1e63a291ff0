// Rotation inserts digests and changes nothing else: not a byte, not a segment of the map.
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "rendered_text.h"
#include "rotation/naming.h"
#include "rotation/rotate.h"

namespace capwright {
namespace {

using test::RenderedText;

const std::vector<std::string> kKinds = {"MachineTemplate", "ConfigTemplate"};

// A render, and the result of its rotation.
class Rotated {
 public:
  explicit Rotated(RenderedText& text) : before_(text.split()), stage_(text.stage()) {
    rotation::ReadManifests manifests;
    for (std::size_t number = 0; number < before_.files().size(); ++number) {
      const RenderedFile& file = before_.files()[number];
      Stage reading{stage_.sources, stage_.sink, manifests.arena, manifests.origins, stage_.limits};
      const FileId source = stage_.sources.add(file.path, file.body.text());
      manifests.files.push_back(
          {number, source, read_yaml_documents(source, reading, {ScalarRules::Kubernetes, TextSyntax::Yaml})});
    }
    trace_.emplace_back();
    after_ = rotation::rotate_names(before_, manifests, {kKinds, trace_, PreviousCluster()}, stage_);
  }

  const FileSet& before() const { return before_; }
  const FileSet& after() const { return after_; }
  const RenderTrace& trace() const { return trace_; }
  std::string_view maker(std::uint32_t offset) const {
    return stage_.sources.text(after_.files()[0].body.segment_at(offset)->where);
  }
  std::vector<std::string_view> inputs(std::uint32_t offset) const {
    std::vector<std::string_view> texts;
    for (const OriginId leaf : stage_.origins.leaves(after_.files()[0].body.segment_at(offset)->value)) {
      texts.push_back(stage_.sources.text(stage_.origins[leaf].span));
    }
    return texts;
  }

 private:
  FileSet before_, after_;
  Stage& stage_;
  RenderTrace trace_;
};

bool is_digest(const Segment& segment, const RenderTrace& trace) {
  return trace[static_cast<std::size_t>(segment.frame)].kind == RenderFrame::Kind::Digest;
}

// The file without the digests: text, and the origin of each byte.
struct Stripped {
  std::string text;
  std::vector<Segment> makers;
};

Stripped stripped(const MappedText& body, const RenderTrace& trace) {
  Stripped result;
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    const Segment* segment = body.segment_at(i);
    REQUIRE(segment != nullptr);
    if (is_digest(*segment, trace)) continue;
    result.text += body.text()[i];
    result.makers.push_back(*segment);
    if (segment->literal) result.makers.back().where.begin += i - segment->begin;
  }
  return result;
}

void check_only_digests_are_new(const Rotated& rotated) {
  REQUIRE(rotated.before().files().size() == rotated.after().files().size());
  for (std::size_t i = 0; i < rotated.before().files().size(); ++i) {
    const RenderedFile &before = rotated.before().files()[i], &after = rotated.after().files()[i];
    const Stripped old = stripped(before.body, rotated.trace()), now = stripped(after.body, rotated.trace());
    CHECK(old.text == now.text);
    CHECK(after.digest == sha256(after.body.text()));
    REQUIRE(old.makers.size() == now.makers.size());
    for (std::size_t byte = 0; byte < old.makers.size(); ++byte) {
      const Segment &a = old.makers[byte], &b = now.makers[byte];
      const bool same_place = a.literal ? a.where.begin == b.where.begin : a.where == b.where;
      const bool same = same_place && a.value == b.value && a.frame == b.frame && a.literal == b.literal;
      if (!same) FAIL("byte " << byte << " of " << after.path << " has another maker");
    }
  }
}

TEST_CASE("rotation: a digest has the place of the name and the values of the spec") {
  RenderedText text;
  text.text("# FILE: clusters/prod/a.yaml\nkind: MachineTemplate\nmetadata:\n  name: \"")
      .value("prod")
      .text("-pool\"\n  labels: {a: ")
      .value("edge")
      .text("}\nspec: {template: {spec: {flavor: ")
      .value("m1")
      .text(", size: ")
      .value("10")
      .text("}}}\n---\nref: {kind: MachineTemplate, name: prod-")
      .value("pool")
      .text("}\n");
  const Rotated rotated(text);
  check_only_digests_are_new(rotated);
  const std::string& body = rotated.after().files()[0].body.text();
  const std::string suffix = "-fd3f8052";
  const auto name = static_cast<std::uint32_t>(body.find(suffix)), ref = static_cast<std::uint32_t>(body.rfind(suffix));
  REQUIRE(name < ref);
  CHECK(body.substr(name - 10, 21) == "\"prod-pool" + suffix + "\"\n");
  CHECK(body.substr(ref - 9, 19) == "prod-pool" + suffix + "}");
  CHECK(rotated.maker(name).empty());          // a place in the template's own text
  CHECK(rotated.maker(ref) == "{{ value }}");  // the expression that printed the end of the name
  CHECK(rotated.inputs(name) == std::vector<std::string_view>{"m1", "10"});
  CHECK(rotated.inputs(ref) == rotated.inputs(name));
  REQUIRE(rotated.after().rotation().objects.size() == 1);
  CHECK(rotated.after().rotation().objects[0].name == "prod-pool" + suffix);
}

// ---- properties over random manifests ----
using Spec = std::map<std::string, std::string>;

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(engine_); }
  template <class T>
  void shuffle(std::vector<T>& items) {
    std::shuffle(items.begin(), items.end(), engine_);
  }

 private:
  std::mt19937 engine_;
};

Spec random_spec(Random& random) {
  static const char* kValues[] = {"1", "1.5", "true", "m1.large", "null", "-7", "a b"};
  Spec spec;
  for (std::size_t i = random.below(6); i-- > 0;) {
    spec["k" + std::to_string(random.below(20))] = kValues[random.below(std::size(kValues))];
  }
  return spec;
}

// One template; its comments, labels and order vary and must not matter.
std::string suffix_of(const Spec& spec, Random& random) {
  std::vector<std::pair<std::string, std::string>> members(spec.begin(), spec.end());
  random.shuffle(members);
  RenderedText text;
  text.text("# FILE: clusters/prod/a.yaml\nkind: ConfigTemplate\nmetadata:\n  name: a\n");
  if (random.below(2) == 0) text.text("  labels: {x: ").value(std::to_string(random.below(100))).text("}\n");
  text.text("spec:\n  template:\n    spec:");
  if (members.empty()) text.text(" {}\n");
  else text.text("\n");
  for (const auto& [key, value] : members) {
    if (random.below(3) == 0) text.text("      # " + std::to_string(random.below(100)) + "\n");
    text.text("      " + key + ": ").value(value).text("\n");
  }
  const Rotated rotated(text);
  check_only_digests_are_new(rotated);
  REQUIRE(rotated.after().rotation().objects.size() == 1);
  return rotated.after().rotation().objects[0].name;
}

TEST_CASE("rotation: names are equal exactly when specs are") {
  Random random(1);
  std::map<Spec, std::string> names;
  std::map<std::string, Spec> specs;
  for (int round = 0; round < 300; ++round) {
    const Spec spec = random_spec(random);
    const std::string name = suffix_of(spec, random);
    CHECK(names.try_emplace(spec, name).first->second == name);
    CHECK(specs.try_emplace(name, spec).first->second == spec);
  }
  CHECK(names.size() > 100);
}

}  // namespace
}  // namespace capwright
