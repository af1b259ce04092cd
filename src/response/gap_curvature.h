// SPDX-License-Identifier: Apache-2.0
// How the gap at a contact changes when the part moves, to second order.
#pragma once

#include "response/quadratic_program.h"
#include "shape/contact_part.h"
#include "touche/query.h"

namespace touche::response {

/// The second derivatives of the gap at a contact by the twist of a's body about `centre`. The gap
/// is that of the planes and lines in which the features lie, for d near 0. A vertex also gets
/// farther from an edge or a vertex sideways; for these pairs the gap is measured along their
/// normal only.
///
/// `along_a`, `along_b`: directions of the edges, where both features are edges.
Mat6 gap_curvature(const Contact& contact, const Vec3& centre, const Vec3& along_a,
                   const Vec3& along_b);

/// The same for features that may be round. The radii, in the world, belong to a where it is
/// farthest along the normal, and to b where it is farthest against it. As above, leaves out the
/// sideways distance if both are sharp, with radii and a distance far below the lever of the
/// contact.
Mat6 gap_curvature(const Contact& contact, const Vec3& centre, const shape::CurvatureRadii& radii_a,
                   const shape::CurvatureRadii& radii_b);

/// The x that minimises ½ (x − x0)ᵀ metric (x − x0) − Σ forces · gaps also minimises ½ (x − x1)ᵀ M
/// (x − x1).
struct BentSpring {
  Mat6 metric;  ///< M, positive definite
  Vec6 start;   ///< x1
};
/// `curvature`: the sum of forces times curvatures of gaps. Where rolling contacts would make the
/// spring weaker than half of itself, or reverse it, half of it is used: then a step towards the
/// least energy is shorter than it could be, but never in a wrong direction.
BentSpring bend(const Mat6& metric, const Vec6& start, const Mat6& curvature);

}  // namespace touche::response
