// SPDX-License-Identifier: Apache-2.0
// Functions shared by the searches of near_shapes.h: for two convex shapes, and for a convex shape
// and a soup.
#pragma once

#include <span>

#include "convex/gjk.h"
#include "shape/contact_part.h"
#include "touche/near_faces.h"

namespace touche::shape {

/// The feature number for a nearest pair that has no feature; each pair of bodies has at most one.
inline constexpr Index kNamelessFeature = kRoundFeature >> 1;

/// Checks the options and clears the result.
void begin_near(const NearOptions& options, NearResult& result);
/// Sorts contacts and removes duplicates.
void end_near(const NearOptions& options, NearResult& result);
/// Transforms contacts from a frame at `pose` into the world.
void place_contacts(const Pose& pose, NearResult& result);

/// How far beside a part a point may be and still count as over it.
double patch_slack(const ContactPart& a, const ContactPart& b, double margin);
Feature nearest_feature(const convex::Body& body);
/// Whether no contact has about this distance or less.
bool needs_nearest(std::span<const Contact> found, double distance, double margin);

/// The nearest pair of points of two bodies, in a's frame; if they overlap, the direction that
/// separates them with the shortest move.
struct Facing {
  bool far = false;  // farther apart than the margin; the other members are not set then
  Vec3 direction = Vec3::UnitX();
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  double distance = 0;
  int supports = 0;
};
Facing facing(const convex::Pair& pair, double margin);

}  // namespace touche::shape
