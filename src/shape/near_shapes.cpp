// SPDX-License-Identifier: Apache-2.0
#include "shape/near_shapes.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "convex/depth.h"
#include "convex/gjk.h"
#include "shape/contact_patch.h"
#include "shape/near_result.h"
#include "shape/shape_data.h"
#include "shape/soup_hull.h"

namespace touche::shape {

namespace {

// A point beside a part by less than this share of the margin lies over it. The nearest pair is
// added to the found contacts only if it is nearer than these by this share.
constexpr double kSlack = 0.02;
// If the cores are nearer than this share of the reaches, rounding makes their direction
// meaningless.
constexpr double kNoDirection = 1e-9;

auto key(const Contact& c) {
  return std::tuple(c.feature_a.kind, c.feature_a.index, c.feature_b.kind, c.feature_b.index);
}

}  // namespace

// ---- for both searches -------------------------------------------------------------------------

void begin_near(const NearOptions& options, NearResult& result) {
  if (!(options.max_distance >= 0)) throw InvalidInput("near: max_distance must not be negative");
  if (!(options.turn >= 0 && options.turn <= 0.5))
    throw InvalidInput("near: the turn must be in [0, 0.5]");
  result.contacts.clear();
  result.complete = true;
  result.stats = {};
}

void end_near(const NearOptions& options, NearResult& result) {
  std::vector<Contact>& contacts = result.contacts;
  std::sort(contacts.begin(), contacts.end(), [](const Contact& x, const Contact& y) {
    return std::tuple(key(x), x.distance, x.face_a, x.face_b) <
           std::tuple(key(y), y.distance, y.face_a, y.face_b);
  });
  contacts.erase(std::unique(contacts.begin(), contacts.end(),
                             [](const Contact& x, const Contact& y) { return key(x) == key(y); }),
                 contacts.end());
  if (contacts.size() > options.max_contacts) {
    contacts.resize(options.max_contacts);
    result.complete = false;
  }
}

void place_contacts(const Pose& pose, NearResult& result) {
  const Mat3 rotation = pose.matrix();
  for (Contact& c : result.contacts) {
    c.point_a = rotation * c.point_a + pose.translation();
    c.point_b = rotation * c.point_b + pose.translation();
    c.normal = rotation * c.normal;
  }
}

double patch_slack(const ContactPart& a, const ContactPart& b, double margin) {
  double slack = kSlack * margin;
  for (const ContactPart* part : {&a, &b}) {
    double size = 0;
    for (const Vec3& p : part->points) size = std::max(size, (p - part->points[0]).norm());
    if (size > 0) slack = std::min(slack, 1e-3 * size);
  }
  return slack;
}

Feature nearest_feature(const convex::Body& body) {
  const bool round = body.radius > 0 || !body.round.empty();
  return {FeatureKind::edge, kNamelessFeature | (round ? kRoundFeature : 0)};
}

Facing facing(const convex::Pair& pair, double margin) {
  const double radii = pair.a.radius + pair.b.radius;
  convex::SeparationOptions within;
  within.stop_above = margin;
  within.goal = radii > 0 ? convex::Goal::cores : convex::Goal::distance;
  const convex::Separation s = convex::separation(pair, within);
  Facing facing;
  facing.supports = s.supports;
  facing.far = s.lower > margin;
  facing.direction = s.direction;
  facing.point_a = s.point_a, facing.point_b = s.point_b;
  facing.distance = std::max(s.upper, 0.0);
  const double size = pair.a.reach + pair.b.reach + pair.b_in_a.translation.norm();
  if (!facing.far && !(s.upper + radii > kNoDirection * size)) {
    const convex::Penetration p = convex::penetration(pair, {1e-9, 0});
    facing.supports += p.supports;
    facing.direction = p.direction;
    facing.point_a = p.point_a, facing.point_b = p.point_b;
    facing.distance = 0;
  }
  if (facing.distance == 0)
    facing.point_a = facing.point_b = 0.5 * (facing.point_a + facing.point_b);
  return facing;
}

bool needs_nearest(std::span<const Contact> found, double distance, double margin) {
  // The margin may be far larger than the distance: the lowest point of an inclined disc lies
  // between the listed points of its rim.
  const double slack = kSlack * std::min(margin, distance);
  return std::none_of(found.begin(), found.end(),
                      [&](const Contact& c) { return c.distance <= distance + slack; });
}

// ---- two convex shapes -------------------------------------------------------------------------

namespace {

/// In a's frame.
void near_bodies(const convex::Body& a, const convex::Body& b, const convex::RigidTransform& b_in_a,
                 const NearOptions& options, NearResult& result) {
  const Facing f = facing({a, b, b_in_a, convex::placed_error(b, b_in_a)}, options.max_distance);
  result.stats.primitive_tests += static_cast<std::uint64_t>(f.supports);
  if (f.far) return;
  thread_local ContactPart part_a, part_b;
  const double lean = std::sin(options.turn);
  find_part(a, f.direction, lean, part_a);
  find_part(b, b_in_a.turned_back(-f.direction), lean, part_b);
  place_part(b_in_a, part_b);
  find_patch(part_a, part_b, f.direction, options.max_distance,
             patch_slack(part_a, part_b, options.max_distance), result.contacts);
  if (!(f.distance <= options.max_distance) ||
      !needs_nearest(result.contacts, f.distance, options.max_distance))
    return;
  Contact nearest;
  nearest.feature_a = part_a.size() == 1 ? part_a.vertices[0] : nearest_feature(a);
  nearest.feature_b = part_b.size() == 1 ? part_b.vertices[0] : nearest_feature(b);
  nearest.point_a = f.point_a, nearest.point_b = f.point_b;
  nearest.normal = f.direction;
  nearest.distance = f.distance;
  result.contacts.push_back(nearest);
}

/// For a half space b, in its frame.
void near_half_space(const convex::Body& a, const convex::RigidTransform& a_in_b,
                     const HalfSpace& b, const NearOptions& options, NearResult& result) {
  const Vec3 down = a_in_b.turned_back(-b.normal);
  ++result.stats.primitive_tests;
  const auto height = [&](const Vec3& core) { return b.normal.dot(core) - b.offset - a.radius; };
  const auto add = [&](const Vec3& core, const Feature& feature) {
    const double gap = height(core);
    if (!(gap <= options.max_distance)) return;
    Contact c;
    c.feature_a = feature;
    c.feature_b = {FeatureKind::face, 0};
    c.normal = -b.normal;
    c.distance = std::max(0.0, gap);
    c.point_a = core - a.radius * b.normal;
    c.point_b = c.point_a - c.distance * b.normal;
    result.contacts.push_back(c);
  };
  thread_local ContactPart part;
  find_part(a, down, std::sin(options.turn), part);
  place_part(a_in_b, part);
  for (std::size_t i = 0; i < part.size(); ++i) add(part.points[i], part.vertices[i]);
  const Vec3 lowest = a_in_b * convex::supporting(a, down).point;
  const double distance = std::max(height(lowest), 0.0);
  if (needs_nearest(result.contacts, distance, options.max_distance))
    add(lowest, nearest_feature(a));
}

}  // namespace

void near_convex(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                 const NearOptions& options, NearResult& result) {
  if (a.kind() == ShapeKind::half_space) {
    if (b.kind() == ShapeKind::half_space)
      throw InvalidInput("near: two half spaces are near everywhere or nowhere");
    near_convex(b, pose_b, a, pose_a, options, result);
    exchange(result);
    return;
  }
  begin_near(options, result);
  if (b.kind() == ShapeKind::half_space) {
    near_half_space(body_of(a), convex::RigidTransform(pose_b, pose_a), base::data_of(b).half_space,
                    options, result);
    place_contacts(pose_b, result);
  } else {
    near_bodies(body_of(a), body_of(b), convex::RigidTransform(pose_a, pose_b), options, result);
    place_contacts(pose_a, result);
  }
  end_near(options, result);
}

void exchange(NearResult& result) {
  for (Contact& c : result.contacts) {
    std::swap(c.face_a, c.face_b);
    std::swap(c.feature_a, c.feature_b);
    std::swap(c.point_a, c.point_b);
    c.normal = -c.normal;
  }
  std::sort(result.contacts.begin(), result.contacts.end(),
            [](const Contact& x, const Contact& y) { return key(x) < key(y); });
}

namespace {

void near_soups(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                const NearOptions& options, NearResult& result) {
  begin_near(options, result);
  if (!near_features_by_hulls(a, pose_a, b, pose_b, options, result))
    near_features(a, pose_a, b, pose_b, options, result);
}

}  // namespace

}  // namespace touche::shape

namespace touche {

void near_features(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   const NearOptions& options, NearResult& result) {
  for (const Shape* shape : {&a, &b})
    if (!shape->is_convex() && shape->radius() > 0)
      throw InvalidInput(
          "near: a rounded soup has no features; give its object, and a larger max_distance");
  if (a.is_convex() && b.is_convex()) {
    shape::near_convex(a, pose_a, b, pose_b, options, result);
  } else if (a.is_convex()) {
    shape::near_soup(a, pose_a, b.object(), pose_b, options, result);
  } else if (b.is_convex()) {
    shape::near_soup(b, pose_b, a.object(), pose_a, options, result);
    shape::exchange(result);
  } else {
    shape::near_soups(a.object(), pose_a, b.object(), pose_b, options, result);
  }
}

NearResult near_features(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                         const NearOptions& options) {
  NearResult result;
  near_features(a, pose_a, b, pose_b, options, result);
  return result;
}

}  // namespace touche
