// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "mesh_builder.h"
#include "pi.h"
#include "scenes.h"
#include "thread.h"

namespace touche::scenes {
namespace {

/// A point on the hexagon of the given width, in direction i of n.
Vec2 on_hexagon(double across_flats, Index i, Index n) {
  const Index side = 6 * i / n;
  const Vec2 direction = on_circle(i, n), normal = on_circle(2 * side + 1, 12);
  return direction * (across_flats / 2 / direction.dot(normal));
}

Ring circle(MeshBuilder& mesh, double radius, double z, Index n) {
  return mesh.ring(n, [&](Index i) {
    const Vec2 p = on_circle(i, n) * radius;
    return Vec3(p.x(), p.y(), z);
  });
}

/// Where the 30° cone of a chamfer meets the hexagon. The cone leaves the face at height `z` on
/// the circle of `radius` and falls away from it, downwards for `side` = 1, upwards for −1.
Ring chamfered_hexagon(MeshBuilder& mesh, double across_flats, double radius, double z, int side,
                       Index n) {
  return mesh.ring(n, [&](Index i) {
    const Vec2 p = on_hexagon(across_flats, i, n);
    return Vec3(p.x(), p.y(), z - side * (p.norm() - radius) / std::sqrt(3.0));
  });
}

/// The six flats as one polygon each; a ring holds as many points as it likes per side.
void add_flats(MeshBuilder& mesh, const Ring& lower, const Ring& upper) {
  for (std::size_t side = 0; side < 6; ++side) {
    Ring polygon;
    const std::size_t a = lower.size() / 6, b = upper.size() / 6;
    for (std::size_t i = 0; i <= a; ++i) polygon.push_back(lower[(side * a + i) % lower.size()]);
    for (std::size_t i = b + 1; i-- > 0;) polygon.push_back(upper[(side * b + i) % upper.size()]);
    mesh.cap(polygon);
  }
}

/// Where everything is along the axis.
struct Layout {
  const ThreadSize& size;
  Index segments;
  double run_out, full_thread;  ///< the groove begins; it has its full depth
  double length;                ///< of the bolt, from under its head
  double nut;                   ///< the nut's lower face at the start, a multiple of the pitch
};

Layout lay_out(const ThreadSize& size, Index segments, double spare_turns) {
  const double p = size.pitch;
  const double run_out = 0.5 * size.diameter, full_thread = run_out + 2 * p;
  const double nut = p * std::ceil(full_thread / p + 2);
  return {size,        std::max<Index>(12, (segments + 11) / 12 * 12),  run_out,
          full_thread, nut + size.nut_height + (1.5 + spare_turns) * p, nut};
}

PolygonSoup bolt_with(const Layout& at, const ThreadProfile& thread) {
  const ThreadSize& size = at.size;
  const Index n = at.segments;
  MeshBuilder mesh;

  // The head, from its top down to the washer face and the shank.
  const double chamfer = 0.475 * size.across_flats, washer = 0.02 * size.diameter + 0.1;
  const Ring top = circle(mesh, chamfer, -size.head_height, n);
  const Ring edge = chamfered_hexagon(mesh, size.across_flats, chamfer, -size.head_height, -1, n);
  const Ring corners = mesh.ring(6, [&](Index i) {
    const Vec2 p = on_hexagon(size.across_flats, i, 6);
    return Vec3(p.x(), p.y(), -washer);
  });
  const Ring washer_top = circle(mesh, chamfer, -washer, n);
  const Ring washer_face = circle(mesh, chamfer, 0, n);
  const Ring shank = circle(mesh, thread.crest(), 0, n);
  mesh.cap_below(top);
  mesh.strip(top, edge);
  add_flats(mesh, edge, corners);
  mesh.uneven_strip(corners, washer_top);
  mesh.strip(washer_top, washer_face);
  mesh.strip(washer_face, shank);

  // The thread: its groove fades into the shank, and a 45° cone leads in at the end.
  std::vector<Column> columns;
  for (Index i = 0; i < n; ++i) {
    Column column = thread_column(thread, at.run_out, at.length, i, n);
    for (ColumnPoint& p : column) {
      const double depth = (p.z - at.run_out) / (at.full_thread - at.run_out);
      p.radius = std::lerp(thread.crest(), p.radius, std::clamp(depth, 0.0, 1.0));
    }
    columns.push_back(cut(column, at.length, thread.root() - 0.1 * size.pitch, -1, true));
  }
  const ThreadEnds ends = add_thread(mesh, columns, 1, true);
  mesh.strip(shank, ends.bottom);
  mesh.cap(ends.top);
  return mesh.soup();
}

PolygonSoup nut(const Layout& at, const ThreadProfile& thread) {
  const ThreadSize& size = at.size;
  const Index n = at.segments;
  const double height = size.nut_height, chamfer = 0.475 * size.across_flats;
  MeshBuilder mesh;

  // The hole: 120° countersinks at both ends. Facets cut corners towards the axis, so their
  // corners are moved out until the middle of each facet lies on the thread.
  const double mouth = 0.53 * size.diameter;
  std::vector<Column> columns;
  for (Index i = 0; i < n; ++i) {
    const Column column = thread_column(thread, 0, height, i, n);
    columns.push_back(
        cut(cut(column, 0, mouth, -std::sqrt(3.0), false), height, mouth, std::sqrt(3.0), false));
  }
  const ThreadEnds hole = add_thread(mesh, columns, 1 / std::cos(kPi / n), false);

  const Ring bottom = circle(mesh, chamfer, 0, n), top = circle(mesh, chamfer, height, n);
  const Ring lower = chamfered_hexagon(mesh, size.across_flats, chamfer, 0, -1, n);
  const Ring upper = chamfered_hexagon(mesh, size.across_flats, chamfer, height, 1, n);
  mesh.strip(hole.bottom, bottom);
  mesh.strip(bottom, lower);
  add_flats(mesh, lower, upper);
  mesh.strip(upper, top);
  mesh.strip(top, hole.top);
  return mesh.soup();
}

/// How far the profiles must be moved apart along the radius for the flanks to be `clearance`
/// apart. Flanks are steepest near the root, where the helix rises most.
double radial_gap(const ThreadSize& size, double clearance) {
  const double root = size.diameter / 2 - 0.625 * std::sqrt(0.75) * size.pitch;
  const double rise = size.pitch / (2 * kPi * root);
  return clearance * std::sqrt(3.0) * std::sqrt(4.0 / 3 + rise * rise);
}

/// The diagonals of twisted quadrilaterals leave the helical surface by this much at most,
/// measured along the radius: the angle along a chord between radii r and r + h does not grow
/// evenly.
double facet_error(const ThreadSize& size, Index segments) {
  const double step = 2 * kPi / segments, height = 0.625 * std::sqrt(0.75) * size.pitch / 3;
  return step * height / (4 * 0.4 * size.diameter) * size.pitch / (2 * kPi) * std::sqrt(3.0);
}

}  // namespace

Scene nut_and_bolt(const NutAndBoltOptions& options) {
  const ThreadSize& size = thread_size(options.size);
  const Layout at = lay_out(size, options.segments, options.spare_turns);
  const double gap = radial_gap(size, options.clearance);
  if (!(options.clearance > 0) || gap > 0.4 * size.pitch)
    throw InvalidInput(
        fmt::format("nut_and_bolt: a clearance of {} mm; it must be more than 0, and no more than "
                    "{:.3g} mm for "
                    "{}, lest no thread is left",
                    options.clearance, 0.4 * size.pitch / radial_gap(size, 1), options.size));
  if (!(std::abs(options.pitch_error) < 0.5))
    throw InvalidInput(fmt::format(
        "nut_and_bolt: a pitch error of {}; it is a share, and must be between -0.5 and 0.5",
        options.pitch_error));
  if (!(options.turns >= 0) || !(options.spare_turns >= 0) || options.poses_per_turn < 0)
    throw InvalidInput("nut_and_bolt: turns and poses per turn must be 0 or more");
  const double error = facet_error(size, at.segments);

  Scene scene;
  scene.title = "Unscrewing an " + options.size + " nut from its bolt";
  scene.parts.push_back({"bolt", bolt_with(at, ThreadProfile(size, -gap - error)), {}});
  scene.parts.push_back(
      {"nut", nut(at, ThreadProfile(size, error)), Pose::from_translation({0, 0, at.nut})});
  scene.tolerance = std::min(1e-3, options.clearance / 10);
  scene.clearance_threshold = 4 * options.clearance;

  const double pitch = size.pitch * (1 + options.pitch_error);
  const double turns = options.turns > 0
                           ? options.turns
                           : std::ceil((at.length + 0.25 * size.pitch - at.nut) / pitch);
  if (options.poses_per_turn == 0) {
    scene.groups.push_back({"nut", {1}, ScrewMotion{Vec3::Zero(), Vec3::UnitZ(), turns, pitch, 1}});
  } else {
    const int steps = std::max(1, static_cast<int>(std::ceil(turns * options.poses_per_turn)));
    RecordedMotion motion;
    for (int i = 0; i <= steps; ++i) {
      const double turned = turns * i / steps;
      motion.poses.push_back(
          Pose::from_axis_angle(Vec3::UnitZ(), 2 * kPi * turned, {0, 0, pitch * turned}));
    }
    scene.groups.push_back({"nut", {1}, std::move(motion)});
  }

  if (options.pitch_error != 0) {
    scene.title += " with a wrong pitch";
    // Off the thread's helix by more than the play along the axis, with a full turn still engaged.
    const double engaged = std::min(turns, (at.length - at.nut) / pitch - 2);
    const double play = gap / std::sqrt(3.0);
    const double off = std::abs(options.pitch_error) * size.pitch * engaged;
    if (off > 1.2 * play)
      scene.truth = Truth::contact;
    else if (std::abs(options.pitch_error) * size.pitch * turns > 0.8 * play)
      scene.truth.reset();
  }
  return scene;
}

}  // namespace touche::scenes
