// SPDX-License-Identifier: Apache-2.0
// How the gap at a contact changes when the part moves, in second order.
#pragma once

#include "response/quadratic_program.h"
#include "shape/contact_part.h"
#include "touche/query.h"

namespace touche {

/// The second derivatives of the gap at a contact by the twist of a's body about `centre`. The gap
/// is that of the planes and lines that the features lie in, for d near 0; of a vertex and an edge
/// or a vertex, which get farther apart aside, that along their normal.
///
/// `along_a`, `along_b`: directions of the edges, where both features are edges.
Mat6 gap_curvature(const Contact& contact, const Vec3& centre, const Vec3& along_a,
                   const Vec3& along_b);

/// The same of features that may be round: where bodies are farthest along the normal, a's, and
/// against it, b's, both in the world. It leaves out, as above, what gets apart aside as both are
/// sharp, with radii and a distance far below the lever of the contact.
Mat6 gap_curvature(const Contact& contact, const Vec3& centre, const CurvatureRadii& radii_a,
                   const CurvatureRadii& radii_b);

/// x that minimises ½ (x − x0)ᵀ metric (x − x0) − Σ forces · gaps is that of ½ (x − x1)ᵀ M (x −
/// x1).
struct BentSpring {
  Mat6 metric;  ///< M, positive definite
  Vec6 start;   ///< x1
};
/// `curvature`: the sum of forces times curvatures of gaps. Where contacts that roll would make the
/// spring weaker than half of itself, or turn it round, it is taken as half: then a step towards
/// the least energy is shorter than it could be, but never goes the wrong way.
BentSpring bend(const Mat6& metric, const Vec6& start, const Mat6& curvature);

}  // namespace touche
