// SPDX-License-Identifier: Apache-2.0
// Swept volumes against the same kind of volume around points of the path, and every kind around
// such points against their convex hull. Motions are small, as between recorded poses: about 2
// degrees and a tenth of the body's size, of nodes of all sizes anywhere in a body of size 1.
#include <cmath>

#include "base/random.h"
#include "evaluation/continuous_methods.h"
#include "methods/bounds/any_volume.h"
#include "methods/continuous/swept_volumes.h"

namespace touche::evaluation {
namespace {

using bounds::Mixed;
using Kind = Mixed::Kind;

class Cases {
 public:
  Motion motion() {
    const Pose start = pose(3, 1);
    return Motion::interpolated(start, pose(0.07, 0.1) * start);
  }

  Mixed volume(Kind kind) {
    const double size = std::exp(random_.uniform(std::log(0.01), 0));
    const Vec3 centre = random_.in_box(0.5),
               half = size * Vec3{0.5, random_.uniform(0.05, 0.5), random_.uniform(0.01, 0.1)};
    if (kind == Kind::sphere) return bounds::Sphere{centre, half.x()};
    if (kind == Kind::aabb) return bounds::AabbMinMax{centre - half, centre + half};
    return bounds::Obb{centre, pose(3, 0).matrix(), half};
  }

  Vec3 point(const Mixed& v) {
    if (v.kind != Kind::sphere)
      return v.box.centre + v.box.axes * v.box.half.cwiseProduct(corner());
    return v.box.centre + v.box.half.x() * random_.direction();
  }

 private:
  // One draw after the other: every compiler gets the same cases.
  Pose pose(double most_turned, double most_moved) {
    const Vec3 axis = random_.in_box(1);
    const double angle = random_.uniform(0, most_turned);
    return Pose::from_axis_angle(axis, angle, random_.in_box(most_moved));
  }
  Vec3 corner() {
    const auto sign = [this] { return random_.below(2) == 0 ? -1.0 : 1.0; };
    const double x = sign(), y = sign();
    return {x, y, sign()};
  }
  base::Random random_{1};
};

double surface_around(const std::vector<Vec3>& points, Kind kind) {
  switch (kind) {
    case Kind::sphere:
      return bounds::Sphere::fit(points).surface_area();
    case Kind::aabb:
      return bounds::AabbMinMax::fit(points).surface_area();
    case Kind::obb:
      return bounds::Obb::fit(points).surface_area();
  }
  return 0;
}

}  // namespace

std::vector<ContinuousEvaluation::SweptVolume> measure_swept_volumes() {
  constexpr int kMotions = 200, kTimes = 8, kPoints = 24;
  constexpr std::pair<Sweep, const char*> kSweeps[] = {
      {Sweep::start_end, "start and end"},
      {Sweep::start_end_enclosing, "start and end, enclosing"},
      {Sweep::motion_length, "motion length"},
      {Sweep::motion_length_enclosing, "motion length, enclosing"}};
  constexpr std::pair<Kind, const char*> kKinds[] = {
      {Kind::sphere, "sphere"}, {Kind::aabb, "aabb"}, {Kind::obb, "obb"}};
  std::vector<ContinuousEvaluation::SweptVolume> result;
  for (const auto& [kind, volume_name] : kKinds)
    for (const auto& [sweep, sweep_name] : kSweeps) {
      Cases cases;
      double log_sum = 0;
      std::size_t outside = 0;
      for (int i = 0; i < kMotions; ++i) {
        const Motion motion = cases.motion();
        const Mixed volume = cases.volume(kind);
        const Mixed swept = continuous::SweptVolumes(motion, sweep, SweptBy::own).of(volume);
        std::vector<Vec3> points;
        for (int k = 0; k < kTimes; ++k) {
          const Pose pose = motion.pose(static_cast<double>(k) / (kTimes - 1));
          for (int p = 0; p < kPoints; ++p) points.push_back(pose * cases.point(volume));
        }
        for (const Vec3& p : points) outside += swept.contains(p) ? 0 : 1;
        log_sum += std::log(swept.surface_area() / surface_around(points, kind));
      }
      result.push_back({volume_name, sweep_name, std::exp(log_sum / kMotions),
                        static_cast<double>(outside) / (kMotions * kTimes * kPoints)});
    }
  return result;
}

std::vector<ContinuousEvaluation::PathVolume> measure_path_volumes() {
  constexpr int kMotions = 100, kTimes = 8, kPoints = 12;
  std::vector<std::vector<Vec3>> paths;
  Cases cases;
  for (int i = 0; i < kMotions; ++i) {
    const Motion motion = cases.motion();
    const Mixed volume = cases.volume(Kind::obb);
    std::vector<Vec3>& points = paths.emplace_back();
    points.reserve(static_cast<std::size_t>(kTimes) * kPoints);
    for (int k = 0; k < kTimes; ++k)
      for (int p = 0; p < kPoints; ++p)
        points.push_back(motion.pose(static_cast<double>(k) / (kTimes - 1)) * cases.point(volume));
  }
  std::vector<double> hulls;
  hulls.reserve(paths.size());
  for (const auto& points : paths)
    hulls.push_back(bounds::find_kind("hull")->fit(points).surface_area());
  std::vector<ContinuousEvaluation::PathVolume> result;
  for (const bounds::VolumeKind& kind : bounds::volume_kinds()) {
    double log_sum = 0;
    for (std::size_t i = 0; i < paths.size(); ++i)
      log_sum += std::log(kind.fit(paths[i]).surface_area() / hulls[i]);
    result.push_back({std::string(kind.name), std::exp(log_sum / kMotions)});
  }
  return result;
}

}  // namespace touche::evaluation
