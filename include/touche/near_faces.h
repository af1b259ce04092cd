// SPDX-License-Identifier: Apache-2.0
// Where are two objects near: all pairs of faces within a margin, and the pairs of features that
// would touch first, which is what contact needs.
#pragma once

#include "touche/query.h"

namespace touche {

struct NearOptions {
  double margin = 0;  ///< length >= 0: pairs at most this far apart count
  /// Radians, in [0, 0.5]; of features only, see near_features.
  double turn = 0.02;
  std::size_t max_contacts = static_cast<std::size_t>(-1);
  Budget budget = {};
  Workspace* workspace = nullptr;  ///< once it is large enough, only the answer is allocated
};
struct [[nodiscard]] NearResult {
  std::vector<Contact> contacts;  ///< in an order that depends on nothing but the input
  bool complete = false;          ///< false when max_contacts or the budget ended the search
  QueryStats stats;
};

/// All pairs of faces whose distance is at most the margin: for each the contact of its closest
/// triangles, sorted by (face_a, face_b), each once. Faces that intersect have distance 0.
/// Distances are off by at most 1e-12 of the larger of the distance and the triangles. Throws
/// InvalidInput for a margin or turn outside of its range, as all of these do.
NearResult near_faces(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                      const NearOptions& options);

/// All places within the margin where two surfaces are locally closest, as pairs of features,
/// sorted by (feature_a, feature_b). A box above a ground of two triangles has four: its lower
/// corners. A bar across another has the four crossings of their edges.
///
/// Features are those of the surface that is meant: vertices of equal position are one, named by
/// the first of them; an edge is what lies between two such vertices, however many faces it has,
/// named by the first half-edge along it. Edges along which a face that is bent was cut belong to
/// the face. An edge is flat when exactly two triangles meet at it in one plane, up to 1e-6
/// radians; a vertex is flat when all of its edges are.
///
/// A vertex leans as far along a direction as the edge from it that does most, an edge as far as
/// the triangle at it that does most: the sine of the angle between a plane across the direction
/// and what rises above it. A feature is small where the surface would move by less than a
/// hundredth of the margin without it: half the angle between its triangles, times the height of
/// the smaller one. Features lean *little* when by no more than `turn`; small ones when by no more
/// than that and an eighth of the angle between their triangles. Listed are, with p and q the
/// closest points, n the unit vector from p to q, and their distance at most the margin:
/// - a vertex that is not flat and an interior point of a triangle, edge (flat or not) or vertex,
///   that is nearest to it of all points of the other surface close by; the vertex leans little
///   towards it;
/// - two edges that are not flat, not parallel (to 1e-6 radians), p and q in their interiors; both
///   lean little towards each other;
/// - where surfaces pierce each other, each edge that is not flat and passes through the interior
///   of a triangle or a flat edge, with distance 0 and the triangle's normal, turned so that more
///   of the edge lies on the side of its own object.
/// Where p and q coincide, n is the normal of a face at the features, or the common normal of both
/// edges, along which both lean least.
///
/// The purpose is this: let b move, as a rigid body and as seen from a, by so little that no point
/// goes farther than margin and it turns by no more than `turn`. If the linear constraints n ·
/// displacement(q) >= −distance hold at all of these pairs, then surfaces that were apart enter
/// each other by no more than terms of second order, the product of the angle and the displacement,
/// and by about a hundredth of the margin where the surface has small features. A larger `turn`
/// only lists more pairs, a smaller one lists fewer; with 0 they are the local minima of the
/// distance alone.
///
/// One thing this does not hold for: two triangles that meet at a concave edge, and a vertex in the
/// corner between them whose foot on the plane of one lies on that edge or beyond it, so that the
/// other one is nearer wherever it is. Only that other one is listed, and a displacement along it
/// may bring the vertex into the first, by as much as it goes beyond the edge, at most the margin.
/// So it is where the corner is wider than a right angle, or where it is right and the vertex lies
/// on its one side. Prove motions by `time_of_impact`, as `Handling` and `Dynamics` do, and ask
/// again where that ends them.
NearResult near_features(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                         const NearOptions& options);

/// The same, into a result that keeps its memory: with a workspace, nothing is allocated once both
/// are large enough (and the features of both objects are known, which the first query finds).
void near_faces(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                const NearOptions& options, NearResult& result);
void near_features(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                   const NearOptions& options, NearResult& result);

namespace brute_force {
/// Every pair of triangles; every pair of features.
NearResult near_faces(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                      const NearOptions& options);
NearResult near_features(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                         const NearOptions& options);
}  // namespace brute_force

}  // namespace touche
