// SPDX-License-Identifier: Apache-2.0
// The questions: do two objects touch, where, how far apart are they, when do they first touch.
//
// All queries are const, thread-safe, print nothing and never abort. Touching counts as
// intersecting. Lengths are in the model's unit. Answers about poses are exact for the coordinates
// that result when b's vertices are brought into a's frame in double precision.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "touche/motion.h"
#include "touche/object.h"

namespace touche {

/// What an answer cost.
struct QueryStats {
  std::uint64_t node_pairs = 0;       ///< pairs of nodes expanded, 8 × 8 children at once
  std::uint64_t volume_tests = 0;     ///< pairs of bounding volumes tested
  std::uint64_t primitive_tests = 0;  ///< pairs of triangles tested in double precision
  std::uint64_t exact_tests = 0;      ///< of these, decided by exact arithmetic
  std::uint64_t time_splits = 0;      ///< slices of time looked at (continuous queries)

  QueryStats& operator+=(const QueryStats& o) {
    node_pairs += o.node_pairs;
    volume_tests += o.volume_tests;
    primitive_tests += o.primitive_tests;
    exact_tests += o.exact_tests;
    time_splits += o.time_splits;
    return *this;
  }
};

/// A pair of faces that touch, or are closest. Points and normal in world coordinates.
struct Contact {
  Index face_a = kNone, face_b = kNone;
  Feature feature_a, feature_b;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  Vec3 normal = Vec3::UnitX();  ///< unit length, from a to b
  double distance = 0;          ///< 0 when the faces intersect
};

// ---- do they touch -------------------------------------------------------------------------

struct IntersectsResult {
  bool intersects = false;
  Index face_a = kNone, face_b = kNone;  ///< one pair of faces that does
  QueryStats stats;
  explicit operator bool() const { return intersects; }
};
IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b);

// ---- where ---------------------------------------------------------------------------------

struct FacePair {
  Index a, b;
  friend auto operator<=>(const FacePair&, const FacePair&) = default;
};
struct FacePairsResult {
  std::vector<FacePair> pairs;  ///< sorted, each once
  QueryStats stats;
};
/// All pairs of faces that intersect; much faster than their contacts.
FacePairsResult intersecting_faces(const Object& a, const Pose& pose_a, const Object& b,
                                   const Pose& pose_b);

struct ContactsOptions {
  std::size_t max_contacts = static_cast<std::size_t>(-1);
};
struct ContactsResult {
  std::vector<Contact> contacts;  ///< pairs of faces, sorted by (face_a, face_b), each once
  bool complete = true;           ///< false when max_contacts stopped the search
  QueryStats stats;
};
ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options = {});

// ---- how far apart -------------------------------------------------------------------------

struct DistanceOptions {
  double limit = kInfinity;   ///< farther than this need not be measured exactly
  double good_enough = 0;     ///< stop at the first pair that is at most this far apart
  double relative_error = 0;  ///< the true distance is in [distance / (1 + e), distance]
  double absolute_error = 0;  ///< or in [distance − e, distance]; the larger allowance holds
};
struct DistanceResult {
  double distance = kInfinity;  ///< between the points of `closest`; infinite when beyond `limit`
  double lower_bound = 0;       ///< the true distance is proved to be at least this
  std::optional<Contact> closest;  ///< empty when beyond `limit`
  QueryStats stats;
};
DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options = {});

// ---- when ----------------------------------------------------------------------------------

enum class ToiStatus : std::uint8_t {
  free,     ///< proved: no contact in [0, 1]
  contact,  ///< first contact in [free_until, touched_at]
  /// At t = 0 the distance is at most separation + tolerance (with may_separate: and the objects
  /// are not seen to come apart: they slide, roll or go deeper). What is apart by less than the
  /// tolerance may be called free instead, when that is proved.
  initially_touching,
  budget_exhausted,  ///< stopped early; [0, free_until) is proved free, no contact was found
};
std::string_view name(ToiStatus status);

struct ToiOptions {
  /// Length, must be > 0. Objects that come no closer than this (and the separation) are never
  /// reported as touching; objects that touch are never missed.
  double tolerance = 0;
  /// Length, >= 0: nearer than this is a contact already. `free` then proves a clearance.
  double separation = 0;
  std::uint64_t max_work = ~std::uint64_t{0};  ///< node pairs and face pairs looked at
  double max_seconds = kInfinity;              ///< as measured: results then vary from run to run
  /// In [0, 1): everything before is taken as free. With the `free_until` of a result whose budget
  /// was exhausted, a search goes on where it stopped.
  double from = 0;
  /// Objects that touch at `from` may come apart: faces that touch there count as contact only if
  /// they are not proved to separate, along some direction, and without overlapping by more than
  /// the tolerance along it.
  bool may_separate = false;
};
struct ToiResult {
  ToiStatus status = ToiStatus::free;
  /// For every t in [0, free_until) the objects are disjoint, and farther apart than `separation`;
  /// with may_separate for every t in (separated_at, free_until).
  double free_until = 0;
  /// Until here what touched at the start separates; proved only if `free_until` is later.
  double separated_at = 0;
  double touched_at = kInfinity;   ///< here their distance is at most separation + tolerance
  double tolerance = 0;            ///< as used: at least the rounding error of the coordinates
  std::optional<Contact> contact;  ///< at touched_at
  QueryStats stats;
};
ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options);

// ---- the slow, obvious twins -----------------------------------------------------------------

/// The same questions answered by looking at every pair of triangles. For tests and for doubt.
namespace brute_force {
IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b);
FacePairsResult intersecting_faces(const Object& a, const Pose& pose_a, const Object& b,
                                   const Pose& pose_b);
ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options = {});
DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options = {});
ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options);
}  // namespace brute_force

}  // namespace touche
