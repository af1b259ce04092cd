// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "mesh_builder.h"
#include "pi.h"
#include "scenes.h"

namespace touche::scenes {
namespace {

/// The cross-section of peg and hole: a circle or a rectangle.
struct Section {
  bool round;
  Index n;      ///< corners
  double x, y;  ///< half sizes

  /// Corner 0 of a circle lies where corner 0 of a rectangle does, at 45°.
  Vec2 corner(Index i, double grown) const {
    if (round) return on_circle(i + n / 8, n) * (x + grown);
    const Vec2 sign = on_circle(2 * i + 1, 8) * std::sqrt(2.0);
    return {std::round(sign.x()) * (x + grown), std::round(sign.y()) * (y + grown)};
  }
  Ring ring(MeshBuilder& mesh, double grown, double z) const {
    return mesh.ring(n, [&](Index i) {
      const Vec2 p = corner(i, grown);
      return Vec3(p.x(), p.y(), z);
    });
  }
};

PolygonSoup peg(const Section& section, double length, double chamfer) {
  MeshBuilder mesh;
  Ring last = section.ring(mesh, -chamfer, 0);
  mesh.cap_below(last);
  for (const Vec2& p : {Vec2(0, chamfer), Vec2(0, length - chamfer), Vec2(-chamfer, length)}) {
    Ring next = section.ring(mesh, p.x(), p.y());
    mesh.strip(last, next);
    last = std::move(next);
  }
  mesh.cap(last);
  return mesh.soup();
}

/// A block with its top at z = 0.
PolygonSoup block(const Section& hole, double depth, double chamfer) {
  MeshBuilder mesh;
  const double half = 2 * hole.x;
  const Section outline{false, 4, half, half};
  const Ring bottom = outline.ring(mesh, 0, -depth - half / 2), top = outline.ring(mesh, 0, 0);
  const Ring mouth = hole.ring(mesh, chamfer, 0), wall = hole.ring(mesh, 0, -chamfer);
  const Ring floor = hole.ring(mesh, 0, -depth);
  mesh.cap_below(bottom);
  for (Index i = 0; i < 4; ++i)
    mesh.face({bottom[i], bottom[(i + 1) % 4], top[(i + 1) % 4], top[i]});
  mesh.uneven_strip(top, mouth);
  mesh.strip(mouth, wall);
  mesh.strip(wall, floor);
  mesh.cap(floor);
  return mesh.soup();
}

}  // namespace

Scene peg_in_hole(const PegInHoleOptions& options) {
  const double chamfer = options.size / 16;
  const double lead_in = options.lead_in > 0 ? options.lead_in : chamfer;
  if (!(options.size > 0))
    throw InvalidInput(
        fmt::format("peg_in_hole: a size of {} mm; it must be more than 0", options.size));
  if (!(options.lead_in >= 0) || !(lead_in <= 0.45 * options.size))
    throw InvalidInput("peg_in_hole: a lead-in makes no sense that is wider than 0.45 of the peg");
  if (!(std::abs(options.tilt) < 0.5))
    throw InvalidInput(fmt::format(
        "peg_in_hole: a tilt of {:.3g} degrees; it must be less than 28.6 in either direction",
        options.tilt * 180 / kPi));
  if (!(options.clearance > 0) || !std::isfinite(options.offset) || options.steps < 1)
    throw InvalidInput(
        "peg_in_hole: the clearance must be more than 0, the offset finite, and there must be a "
        "step");
  const Index n = options.round ? std::max<Index>(8, (options.segments + 7) / 8 * 8) : 4;
  const double half = options.size / 2, depth = 2 * options.size;
  const Section peg_section{options.round, n, half, options.round ? half : half / 2};
  Section hole_section = peg_section;
  hole_section.x += options.clearance;
  hole_section.y += options.clearance;
  // Flat facets come closer to the axis than their corners do.
  if (options.round) hole_section.x /= std::cos(kPi / n);

  Scene scene;
  scene.title =
      options.round ? "A round peg is put into a hole" : "A rectangular peg is put into a hole";
  const double above = 0.5 * options.size, floor_gap = 0.5;
  const double travel = above + depth - floor_gap;
  scene.parts.push_back(
      {"peg", peg(peg_section, 1.5 * depth, chamfer),
       Pose::from_axis_angle(Vec3::UnitY(), options.tilt, {options.offset, 0, above})});
  scene.parts.push_back({"block", block(hole_section, depth, lead_in), {}});
  scene.groups.push_back({"peg", {0}, TranslationMotion{{0, 0, -travel}, options.steps}});
  scene.tolerance = std::min(1e-3, options.clearance / 10);
  scene.clearance_threshold = 4 * options.clearance;

  // How far the peg's side leaves the centre line at the height of the wall's upper end.
  const double reach = depth - floor_gap - lead_in;
  const double aside = std::abs(options.offset) + reach * std::sin(std::abs(options.tilt));
  const bool straight = options.tilt == 0;
  if (straight && aside < options.clearance)
    scene.truth = Truth::free;
  else if ((straight || options.offset == 0) && aside > 1.1 * options.clearance + 0.01 * half)
    scene.truth = Truth::contact;
  else
    scene.truth.reset();
  return scene;
}

}  // namespace touche::scenes
