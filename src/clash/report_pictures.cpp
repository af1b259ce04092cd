// SPDX-License-Identifier: Apache-2.0
// The most severe pairs, each with a picture that marks the faces that meet.
#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/threads.h"
#include "bvh/object_data.h"
#include "clash/describe.h"
#include "clash/report_parts.h"
#include "plane/flat_outline.h"
#include "report/drawing.h"
#include "report/svg.h"
#include "report/words.h"
#include "study/flat_picture.h"

namespace touche::clash {
namespace {

using namespace report;

constexpr std::size_t kMostPictures = 50, kMostNear = 6;
constexpr double kAlike = 0.01;
constexpr std::size_t kMostFaces = 400;  // marked per part
constexpr int kWidth = 560, kHeight = 400;
constexpr Rgb kWarm = {222, 160, 84}, kCool = {142, 167, 191};

// Pairs of the same meshes with the same class and nearly equal overlaps or distances share one
// picture.
struct Kind {
  std::size_t first;  // index into ClashResult::pairs
  std::size_t count = 1;
};

bool alike(const ClashResult& result, const ClashPair& a, const ClashPair& b) {
  const auto meshes = [&](const ClashPair& pair) {
    return std::minmax(
        {result.parts.parts[pair.part_a].object, result.parts.parts[pair.part_b].object});
  };
  const double value_a =
      a.verdict == ClashPairVerdict::near ? a.distance.upper : a.thickness.diameter.lower;
  const double value_b =
      b.verdict == ClashPairVerdict::near ? b.distance.upper : b.thickness.diameter.lower;
  return a.verdict == b.verdict && meshes(a) == meshes(b) &&
         std::abs(value_a - value_b) <= kAlike * std::max(value_a, value_b);
}

// Selects the pairs to show: clashes, then some pairs that are near.
std::vector<Kind> shown_kinds(const ClashResult& result) {
  std::vector<Kind> clashes, near;
  const auto add = [&](std::vector<Kind>& kinds, std::size_t i, std::size_t most) {
    for (Kind& kind : kinds)
      if (alike(result, result.pairs[kind.first], result.pairs[i])) {
        ++kind.count;
        return;
      }
    if (kinds.size() < most) kinds.push_back({i});
  };
  for (const std::size_t i : worst_first(result)) {
    const ClashPair& pair = result.pairs[i];
    if (pair.accepted) continue;
    if (pair.verdict >= ClashPairVerdict::contains) add(clashes, i, kMostPictures);
    if (pair.verdict == ClashPairVerdict::near) add(near, i, kMostNear);
  }
  if (clashes.size() + near.size() <= kMostPictures)
    clashes.insert(clashes.end(), near.begin(), near.end());
  return clashes;
}

// Returns RenderPart::outside. Faster than examine(), which is needed only if a half-edge has no
// opposite half-edge.
int outside_of(const PolygonSoup& soup) {
  for (Index corner = 0; corner < soup.corner_count(); ++corner)
    if (soup.opposite(corner) == kNone) return outside_sign(examine(soup));
  const Vec3 origin = soup.bounds().centre();
  double volume = 0;
  for (const auto& t : soup.triangles()) {
    const Vec3 a = soup.vertex(t[0]) - origin, b = soup.vertex(t[1]) - origin,
               c = soup.vertex(t[2]) - origin;
    volume += a.dot(b.cross(c));
  }
  return volume > 0 ? 1 : volume < 0 ? -1 : 0;
}

class Picture {
 public:
  Picture(const ClashResult& result, const ClashPair& pair) : result_(result), pair_(pair) {
    const Rgb colours[] = {kWarm, kCool};
    for (const int side : {0, 1}) {
      const Object& object = object_of(side);
      parts_.push_back({&bvh::soup_to_show(object), part_of(side).pose, colours[side],
                        outside_of(object.soup())});
    }
    if (pair.verdict != ClashPairVerdict::near) find_faces();
  }

  /// Draws both parts in position; the smaller one is complete and shows through the other.
  std::string surroundings() {
    const int small = smaller();
    std::vector<RenderPart> parts = parts_;
    parts[static_cast<std::size_t>(small)].shines_through = true;
    Camera camera;
    if (bvh::flat_of(object_of(small)) == nullptr) camera.axes = camera_axes({-0.62, 0.9, -0.55});
    camera.target = part_of(small).pose * object_of(small).bounds().centre();
    // Show a part that lies inside together with its surroundings.
    const double size = object_of(small).bounds().diagonal(),
                 other = object_of(1 - small).bounds().diagonal();
    frame(camera, pair_.verdict == ClashPairVerdict::contains
                      ? std::clamp(0.5 * other, size, 3 * size)
                      : 0.6 * size);
    std::string overlay = pair_.verdict == ClashPairVerdict::near ? "" : marked_faces(camera);
    overlay += dot(camera.project(clash_point(pair_)), "#fff") +
               scale_bar(lengths_of(result_.parts), camera, kPictureText);
    return drawn(camera, parts, overlay);
  }

  /// Draws the contact itself, cut open if it is hidden.
  std::string close_up() {
    const Vec3 normal = pair_.contact ? pair_.contact->normal : Vec3(Vec3::UnitX());
    Camera camera = bvh::flat_of(object_of(0)) != nullptr
                        ? camera_above(target(), 1)
                        : close_camera(parts_, target(), normal, 1);
    const double half = extent();
    if (std::isfinite(camera.cut)) camera.cut *= half;
    frame(camera, half);
    std::string overlay = pair_.verdict == ClashPairVerdict::near
                              ? dimension(camera, pair_.contact->point_a, pair_.contact->point_b,
                                          lengths_of(result_.parts))
                              : marked_faces(camera);
    overlay += scale_bar(lengths_of(result_.parts), camera, kPictureText);
    return drawn(camera, parts_, overlay);
  }

 private:
  const ClashPart& part_of(int side) const {
    return result_.parts.parts[side == 0 ? pair_.part_a : pair_.part_b];
  }
  /// Draws the parts rendered, or as outlines with the smaller part in front.
  std::string drawn(const Camera& camera, const std::vector<RenderPart>& parts,
                    const std::string& overlay) const {
    if (bvh::flat_of(object_of(0)) == nullptr) return picture(camera, parts, overlay, "picture");
    std::vector<study::FlatPart> flat;
    for (const int side : {1 - smaller(), smaller()}) {
      const RenderPart& part = parts[static_cast<std::size_t>(side)];
      flat.push_back({plane::outline_of(object_of(side)), part.pose, part.colour});
    }
    return study::flat_picture(camera, flat, overlay, "picture");
  }

  const Object& object_of(int side) const { return result_.parts.objects[part_of(side).object]; }

  // `half`: half height of the picture.
  static void frame(Camera& camera, double half) {
    camera.width = kWidth;
    camera.height = kHeight;
    camera.scale = 0.5 * kHeight / (half > 0 ? half : 1);
  }

  int smaller() const {
    return object_of(0).bounds().diagonal() < object_of(1).bounds().diagonal() ? 0 : 1;
  }

  // The inner part; there is nothing to see at the contact if one contains the other.
  int inner() const { return pair_.containment == Containment::a_in_b ? 0 : 1; }

  Vec3 target() const {
    if (pair_.verdict != ClashPairVerdict::contains) return clash_point(pair_);
    return part_of(inner()).pose * object_of(inner()).bounds().centre();
  }

  // Half height of the close-up: shows the overlap or gap with enough of the surroundings to
  // recognise the location.
  double extent() const {
    const double size =
        std::min(object_of(0).bounds().diagonal(), object_of(1).bounds().diagonal());
    if (pair_.verdict == ClashPairVerdict::contains)
      return 0.8 * object_of(inner()).bounds().diagonal();
    const double place = pair_.verdict == ClashPairVerdict::near
                             ? 5 * pair_.distance.upper
                             : 2.5 * pair_.thickness.diameter.lower;
    return std::clamp(place, 0.2 * size, 0.6 * size);
  }

  void find_faces() {
    const FacePairsResult found = intersecting_faces(object_of(0), part_of(0).pose, object_of(1),
                                                     part_of(1).pose, {.max_work = 2'000'000});
    for (const std::size_t side : {0, 1}) {
      std::vector<Index>& faces = faces_[side];
      for (const FacePair& pair : found.pairs) faces.push_back(side == 0 ? pair.a : pair.b);
      std::sort(faces.begin(), faces.end());
      faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
    }
  }

  // Marks the intersecting faces within the picture; above kMostFaces, an evenly spaced selection.
  std::string marked_faces(const Camera& camera) const {
    std::string out;
    for (const int side : {0, 1}) {
      std::vector<Index> faces = faces_[static_cast<std::size_t>(side)];
      std::erase_if(faces, [&](Index f) { return !in_picture(camera, side, f); });
      const std::size_t stride = 1 + faces.size() / kMostFaces;
      for (std::size_t i = 0; i < faces.size(); i += stride)
        out += face_outline(camera, parts_[static_cast<std::size_t>(side)], faces[i],
                            side == 0 ? "#b3311f" : "#1f5fa8");
    }
    return out;
  }

  bool in_picture(const Camera& camera, int side, Index face) const {
    Aabb box;
    const PolygonSoup& soup = bvh::soup_to_show(object_of(side));
    for (const Index v : soup.face(face))
      box.include(camera.project(part_of(side).pose * soup.vertex(v)));
    return box.hi.x() >= 0 && box.hi.y() >= 0 && box.lo.x() <= kWidth && box.lo.y() <= kHeight;
  }

  const ClashResult& result_;
  const ClashPair& pair_;
  std::vector<RenderPart> parts_;
  std::array<std::vector<Index>, 2> faces_;  // the faces that intersect
};

std::string caption(const ClashResult& result, const Kind& kind, std::size_t number) {
  const ClashPair& pair = result.pairs[kind.first];
  const std::string measure = measure_text(result.parts, pair);
  const auto side = [&](std::size_t part, const Rgb& colour) {
    return fmt::format("<span class=\"chip\" style=\"background:#{:02x}{:02x}{:02x}\"></span>{}",
                       colour[0], colour[1], colour[2], escape(result.parts.parts[part].name));
  };
  return fmt::format(
      "<b class=\"status\" style=\"color:{}\">{}. {}</b>{}, at {}{}<br>{} &nbsp; {}",
      class_colour(pair.verdict), number, class_text(pair.verdict),
      measure.empty() ? "" : ": <b>" + escape(measure) + "</b>",
      escape(Places(result.parts).text(pair)),
      kind.count == 1
          ? ""
          : fmt::format("; <b>{} more</b> of the same {} are like it", number_text(kind.count - 1),
                        has_drawings(result.parts) ? "drawings" : "meshes"),
      side(pair.part_a, kWarm), side(pair.part_b, kCool));
}

}  // namespace

std::string worst_section(const ClashResult& result) {
  const std::vector<Kind> shown = shown_kinds(result);
  if (shown.empty()) return "";
  std::vector<std::string> pictures(shown.size());
  base::with_threads(result.options.threads, [&] {
    tbb::parallel_for(std::size_t{0}, shown.size(), [&](std::size_t i) {
      Picture picture(result, result.pairs[shown[i].first]);
      pictures[i] = picture.surroundings() + picture.close_up();
    });
  });
  std::string out = "<h2>The worst first</h2>\n";
  std::size_t told = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    out += fmt::format(
        "<figure class=\"pair\"><figcaption>{}</figcaption><div "
        "class=\"grid2\">{}</div></figure>\n",
        caption(result, shown[i], i + 1), pictures[i]);
    if (result.pairs[shown[i].first].verdict >= ClashPairVerdict::contains) told += shown[i].count;
  }
  const std::size_t clashes =
      result.open(ClashPairVerdict::clash) + result.open(ClashPairVerdict::contains);
  return out + fmt::format(
                   "<p class=\"note\">Left, the smaller part as a whole, seen through the other "
                   "one; right, the contact. {} that meet are marked.{}{}</p>\n",
                   has_drawings(result.parts) ? "Edges" : "Faces",
                   has_drawings(result.parts)
                       ? ""
                       : " A part that hides the contact is cut open; hatching marks the cut.",
                   told < clashes
                       ? fmt::format(" These are {} of {} pairs; the others are in the list.",
                                     number_text(told), number_text(clashes))
                       : "");
}

}  // namespace touche::clash
