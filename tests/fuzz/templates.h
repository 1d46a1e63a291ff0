// Templates of one fuzz input, for the loader of a render.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "template/eval/render.h"
#include "template/syntax/template.h"

namespace capwright::fuzz {

class Templates final : public jinja::TemplateLoader {
 public:
  void add(std::string name, std::unique_ptr<jinja::Template> parsed) {
    templates_[std::move(name)] = std::move(parsed);
  }

  const jinja::Template* find(std::string_view name) const override {
    const auto found = templates_.find(name);
    return found == templates_.end() ? nullptr : found->second.get();
  }
  bool exists(std::string_view name) const override { return templates_.contains(name); }
  std::vector<std::string_view> names() const override {
    std::vector<std::string_view> names;
    for (const auto& [name, parsed] : templates_) names.push_back(name);
    return names;
  }

 private:
  std::map<std::string, std::unique_ptr<jinja::Template>, std::less<>> templates_;
};

}  // namespace capwright::fuzz
