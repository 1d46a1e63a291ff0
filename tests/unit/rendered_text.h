// Rendered text for tests, assembled from template text and values like the template engine's output.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/file_set.h"
#include "files/outputs.h"
#include "value/stage.h"

namespace capwright::test {

class RenderedText {
 public:
  // Template text: `main.j2` is the given text, in order, with `{{ value }}` in place of values.
  RenderedText& text(std::string_view bytes) {
    const auto begin = static_cast<std::uint32_t>(template_.size());
    template_ += bytes;
    pieces_.push_back({std::string(bytes), {}, {begin, static_cast<std::uint32_t>(template_.size())}, true, false});
    return *this;
  }
  // A value with the same text in `values.yaml`.
  RenderedText& value(std::string_view bytes, bool secret = false) {
    const auto begin = static_cast<std::uint32_t>(template_.size());
    template_ += "{{ value }}";
    const auto value_begin = static_cast<std::uint32_t>(values_.size());
    values_.append(bytes).append("\n");
    const auto value_end = static_cast<std::uint32_t>(value_begin + bytes.size());
    pieces_.push_back({std::string(bytes),
                       {value_begin, value_end},
                       {begin, static_cast<std::uint32_t>(template_.size())},
                       false,
                       secret});
    return *this;
  }

  FileSet split(std::string_view cluster = "prod", const Outputs* outputs = nullptr) {
    return split_files(rendered(), cluster, stage_, nullptr, outputs);
  }

  MappedText rendered() {
    const FileId main = sources_.add("main.j2", template_);
    const FileId values = sources_.add("values.yaml", values_);
    MappedText all;
    for (const Piece& piece : pieces_) {
      Segment maker;
      maker.where = {main, piece.in_template.first, piece.in_template.second};
      maker.literal = piece.literal;
      maker.tainted = piece.secret;
      if (!piece.literal) maker.value = origins_.input({values, piece.in_values.first, piece.in_values.second});
      all.append(piece.bytes, maker);
    }
    return all;
  }

  // `main.j2:1:9 [F001] message`, one per line.
  std::string errors() const {
    std::string lines;
    for (const Diagnostic& diagnostic : sink_.diagnostics()) {
      const LineCol at = sources_.line_col(diagnostic.where);
      lines += fmt::format("{}:{}:{} [{}] {}\n", sources_.path(diagnostic.where.file), at.line, at.column,
                           diagnostic.info->code, diagnostic.message);
    }
    return lines;
  }
  const Sink& sink() const { return sink_; }
  const SourceSet& sources() const { return sources_; }
  Limits& limits() { return limits_; }
  Stage& stage() { return stage_; }

 private:
  using Range = std::pair<std::uint32_t, std::uint32_t>;
  struct Piece {
    std::string bytes;
    Range in_values, in_template;
    bool literal, secret;
  };
  std::string template_, values_;
  std::vector<Piece> pieces_;
  SourceSet sources_;
  Sink sink_;
  Arena arena_;
  OriginTable origins_;
  Limits limits_;
  Stage stage_{sources_, sink_, arena_, origins_, limits_};
};

// Each pattern must be valid.
inline Outputs outputs_of_texts(const std::vector<std::string>& texts) {
  std::vector<OutputPattern> patterns;
  std::string why;
  for (const std::string& text : texts) patterns.push_back(OutputPattern::parse(text, why).value());
  return Outputs(std::move(patterns));
}

// Where tests write files outside of the cluster's directory.
inline Outputs test_outputs() {
  return outputs_of_texts({"argocd/apps/${cluster_name}.yaml", "inventory/${cluster_name}/**"});
}

// The files of a cluster, each with its content. Paths as FileSet::path_in_cluster() returns them.
inline FileSet rendered_files(const std::vector<std::pair<std::string, std::string>>& files,
                              std::string_view cluster = "prod") {
  RenderedText rendered;
  for (const auto& [path, content] : files) {
    rendered.text("# FILE: " + path_in_output(cluster, path) + "\n" + content);
  }
  const Outputs outputs = test_outputs();
  return rendered.split(cluster, &outputs);
}

}  // namespace capwright::test
