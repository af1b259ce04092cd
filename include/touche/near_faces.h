// SPDX-License-Identifier: Apache-2.0
// Where two objects are near each other: all pairs of faces within a distance, and the pairs of
// features that would touch first, as contact solvers need.
#pragma once

#include "touche/query.h"

namespace touche {

struct NearOptions {
  double max_distance = 0;  ///< length, >= 0: pairs at most this far apart are listed
  /// Radians, in [0, 0.5]. Used by near_features only.
  double turn = 0.02;
  std::size_t max_contacts = static_cast<std::size_t>(-1);
  Budget budget = {};
  Workspace* workspace = nullptr;  ///< once it is large enough, only the result is allocated
};
struct [[nodiscard]] NearResult {
  std::vector<Contact> contacts;  ///< in an order that depends only on the input
  bool complete = false;          ///< false when max_contacts or the budget ended the search
  QueryStats stats;
};

/// All pairs of faces whose distance is at most `max_distance`, each with the contact of its
/// closest triangles; sorted by (face_a, face_b), each once. Faces that intersect have distance 0.
/// The error of a distance is at most 1e-12 of the larger of the distance and the size of the
/// triangles. Throws InvalidInput for a `max_distance` or `turn` out of range, as all functions of
/// this header do.
NearResult near_faces(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                      const NearOptions& options);

/// All pairs of features within `max_distance` at which two surfaces are locally closest, sorted by
/// (feature_a, feature_b). For example, a box above a ground of two triangles has four: its lower
/// corners. A bar across another bar has the four crossings of their edges.
///
/// Features belong to the merged surface. Vertices at the same position are one vertex, named by
/// the first of them. An edge connects two such vertices, however many faces it has, and is named
/// by the first half-edge along it. Edges along which a non-planar face was triangulated belong to
/// the face. An edge is flat if exactly two triangles meet at it in one plane, up to 1e-6 radians;
/// a vertex is flat if all its edges are.
///
/// The *lean* of a feature along a direction says how steeply the surface beside it rises above the
/// plane across the direction. For an edge it is the largest sine of the angle by which one of its
/// triangles rises above that plane, for a vertex the largest one of its edges. A feature is
/// *small* if the surface would move by less than a hundredth of `max_distance` without it: half
/// the angle between its triangles, times the height of the smaller one. A feature leans *little*
/// if its lean is at most sin(`turn`), and, for a small one, also at most an eighth of the angle
/// between its triangles.
///
/// Let p and q be the closest points, at a distance of at most `max_distance`, and n the unit
/// vector from p to q. The list contains:
/// - a vertex that is not flat, with an interior point of a triangle, an edge (flat or not) or a
///   vertex that is nearest to it of all points of the other surface nearby, if the vertex leans
///   little towards it;
/// - two edges that are not flat and not parallel (up to 1e-6 radians), with p and q in their
///   interiors, if both lean little towards each other;
/// - where surfaces intersect, each edge that is not flat and passes through the interior of a
///   triangle or a flat edge, with distance 0 and the triangle's normal, oriented so that the
///   larger part of the edge lies on the side of its own object.
/// If p and q coincide, n is the normal of a face at the features, or the common normal of both
/// edges, along which both lean least.
///
/// Purpose: let b move relative to a, as a rigid body, so that no point moves farther than
/// `max_distance` and b turns by no more than `turn`. If the linear constraints n · displacement(q)
/// >= −distance hold for all listed pairs, then surfaces that were apart penetrate each other by no
/// more than second-order terms (the product of angle and displacement), and by about a hundredth
/// of `max_distance` where the surface has small features. A larger `turn` lists more pairs, a
/// smaller one fewer; with 0 the pairs are the local minima of the distance alone.
///
/// Exception: let two triangles meet at a concave edge, and let a vertex lie between them such that
/// its projection onto the plane of one of them is on that edge or beyond it. Then the other
/// triangle is always nearer. Only that triangle is listed, and a displacement along it may bring
/// the vertex into the first one, by as much as the projection lies beyond the edge, at most
/// `max_distance`. This occurs where the angle between the triangles is wider than a right angle,
/// or is a right angle and the vertex lies on one of the triangles. So prove motions by
/// `time_of_impact`, as `Handling` and `Dynamics` do, and query again where the proof ends a
/// motion.
///
///     const NearResult near = near_features(a, pose_a, b, pose_b, {.max_distance = 1e-3});
NearResult near_features(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                         const NearOptions& options);

/// The same, written into an existing result whose memory is used again. With a workspace nothing
/// is allocated once both are large enough, except that the first query computes the features of
/// both objects.
void near_faces(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                const NearOptions& options, NearResult& result);
void near_features(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                   const NearOptions& options, NearResult& result);

}  // namespace touche
