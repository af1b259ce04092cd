// SPDX-License-Identifier: Apache-2.0
// Pictures of the most severe pairs, in which the contact is marked.
#include <fmt/core.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/threads.h"
#include "bvh/object_data.h"
#include "clash/contact_place.h"
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

// Of lesser classes than clashes, some pairs only are worth a picture.
constexpr std::size_t kMostPictures = 24, kMostLesser = 4;
constexpr double kAlike = 0.01;
constexpr std::size_t kMostFlatMarks = 400;
constexpr int kWidth = 490, kHeight = 350;
constexpr double kDetail = 0.02;  // of the half height of a picture: how fine its marks are
constexpr Rgb kWarm = {222, 160, 84}, kCool = {142, 167, 191};
constexpr const char* kMarkText = "#c40054";

bool meets(ClashPairVerdict verdict) {
  return verdict != ClashPairVerdict::near && verdict != ClashPairVerdict::contains;
}

// Pairs of the same meshes with the same class and nearly equal overlaps or distances share one
// picture.
bool alike(const ClashResult& result, const ClashPair& a, const ClashPair& b) {
  const auto meshes = [&](const ClashPair& pair) {
    return std::minmax(
        {result.parts.parts[pair.part_a].object, result.parts.parts[pair.part_b].object});
  };
  const auto value = [](const ClashPair& pair) {
    return pair.verdict == ClashPairVerdict::near ? pair.distance.upper
                                                  : pair.thickness.diameter.lower;
  };
  return a.verdict == b.verdict && meshes(a) == meshes(b) &&
         std::abs(value(a) - value(b)) <= kAlike * std::max(value(a), value(b));
}

// Whether there is a point to show.
bool has_place(const ClashPair& pair) {
  return pair.contact || pair.thickness.diameter.lower > 0 ||
         pair.verdict == ClashPairVerdict::contains;
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
  /// `outsides`: of all objects that are shown, RenderPart::outside.
  Picture(const ClashResult& result, const ClashPair& pair,
          const std::map<std::size_t, int>& outsides, Renderer& renderer)
      : result_(result), pair_(pair), renderer_(renderer) {
    const Rgb colours[] = {kWarm, kCool};
    for (const int side : {0, 1})
      parts_.push_back({&bvh::soup_to_show(object_of(side)), part_of(side).pose, colours[side],
                        outsides.at(part_of(side).object)});
    find_place();
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
    std::string overlay = scale_bar(lengths_of(result_.parts), camera, kPictureText);
    if (place_.regions.empty()) overlay += dot(camera.project(target()), "#fff");
    return drawn(camera, parts, overlay);
  }

  /// Draws the contact itself, cut open if it is hidden.
  std::string close_up() {
    const Vec3 normal = pair_.contact ? pair_.contact->normal : Vec3(Vec3::UnitX());
    Camera camera =
        is_flat() ? camera_above(target(), 1) : close_camera(parts_, target(), normal, 1);
    const double half = extent();
    if (std::isfinite(camera.cut)) camera.cut *= half;
    frame(camera, half);
    std::string overlay;
    if (pair_.verdict == ClashPairVerdict::near)
      overlay = dimension(camera, pair_.contact->point_a, pair_.contact->point_b,
                          lengths_of(result_.parts));
    return drawn(camera, parts_,
                 overlay + scale_bar(lengths_of(result_.parts), camera, kPictureText));
  }

 private:
  const ClashPart& part_of(int side) const {
    return result_.parts.parts[side == 0 ? pair_.part_a : pair_.part_b];
  }
  bool is_flat() const { return bvh::flat_of(object_of(0)) != nullptr; }

  /// Draws the parts with the marks, rendered, or as outlines with the smaller part in front.
  std::string drawn(const Camera& camera, const std::vector<RenderPart>& parts,
                    const std::string& overlay) {
    if (!is_flat())
      return picture(renderer_.render(camera, parts, {place_.lines, place_.regions, kMark}),
                     overlay, "picture");
    std::vector<study::FlatPart> flat;
    for (const int side : {1 - smaller(), smaller()}) {
      const RenderPart& part = parts[static_cast<std::size_t>(side)];
      flat.push_back({plane::outline_of(object_of(side)), part.pose, part.colour});
    }
    return study::flat_picture(camera, flat, flat_marks(camera) + overlay, "picture");
  }

  /// Within the picture; above kMostFlatMarks an evenly spaced selection.
  std::string flat_marks(const Camera& camera) const {
    std::vector<std::array<Vec3, 2>> seen;
    for (const auto& [from, to] : place_.lines) {
      const Vec3 p = camera.project(from), q = camera.project(to);
      const Vec3 lo = p.cwiseMin(q), hi = p.cwiseMax(q);
      if (hi.x() >= 0 && hi.y() >= 0 && lo.x() <= kWidth && lo.y() <= kHeight)
        seen.push_back({p, q});
    }
    std::string out;
    const std::size_t stride = 1 + seen.size() / kMostFlatMarks;
    for (std::size_t i = 0; i < seen.size(); i += stride)
      out += marked_line(seen[i][0], seen[i][1], kMarkText);
    return out;
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

  // The middle of what is to be seen.
  Vec3 target() const {
    if (pair_.verdict == ClashPairVerdict::contains)
      return part_of(inner()).pose * object_of(inner()).bounds().centre();
    const bool measured =
        pair_.verdict == ClashPairVerdict::near || pair_.thickness.diameter.lower > 0;
    return measured || place_.box.empty() ? clash_point(pair_) : place_.box.centre();
  }

  double size() const {
    return std::min(object_of(0).bounds().diagonal(), object_of(1).bounds().diagonal());
  }

  // Half height of the close-up: shows the overlap or gap with enough of the surroundings to
  // recognise the location.
  double extent() const {
    if (pair_.verdict == ClashPairVerdict::contains)
      return 0.8 * object_of(inner()).bounds().diagonal();
    const double across = place_.box.empty() ? 0 : 0.45 * place_.box.diagonal();
    const double place = pair_.verdict == ClashPairVerdict::near ? 5 * pair_.distance.upper
                         : pair_.verdict == ClashPairVerdict::clash
                             ? 2.5 * pair_.thickness.diameter.lower
                             : across;
    return std::clamp(place, 0.2 * size(), 0.6 * size());
  }

  void find_place() {
    const PlacedObject a{object_of(0), part_of(0).pose}, b{object_of(1), part_of(1).pose};
    if (is_flat()) {
      if (meets(pair_.verdict)) place_ = where_edges_meet(a, b);
    } else if (pair_.verdict == ClashPairVerdict::clash) {
      place_ = where_they_meet(a, b);
    } else if (pair_.verdict != ClashPairVerdict::contains) {
      const double reach = pair_.verdict == ClashPairVerdict::near
                               ? result_.options.clearance
                               : std::max(pair_.max_touching_thickness, pair_.tolerance);
      const double gap = std::isfinite(pair_.distance.upper) ? pair_.distance.upper * kRoundUp : 0;
      place_ = where_they_are_near(a, b, std::max(reach, gap), kDetail * 0.2 * size());
    }
    if (place_.lines.empty() && place_.regions.empty() && meets(pair_.verdict) && pair_.contact)
      place_.lines.push_back({clash_point(pair_), clash_point(pair_)});
  }

  static constexpr double kRoundUp = 1 + 1e-9;

  const ClashResult& result_;
  const ClashPair& pair_;
  Renderer& renderer_;
  std::vector<RenderPart> parts_;
  ContactPlace place_;
};

std::string chip(const Rgb& colour, const char* style = "") {
  return fmt::format("<span class=\"chip{}\" style=\"background:#{:02x}{:02x}{:02x}\"></span>",
                     style, colour[0], colour[1], colour[2]);
}

std::string caption(const ClashResult& result, const ClashPair& pair, std::size_t count,
                    std::size_t number) {
  const std::string measure = measure_text(result.parts, pair);
  const auto side = [&](std::size_t part, const Rgb& colour) {
    return chip(colour) + escape(result.parts.parts[part].name);
  };
  return fmt::format("<b class=\"status\" style=\"color:{}\">{}. {}</b>{}, at {}{}<br>{} &nbsp; {}",
                     class_colour(pair.verdict), number, class_text(pair.verdict),
                     measure.empty() ? "" : ": <b>" + escape(measure) + "</b>",
                     escape(Places(result.parts).text(pair)),
                     count == 1 ? ""
                                : fmt::format("; <b>{} more</b> of the same {} are like it",
                                              number_text(count - 1),
                                              has_drawings(result.parts) ? "drawings" : "meshes"),
                     side(pair.part_a, kWarm), side(pair.part_b, kCool));
}

}  // namespace

std::string figure_id(std::size_t number) { return fmt::format("picture-{}", number); }

Pictures::Pictures(const ClashResult& result) : result_(result) {
  std::map<ClashPairVerdict, std::size_t> lesser;
  for (const std::size_t i : worst_first(result)) {
    const ClashPair& pair = result.pairs[i];
    if (pair.accepted || !has_place(pair)) continue;
    const auto like = std::find_if(shown_.begin(), shown_.end(), [&](std::size_t other) {
      return alike(result, result.pairs[other], pair);
    });
    if (like == shown_.end()) {
      if (shown_.size() == kMostPictures) continue;
      if (pair.verdict < ClashPairVerdict::contains && ++lesser[pair.verdict] > kMostLesser)
        continue;
      shown_.push_back(i);
      kind_[i] = shown_.size() - 1;
    } else {
      kind_[i] = static_cast<std::size_t>(like - shown_.begin());
    }
  }

  std::map<std::size_t, int> outsides;
  for (const std::size_t i : shown_)
    for (const std::size_t part : {result.pairs[i].part_a, result.pairs[i].part_b})
      outsides[result.parts.parts[part].object] = 0;
  std::vector<std::pair<const std::size_t, int>*> objects;
  objects.reserve(outsides.size());
  for (auto& outside : outsides) objects.push_back(&outside);
  drawn_.resize(shown_.size());
  base::with_threads(result.options.threads, [&] {
    tbb::parallel_for(std::size_t{0}, objects.size(), [&](std::size_t i) {
      objects[i]->second = outside_of(result.parts.objects[objects[i]->first].soup());
    });
    tbb::enumerable_thread_specific<Renderer> renderers;
    tbb::parallel_for(std::size_t{0}, shown_.size(), [&](std::size_t i) {
      Picture picture(result, result.pairs[shown_[i]], outsides, renderers.local());
      drawn_[i] = picture.surroundings() + picture.close_up();
    });
  });
}

std::optional<Pictures::Figure> Pictures::figure_of(std::size_t pair) const {
  const auto found = kind_.find(pair);
  if (found == kind_.end()) return std::nullopt;
  return Figure{found->second + 1, shown_[found->second] != pair};
}

std::string Pictures::figure(std::size_t number) const {
  const std::size_t i = shown_[number - 1];
  const auto count = static_cast<std::size_t>(std::count_if(
      kind_.begin(), kind_.end(), [&](const auto& kind) { return kind.second == number - 1; }));
  return fmt::format(
      "<figure class=\"pair\" id=\"{}\"><figcaption>{} <a class=\"back\" href=\"#row-{}\">in the "
      "list</a></figcaption><div class=\"grid2\">{}</div></figure>\n",
      figure_id(number), caption(result_, result_.pairs[i], count, number), i, drawn_[number - 1]);
}

std::string Pictures::legend() const {
  const bool flat = has_drawings(result_.parts);
  std::string out =
      "<p class=\"note legend\">Left, the smaller part as a whole, seen through the "
      "other one; right, the contact. ";
  out += fmt::format("<span>{}first part</span> <span>{}second part</span> ", chip(kWarm),
                     chip(kCool));
  out += fmt::format("<span>{}{}</span>", chip(kMark),
                     flat ? "where edges meet"
                          : "where surfaces meet or are near: within the allowed length of "
                            "parts that touch, within the clearance of near ones");
  if (!flat)
    out += fmt::format(
        " <span>{}the same, hidden or cut away</span> <span>{}section: a part that hides the "
        "contact is cut open</span>",
        chip({225, 127, 169}), chip({200, 200, 200}, " hatched"));
  return out + "</p>\n";
}

std::string Pictures::worst() const {
  if (shown_.empty()) return "";
  return "<h2>The worst pair</h2>\n" + figure(1) + legend();
}

std::string Pictures::others() const {
  if (shown_.size() < 2) return "";
  std::string out = "<h2 id=\"pictures\">Pictures of further pairs</h2>\n";
  for (std::size_t number = 2; number <= shown_.size(); ++number) out += figure(number);
  const std::size_t clashes =
      result_.open(ClashPairVerdict::clash) + result_.open(ClashPairVerdict::contains);
  const auto told =
      static_cast<std::size_t>(std::count_if(kind_.begin(), kind_.end(), [&](const auto& kind) {
        return result_.pairs[kind.first].verdict >= ClashPairVerdict::contains;
      }));
  return told == clashes ? out
                         : out + fmt::format(
                                     "<p class=\"note\">Pictures show {} of {} clashes; the others "
                                     "are in the list.</p>\n",
                                     number_text(told), number_text(clashes));
}

}  // namespace touche::clash
