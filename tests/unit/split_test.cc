// Splitting loses no byte and no provenance, and only template text starts a file.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "files/file_set.h"
#include "rendered_text.h"

namespace capwright {
namespace {

using test::RenderedText;

TEST_CASE("the text after a marker, up to the next, is the file") {
  RenderedText rendered;
  rendered.text("\n# a comment\n# FILE: clusters/").value("prod").text("/b.yaml\nb: ").value("1");
  rendered.text("\n\n# FILE: clusters/prod/a.yaml\na: 1");
  const FileSet files = rendered.split();
  CHECK(rendered.errors() == "");
  REQUIRE(files.files().size() == 2);
  CHECK(files.files()[0].path == "clusters/prod/a.yaml");
  CHECK(files.files()[0].body.text() == "a: 1");
  CHECK(files.files()[1].path == "clusters/prod/b.yaml");
  CHECK(files.files()[1].body.text() == "b: 1\n\n");
  CHECK(files.files()[1].digest == sha256("b: 1\n\n"));
  CHECK(files.path_in_cluster(files.files()[1]) == "b.yaml");
  CHECK(files.find("clusters/prod/b.yaml") == &files.files()[1]);
  CHECK(files.find("clusters/prod/c.yaml") == nullptr);
  CHECK(rendered.sources().text(files.files()[1].marker) == "# FILE:");
}

TEST_CASE("each byte of a file keeps its segment") {
  RenderedText rendered;
  rendered.text("# FILE: clusters/prod/a.yaml\nname: ").value("first").text("\n# FILE: clusters/prod/b.yaml\nx: ");
  rendered.value("second").text("\n");
  const FileSet files = rendered.split();
  REQUIRE(files.files().size() == 2);
  const MappedText& body = files.files()[1].body;
  const Segment* literal = body.segment_at(0);
  CHECK(literal->literal);
  CHECK(rendered.sources().text(literal->where).starts_with("x: "));
  CHECK_FALSE(body.segment_at(3)->literal);
  CHECK_FALSE(body.segment_at(8)->literal);
  CHECK(body.segment_at(9)->literal);
}

TEST_CASE("a marker counts only at column 1, with exact spelling, and in template text") {
  RenderedText rendered;
  rendered.text("# FILE: clusters/prod/a.yaml\n  # FILE: clusters/prod/no.yaml\n#FILE: other\n# FILES: x\n");
  const FileSet files = rendered.split();
  CHECK(rendered.errors() == "main.j2:2:3 [F006] this line isn't a `# FILE:` marker\n");
  CHECK(files.files().size() == 1);

  RenderedText injected;
  injected.text("# FILE: clusters/prod/a.yaml\nraw:\n").value("# FILE: clusters/prod/evil.yaml\nkind: Evil").text("\n");
  CHECK(injected.split().files().size() == 1);
  CHECK(injected.errors() == "values.yaml:1:1 [F003] `# FILE:` at the start of a line comes from a value\n");
}

TEST_CASE("only the first indented markers are reported") {
  RenderedText rendered;
  std::string text = "# FILE: clusters/prod/a.yaml\nrun: |\n  # FILE: clusters/prod/script.yaml\n";
  for (int i = 0; i < 200; ++i) text += "a:\n  # FILE: clusters/prod/no.yaml\n";
  rendered.text(text);
  rendered.split();
  const std::string errors = rendered.errors();
  CHECK(std::count(errors.begin(), errors.end(), '\n') == 99);  // the line of the script is one of the hundred
}

TEST_CASE("a marker that is partly a value isn't a marker") {
  RenderedText rendered;
  rendered.text("# FILE: clusters/prod/a.yaml\nx\n# FI").value("LE: x").text("\n");
  rendered.split();
  CHECK(rendered.errors() == "main.j2:3:1 [F003] `# FILE:` at the start of a line comes from a value\n");
}

TEST_CASE("a value can't end the path and begin the content") {
  RenderedText rendered;
  rendered.text("# FILE: clusters/prod/").value("x.yaml\nkind: Evil").text("/values.yaml\na: 1\n");
  CHECK(rendered.split().files().empty());
  CHECK(rendered.errors() == "values.yaml:1:7 [F101] `clusters/prod/x.yaml` contains a line break from a value\n");
}

TEST_CASE("secrets stay out of paths and messages, and mark their file") {
  RenderedText rendered;
  rendered.text("# FILE: clusters/prod/").value("hunter2", true).text(".yaml\na: 1\n");
  rendered.text("# FILE: clusters/prod/secret.yaml\npassword: ").value("hunter3", true).text("\n");
  rendered.text("# FILE: clusters/prod/plain.yaml\na: ").value("1").text("\n");
  const FileSet files = rendered.split();
  CHECK(rendered.errors() == "main.j2:1:9 [F111] a secret value is part of a file's path\n");
  REQUIRE(files.files().size() == 2);
  CHECK_FALSE(files.files()[0].secret);
  CHECK(files.files()[1].secret);
}

TEST_CASE("a text above the limit of files stops the split") {
  RenderedText rendered;
  rendered.limits().files = 2;
  for (const char* name : {"a", "b", "c"}) rendered.text(fmt::format("# FILE: clusters/prod/{}\nx\n", name));
  rendered.split();
  CHECK(rendered.errors() == "main.j2:5:1 [X004] the template writes more than 2 files\n");
}

TEST_CASE("all errors of a text are reported, each at its place") {
  RenderedText rendered;
  rendered.text(
      "lost\n# FILE: clusters/prod/a.yaml\n\n# FILE: \nx\n# FILE: ../x\ny\n# FILE: clusters/prod/A.yaml\nz\n");
  rendered.text("# FILE: clusters/prod/a.yaml\nagain\n# File: clusters/prod/b.yaml\n");
  rendered.split();
  CHECK(rendered.errors() ==
        "main.j2:12:1 [F006] this line isn't a `# FILE:` marker\n"
        "main.j2:1:1 [F001] text before the first `# FILE:` line belongs to no file\n"
        "main.j2:2:1 [F005] `clusters/prod/a.yaml` is empty\n"
        "main.j2:4:1 [F004] `# FILE:` has no path\n"
        "main.j2:6:9 [F104] `../x` contains the part `..`\n"
        "main.j2:10:9 [F202] `clusters/prod/A.yaml` and `clusters/prod/a.yaml` are the same name on some systems\n");
}

TEST_CASE("directories that differ only in case are the same on some systems") {
  RenderedText rendered;
  rendered.text("# FILE: clusters/prod/Addons/a\nx\n# FILE: clusters/prod/addons/b\nx\n");
  rendered.split();
  CHECK(rendered.errors() ==
        "main.j2:3:9 [F202] `clusters/prod/Addons` and `clusters/prod/addons` are the same name on some systems\n");
}

TEST_CASE("a file can't be a directory, even if other names sort between") {
  RenderedText rendered;
  rendered.text("# FILE: clusters/prod/a/b\nx\n# FILE: clusters/prod/a-b\nx\n# FILE: clusters/prod/a\nx\n");
  rendered.split();
  CHECK(rendered.errors() ==
        "main.j2:5:9 [F203] `clusters/prod/a` is a file, but `clusters/prod/a/b` needs a folder there\n");
}

}  // namespace
}  // namespace capwright
