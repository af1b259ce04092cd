// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/file_kind.h"
#include "io/outline_reader.h"
#include "io/part_reader.h"
#include "math/keeps_plane.h"
#include "study/placed_mesh.h"
#include "study/shape_input.h"
#include "touche/hierarchy_file.h"
#include "touche/io.h"
#include "touche/outline_file.h"
#include "touche/shape.h"
#include "touche/study.h"

namespace touche {
namespace {

std::string place_of(const char* list, std::size_t i, const char* key) {
  return std::string("/") + list + "/" + std::to_string(i) + key;
}

void check_file(const Study& study, std::size_t i) {
  if (const std::string reason = base::why_no_file_named(study.parts[i].file); !reason.empty())
    throw LoadError(study.file.string(),
                    place_of("parts", i, study.parts[i].shape ? "/shape/file" : "/file"), reason);
}

PolygonSoup load_file(const Study& study, std::size_t i, io::PartReader& reader) {
  const StudyPart& part = study.parts[i];
  check_file(study, i);
  LoadOptions how{.up = part.up, .stretch = part.stretch};
  if (part.weld) how.weld = *part.weld / part.scale;
  return reader.read({part.file, part.node}, how);
}

PolygonSoup mesh_of_shape(const Study& study, std::size_t i, io::PartReader& reader) {
  const StudyPart& part = study.parts[i];
  const PartShape& given = *part.shape;
  try {
    const double error = given.mesh_error > 0 ? given.mesh_error : 1;
    if (given.shape) return enclosing_mesh(*given.shape, error);
    const PolygonSoup soup = load_file(study, i, reader);
    PolygonSoup around = enclosing_mesh(study::hull_of(soup, part.scale, given.rounded), error);
    for (const std::string& remark : soup.remarks()) around.add_remark(remark);
    return around;
  } catch (const InvalidInput& e) {
    throw LoadError(study.file.string(), place_of("parts", i, "/shape"), e.what());
  }
}

PolygonSoup load_mesh(const Study& study, std::size_t i, io::PartReader& reader) {
  return study::placed_mesh(
      study, i,
      study.parts[i].shape ? mesh_of_shape(study, i, reader) : load_file(study, i, reader));
}

// ---- drawings ----------------------------------------------------------------------------------

// Of a drawing that is stretched, the curves are off by more along the axis of the larger factor.
plane::Outline placed(const plane::Outline& outline, const plane::Vec2& stretch,
                      const plane::Pose& pose) {
  std::vector<plane::Chain> chains;
  for (Index c = 0; c < outline.chain_count(); ++c) {
    plane::Chain chain{{}, outline.closed(c), std::string(outline.name(c)), outline.again(c)};
    for (Index v = outline.first_vertex(c); v < outline.first_vertex(c + 1); ++v)
      chain.points.push_back(pose * stretch.cwiseProduct(outline.vertex(v)));
    chains.push_back(std::move(chain));
  }
  return plane::Outline(chains, outline.remarks(),
                        stretch.cwiseAbs().maxCoeff() * outline.chord_error());
}

plane::Outline load_drawn(const StudyPart& part, io::OutlineReader& reader) {
  OutlineOptions options = part.drawing;
  options.scale = part.scale;
  return part.node.empty() ? load_outline(part.file, options)
                           : reader.part({part.file, part.node}, options).part.outline;
}

Object load_drawing(const Study& study, std::size_t i, io::OutlineReader& reader) {
  const StudyPart& part = study.parts[i];
  check_file(study, i);
  plane::Pose pose;
  try {
    pose = plane::Pose::from_space(part.pose);
  } catch (const InvalidInput& e) {
    throw LoadError(study.file.string(), place_of("parts", i, "/pose"), e.what());
  }
  return plane::Object(placed(load_drawn(part, reader), part.stretch.head<2>(), pose), part.name)
      .in_space();
}

std::vector<Object> load_drawings(const Study& study) {
  for (std::size_t i = 0; i < study.parts.size(); ++i)
    if (study.parts[i].shape || !is_outline(study.parts[i].file))
      throw LoadError(study.file.string(),
                      place_of("parts", i, study.parts[i].shape ? "/shape" : "/file"),
                      std::string(study.parts[i].shape ? "a shape of space" : "a mesh") +
                          ", and other parts are drawings of the plane: a study needs parts of "
                          "one kind");
  for (std::size_t g = 0; g < study.groups.size(); ++g)
    if (!math::keeps_plane(study.groups[g].motion))
      throw LoadError(study.file.string(), place_of("groups", g, ""),
                      "drawings move within the plane z = 0 and turn about z only");
  if (study.unit != "mm")
    throw LoadError(study.file.string(), "/unit", "drawings are read in millimetres: \"mm\"");
  std::vector<Object> parts;
  io::OutlineReader reader;
  for (std::size_t i = 0; i < study.parts.size(); ++i)
    parts.push_back(load_drawing(study, i, reader));
  return parts;
}

// ---- meshes ------------------------------------------------------------------------------------

// Creates one object per part; make(soup, name) adds the hierarchy.
template <class Make>
std::vector<Object> load_with(const Study& study, const Make& make) {
  if (has_drawings(study)) return load_drawings(study);
  std::vector<Object> parts;
  io::PartReader reader;
  for (std::size_t i = 0; i < study.parts.size(); ++i) {
    try {
      parts.push_back(make(load_mesh(study, i, reader), study.parts[i].name));
    } catch (const InvalidInput& e) {
      throw LoadError(study.parts[i].file.string(), "", e.what());
    }
  }
  return parts;
}

}  // namespace

bool has_drawings(const Study& study) {
  return std::any_of(study.parts.begin(), study.parts.end(),
                     [](const StudyPart& part) { return !part.shape && is_outline(part.file); });
}

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
