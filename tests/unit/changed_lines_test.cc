// Parses the output of `git diff` into changed lines, and rejects other text.
#include "lint/engine/changed_lines.h"

#include <catch2/catch.hpp>

namespace capwright::lint {
namespace {

constexpr std::string_view kDiff = R"(diff --git a/values/a.yaml b/values/a.yaml
index 1111111..2222222 100644
--- a/values/a.yaml
+++ b/values/a.yaml
@@ -2 +2 @@ cluster_name: a
-count: 2
+count: 3
@@ -7,0 +8,2 @@ network:
+++ b/not-a-file.yaml
+@@ -1 +1 @@
@@ -9,3 +10,0 @@
---- a
--x
-y
diff --git a/new.yaml b/new.yaml
new file mode 100644
--- /dev/null
+++ b/new.yaml
@@ -0,0 +1,2 @@
+a
+b
\ No newline at end of file
diff --git a/gone.yaml b/gone.yaml
deleted file mode 100644
--- a/gone.yaml
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/picture.png b/picture.png
Binary files a/picture.png and b/picture.png differ
)";

TEST_CASE("changed lines are those of the new side") {
  ChangedLines lines;
  REQUIRE(lines.add_diff(kDiff));
  CHECK_FALSE(lines.has("values/a.yaml", 1, 1));
  CHECK(lines.has("values/a.yaml", 2, 2));
  CHECK(lines.has("values/a.yaml", 1, 5));
  CHECK_FALSE(lines.has("values/a.yaml", 3, 7));
  CHECK(lines.has("values/a.yaml", 9, 9));
  CHECK_FALSE(lines.has("values/a.yaml", 10, 99));
  CHECK(lines.has("new.yaml", 2, 2));
  CHECK_FALSE(lines.has("not-a-file.yaml", 1, 99));
  CHECK_FALSE(lines.has("gone.yaml", 1, 1));
}

TEST_CASE("quoted names are decoded as git writes them") {
  ChangedLines lines;
  REQUIRE(lines.add_diff(
      "diff --git a/x b/x\n--- /dev/null\n+++ \"b/fl\\303\\266\\\"te\\\\ \\t.yaml\"\n@@ -0,0 +1 @@\n+x\n"));
  CHECK(lines.has("fl\xc3\xb6\"te\\ \t.yaml", 1, 1));
  REQUIRE(lines.add_diff("diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -0,0 +4 @@\n+x\n"));
  CHECK(lines.has("a b", 4, 4));
}

TEST_CASE("text that isn't a diff is rejected") {
  const auto is_diff = [](std::string_view text) { return ChangedLines().add_diff(text); };
  CHECK(is_diff(""));
  CHECK_FALSE(is_diff("@@ -1 +1 @@\n-a\n+b\n"));
  CHECK_FALSE(is_diff("+++ b/x\n@@ -1 +1 @@\n-a\n"));
  CHECK_FALSE(is_diff("+++ b/x\n@@ -1 +1 @@\n-a\n b\n"));
  CHECK_FALSE(is_diff("+++ b/x\n@@ -1,x +1 @@\n"));
  CHECK_FALSE(is_diff("+++ w/x\n@@ -1 +1 @@\n-a\n+b\n"));
  CHECK_FALSE(is_diff("+++ \"b/x\\9\"\n"));
}

TEST_CASE("lines are mapped if the linted text isn't the one on disk") {
  ChangedLines lines;
  REQUIRE(lines.add_diff("+++ b/x\n@@ -2 +2 @@\n-a\n+b\n"));
  const std::string_view on_disk = "one\ntwo\nthree\n", longer = "zero\none\ntwo\nthree\n";
  CHECK(lines.has("x", 1, 1, line_changes(on_disk, longer)));  // not on disk
  CHECK_FALSE(lines.has("x", 2, 2, line_changes(on_disk, longer)));
  CHECK(lines.has("x", 3, 3, line_changes(on_disk, longer)));
  CHECK_FALSE(lines.has("x", 4, 4, line_changes(on_disk, longer)));
  CHECK(lines.has("x", 1, 1, line_changes(on_disk, "two\nthree\n")));
  CHECK_FALSE(lines.has("x", 2, 2, line_changes(on_disk, "two\nthree\n")));
}

}  // namespace
}  // namespace capwright::lint
