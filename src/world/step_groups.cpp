// SPDX-License-Identifier: Apache-2.0
// Finds which bodies move with which group, and how.
#include <algorithm>

#include "math/moved_box.h"
#include "math/pose_bits.h"
#include "world/step_data.h"

namespace touche {
void Stepper::Data::register_motion(NodeId node, const Motion& motion) {
  const Index at = world.graph.checked(node);
  if (is_kept()) end_step();
  if (group_of.size() <= at) group_of.resize(at + 1, kNone);
  if (group_of[at] == kNone || groups[group_of[at]].node != node) {
    group_of[at] = static_cast<Index>(groups.size());
    groups.emplace_back();
  }
  Group& group = groups[group_of[at]];
  group.node = node;
  group.motion = motion;
  group.still = motion.is_still();
}

void Stepper::Data::begin_step() {
  for (const Group& group : groups) (void)world.graph.checked(group.node);
  world.refresh_poses();
  group_of.resize(std::max(group_of.size(), world.bodies.size()), kNone);
  mover_of.assign(world.bodies.size(), kNone);
  movers.clear();
  nested = false;
  for (Index g = 0; g < groups.size(); ++g) {
    Group& group = groups[g];
    group.first = static_cast<Index>(movers.size());
    const Index top = group.node.index;
    world.graph.walk_below(top, [&](Index node) {
      if (node != top && group_of[node] != kNone) {
        nested = true;
        return false;
      }
      if (!world.bodies[node].is_body()) return true;
      mover_of[node] = static_cast<Index>(movers.size());
      Mover& mover = movers.emplace_back();
      mover.node = node;
      mover.group = g;
      mover.is_group = node == top;
      if (!mover.is_group) mover.offset = relative(world.graph.pose(top), world.bodies[node].pose);
      mover.motion = body_motion(group, mover);
      return true;
    });
    group.last = static_cast<Index>(movers.size());
  }
  balls_.assign(movers.size(), {});
  world.tighten([&](Index node) { return mover_of[node] != kNone; });
  for (const Group& group : groups) set_boxes(group);
  world.flush_boxes();
}

Motion Stepper::Data::body_motion(const Group& group, const Mover& mover) const {
  return mover.is_group ? group.motion : group.motion.carrying(mover.offset);
}

void Stepper::Data::set_boxes(const Group& group) {
  // The moving body's box is grown by the whole distance at which two bodies count as in contact.
  const Vec3 reach = Vec3::Constant(options->clearance + options->tolerance);
  for (Index m = group.first; m < group.last; ++m) {
    const Mover& mover = movers[m];
    const Shape& shape = world.shape(mover.node);
    const Aabb box = world::swept_box(shape, mover.motion);
    world.set_loose(mover.node);
    world.bodies[mover.node].on_way = true;
    world.set_box(mover.node, world::is_half_space(shape) ? world::grown_within(box, reach[0])
                                                          : math::grown_by(box, reach));
  }
}

void Stepper::Data::change_motion(Index g, const Motion& motion, double from) {
  Group& group = groups[g];
  group.motion = motion;
  group.begin = from;
  group.still = motion.is_still();
  ++group.version;
  for (Index m = group.first; m < group.last; ++m) {
    movers[m].motion = body_motion(group, movers[m]);
    movers[m].asked_way = false;
    balls_[m].asked = false;
  }
  set_boxes(group);
  world.flush_boxes();
}

Motion Stepper::Data::rest_of(const Motion& motion, double begin, double from) const {
  const double t = (from - begin) / (1 - begin);
  if (!(t > 0)) return motion;
  return t < 1 ? motion.part(t, 1) : Motion::at(motion.pose(1));
}

Pose Stepper::Data::pose_of(const Group& group, double t) const {
  return group.motion.pose(group.begin < 1 ? (t - group.begin) / (1 - group.begin) : 1);
}

void Stepper::Data::commit(double t) {
  // A motion may be a function of the caller's: if it throws, nothing has moved yet.
  ends_.clear();
  for (const Group& group : groups) ends_.push_back(pose_of(group, t));
  const auto place = [&](Index g) {
    const Index node = groups[g].node.index;
    if (!PoseBits::same(ends_[g], world.graph.pose(node))) world.graph.set_pose(node, ends_[g]);
  };
  if (!nested) {
    for (Index g = 0; g < groups.size(); ++g) place(g);
    return;
  }
  // A group below another one is moved after it.
  std::vector<std::pair<Index, Index>> by_depth;
  for (Index g = 0; g < groups.size(); ++g)
    by_depth.emplace_back(world.graph.depth(groups[g].node.index), g);
  std::sort(by_depth.begin(), by_depth.end());
  for (const auto& [depth, g] : by_depth) place(g);
}

void Stepper::Data::end_step() {
  for (const Group& group : groups) group_of[group.node.index] = kNone;
  groups.clear();
  movers.clear();
  questions.clear();
  waiting.clear();
  searches_.give_back_all();
  kept_.reset();
}

}  // namespace touche
