// Walks all objects. Text inside of them, such as a static pod or a ConfigMap's manifests, may be a template of another
// program, so its images are found by their lines.
#include "workflow/needed_images.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "facts/catalogue.h"
#include "yaml/read.h"

namespace capwright::workflow {
namespace {

constexpr std::string_view kRegistry = "registry.k8s.io";
constexpr std::string_view kReference =
    "(?:[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]+)?/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*(?::[A-Za-z0-9_][A-Za-z0-9_.-]*)?"
    "(?:@sha256:[0-9a-f]{64})?";

const Value& below(const Value& value, std::initializer_list<std::string_view> keys) {
  static const Value none;
  const Value* found = &value;
  for (const std::string_view key : keys) {
    if ((found = found->find(key)) == nullptr) return none;
  }
  return *found;
}

std::string text_or(const Value& value, std::string_view otherwise) {
  return std::string(value.is(Kind::String) && !value.text().empty() ? value.text() : otherwise);
}

bool has_item(const Value& list, std::string_view text) {
  if (!list.is(Kind::List)) return false;
  return std::any_of(list.items().begin(), list.items().end(),
                     [&](const Value& item) { return item.is(Kind::String) && item.text() == text; });
}

// A reference with a registry, a folder or a tag: a plain word names many other things.
bool is_image(const Value& value) {
  static const Regex reference = Regex::deferred(kReference, {.dialect = RegexDialect::Re2});
  return value.is(Kind::String) && value.text().find_first_of(":/") != std::string_view::npos &&
         reference.matches(value.text(), RegexAnchor::Both);
}

class Finder {
 public:
  Finder(const CompiledCluster& cluster, const KnownImages& known) : cluster_(cluster), known_(known) {
    images_.clusters.insert(cluster.name);
  }

  report::Images find() {
    for (const rotation::ReadFile& file : cluster_.manifests.files) {
      path_ = cluster_.files.files()[file.number].path;
      for (const YamlDocument& document : file.documents) add_object(document.value);
    }
    return std::move(images_);
  }

 private:
  void add_object(const Value& object) {
    const std::string_view kind = object.text_at("kind");
    if (kind.empty() || kind == "Secret" || kind == "SealedSecret") return;
    object_ = fmt::format("{} {}", kind, below(object, {"metadata"}).text_at("name"));
    if (kind == "KubeadmControlPlane") add_kubeadm(object);
    if (kind == "RKE2ControlPlane")
      add_distribution(object, "RKE2", "its release has the list `rke2-images-all.linux-amd64.txt`");
    if (kind == "KThreesControlPlane") add_distribution(object, "k3s", "its release has the list `k3s-images.txt`");
    if (kind == "Application") add_application(object);
    if (kind == "HelmRelease") add_release(object);
    if (kind == "HelmChartProxy") add_proxy(object);
    walk(object, "");
  }

  // Images of the control plane and of the add-ons of kubeadm.
  void add_kubeadm(const Value& object) {
    const Value& version = below(object, {"spec", "version"});
    const Value& spec = below(object, {"spec", "kubeadmConfigSpec"});
    const Value& config = below(spec, {"clusterConfiguration"});
    if (!version.is(Kind::String)) return;
    const report::ImageUser user = used_by(fmt::format("Kubernetes {}", version.text()), version);
    const std::string repository = text_or(below(config, {"imageRepository"}), kRegistry);
    const Value& skipped = below(spec, {"initConfiguration", "skipPhases"});
    for (const std::string_view name : {"kube-apiserver", "kube-controller-manager", "kube-scheduler"})
      add(fmt::format("{}/{}:{}", repository, name, version.text()), user);
    if (!has_item(skipped, "addon/kube-proxy")) add(fmt::format("{}/kube-proxy:{}", repository, version.text()), user);
    const Value* tags = known_.kubeadm(version.text());
    const Value& dns = below(config, {"dns"});
    const Value& etcd = below(config, {"etcd", "local"});
    const auto tag = [&](const Value& given, std::string_view name) {
      return text_or(given, tags == nullptr ? "" : fact(*tags, name).text());
    };
    const auto add_part = [&](const std::string& from, std::string_view name, const std::string& with_tag) {
      if (!with_tag.empty()) return add(fmt::format("{}/{}:{}", from, name, with_tag), user);
      leave_out(fmt::format("{} of {}", name, user.what),
                fmt::format("`kubeadm config images list --kubernetes-version {}` prints its tag", version.text()),
                user);
    };
    // kubeadm has CoreDNS in a folder of its own only in the default repository.
    const std::string of_dns = repository == kRegistry ? repository + "/coredns" : repository;
    if (!has_item(skipped, "addon/coredns"))
      add_part(text_or(below(dns, {"imageRepository"}), of_dns), "coredns", tag(below(dns, {"imageTag"}), "coredns"));
    if (below(config, {"etcd", "external"}).is(Kind::Null))
      add_part(text_or(below(etcd, {"imageRepository"}), repository), "etcd", tag(below(etcd, {"imageTag"}), "etcd"));
    add_part(repository, "pause", tag({}, "pause"));
  }

  void add_distribution(const Value& object, std::string_view title, std::string_view why) {
    const Value& version = below(object, {"spec", "version"});
    const std::string what = fmt::format("{} {}", title, text_or(version, ""));
    leave_out(what, why, used_by(what, version));
  }

  void leave_out(const std::string& what, std::string_view why, const report::ImageUser& user) {
    images_.unlisted[what] = {std::string(why), {user}, {cluster_.name}};
  }

  void add_application(const Value& object) {
    const Value& spec = below(object, {"spec"});
    const auto add_source = [&](const Value& source) {
      const Value& chart = below(source, {"chart"});
      if (!chart.is(Kind::String)) return;
      const Value& files = below(source, {"helm", "valueFiles"});
      add_chart(chart, below(source, {"targetRevision"}), text_of(files), below(source, {"helm", "valuesObject"}));
    };
    add_source(below(spec, {"source"}));
    const Value& sources = below(spec, {"sources"});
    for (const Value& source : sources.is(Kind::List) ? sources.items() : std::span<const Value>()) add_source(source);
  }

  void add_release(const Value& object) {
    const Value& chart = below(object, {"spec", "chart", "spec"});
    if (chart.is(Kind::Map))
      add_chart(below(chart, {"chart"}), below(chart, {"version"}), "", below(object, {"spec", "values"}));
  }

  // The values are a Go template, in which only braces differ from YAML.
  void add_proxy(const Value& object) {
    const Value& spec = below(object, {"spec"});
    add_chart(below(spec, {"chartName"}), below(spec, {"version"}), spec.text_at("valuesTemplate"), {});
  }

  // The rendered file that an Application's `$values/…` names.
  std::string_view text_of(const Value& value_files) const {
    for (const Value& named : value_files.is(Kind::List) ? value_files.items() : std::span<const Value>()) {
      for (const RenderedFile& file : cluster_.files.files()) {
        if (named.is(Kind::String) && named.text().ends_with("/" + file.path)) return file.body.text();
      }
    }
    return {};
  }

  void add_chart(const Value& chart, const Value& version, std::string_view values_text, const Value& values) {
    if (!chart.is(Kind::String) || !version.is(Kind::String)) return;
    const std::string what = fmt::format("chart {} {}", chart.text(), version.text());
    const report::ImageUser user = used_by(what, chart);
    OwnStage own;
    const FileId file = own.sources.add("values.yaml", std::string(values_text));
    const Value all_values = values_text.empty() ? values : read_yaml(file, own.stage);
    if (const auto found = known_.of_chart(chart.text(), version.text(), all_values)) {
      for (const std::string& image : found->images) add(image, user);
      for (const auto& [part, why] : found->unlisted) leave_out(part, why, user);
    } else {
      leave_out(what, "the catalogue doesn't have the images of this version; `helm template` prints them", user);
    }
    walk_values(all_values, user);
  }

  // Images that values of a chart name: a text, or a map with `repository` and `tag`.
  void walk_values(const Value& value, const report::ImageUser& user) {
    if (value.is(Kind::List)) {
      for (const Value& item : value.items()) walk_values(item, user);
    } else if (value.is(Kind::Map)) {
      const Value* image = value.find("image");
      if (image != nullptr && is_image(*image)) add(std::string(image->text()), user);
      const std::string_view repository = value.text_at("repository"), tag = value.text_at("tag");
      if (repository.find('/') != std::string_view::npos && !tag.empty())
        add(fmt::format("{}:{}", repository, tag), user);
      for (const Entry& entry : value.entries()) walk_values(entry.value, user);
    }
  }

  void walk(const Value& value, std::string_view key) {
    if (value.is(Kind::Map)) {
      for (const Entry& entry : value.entries()) walk(entry.value, entry.key.is(Kind::String) ? entry.key.text() : "");
    } else if (value.is(Kind::List)) {
      for (const Value& item : value.items()) walk(item, key);
    } else if (key == "image" && is_image(value)) {
      add(std::string(value.text()), used_by(object_, value));
    } else if (value.is(Kind::String)) {
      add_inside(value);
    }
  }

  // Lines `image: …` of a text, and images that a command pulls or runs.
  void add_inside(const Value& value) {
    constexpr RegexOptions kRe2{.dialect = RegexDialect::Re2};
    static const Regex line = Regex::deferred(
        fmt::format("(?:^|\\n)[ \\t]*(?:- )?image: *[\"']?({})[\"']?[ \\t]*(?:#|\\n|$)", kReference), kRe2);
    static const Regex command =
        Regex::deferred(fmt::format("(?:ctr|crictl|nerdctl|podman|docker) [^\\n;&|]*(?:pull|run) "
                                    "[^\\n;&|]*?([a-z0-9.-]+[.][a-z]+(?::[0-9]+)?/{})",
                                    "[a-z0-9._/-]+:[A-Za-z0-9_.-]+"),
                        kRe2);
    const std::string_view text = value.text();
    for (const auto& [pattern, word] : {std::pair(&line, "image:"), std::pair(&command, "/")}) {
      if (text.find(word) == std::string_view::npos) continue;
      for (std::size_t from = 0; const auto match = pattern->find(text, from);) {
        const std::string_view image = (*match)[1].in(text);
        if (image.find_first_of(":/") != std::string_view::npos) add(std::string(image), used_by(object_, value));
        from = (*match)[1].end;
      }
    }
  }

  void add(const std::string& image, const report::ImageUser& user) {
    report::NeededImage& needed = images_.needed[image];
    needed.users.insert(user);
    needed.clusters.insert(cluster_.name);
  }

  report::ImageUser used_by(std::string what, const Value& place) const {
    const Span span = cluster_.manifests.span(place);
    return {std::move(what), std::string(path_), span.known() ? cluster_.sources.line_col(span).line : 0};
  }

  const CompiledCluster& cluster_;
  const KnownImages& known_;
  report::Images images_;
  std::string_view path_;  // of the file
  std::string object_;     // kind and name
};

// Whether the text before the first `/` is a registry's host, as container runtimes decide it.
bool is_host(std::string_view part) {
  return part == "localhost" || part.find_first_of(".:") != std::string_view::npos;
}

}  // namespace

report::Images needed_images(const CompiledCluster& cluster, const KnownImages& known) {
  return Finder(cluster, known).find();
}

void name_pulled(report::Images& images, std::string_view registry) {
  for (auto& [image, needed] : images.needed) {
    const std::size_t slash = image.find('/');
    const bool has_host = slash != std::string::npos && is_host(std::string_view(image).substr(0, slash));
    needed.pulled_as.insert(fmt::format("{}/{}", registry, has_host ? image.substr(slash + 1) : image));
  }
}

}  // namespace capwright::workflow
