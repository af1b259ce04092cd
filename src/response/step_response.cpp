// SPDX-License-Identifier: Apache-2.0
// Ready-made responses for steps of a world. The motion of a group is shifted by the smallest
// vector with which the points of its contacts do not come nearer: a point in a few half-spaces.
// Rotation moves points on arcs, so for each point both its end position and its initial direction
// count.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/data_access.h"
#include "response/half_spaces.h"
#include "response/shifted_motion.h"
#include "touche/response.h"

namespace touche {
namespace {

constexpr double kBeginning = 1.0 / 64;  // its initial direction is measured over this fraction
constexpr double kStepSlack = 1e-12;     // relative to what is projected

/// How far a point of a group moves along a direction in the rest of the step: at the end of it,
/// and if it went on as it begins.
struct Advance {
  double at_end, as_it_begins;

  Advance(const Motion& rest, const Vec3& point, const Vec3& direction) {
    const Vec3 local = rest.pose(0).inverse() * point;
    at_end = direction.dot(rest.pose(1) * local - point);
    as_it_begins = direction.dot(rest.pose(kBeginning) * local - point) / kBeginning;
  }
};

/// The part that one of the two bodies has in a contact.
struct ContactShare {
  NodeId group, body, other;
  bool other_stands = false;
  Vec3 point = Vec3::Zero();    // of the body
  Vec3 normal = Vec3::UnitX();  // away from the other body
};

/// By how much the bodies approach at the contact in the rest of the step: the larger of both
/// estimates.
double approach_of(const StepContact& contact, const Contact& at) {
  const Advance a(contact.rest_a, at.point_a, at.normal), b(contact.rest_b, at.point_b, at.normal);
  return std::max(a.at_end - b.at_end, a.as_it_begins - b.as_it_begins);
}

std::array<ContactShare, 2> shares_of(const StepContact& contact, const Contact& at) {
  const auto stands = [](NodeId group, const Motion& rest) {
    return group.index == kNone || rest.is_still();
  };
  return {ContactShare{contact.group_a, contact.pair.a, contact.pair.b,
                       stands(contact.group_b, contact.rest_b), at.point_a, -at.normal},
          ContactShare{contact.group_b, contact.pair.b, contact.pair.a,
                       stands(contact.group_a, contact.rest_a), at.point_b, at.normal}};
}

/// Earlier contacts of groups with bodies that stand still.
class Memory {
 public:
  Memory(const World& world, double reach)
      : world_(std::make_shared<const World>(DataAccess::share(world))), reach_(reach) {}

  /// Forgets the step before: time begins again.
  void begin(double t) {
    if (t < time_) met_.clear();
    time_ = t;
  }

  void add(const ContactShare& share, const Pose& pose, double gap) {
    if (share.other_stands)
      met_.push_back(
          {share, pose.inverse() * share.point, share.point, gap, world_->pose(share.other)});
  }

  /// Adds half-spaces that bar a group's shift. Contacts that separated are dropped.
  void bar(NodeId group, const Pose& pose, const Motion& rest,
           std::vector<response::HalfSpace3>& spaces) {
    std::erase_if(met_, [&](const Met& m) { return m.share.group == group && !is_near(m, pose); });
    for (const Met& m : met_) {
      if (m.share.group != group) continue;
      const Advance advance(rest, pose * m.local, m.share.normal);
      spaces.push_back({m.share.normal, -std::min({advance.at_end, advance.as_it_begins, 0.0})});
    }
  }

 private:
  struct Met {
    ContactShare share;
    Vec3 local, point;  // of the contact, in the group's frame and in the world
    double gap;
    Pose other;
  };

  bool is_near(const Met& m, const Pose& pose) const {
    if (m.share.normal.dot(pose * m.local - m.point) + m.gap > reach_) return false;
    if (!world_->has(m.share.body) || !world_->has(m.share.other)) return false;
    const Pose other = world_->pose(m.share.other);
    if (other.translation() != m.other.translation() ||
        other.rotation().coeffs() != m.other.rotation().coeffs())
      return false;
    const Pose body = pose * relative(world_->pose(m.share.group), world_->pose(m.share.body));
    return distance(world_->shape(m.share.body), body, world_->shape(m.share.other), other,
                    {.max_distance = reach_, .stop_below = reach_})
        .closest.has_value();
  }

  std::shared_ptr<const World> world_;  // a handle of its data
  double reach_;
  double time_ = kInfinity;
  std::vector<Met> met_;
};

/// New motions for the groups of a contact: together they shift apart by (1 + restitution) times
/// the length by which they would have approached.
std::vector<GroupMotion> answer(const StepContact& contact, double restitution, Memory* memory) {
  std::vector<GroupMotion> motions;
  if (!contact.pair.contact) return motions;
  const Contact& at = *contact.pair.contact;
  const double approach = std::max(0.0, approach_of(contact, at));
  const std::array<ContactShare, 2> shares = shares_of(contact, at);
  const bool both = !shares[0].other_stands && !shares[1].other_stands;
  for (std::size_t i = 0; i < 2; ++i) {
    const ContactShare& share = shares[i];
    const Motion& rest = i == 0 ? contact.rest_a : contact.rest_b;
    const Pose& pose = i == 0 ? contact.pose_a : contact.pose_b;
    if (share.group.index == kNone || rest.is_still()) continue;
    std::vector<response::HalfSpace3> spaces = {
        {share.normal, (both ? 0.5 : 1) * (1 + restitution) * approach}};
    if (memory != nullptr) {
      memory->bar(share.group, pose, rest, spaces);
      memory->add(share, pose, at.distance);
    }
    if (const auto shift =
            response::nearest_of_any_size(std::move(spaces), Vec3::Zero(), kStepSlack))
      motions.push_back({share.group, response::shifted(rest, Vec3::Zero(), *shift)});
  }
  return motions;
}

}  // namespace

StepResponse stop_response() {
  return [](const StepContact&) { return std::vector<GroupMotion>(); };
}

StepResponse slide_response(const World& world, double reach) {
  if (!(reach >= 0 && std::isfinite(reach)))
    throw InvalidInput("slide_response: the reach must be a length >= 0");
  return [memory = Memory(world, reach)](const StepContact& contact) mutable {
    memory.begin(contact.pair.time.lower);
    return answer(contact, 0, &memory);
  };
}

StepResponse reflect_response(double restitution) {
  if (!(restitution >= 0 && restitution <= 1))
    throw InvalidInput("reflect_response: the restitution must be in [0, 1]");
  return
      [restitution](const StepContact& contact) { return answer(contact, restitution, nullptr); };
}

}  // namespace touche
