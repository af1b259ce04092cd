// SPDX-License-Identifier: Apache-2.0
#include "viewer/film.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "simulation/object_mesh.h"

namespace touche::viewer {
namespace {

constexpr int kMostHalvings = 12;  // of the time between two keys
constexpr std::size_t kMostKeyframes = 1'000'000;

// Parameters at which a motion is compared with linear interpolation between two keyframes. They
// are no simple fractions, at which rotations by whole revolutions would be missed.
constexpr double kProbes[] = {0.5, 0.2113, 0.7561};

double radius_about_origin(const Object& object) {
  const Aabb& box = object.bounds();
  return box.lo.cwiseAbs().cwiseMax(box.hi.cwiseAbs()).norm();
}

// How far points of a ball about the body's origin are apart at most.
double distance_of(const Pose& a, const Pose& b, double radius) {
  return (a.translation() - b.translation()).norm() +
         2 * radius * std::sin(relative(a, b).axis_angle().angle / 2);
}

// The keyframes of one body.
class Keyframes {
 public:
  Keyframes(const Motion& motion, double radius, double deviation)
      : motion_(motion), radius_(radius), deviation_(deviation) {}

  void add(double share, const Pose& pose) {
    shares.push_back(share);
    poses.push_back(pose);
  }

  void add_until(double end) {
    const double start = shares.back();
    halve(start, poses.back(), end, motion_.pose(end), 0);
  }

  std::vector<double> shares;
  std::vector<Pose> poses;

 private:
  // Adds what lies behind `start`, `end` included.
  void halve(double start, const Pose& first, double end, const Pose& last, int halvings) {
    const Motion straight = Motion::interpolated(first, last);
    const bool is_straight = halvings == kMostHalvings || shares.size() >= kMostKeyframes ||
                             std::all_of(std::begin(kProbes), std::end(kProbes), [&](double probe) {
                               return distance_of(motion_.pose(start + probe * (end - start)),
                                                  straight.pose(probe), radius_) <= deviation_;
                             });
    if (is_straight) {
      add(end, last);
      return;
    }
    const double middle = 0.5 * (start + end);
    const Pose between = motion_.pose(middle);
    halve(start, first, middle, between, halvings + 1);
    halve(middle, between, end, last, halvings + 1);
  }

  const Motion& motion_;
  double radius_, deviation_;
};

// The motion of the node that carries a node, and where the node is relative to that one; in the
// world where nothing moves it.
struct Carried {
  const Motion* motion = nullptr;
  Pose place;
};

Carried carried(const Opened& opened, const Timeline& timeline, std::span<const Pose> local_poses,
                std::uint32_t node) {
  Carried found;
  for (std::uint32_t n = node; n != protocol::kNoNode; n = opened.nodes[n].parent) {
    const auto moved =
        std::ranges::find(timeline.motions, n, [](const NodeMotion& m) { return m.node; });
    if (moved != timeline.motions.end()) {
      found.motion = &moved->motion;
      return found;
    }
    found.place = local_poses[n] * found.place;
  }
  return found;
}

}  // namespace

Animation film(const Opened& opened, const Timeline& timeline, std::span<const Pose> local_poses) {
  Animation made;
  made.name = opened.title;
  made.metres_per_unit = metres_per_unit(opened.unit);
  if (opened.simulation && !opened.simulation->gravity.isZero(0))
    made.up = -opened.simulation->gravity;
  for (const Object& object : opened.objects) made.meshes.push_back(simulation::mesh_of(object));
  for (const OpenedPart& part : opened.parts) {
    const std::size_t object = *opened.nodes[part.node].object;
    AnimatedBody body;
    body.name = part.name;
    body.mesh = static_cast<Index>(object);
    const Carried where = carried(opened, timeline, local_poses, part.node);
    if (where.motion == nullptr) {
      body.poses = {where.place};
      made.bodies.push_back(std::move(body));
      continue;
    }
    const Motion motion = where.motion->carrying(where.place);
    const double radius = radius_about_origin(opened.objects[object]);
    Keyframes keys(motion, radius, std::max(kFilmDeviation * opened.tolerance, 1e-6 * radius));
    keys.add(0, motion.pose(0));
    for (const double key : timeline.keys)
      if (const double share = timeline.share(key); share > keys.shares.back() && share < 1)
        keys.add_until(share);
    keys.add_until(1);
    for (const double share : keys.shares) body.times.push_back(share * timeline.duration);
    body.poses = std::move(keys.poses);
    made.bodies.push_back(std::move(body));
  }
  return made;
}

}  // namespace touche::viewer
