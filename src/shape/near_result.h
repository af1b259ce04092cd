// SPDX-License-Identifier: Apache-2.0
// The searches of near_shapes.h share this: that of two convex shapes, and that of one and a soup.
#pragma once

#include <span>

#include "convex/gjk.h"
#include "shape/contact_part.h"
#include "touche/near_faces.h"

namespace touche {

/// The place of a nearest pair that no feature stands for; there is one of each pair at most.
inline constexpr Index kNamelessFeature = kRoundFeature >> 1;

/// Checks the options and clears the result.
void begin_near(const NearOptions& options, NearResult& result);
/// Puts contacts in order, each once.
void end_near(const NearOptions& options, NearResult& result);
/// Brings them from a frame that is at `pose` into the world.
void place_contacts(const Pose& pose, NearResult& result);

/// How far beside a part counts as over it.
double patch_slack(const ContactPart& a, const ContactPart& b, double margin);
Feature nearest_feature(const convex::Body& body);
/// Whether none of the contacts is about as near as this.
bool needs_nearest(std::span<const Contact> found, double distance, double margin);

/// The nearest pair of two bodies, in a's frame, or of those that touch the direction in which they
/// come apart soonest.
struct Facing {
  bool far = false;  // farther apart than the margin; then nothing else is told
  Vec3 direction = Vec3::UnitX();
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  double distance = 0;
  int supports = 0;
};
Facing facing(const convex::Pair& pair, double margin);

}  // namespace touche
