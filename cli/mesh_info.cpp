// SPDX-License-Identifier: Apache-2.0
#include "mesh_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "touche/overlap.h"
#include "touche/query.h"

namespace touche::cli {
namespace {

// Of the size: openness is explained by vertices that are nearer.
constexpr double kMostJoined = 1e-3;
constexpr std::size_t kMostLines = 40, kMostNames = 8, kMostRemarks = 4;

bool share_a_vertex_position(const PolygonSoup& soup, Index f, Index g) {
  const auto ours = soup.face(f), theirs = soup.face(g);
  return std::any_of(ours.begin(), ours.end(), [&](Index v) {
    return std::any_of(theirs.begin(), theirs.end(),
                       [&](Index w) { return soup.vertex(v) == soup.vertex(w); });
  });
}

// Counts intersecting pairs of faces that share no vertex position.
std::size_t count_self_intersections(const Object& object) {
  const FacePairsResult found = intersecting_faces(object, {}, object, {});
  return static_cast<std::size_t>(
      std::count_if(found.pairs.begin(), found.pairs.end(), [&](const FacePair& p) {
        return p.a < p.b && !share_a_vertex_position(object.soup(), p.a, p.b);
      }));
}

Json health_json(const Health& h) {
  return {{"zero_area_faces", h.zero_area_faces},
          {"duplicate_faces", h.duplicate_faces},
          {"opposite_faces", h.opposite_faces},
          {"duplicate_vertices", h.duplicate_vertices},
          {"unused_vertices", h.unused_vertices},
          {"non_planar_faces", h.non_planar_faces},
          {"concave_faces", h.concave_faces},
          {"boundary_edges", h.boundary_edges},
          {"boundaries", h.boundaries},
          {"non_manifold_edges", h.non_manifold_edges},
          {"inconsistent_edges", h.inconsistent_edges},
          {"components", h.components},
          {"closed", h.closed},
          {"oriented", h.oriented},
          {"area", h.area},
          {"volume", h.closed && h.oriented ? Json(h.volume) : Json()}};
}

// "2 borders", "1 border".
std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// "closed", or "open" and why.
std::string closedness(const Health& h) {
  if (h.closed) return "closed";
  std::string why;
  if (h.boundaries > 0) why = counted(h.boundaries, "border");
  if (h.non_manifold_edges > 0)
    why += (why.empty() ? "" : ", ") + counted(h.non_manifold_edges, "edge") +
           " of three or more faces";
  return fmt::format("open ({})", why);
}

std::string duplicates(const Health& h) {
  return fmt::format("duplicate faces ({} oriented opposite to the first one)", h.opposite_faces);
}

std::string and_more(std::size_t count) { return fmt::format("and {} more (--all)", count); }

}  // namespace

std::string listed(std::span<const std::string> names, bool all) {
  if (all || names.size() <= kMostNames + 1) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, {}", fmt::join(names.first(kMostNames), ", "),
                     and_more(names.size() - kMostNames));
}

namespace {

std::string unit_text(const MeshInfo& info) {
  std::string text = info.unit.empty() ? "not in the file" : info.unit;
  const double in_file = info.frame.unit / info.scale;
  if (in_file != 1) text += fmt::format("; in the file 1 is {:.6g} {}", in_file, info.unit);
  if (info.scale != 1) text += fmt::format("; times {:.6g} by --scale", info.scale);
  return text;
}

std::string up_text(const FileFrame& frame) {
  if (frame.up == UpAxis::z) return "z, as in the file";
  return fmt::format("z; in the file {}, from which it is turned", name(frame.up));
}

// Why an open mesh is open, or why that does not matter.
std::string cause_of_openness(const MeshInfo& info, const Object& object, const Health& h) {
  if (h.closed) return "";
  const PolygonSoup& soup = object.soup();
  const double size = soup.bounds().diagonal();
  std::string text;
  // The meshes of several nodes are welded by themselves.
  if (info.nodes.size() <= 1)
    if (const auto length = closing_length(soup, kMostJoined * size))
      text = fmt::format("closed if joined within {0:.2g} (--weld {0:.2g})", *length);
  if (const double gap = Interior(object).closed_gap(); gap > 0)
    text +=
        fmt::format("{}its gaps are no wider than {:.2g} and count as closed for what lies in it",
                    text.empty() ? "" : "; ", gap);
  return text;
}

Json weld_json(const WeldResult& weld) {
  return {{"length", weld.length},
          {"farthest", weld.farthest},
          {"joined", weld.joined},
          {"open_edges_before", weld.open_edges_before},
          {"open_edges", weld.open_edges},
          {"closed_shells", weld.closed_shells},
          {"flattened_faces", weld.flattened_faces}};
}

class Page {
 public:
  Page(const MeshInfo& info, const Object& object, bool self_intersections, bool all)
      : info_(info), object_(object), soup_(object.soup()), health_(examine(soup_)), all_(all) {
    describe();
    judge();
    if (self_intersections)
      line("self-intersect.", fmt::format("{} pairs of faces", count_self_intersections(object)));
    std::vector<std::string> remarks(soup_.remarks().begin(), soup_.remarks().end());
    list("remarks", remarks, kMostRemarks);
    std::vector<std::string> left_out;
    for (const auto& [path, reason] : info_.left_out)
      left_out.push_back(fmt::format("{}: {}", path, reason));
    list("left out", left_out, kMostRemarks);
    std::vector<std::string> nodes;
    for (const auto& [path, faces] : info_.nodes)
      nodes.push_back(faces == 0 ? path : fmt::format("{}  ({} faces)", path, faces));
    list("nodes", nodes, kMostLines - std::min(lines_.size() + 1, kMostLines - 1));
  }

  void print() const {
    for (const std::string& text : lines_) fmt::print("{}\n", text);
  }

 private:
  void line(const char* label, const std::string& text) {
    lines_.push_back(fmt::format("  {:<16}{}", label, text));
  }

  // One item a line; the last line of `most` says how many are left out.
  void list(const char* label, const std::vector<std::string>& items, std::size_t most) {
    const std::size_t shown = all_ || items.size() <= most ? items.size() : most - 1;
    for (std::size_t i = 0; i < shown; ++i) line(i == 0 ? label : "", items[i]);
    if (shown < items.size()) line(shown == 0 ? label : "", and_more(items.size() - shown));
  }

  void describe() {
    const auto& [lo, hi] = soup_.bounds();
    const Vec3 size = hi - lo;
    lines_.push_back(info_.file);
    line("faces", fmt::format("{} ({} triangles), {} vertices, {} edges", soup_.face_count(),
                              soup_.triangle_count(), soup_.vertex_count(), health_.edges));
    // Groups of nodes are listed as nodes, by names that commands take.
    if (!soup_.group_names().empty() && info_.nodes.empty())
      line("groups", listed(soup_.group_names(), all_));
    std::vector<std::string> animations;
    for (const FileAnimation& animation : info_.animations)
      animations.push_back(
          fmt::format("{} ({:.6g} to {:.6g} s)", animation.name, animation.start, animation.end));
    if (!animations.empty()) line("animations", listed(animations, all_));
    if (!info_.objects.empty())
      line("objects", fmt::format("{}: {}; --split objects makes parts of them",
                                  info_.objects.size(), listed(info_.objects, all_)));
    line("unit", unit_text(info_));
    line("up", up_text(info_.frame));
    line("bounds", vector_text(lo, 9) + " to " + vector_text(hi, 9));
    line("size", fmt::format("{:.6g} x {:.6g} x {:.6g}", size.x(), size.y(), size.z()));
    line("surface",
         fmt::format("{}, {}, {}, area {:.6g}", closedness(health_),
                     health_.oriented ? "consistently oriented" : "inconsistently oriented",
                     counted(health_.components, "shell"), health_.area));
    if (const std::string cause = cause_of_openness(info_, object_, health_); !cause.empty())
      line("", cause);
    if (const WeldResult& weld = soup_.weld_result(); weld.joined > 0)
      line("joined", fmt::format("{} vertices at open edges, whose coordinates differ by up to "
                                 "{:.2g} (--weld 0: none)",
                                 weld.joined, weld.farthest));
    if (health_.closed && health_.oriented)
      line("volume",
           fmt::format("{:.6g}{}", health_.volume, health_.volume < 0 ? " (inside out)" : ""));
  }

  void judge() {
    bool sound = true;
    const auto complain = [&](Index count, const std::string& what) {
      if (count == 0) return;
      line(sound ? "unusual" : "", fmt::format("{} {}", count, what));
      sound = false;
    };
    complain(health_.zero_area_faces, "zero-area faces");
    complain(health_.duplicate_faces, duplicates(health_));
    complain(health_.duplicate_vertices, "vertices at the position of an earlier one");
    complain(health_.unused_vertices, "vertices no face uses");
    complain(health_.non_planar_faces, "non-planar faces (triangulated)");
    complain(health_.concave_faces, "concave faces (triangulated)");
    complain(health_.boundary_edges, "boundary edges (of one face only)");
    complain(health_.non_manifold_edges, "non-manifold edges (of three or more faces)");
    complain(health_.inconsistent_edges, "edges whose two faces are oriented differently");
    if (sound) line("unusual", "nothing");
  }

  const MeshInfo& info_;
  const Object& object_;
  const PolygonSoup& soup_;
  const Health health_;
  const bool all_;
  std::vector<std::string> lines_;
};

}  // namespace

Json mesh_json(const MeshInfo& info, const Object& object, bool self_intersections) {
  const PolygonSoup& soup = object.soup();
  const Health health = examine(soup);
  const auto list = [](std::span<const std::string> texts) {
    return std::vector<std::string>(texts.begin(), texts.end());
  };
  Json json = {{"file", info.file},
               {"faces", soup.face_count()},
               {"triangles", soup.triangle_count()},
               {"vertices", soup.vertex_count()},
               {"edges", health.edges},
               {"groups", list(soup.group_names())},
               {"unit", info.unit.empty() || info.scale != 1 ? Json() : Json(info.unit)},
               {"file_unit", info.frame.unit / info.scale},
               {"file_up", name(info.frame.up)},
               {"bounds", {{"lo", to_json(soup.bounds().lo)}, {"hi", to_json(soup.bounds().hi)}}},
               {"mesh_bytes", object.memory().mesh_bytes},
               {"hierarchy_bytes", object.memory().hierarchy_bytes},
               {"health", health_json(health)}};
  if (self_intersections) json["self_intersections"] = count_self_intersections(object);
  json["weld"] = weld_json(soup.weld_result());
  if (!health.closed) {
    const double size = soup.bounds().diagonal();
    const auto length =
        info.nodes.size() <= 1 ? closing_length(soup, kMostJoined * size) : std::nullopt;
    json["closing_length"] = length ? Json(*length) : Json();
    json["closed_gap"] = Interior(object).closed_gap();
  }
  if (!info.objects.empty()) json["objects"] = info.objects;
  if (!soup.remarks().empty()) json["remarks"] = list(soup.remarks());
  for (const FileAnimation& animation : info.animations)
    json["animations"].push_back(
        {{"name", animation.name}, {"start", animation.start}, {"end", animation.end}});
  for (const auto& [path, reason] : info.left_out)
    json["left_out"].push_back({{"path", path}, {"reason", reason}});
  for (const auto& [path, faces] : info.nodes)
    json["nodes"].push_back({{"path", path}, {"faces", faces}});
  return json;
}

void print_mesh(const MeshInfo& info, const Object& object, bool self_intersections, bool all) {
  Page(info, object, self_intersections, all).print();
}

}  // namespace touche::cli
