// SPDX-License-Identifier: Apache-2.0
#include "traffic.h"

#include <algorithm>
#include <cmath>

#include "scenes.h"

namespace touche::bench {
namespace {

constexpr double kApart = 6, kGap = 0.02, kWay = 0.1, kTurn = 0.05;

}  // namespace

Traffic::Traffic(const TrafficSetting& setting) : random_(setting.seed) {
  std::vector<Object> meshes;
  for (Index i = 0; i < setting.meshes; ++i)
    meshes.emplace_back(scenes::bumpy_sphere(setting.triangles, setting.seed + i));
  // One to a cell of a grid, anywhere in the middle of it.
  const auto cells = static_cast<Index>(std::ceil(std::cbrt(setting.bodies)));
  half_side_ = 0.5 * kApart * cells;
  for (Index i = 0; i < setting.bodies; ++i) {
    const Vec3 cell(i % cells, i / cells % cells, i / cells / cells);
    const Vec3 jitter = random_.in_box(0.5 * kApart - 1.5), axis = random_.direction();
    const double angle = random_.uniform(0, 3);
    const Vec3 at = kApart * (cell + Vec3::Constant(0.5)) - Vec3::Constant(half_side_) + jitter;
    Body& body = bodies_.emplace_back();
    body.wanted = Pose::from_axis_angle(axis, angle, at);
    choose_way(body);
    ids_.push_back(world_.add(meshes[i % meshes.size()], body.wanted));
  }
  const auto followers = static_cast<Index>(setting.close * setting.bodies / 2);
  const Index stride = followers == 0 ? 0 : setting.bodies / followers;
  for (Index i = 0; i < followers && stride > 1; ++i) put_beside(stride * i + 1, stride * i);
}

void Traffic::choose_way(Body& body) {
  body.way = kWay * random_.direction();
  body.axis = random_.direction();
}

// Brings one towards the other until they are a gap apart; no step is longer than what is free.
void Traffic::put_beside(Index follower, Index leader) {
  Body& body = bodies_[follower];
  body.beside = leader;
  const Pose& other = bodies_[leader].wanted;
  const Vec3 towards = (other.translation() - body.wanted.translation()).normalized();
  const Object &object = world_.object(ids_[follower]), &other_object = world_.object(ids_[leader]);
  for (double free = kInfinity; free > 1e-3;) {
    free = distance(object, body.wanted, other_object, other).distance.lower - kGap;
    body.wanted = Pose::from_quaternion_unchecked(body.wanted.rotation(),
                                                  body.wanted.translation() + free * towards);
  }
  body.place = relative(other, body.wanted);
  world_.set_pose(ids_[follower], body.wanted);
}

void Traffic::give_motions(Stepper& stepper) {
  choose_motions();
  for (std::size_t i = 0; i < ids_.size(); ++i) stepper.move(ids_[i], motions_[i]);
}

void Traffic::choose_motions() {
  motions_.clear();
  for (Index i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    const Pose start = world_.pose(ids_[i]);
    Pose end;
    if (body.beside == kNone) {
      const Vec3& at = start.translation();
      const bool outside = at.cwiseAbs().maxCoeff() > half_side_;
      if (outside || (at - body.wanted.translation()).norm() > 1e-9) choose_way(body);
      if (outside && body.way.dot(at) > 0) body.way = -body.way;
      const Pose turn = Pose::from_axis_angle(body.axis, kTurn, Vec3::Zero());
      end = Pose::from_quaternion_unchecked((turn * start).rotation(), at + body.way);
    } else {
      const Pose place = bodies_[body.beside].wanted * body.place;
      const Vec3 stray = 1.5 * kGap * random_.direction();
      Vec3 way = place.translation() + stray - start.translation();
      way *= std::min(1.0, 2 * kWay / way.norm());  // it may have been left behind
      end = Pose::from_quaternion_unchecked(place.rotation(), start.translation() + way);
    }
    body.wanted = end;
    motions_.push_back(Motion::interpolated(start, end));
  }
}

}  // namespace touche::bench
