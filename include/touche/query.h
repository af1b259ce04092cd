// SPDX-License-Identifier: Apache-2.0
// The questions: do two objects touch, where, how far apart are they, when do they first touch.
//
// All queries are const, thread-safe, print nothing and never abort. Touching counts as
// intersecting. Lengths are in the model's unit. Answers about poses are exact for the coordinates
// that result when b's vertices are brought into a's frame in double precision.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "touche/budget.h"
#include "touche/motion.h"
#include "touche/names.h"
#include "touche/object.h"
#include "touche/workspace.h"

namespace touche {

/// The cost of an answer.
struct QueryStats {
  std::uint64_t node_pairs = 0;       ///< pairs of nodes expanded, 8 × 8 children at once
  std::uint64_t volume_tests = 0;     ///< pairs of bounding volumes tested
  std::uint64_t primitive_tests = 0;  ///< pairs of triangles tested in double precision
  std::uint64_t exact_tests = 0;      ///< of these, decided by exact arithmetic
  std::uint64_t time_splits = 0;      ///< slices of time looked at (continuous queries)
  /// Questions that were answered pair by pair, without the hierarchies: the sizes of the objects
  /// differ so much that single precision cannot hold both.
  std::uint64_t brute_force = 0;

  /// Pairs of nodes and of triangles: about what the answer took of a Budget::max_work.
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

/// A pair of faces that touch, or are closest. Points and normal in world coordinates.
struct Contact {
  Index face_a = kNone, face_b = kNone;
  Feature feature_a, feature_b;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  Vec3 normal = Vec3::UnitX();  ///< unit length, from a to b
  double distance = 0;          ///< 0 when the faces intersect
};

// ---- do they touch -------------------------------------------------------------------------

struct [[nodiscard]] IntersectsResult {
  bool intersects = false;
  bool decided = false;  ///< false when the budget ended first: then it is not known
  Index face_a = kNone, face_b = kNone;  ///< one pair of faces that does
  QueryStats stats;
  /// True unless they are proved apart.
  [[nodiscard]] explicit operator bool() const { return intersects || !decided; }
};
/// The workspace is for searches that take long; most allocate nothing anyway.
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
/// All pairs of faces that intersect; much faster than their contacts. With a workspace that is
/// large enough, only the answer is allocated.
FacePairsResult intersecting_faces(const Object& a, const Pose& pose_a, const Object& b,
                                   const Pose& pose_b, const Budget& budget = {},
                                   Workspace* workspace = nullptr);

struct ContactsOptions {
  std::size_t max_contacts = static_cast<std::size_t>(-1);
  Budget budget = {};
  Workspace* workspace = nullptr;  ///< once it is large enough, only the answer is allocated
};
struct [[nodiscard]] ContactsResult {
  std::vector<Contact> contacts;  ///< pairs of faces, sorted by (face_a, face_b), each once
  bool complete = false;          ///< false when max_contacts or the budget ended the search
  QueryStats stats;
};
ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options = {});

// ---- how far apart -------------------------------------------------------------------------

/// All are lengths >= 0 but `relative_error`, a number >= 0.
struct DistanceOptions {
  double max_distance = kInfinity;  ///< farther than this need not be measured
  double stop_below = 0;      ///< the first pair of points that is at most this far apart will do
  double relative_error = 0;  ///< `lower` may be as small as upper / (1 + relative_error)
  double absolute_error = 0;  ///< or as upper − absolute_error; the larger allowance holds
  Budget budget = {};
  Workspace* workspace = nullptr;  ///< with it nothing is allocated, once it is large enough
};
struct [[nodiscard]] DistanceResult {
  /// `upper` is the distance of the points of `closest`, infinite where the objects are farther
  /// apart than `max_distance`. `lower` is proved, also in floating point.
  Bracket distance;
  std::optional<Contact> closest;  ///< empty when they are farther apart than `max_distance`
  bool complete = false;  ///< false when the budget ended the search: the bracket still holds
  QueryStats stats;
};
DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options = {});

// ---- when ----------------------------------------------------------------------------------

enum class ToiStatus : std::uint8_t {
  undecided,  ///< stopped early: [0, time.lower) is proved free, and no contact was found
  free,       ///< proved: no contact in [0, 1]
  contact,    ///< the first contact is in [time.lower, time.upper]
  /// At t = 0 the distance is at most clearance + tolerance (with may_separate: and the objects
  /// are not seen to come apart: they slide, roll or go deeper). Objects that are apart by less
  /// than the tolerance may be called free instead, when that is proved.
  initially_touching,
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<ToiStatus> = {
    "undecided", "free", "contact", "initially_touching"};

struct ToiOptions {
  /// Length, must be > 0. Objects that come no closer than clearance + tolerance are never reported
  /// as touching; objects that touch are never missed.
  double tolerance = 0;
  /// Length, >= 0: a distance that is required to be kept. Objects that are nearer count as in
  /// contact, and `free` proves that they are farther apart than this all the time.
  double clearance = 0;
  /// In [0, 1): everything before is taken as free. With the `time.lower` of an undecided result, a
  /// search goes on where it stopped.
  double t_start = 0;
  /// Objects that touch at `t_start` may come apart: faces that touch there count as contact only
  /// if they are not proved to separate, along some direction, and without overlapping by more than
  /// the tolerance along it.
  bool may_separate = false;
  Budget budget = {};
  Workspace* workspace = nullptr;  ///< with it nothing is allocated, once it is large enough
};
struct [[nodiscard]] ToiResult {
  ToiStatus status = ToiStatus::undecided;
  /// The time of the first contact. For every t in [0, time.lower) the objects are disjoint, and
  /// farther apart than `clearance`; with may_separate for every t in (separated_at, time.lower).
  /// At time.upper their distance is at most clearance + tolerance; infinite where no contact was
  /// found.
  Bracket time;
  /// Until here faces that touched at the start separate; proved only if time.lower is later.
  double separated_at = 0;
  double tolerance = 0;            ///< as used: at least the rounding error of the coordinates
  std::optional<Contact> contact;  ///< at time.upper
  QueryStats stats;
};
ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options);

// ---- the slow, obvious twins -----------------------------------------------------------------

/// The same questions answered by looking at every pair of triangles. For tests and for doubt. The
/// lower bound of a `distance` that is stopped is 0: the nearest pair may be among those left.
namespace brute_force {
IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b, const Budget& budget = {});
FacePairsResult intersecting_faces(const Object& a, const Pose& pose_a, const Object& b,
                                   const Pose& pose_b, const Budget& budget = {});
ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options = {});
DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options = {});
ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options);
}  // namespace brute_force

}  // namespace touche
