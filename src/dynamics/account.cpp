// SPDX-License-Identifier: Apache-2.0
// The account of a step: all that changed a momentum in one of its parts is reported.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "dynamics/dynamics_data.h"

namespace touche {
namespace {

// Relative: times that differ by less are equal.
constexpr double kSameTime = 1e-12;
// Relative to a momentum: a smaller correction is rounding.
constexpr double kRoundingOfMomenta = 1e-12;

auto key(const RestingContact& c) {
  return std::tuple(c.a, c.b, c.feature_a.kind, c.feature_a.index, c.feature_b.kind,
                    c.feature_b.index, c.time);
}

// Sorts contacts, and joins entries of the same contact at the same time.
void sort(std::vector<RestingContact>& contacts) {
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const auto& c, const auto& d) { return key(c) < key(d); });
  auto to = contacts.begin();
  for (auto from = contacts.begin(); from != contacts.end(); ++from) {
    if (to != contacts.begin() && key(*(to - 1)) == key(*from))
      (to - 1)->force += from->force;
    else
      *to++ = *from;
  }
  contacts.erase(to, contacts.end());
}

}  // namespace

// Called when sleeping nodes that others come near are awake.
void Dynamics::Data::begin_account() {
  for (std::size_t i = 0; i < dynamic_count; ++i) nodes[i].slept = nodes[i].asleep;
}

// Counts the impulse of forces in time that was lost. No force acts on a node that sleeps, nor, in
// this part, on one that an impact woke.
void Dynamics::Data::close_account() {
  for (std::size_t i = 0; i < dynamic_count; ++i) {
    dynamics::MovingNode& node = nodes[i];
    node.was_awake = node.was_awake || !node.slept || !node.asleep;
    if (node.slept) {
      node.corrected -= dt * (node.force + node.inertia.mass * options.gravity);
      node.corrected_turn -= dt * node.torque;
    } else if (std::abs(node.pushed - dt) > kSameTime * dt) {
      node.corrected += (node.pushed - dt) * node.all_force;
      node.corrected_turn += (node.pushed - dt) * node.all_torque;
    }
  }
}

void Dynamics::Data::tell_corrections() {
  for (std::size_t i = 0; i < dynamic_count; ++i) {
    const dynamics::MovingNode& node = nodes[i];
    const bool is_small =
        node.corrected.norm() <= kRoundingOfMomenta * node.inertia.mass * node.linear.norm() &&
        node.corrected_turn.norm() <= kRoundingOfMomenta * node.angular_momentum.norm();
    if (node.was_awake && !is_small)
      result.corrections.push_back({node.node, node.corrected, node.corrected_turn});
  }
}

void Dynamics::Data::tell_motor(Index joint, double strength, const Vec3& axis) {
  if (strength == 0) return;
  result.pushes.push_back(
      {{joint, joints[joint].generation}, 0, strength * dt / step_time, 0, axis});
}

// Reports the limits of joints that hold, by the impulses that velocities contain.
void Dynamics::Data::tell_limits() {
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    const dynamics::SolverContact& contact = solver_contacts_[resting_.size() + i];
    const auto& [joint, sign] = limits_[i];
    if (contact.normal.impulse == 0) continue;
    const JointId id{joint, joints[joint].generation};
    auto at = std::find_if(result.pushes.begin(), result.pushes.end(),
                           [&](const JointPush& push) { return push.joint == id; });
    if (at == result.pushes.end()) {
      const bool slides = joints[joint].joint.type == JointType::slider;
      const Vec3& along = slides ? contact.normal.direction : contact.normal.lever_b;
      at = result.pushes.insert(at, {id, 0, 0, 0, sign * along});
    }
    at->limit += sign * contact.normal.impulse / step_time;
  }
}

// Reports the impulses of a pair whose bodies meet within the step, but rest on each other.
void Dynamics::Data::tell_resting(const dynamics::MeetingPair& pair, std::span<const Vec3> impulses,
                                  double t) {
  for (std::size_t i = pair.first; i < pair.last; ++i) {
    if (impulses[i].isZero(0)) continue;
    const auto& [feature_a, feature_b] = meeting_features_[i];
    met_contacts_.push_back({pair.a, pair.b, feature_a, feature_b, meeting_points_[i],
                             meeting_[i].normal.direction, meeting_[i].distance,
                             impulses[i] / step_time, t * dt});
  }
}

// Adds the contacts of this part to the contacts of the parts before.
void Dynamics::Data::add_contacts() {
  const bool is_last = part_ + 1 == parts_;
  if (parts_ == 1 && met_contacts_.empty()) return;
  for (const RestingContact& contact : result.contacts)
    if (is_last || !contact.force.isZero(0)) {
      contacts_before_.push_back(contact);
      contacts_before_.back().time = part_ * dt;
    }
  for (const RestingContact& contact : met_contacts_) {
    contacts_before_.push_back(contact);
    contacts_before_.back().time += part_ * dt;
  }
  if (!is_last) return;
  sort(contacts_before_);
  result.contacts.assign(contacts_before_.begin(), contacts_before_.end());
}

// The same for what joints pushed.
void Dynamics::Data::add_pushes() {
  for (const JointPush& push : result.pushes) {
    pushes_before_.push_back(push);
    pushes_before_.back().time = part_ * dt;
  }
  if (part_ + 1 < parts_ || pushes_before_.empty()) return;
  std::sort(pushes_before_.begin(), pushes_before_.end(), [](const auto& p, const auto& q) {
    return std::pair(p.joint, p.time) < std::pair(q.joint, q.time);
  });
  result.pushes.assign(pushes_before_.begin(), pushes_before_.end());
}

}  // namespace touche
