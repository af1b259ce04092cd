// SPDX-License-Identifier: Apache-2.0
// The basic queries of two objects: do they touch, where, how far apart are they, when do they
// first touch.
//
// All queries are const and thread-safe, print nothing and never abort. Touching counts as
// intersecting. Lengths are in the model's unit. Results for poses are exact for the coordinates
// that result when b's vertices are brought into a's frame in double precision.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "touche/budget.h"
#include "touche/motion.h"
#include "touche/names.h"
#include "touche/object.h"

namespace touche {

/// The cost of a query.
struct QueryStats {
  std::uint64_t node_pairs = 0;       ///< pairs of nodes expanded, 8 × 8 children at once
  std::uint64_t volume_tests = 0;     ///< pairs of bounding volumes tested
  std::uint64_t primitive_tests = 0;  ///< pairs of triangles tested in double precision
  std::uint64_t exact_tests = 0;      ///< of these, decided in exact arithmetic
  std::uint64_t time_splits = 0;      ///< time slices tested (continuous queries)
  /// Queries that tested all pairs of triangles without the hierarchies, because the sizes of the
  /// objects differ too much for single precision.
  std::uint64_t brute_force = 0;

  /// Tested pairs of nodes and of triangles: approximately the work counted against
  /// Budget::max_work.
  [[nodiscard]] std::uint64_t work() const { return node_pairs + primitive_tests; }

  QueryStats& operator+=(const QueryStats& o) {
    node_pairs += o.node_pairs;
    volume_tests += o.volume_tests;
    primitive_tests += o.primitive_tests;
    exact_tests += o.exact_tests;
    time_splits += o.time_splits;
    brute_force += o.brute_force;
    return *this;
  }
};

/// A pair of faces that touch or are closest. Points and normal are in world coordinates.
struct Contact {
  Index face_a = kNone, face_b = kNone;
  Feature feature_a, feature_b;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  /// Unit length, from a to b. Where the faces touch (distance 0) it is the normal of the one whose
  /// plane has all of the other face on one side, up to rounding; so all contacts of a box that
  /// lies flat on a plate, inside its border, have the plate's normal. If both have, it is the face
  /// that has the other one on its front side, from which its corners run counter-clockwise; then
  /// the one in whose plane more corners of the other lie; then a's. If none has, the faces cross:
  /// then it is the normal of the face that is pierced, or the common normal of the edges that
  /// meet. Faces that were triangulated count as their triangles. near_features, convex shapes and
  /// outlines have normals of their own.
  Vec3 normal = Vec3::UnitX();
  double distance = 0;  ///< length; 0 when the faces intersect
};

// ---- do they touch -------------------------------------------------------------------------

struct [[nodiscard]] IntersectsResult {
  bool intersects = false;
  bool complete = false;  ///< false when the budget ended first: then the result is unknown
  Index face_a = kNone, face_b = kNone;  ///< one pair of faces that intersect
  QueryStats stats;
  /// True unless they are proved apart.
  [[nodiscard]] explicit operator bool() const { return intersects || !complete; }
};
/// Whether the surfaces of two objects have a point in common. A workspace is useful for long
/// searches only; most searches allocate nothing.
///
///     if (intersects(a, pose_a, b, pose_b).intersects) ++count;
IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b, const Budget& budget = {},
                            Workspace* workspace = nullptr);

// ---- where ---------------------------------------------------------------------------------

struct FacePair {
  Index a, b;
  friend auto operator<=>(const FacePair&, const FacePair&) = default;
};
struct [[nodiscard]] FacePairsResult {
  std::vector<FacePair> pairs;  ///< sorted, each once
  bool complete = false;        ///< false when the budget ended the search
  QueryStats stats;
};
/// All pairs of faces that intersect; much faster than contacts(). With a workspace that is large
/// enough, only the result is allocated.
FacePairsResult intersecting_faces(const Object& a, const Pose& pose_a, const Object& b,
                                   const Pose& pose_b, const Budget& budget = {},
                                   Workspace* workspace = nullptr);

struct ContactsOptions {
  std::size_t max_contacts = static_cast<std::size_t>(-1);
  Budget budget = {};
  Workspace* workspace = nullptr;  ///< once it is large enough, only the result is allocated
};
struct [[nodiscard]] ContactsResult {
  std::vector<Contact> contacts;  ///< pairs of faces, sorted by (face_a, face_b), each once
  bool complete = false;          ///< false when max_contacts or the budget ended the search
  QueryStats stats;
};
/// All pairs of faces that intersect, each with a contact: features, points and normal. Exact as
/// intersects(); points and normals are rounded.
///
///     const ContactsResult touching = contacts(a, pose_a, b, pose_b);
///     for (const Contact& contact : touching.contacts) draw(contact.point_a);
ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options = {});

// ---- how far apart -------------------------------------------------------------------------

/// All are lengths >= 0, except `relative_error`, which is a number >= 0.
struct DistanceOptions {
  double max_distance = kInfinity;  ///< larger distances need not be measured
  double stop_below = 0;      ///< stop at the first pair of points that is at most this far apart
  double relative_error = 0;  ///< `lower` may be as small as upper / (1 + relative_error)
  double absolute_error = 0;  ///< or as small as upper − absolute_error; the larger allowance holds
  Budget budget = {};
  Workspace* workspace = nullptr;  ///< once it is large enough, nothing is allocated
};
struct [[nodiscard]] DistanceResult {
  /// `upper` is the distance of the points of `closest`, or infinite if the objects are farther
  /// apart than `max_distance`. `lower` is proved, also in floating point.
  Bracket distance;
  std::optional<Contact> closest;  ///< empty when they are farther apart than `max_distance`
  bool complete = false;  ///< false when the budget ended the search; the bracket still holds
  QueryStats stats;
};
/// The distance of two objects with their closest points; 0 if they intersect. Throws InvalidInput
/// for options out of range.
///
///     const DistanceResult gap = distance(a, pose_a, b, pose_b, {.max_distance = 0.5});
///     if (gap.closest) report(gap.distance.upper, gap.closest->point_a);
DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options = {});

// ---- when ----------------------------------------------------------------------------------

enum class ToiStatus : std::uint8_t {
  undecided,  ///< stopped early: [0, time.lower) is proved free, and no contact was found
  free,       ///< proved: no contact in [0, 1]
  contact,    ///< the first contact is in [time.lower, time.upper]
  /// At t = 0 the distance is at most clearance + tolerance. With may_separate, the objects are
  /// also not found to separate: they slide, roll or go deeper. Objects that are apart by less than
  /// the tolerance may be reported as free instead, when that is proved.
  initially_touching,
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<ToiStatus> = {
    "undecided", "free", "contact", "initially_touching"};

struct ToiOptions {
  /// Length, must be > 0. Objects that come no closer than clearance + tolerance are never reported
  /// as touching; objects that touch are never missed.
  double tolerance = 0;
  /// Length, >= 0: the required distance. Objects that are nearer count as in contact, and `free`
  /// proves that they are farther apart than this all the time.
  double clearance = 0;
  /// In [0, 1): the motion before this time is assumed to be free. With the `time.lower` of an
  /// undecided result, a search continues where it stopped.
  double t_start = 0;
  /// Whether objects that touch at `t_start` may separate. Faces that touch there are then no
  /// contact if they are proved to separate along some direction, without overlapping by more than
  /// the tolerance along it.
  bool may_separate = false;
  Budget budget = {};
  Workspace* workspace = nullptr;  ///< once it is large enough, nothing is allocated
};
struct [[nodiscard]] ToiResult {
  ToiStatus status = ToiStatus::undecided;
  /// The time of the first contact. For every t in [0, time.lower) the objects are disjoint and
  /// farther apart than `clearance`; with may_separate, for every t in (separated_at, time.lower).
  /// At time.upper their distance is at most clearance + tolerance; time.upper is infinite if no
  /// contact was found.
  Bracket time;
  /// The time until which faces that touched at the start separate; proved only if time.lower is
  /// later.
  double separated_at = 0;
  double tolerance = 0;  ///< the tolerance used: at least the rounding error of the coordinates
  std::optional<Contact> contact;  ///< at time.upper
  QueryStats stats;
};
/// The certified time of impact of two moving objects, see ToiResult::time for its guarantees.
/// Throws InvalidInput for options out of range. Method: docs/decisions/0004-time-of-impact.md.
///
///     const ToiResult r = time_of_impact(a, motion_a, b, motion_b, {.tolerance = 1e-3});
///     if (r.status == ToiStatus::contact) report(r.time.lower, r.contact->point_a);
ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options);

}  // namespace touche
