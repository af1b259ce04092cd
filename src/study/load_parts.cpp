// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "touche/hierarchy_file.h"
#include "touche/io.h"
#include "touche/study.h"

namespace touche {
namespace {

// The start pose goes into the vertices, so that a part's motion is its group's motion: turns stay
// turns about the axis the study names.
PolygonSoup moved(const PolygonSoup& soup, const Pose& pose) {
  std::vector<double> coordinates;
  for (const Vec3& v : soup.vertices()) {
    const Vec3 p = pose * v;
    coordinates.insert(coordinates.end(), {p.x(), p.y(), p.z()});
  }
  std::map<std::string_view, Index> group_index;
  std::vector<std::string> group_names(soup.group_names().begin(), soup.group_names().end());
  for (const std::string& name : group_names)
    group_index.emplace(name, static_cast<Index>(group_index.size()));
  std::vector<Index> corners, sizes, groups;
  for (Index f = 0; f < soup.face_count(); ++f) {
    const auto face = soup.face(f);
    corners.insert(corners.end(), face.begin(), face.end());
    sizes.push_back(static_cast<Index>(face.size()));
    if (const auto group = group_index.find(soup.face_group(f)); group != group_index.end())
      groups.push_back(group->second);
  }
  if (groups.size() != sizes.size()) {  // some faces have no group: names cannot be kept
    groups.clear();
    group_names.clear();
  }
  return PolygonSoup(coordinates, corners, sizes, groups, std::move(group_names));
}

bool is_identity(const Pose& pose) {
  return pose.translation().isZero(0) && pose.rotation().w() == 1;
}

PolygonSoup load_mesh(const Study& study, std::size_t i) {
  const StudyPart& part = study.parts[i];
  std::error_code error;
  if (!std::filesystem::is_regular_file(part.file, error))
    throw LoadError(study.file.string(), "/parts/" + std::to_string(i) + "/file",
                    "there is no file " + part.file.string());
  PolygonSoup soup = load_soup(part.file, {.scale = part.scale});
  return is_identity(part.pose) ? soup : moved(soup, part.pose);
}

// One object for each part; make(soup, name) adds the hierarchy.
template <class Make>
std::vector<Object> load_with(const Study& study, const Make& make) {
  std::vector<Object> parts;
  for (std::size_t i = 0; i < study.parts.size(); ++i) {
    try {
      parts.push_back(make(load_mesh(study, i), study.parts[i].name));
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
