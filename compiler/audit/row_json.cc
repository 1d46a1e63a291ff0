// The same for commands and for the portal's API.
#include <nlohmann/json.hpp>

#include "audit/row.h"

namespace capwright::audit {

using RowJson = nlohmann::ordered_json;

RowJson row_json(const ClusterRender& render) {
  const Publication& published = render.publication;
  return {{"id", render.id},
          {"cluster", render.cluster},
          {"removed", render.is_removal()},
          {"values_path", render.values_path},
          {"template_set", render.template_set},
          {"template_set_version", render.template_set_version},
          {"tool_version", published.tool_version},
          {"source", published.source},
          {"commit", published.commit},
          {"remote", published.remote},
          {"branch", published.branch},
          {"who", published.who},
          {"host", published.host},
          {"published_at", published.when},
          {"input_digest", render.input_digest}};
}

RowJson whole_row_json(const ClusterRender& render) {
  RowJson json = row_json(render);
  json["values"] = RowJson::parse(render.values, nullptr, false);
  json["files"] = RowJson::parse(files_json(render.files), nullptr, false);
  return json;
}

}  // namespace capwright::audit
