// SPDX-License-Identifier: Apache-2.0
#include "response/held_part.h"

#include <algorithm>
#include <string>
#include <utility>

#include "math/moved_box.h"
#include "query/thread_motion.h"
#include "response/gap_curvature.h"
#include "shape/shape_data.h"
#include "touche/shape.h"

namespace touche::response {
namespace {

// A box filled evenly, for a surface that encloses nothing.
MassProperties mass_of_box(const Aabb& box, double least_side) {
  constexpr double kThin = 0.01;
  const Vec3 sides = (box.hi - box.lo).cwiseMax(std::max(kThin * box.diagonal(), least_side));
  const Vec3 squares = sides.cwiseAbs2();
  MassProperties mass;
  mass.mass = sides.prod();
  mass.centre = box.centre();
  mass.inertia = (mass.mass / 12 * (Vec3::Constant(squares.sum()) - squares)).asDiagonal();
  return mass;
}

MassProperties mass_of(const Shape& shape, double least_side) {
  try {
    return mass_properties(shape, 1);
  } catch (const InvalidInput&) {
    return mass_of_box(shape.bounds(), least_side);
  }
}

// A query of two shapes may take less than a pair of nodes, but it must count.
std::uint64_t counted(const QueryStats& stats) {
  return std::max<std::uint64_t>(work_of_look(stats), 1);
}

Vec3 along(const World::Data::Body& body, const Feature& feature) {
  if (feature.kind != FeatureKind::edge) return Vec3::Zero();
  const PolygonSoup& soup = body.shape->object().soup();
  const Vec3 &begin = soup.vertex(soup.corner_vertex(feature.index)),
             &end = soup.vertex(soup.corner_vertex(soup.next_corner(feature.index)));
  return body.pose.rotate(end - begin).normalized();
}

// The radii in the world, where a body is farthest along a unit direction.
shape::CurvatureRadii radii_of(const World::Data::Body& body, const Feature& feature,
                               const Vec3& direction) {
  shape::CurvatureRadii radii;
  const bool is_face = feature.kind == FeatureKind::face;
  if (!body.shape->is_convex()) {
    const Vec3 edge = along(body, feature);
    radii.flat = is_face ? Mat3(Mat3::Identity()) : Mat3(edge * edge.transpose());
    return radii;
  }
  if (world::is_half_space(*body.shape)) {
    radii.flat.setIdentity();
    return radii;
  }
  const Mat3 turn = body.pose.matrix();
  radii =
      shape::curvature_radii(shape::body_of(*body.shape), feature, turn.transpose() * direction);
  return {turn * radii.round * turn.transpose(), turn * radii.flat * turn.transpose()};
}

}  // namespace

HeldPart::HeldPart(World::Data& world, NodeId node, const std::optional<MassProperties>& mass,
                   double least_side)
    : world_(&world), node_(node) {
  refresh();
  if (mass) validate(*mass);
  mass_ = mass ? *mass : mass_of_bodies(least_side);
  known_ = {};  // the reach was measured before there was a centre
  refresh();
}

void HeldPart::refresh() {
  const Index top = world_->graph.checked(node_);
  if (known_ == std::pair(world_->revision, world_->graph.changes())) return;
  bodies_.clear();
  is_held_.assign(world_->graph.size(), false);
  reach_ = 0;
  world_->graph.walk_below(top, [&](Index node) {
    if (!world_->bodies[node].is_body()) return true;
    if (world::is_half_space(world_->shape(node)))
      throw InvalidInput("handling: node " + std::to_string(node) +
                         " is a half space, which has no end and cannot be held");
    bodies_.push_back(node);
    is_held_[node] = true;
    const Pose place = relative(pose(), world_->graph.pose(node));
    const Aabb& box = world_->shape(node).bounds();
    for (unsigned corner = 0; corner < 8; ++corner) {
      Vec3 at = box.lo;
      for (unsigned k = 0; k < 3; ++k)
        if ((corner >> k & 1U) != 0) at[k] = box.hi[k];
      reach_ = std::max(reach_, (place * at - mass_.centre).norm());
    }
    return true;
  });
  std::sort(bodies_.begin(), bodies_.end());
  if (bodies_.empty()) throw InvalidInput("handling: no body hangs on the node that is held");
  known_ = {world_->revision, world_->graph.changes()};
}

MassProperties HeldPart::mass_of_bodies(double least_side) const {
  std::vector<MassProperties> masses;
  for (const Index node : bodies_)
    masses.push_back(placed(mass_of(world_->shape(node), least_side),
                            relative(pose(), world_->graph.pose(node))));
  return combined(masses);
}

Mat6 HeldPart::metric(const Pose& at) const {
  const Mat3 turn = at.matrix();
  Mat6 metric = Mat6::Identity();
  metric.bottomRightCorner<3, 3>() = turn * (mass_.inertia / mass_.mass) * turn.transpose();
  return metric;
}

Mat6 HeldPart::curvature(const NearContact& near) const {
  const Contact& contact = near.contact;
  const World::Data::Body &a = world_->bodies[near.held], &b = world_->bodies[near.other];
  const Vec3 centre = pose() * mass_.centre;
  if (world::are_soups(*a.shape, *b.shape))
    return gap_curvature(contact, centre, along(a, contact.feature_a), along(b, contact.feature_b));
  return gap_curvature(contact, centre, radii_of(a, contact.feature_a, contact.normal),
                       radii_of(b, contact.feature_b, -contact.normal));
}

// Lists the bodies near a body of the part.
void HeldPart::find_others(Index node, double margin) {
  const World::Data::Body& body = world_->bodies[node];
  const Aabb box = world::world_box(*body.shape, body.pose);
  const Vec3 grown = Vec3::Constant(margin);
  others_.clear();
  world_->boxes->in_box({box.lo - grown, box.hi + grown}, [&](Index number) {
    const Index other = world_->node_of_box[number];
    if (!is_held_[other] && world_->may_pair(node, other)) others_.push_back(other);
    return true;
  });
  std::sort(others_.begin(), others_.end());
}

void HeldPart::prepare_motions(double margin) {
  world_->refresh_for_search();
  for (const Index node : bodies_) {
    find_others(node, margin);
    const World::Data::Body& body = world_->bodies[node];
    for (const Index other : others_) {
      const World::Data::Body& near = world_->bodies[other];
      if (world::are_soups(*body.shape, *near.shape))
        query::prepare_threads(body.shape->object(), body.pose, near.shape->object(), near.pose);
    }
  }
}

HeldPart::Gap HeldPart::gap(std::span<const NearContact> contacts, double enough, Budget left,
                            QueryStats& stats) {
  Gap gap;
  std::pair<Index, Index> last{kNone, kNone};
  for (const NearContact& near : contacts) {
    const World::Data::Body &a = world_->bodies[near.held], &b = world_->bodies[near.other];
    double distance = near.contact.distance;
    if (distance <= enough && !world::are_soups(*a.shape, *b.shape)) {
      if (last == std::pair(near.held, near.other)) continue;
      last = {near.held, near.other};
      if (left.max_work == 0 || left.expired()) {
        gap.complete = false;
        continue;
      }
      const DistanceResult found = touche::distance(*a.shape, a.pose, *b.shape, b.pose,
                                                    {.budget = left, .workspace = &workspace_});
      stats += found.stats;
      // Distances may also be left open by rounding, and these count.
      const bool cut = !found.complete && (found.stats.work() >= left.max_work || left.expired());
      if (left.max_work != Budget::kUnlimited)
        left.max_work -= std::min(left.max_work, counted(found.stats));
      if (cut) {
        gap.complete = false;
        continue;
      }
      distance = found.distance.lower;
    }
    gap.least = std::min(gap.least, distance);
  }
  return gap;
}

bool HeldPart::find_contacts(const NearOptions& options, std::vector<NearContact>& contacts,
                             QueryStats& stats) {
  contacts.clear();
  world_->refresh_for_search();
  NearOptions rest = options;
  rest.workspace = &workspace_;
  bool complete = true;
  for (const Index node : bodies_) {
    const World::Data::Body& body = world_->bodies[node];
    find_others(node, options.max_distance);
    for (const Index other : others_) {
      // Queries of two shapes do not check the budget.
      if (rest.budget.max_work == 0 || rest.budget.expired()) return false;
      const World::Data::Body& near = world_->bodies[other];
      near_features(*body.shape, body.pose, *near.shape, near.pose, rest, near_);
      if (rest.budget.max_work != Budget::kUnlimited)
        rest.budget.max_work -= std::min(rest.budget.max_work, counted(near_.stats));
      for (const Contact& contact : near_.contacts) contacts.push_back({node, other, contact});
      stats += near_.stats;
      complete &= near_.complete;
    }
  }
  return complete;
}

}  // namespace touche::response
