// The name of a cluster from the text of its values file: correct, or empty.
#include <catch2/catch.hpp>

#include "pipeline/fleet_names.h"

using capwright::stated_name;

TEST_CASE("a plain name at the first level is found") {
  CHECK(stated_name("cluster_name: prod-a\n") == "prod-a");
  CHECK(stated_name("cluster_name:   prod.a_1  # the first\nx: 1\n") == "prod.a_1");
  CHECK(stated_name("# of prod\n---\nschema_version: \"1\"\nextends: [../a.yaml]\n\ncluster_name: prod") == "prod");
  CHECK(stated_name("network:\n  mtu: 1\npools:\n- a\n- b\ncluster_name: prod\r\nx: \"open\n") == "prod");
  CHECK(stated_name("note: |\n  text\n\ncluster_name: prod\n# end\n") == "prod");
}

TEST_CASE("a name that needs a YAML parser is not stated") {
  const char* others[] = {
      "",
      "provider: openstack\n",
      "network:\n  cluster_name: inner\n",
      "{cluster_name: prod}\n",
      "{\"cluster_name\": \"prod\"}\n",
      "{\ncluster_name: prod\n}\n",
      "cluster_name:\n  prod\n",
      "cluster_name: prod\n  and more\n",
      "cluster_name: prod\n\n  and more\n",
      "cluster_name: \"prod\"\n",
      "cluster_name: &name prod\n",
      "cluster_name: prod-${site}\n",
      "cluster_name: prod,\n",
      "cluster_name: True\n",
      "cluster_name: no\n",
      "cluster_name: 12\n",
      "--- |\ncluster_name: prod\n",
      "|\ncluster_name: prod\n",
      "%YAML 1.2\n---\ncluster_name: prod\n",
      "\xef\xbb\xbf"
      "x: 1\ncluster_name: prod\n",
      "? x\n: y\ncluster_name: prod\n",
  };
  for (const char* text : others) {
    CAPTURE(text);
    CHECK(stated_name(text).empty());
  }
}

TEST_CASE("a line inside an open text or flow collection is not a key") {
  const char* open[] = {
      "x: \"a\ncluster_name: prod\"\n",
      "x: !!str \"a\ncluster_name: prod\"\n",
      "x:\n  y: 'it''s\ncluster_name: prod\n  '\n",
      "x:\n  y: \"a \\\"\ncluster_name: prod\n  \"\n",
      "x: {a: 1,\ncluster_name: prod\n}\n",
      "x:\n  - [a, {b: \"}\",\ncluster_name: prod\n  }]\n",
      "x: {a: 1 # }\ncluster_name: prod\n}\n",
      "x:\n  'a\"': \"b\ncluster_name: prod\n  \"\n",
  };
  for (const char* text : open) {
    CAPTURE(text);
    CHECK(stated_name(text).empty());
  }
}
