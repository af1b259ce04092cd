// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "base/file_kind.h"
#include "study/placed_mesh.h"
#include "touche/hierarchy_file.h"
#include "touche/io.h"
#include "touche/study.h"

namespace touche {
namespace {

// Assemblies by their files, each of which is read once for all its parts.
using Assemblies = std::map<std::filesystem::path, Assembly>;

PolygonSoup load_mesh(const Study& study, std::size_t i, Assemblies& assemblies) {
  const StudyPart& part = study.parts[i];
  if (const std::string reason = why_no_file_named(part.file); !reason.empty())
    throw LoadError(study.file.string(), "/parts/" + std::to_string(i) + "/file", reason);
  if (part.node.empty()) return study::placed_mesh(study, i, load_soup(part.file));
  if (!assemblies.contains(part.file)) assemblies.emplace(part.file, load_assembly(part.file));
  const Assembly& assembly = assemblies.at(part.file);
  return study::placed_mesh(study, i, assembly.soup(assembly.find(part.node)));
}

// One object for each part; make(soup, name) adds the hierarchy.
template <class Make>
std::vector<Object> load_with(const Study& study, const Make& make) {
  std::vector<Object> parts;
  Assemblies assemblies;
  for (std::size_t i = 0; i < study.parts.size(); ++i) {
    try {
      parts.push_back(make(load_mesh(study, i, assemblies), study.parts[i].name));
    } catch (const InvalidInput& e) {
      throw LoadError(study.parts[i].file.string(), "", e.what());
    }
  }
  return parts;
}

}  // namespace

std::vector<Object> load_parts(const Study& study) {
  return load_with(study, [](PolygonSoup&& soup, const std::string& name) {
    return Object(std::move(soup), name);
  });
}

std::vector<Object> load_parts(const Study& study, const std::filesystem::path& cache,
                               CacheReport& report) {
  return load_with(study, [&](PolygonSoup&& soup, const std::string& name) {
    CachedObject part = cached_object(std::move(soup), cache, name);
    ++(part.use == CacheUse::loaded ? report.loaded : report.built);
    if (!part.remark.empty()) report.remarks.push_back(std::move(part.remark));
    return std::move(part.object);
  });
}

}  // namespace touche
