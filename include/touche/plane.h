// SPDX-License-Identifier: Apache-2.0
// Two dimensions: points, poses and motions of the plane, and outlines (polylines and polygons)
// with the queries of touche/query.h, touche/point_query.h and touche/path.h. Also regions: which
// points lie inside a region, and whether one region lies inside another.
//
// An outline is a set of edges, and queries are about these: an outline wholly inside another one
// does not touch it. Touching counts as intersecting. Edges may cross, overlap or have no length.
//
// Results have the guarantees of touche/query.h. For poses they are exact for the coordinates that
// result when b's vertices are brought into a's frame in double precision; for motions they are
// proved in floating point. Options, budgets, statuses and thread safety are the same. Bounding
// volumes are in touche/plane_volumes.h, files in touche/outline_file.h.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "touche/motion.h"
#include "touche/overlap.h"
#include "touche/path.h"
#include "touche/pose.h"
#include "touche/query.h"

namespace touche::plane {

// ---- poses and motions --------------------------------------------------------------------------
// Angles are in radians, counter-clockwise if x points right and y up.

using Vec2 = Eigen::Vector2d;
using Mat2 = Eigen::Matrix2d;

/// A rotation followed by a translation: x' = R x + t. The plane is z = 0 in space, and its poses
/// are poses of space that rotate about z and keep z.
class [[nodiscard]] Pose {
 public:
  Pose() = default;  ///< identity

  /// `angle` may be of any size. Throws InvalidInput when a number is not finite.
  explicit Pose(double angle, const Vec2& translation = Vec2::Zero());

  /// Throws InvalidInput for a pose that rotates about another axis than z, or leaves z = 0.
  static Pose from_space(const touche::Pose& pose);
  [[nodiscard]] const touche::Pose& in_space() const { return pose_; }

  [[nodiscard]] double angle() const;  ///< in (−π, π]
  [[nodiscard]] Vec2 translation() const { return pose_.translation().head<2>(); }
  [[nodiscard]] Mat2 matrix() const { return pose_.matrix().topLeftCorner<2, 2>(); }

  Pose inverse() const;
  [[nodiscard]] Vec2 operator*(const Vec2& point) const;
  [[nodiscard]] Vec2 rotate(const Vec2& direction) const;

  /// Applies b first, then a.
  friend Pose operator*(const Pose& a, const Pose& b);

 private:
  touche::Pose pose_;
};

/// A pose as a function of t in [0, 1]; a value type.
///
///     const Motion turn = Motion::turning({}, 0.5, Vec2::Zero());
class [[nodiscard]] Motion {
 public:
  /// A motion that stands still at `pose`.
  static Motion at(const Pose& pose);

  /// From `start` to `end` at constant angular speed, by the smaller angle; the body's origin moves
  /// on a straight line.
  static Motion interpolated(const Pose& start, const Pose& end);

  /// Rotates at constant speed by `angle` (any size and sign) about the body's point `pivot` (body
  /// coordinates), which moves by `travel` (world coordinates) on a straight line. Throws
  /// InvalidInput when a number is not finite.
  static Motion turning(const Pose& start, double angle, const Vec2& pivot,
                        const Vec2& travel = Vec2::Zero());

  /// Through all `poses`, as touche::Motion::through.
  static Motion through(std::span<const Pose> poses, std::span<const double> times = {});

  /// One motion after the other, as touche::Motion::chain.
  static Motion chain(std::span<const Motion> motions, std::span<const double> times = {});

  /// A user's function with declared speeds, as touche::Motion::function: the body's point
  /// `reference` moves no faster than `max_speed`, and the body turns no faster than
  /// `max_angular_speed`. Proofs about the motion are valid only if this holds.
  static Motion function(std::function<Pose(double)> pose, double max_speed,
                         double max_angular_speed, const Vec2& reference = Vec2::Zero());

  /// t is clamped to [0, 1]. Throws InvalidInput when it is not a number.
  Pose pose(double t) const;

  /// The part of this motion between t0 < t1, stretched to [0, 1].
  Motion part(double t0, double t1) const;

  /// This motion backwards, as touche::Motion::reversed.
  Motion reversed() const;

  [[nodiscard]] const touche::Motion& in_space() const { return motion_; }

 private:
  explicit Motion(touche::Motion motion) : motion_(std::move(motion)) {}
  touche::Motion motion_;
};

// ---- outlines -------------------------------------------------------------------------------

/// A polyline, or the border of a polygon. A single point is an edge of no length.
struct Chain {
  std::vector<Vec2> points;
  bool closed = false;  ///< an edge leads from the last point to the first
  std::string name;     ///< layer or id in its file; may be empty
  /// Whether it is drawn over an earlier chain of the outline. Then its edges count, but it does
  /// not count for regions.
  bool again = false;
};

/// Any number of chains. Vertices and edges are numbered through all chains; edge k of a chain runs
/// from its point k to the next.
///
///     const Chain triangle{.points = {{0, 0}, {1, 0}, {0, 1}}, .closed = true};
///     const Object object(Outline({&triangle, 1}), "triangle");
class Outline {
 public:
  Outline() = default;

  /// Throws InvalidInput, naming chain and point, for an empty list of chains, a chain without
  /// points, coordinates that are not finite or larger than 1e90, and more than 2^29 points.
  /// Coordinates smaller than 1e-90 become 0, so that no exact test underflows.
  explicit Outline(std::span<const Chain> chains, std::vector<std::string> remarks = {},
                   double chord_error = 0);

  [[nodiscard]] Index vertex_count() const { return static_cast<Index>(vertices_.size()); }
  [[nodiscard]] Index edge_count() const { return static_cast<Index>(edges_.size()); }
  [[nodiscard]] Index chain_count() const { return static_cast<Index>(chains_.size()); }

  [[nodiscard]] const Vec2& vertex(Index v) const { return vertices_[v]; }
  [[nodiscard]] std::span<const Vec2> vertices() const { return vertices_; }
  /// The numbers of the two vertices of an edge.
  [[nodiscard]] const std::array<Index, 2>& edge(Index e) const { return edges_[e]; }

  /// The first vertex and the first edge of a chain; for chain == chain_count(), the total numbers.
  [[nodiscard]] Index first_vertex(Index chain) const;
  [[nodiscard]] Index first_edge(Index chain) const;
  [[nodiscard]] bool closed(Index chain) const { return chains_[chain].closed; }
  [[nodiscard]] bool again(Index chain) const { return chains_[chain].again; }
  [[nodiscard]] std::string_view name(Index chain) const { return chains_[chain].name; }
  /// Sentences about defects that were found when the outline was made, see load_outline.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }
  /// Length: the largest distance of the original curves from the edges that approximate them.
  /// Queries are about the edges.
  [[nodiscard]] double chord_error() const { return chord_error_; }
  [[nodiscard]] Index chain_of_edge(Index edge) const;

  /// Lower and upper corner of the box around all vertices.
  [[nodiscard]] const Vec2& lo() const { return lo_; }
  [[nodiscard]] const Vec2& hi() const { return hi_; }
  [[nodiscard]] double diagonal() const { return (hi_ - lo_).norm(); }
  [[nodiscard]] double length() const;  ///< total length of all edges
  /// The area that a closed chain encloses, positive if it runs counter-clockwise.
  [[nodiscard]] double signed_area(Index chain) const;

 private:
  struct Part {
    Index first_vertex, first_edge;
    bool closed, again;
    std::string name;
  };
  std::vector<Vec2> vertices_;
  std::vector<std::array<Index, 2>> edges_;
  std::vector<Part> chains_;
  std::vector<std::string> remarks_;
  double chord_error_ = 0;
  Vec2 lo_ = Vec2::Constant(kInfinity), hi_ = Vec2::Constant(-kInfinity);
};

/// An outline with its hierarchy. It is immutable, cheap to copy and safe to share between threads.
class Object {
 public:
  explicit Object(Outline outline, std::string name = {}, const BuildOptions& options = {});

  [[nodiscard]] const Outline& outline() const { return *outline_; }
  [[nodiscard]] const std::string& name() const { return in_space_.name(); }

  /// The object in space that represents the outline: face e stands on edge e and extends above it.
  /// Results for these faces along motions that keep z are results for the edges (decision 0021).
  [[nodiscard]] const touche::Object& in_space() const { return in_space_; }

 private:
  std::shared_ptr<const Outline> outline_;
  touche::Object in_space_;
};

// ---- do they touch, and where ---------------------------------------------------------------

/// A pair of edges that touch or are closest. Points and normal are in world coordinates.
struct Contact {
  Index edge_a = kNone, edge_b = kNone;
  Feature feature_a, feature_b;  ///< a vertex or an edge: its number in the outline
  Vec2 point_a = Vec2::Zero(), point_b = Vec2::Zero();
  /// Unit length, from a to b. If the edges intersect, the shortest shift that separates b from a
  /// is along it.
  Vec2 normal = Vec2::UnitX();
  double distance = 0;  ///< length; 0 when the edges intersect
};

struct [[nodiscard]] IntersectsResult {
  bool intersects = false;
  bool complete = false;                 ///< false when the budget ended first
  Index edge_a = kNone, edge_b = kNone;  ///< one pair of edges that intersect
  QueryStats stats;
  /// True unless they are proved apart.
  [[nodiscard]] explicit operator bool() const { return intersects || !complete; }
};
/// Whether two outlines have a point in common. Exact.
IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b, const Budget& budget = {},
                            Workspace* workspace = nullptr);

struct [[nodiscard]] ContactsResult {
  std::vector<Contact> contacts;  ///< pairs of edges, sorted by (edge_a, edge_b), each once
  bool complete = false;          ///< false when max_contacts or the budget ended the search
  QueryStats stats;
};
/// All pairs of edges that intersect, each with a contact.
ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options = {});

// ---- how far apart --------------------------------------------------------------------------

struct [[nodiscard]] DistanceResult {
  Bracket distance;  ///< as in touche::DistanceResult
  std::optional<Contact> closest;
  bool complete = false;
  QueryStats stats;
};
/// The distance of two outlines with their closest points; 0 if they intersect.
DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options = {});

struct ClosestPoint {
  Index edge = kNone;           ///< kNone: no edge within `max_distance`
  Vec2 point = Vec2::Zero();    ///< on that edge, world coordinates
  double distance = kInfinity;  ///< length, from the query point
};
/// The point of an outline that is closest to x, as touche::closest_point.
[[nodiscard]] ClosestPoint closest_point(const Object& object, const Pose& pose, const Vec2& x,
                                         double max_distance = kInfinity);

// ---- when -----------------------------------------------------------------------------------

/// As touche::ToiResult: free in [0, time.lower), at most clearance + tolerance apart at
/// time.upper.
struct [[nodiscard]] ToiResult {
  ToiStatus status = ToiStatus::undecided;
  Bracket time;
  double separated_at = 0;
  double tolerance = 0;
  std::optional<Contact> contact;  ///< at time.upper
  QueryStats stats;
};
/// The certified time of impact of two moving outlines, as touche::time_of_impact.
ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options);

// ---- regions --------------------------------------------------------------------------------

/// Which points the closed chains of an outline enclose, as in SVG.
enum class FillRule : std::uint8_t {
  even_odd,  ///< points from which a ray crosses the chains an odd number of times
  nonzero,   ///< points around which the winding number is not 0
};

enum class Place : std::uint8_t { outside, border, inside };

}  // namespace touche::plane

template <>
inline constexpr std::array<std::string_view, 2> touche::kNames<touche::plane::FillRule> = {
    "even_odd", "nonzero"};
template <>
inline constexpr std::array<std::string_view, 3> touche::kNames<touche::plane::Place> = {
    "outside", "border", "inside"};

namespace touche::plane {

/// The region that the chains of an outline enclose, such as a sheet part with holes. Chains that
/// are drawn again do not count.
///
///     const Region plate{Object(outline)};
///     const double gap = plate.signed_distance({0.5, 0.5});
class Region {
 public:
  /// Throws InvalidInput, naming the chain, when one is not closed.
  explicit Region(Object object, FillRule rule = FillRule::even_odd);

  [[nodiscard]] const Object& object() const { return object_; }
  [[nodiscard]] FillRule rule() const { return rule_; }

  /// Where a point lies, in the outline's coordinates. Exact. The time grows with the logarithm of
  /// the number of edges, and with the number of chains.
  [[nodiscard]] Place place(const Vec2& x) const;
  /// The winding number of the chains around x, counter-clockwise positive. Exact for points that
  /// are not on the border.
  [[nodiscard]] int winding_number(const Vec2& x) const;
  /// Distance from the edges, negative inside and 0 on the border. The sign and the value 0 are
  /// exact; the error of the distance is that of closest_point.
  [[nodiscard]] double signed_distance(const Vec2& x) const;

  struct Data;  ///< internal

 private:
  Object object_;
  FillRule rule_;
  std::shared_ptr<const Data> data_;
};

/// Whether all of one region lies inside the other; `none` if their borders touch.
[[nodiscard]] Containment containment(const Region& a, const Pose& pose_a, const Region& b,
                                      const Pose& pose_b, const Budget& budget = {});

// ---- rays and segments --------------------------------------------------------------------------
// The first edge of an outline, or all edges, that a ray or a segment meets. Arguments are in world
// coordinates. Each point is brought into the object's frame by one rounding; with the identity as
// pose nothing is rounded. Coordinates that are not finite, or larger than 1e90 in the object's
// frame, throw InvalidInput; coordinates smaller than 1e-90 become 0. The time grows with the
// logarithm of the number of edges.

struct Segment {
  Vec2 start = Vec2::Zero(), end = Vec2::Zero();
};

/// A half-line from its origin.
struct Ray {
  Vec2 origin = Vec2::Zero(), direction = Vec2::UnitX();
};

struct RayHit {
  Index edge = kNone;
  /// First common point with the edge: origin + t · direction, or start + t · (end − start).
  double t = 0;
  Vec2 point = Vec2::Zero();  ///< that point, world coordinates
  /// +1: the ray comes from the right of the edge, which is the outside if chains run
  /// counter-clockwise; −1: from the left; 0: it runs along the edge, or the edge has no length.
  int side = 0;
};

/// The first edge that a segment meets; no value if it meets none. Edges and segment are closed,
/// and whether they meet is decided exactly: no segment passes through a vertex without a hit. The
/// relative error of t is at most 2^-44. Of several edges at the same t, the one with the lowest
/// number is reported.
///
///     if (const auto hit = cast_segment(object, {}, {eye, target})) report(hit->edge);
[[nodiscard]] std::optional<RayHit> cast_segment(const Object& object, const Pose& pose,
                                                 const Segment& segment);

/// The same for a ray. The ray is cut off beyond the outline, and the resulting segment, whose end
/// is rounded, is tested. Throws InvalidInput for a direction of length 0.
[[nodiscard]] std::optional<RayHit> cast_ray(const Object& object, const Pose& pose,
                                             const Ray& ray);

/// All edges that a segment or ray meets, each once, sorted by t, then by number. A segment through
/// a vertex meets both of its edges.
[[nodiscard]] std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                                   const Segment& segment);
[[nodiscard]] std::vector<RayHit> all_ray_hits(const Object& object, const Pose& pose,
                                               const Ray& ray);

// ---- edges nearby -------------------------------------------------------------------------------

struct Box;     // touche/plane_volumes.h
struct Circle;  // touche/plane_volumes.h

/// The numbers of all edges that have a point in common with a closed box of the world, sorted,
/// each once. Exact for the coordinates that result when the outline's vertices are brought into
/// the world in double precision; with the identity as pose these are its own. Throws InvalidInput
/// as cast_ray does.
///
///     for (const Index edge : edges_in_box(object, pose, {eye, target})) select(edge);
[[nodiscard]] std::vector<Index> edges_in_box(const Object& object, const Pose& pose,
                                              const Box& box);

/// The same for a closed disc of the world. An edge may or may not be listed if its distance from
/// the centre differs from the radius by less than the error of closest_point.
[[nodiscard]] std::vector<Index> edges_in_disc(const Object& object, const Pose& pose,
                                               const Circle& disc);

// ---- the whole path -----------------------------------------------------------------------------
// All intervals of contact along a path of two outlines, the depth of the overlap in them, and the
// proved clearance in between. All is as in touche/path.h, with edges in place of faces. An outline
// encloses what its closed chains enclose by the even-odd rule; chains that are drawn again do not
// count. It is closed if all chains are. What lies within the convex hull of its open chains is
// unknown, since these may be borders with a gap: Containment::open. The thickness of an overlap is
// the diameter of the largest disc that fits into both and that no edge passes through.

/// As touche::Thickness.
struct Thickness {
  Bracket diameter;
  Vec2 centre = Vec2::Zero();  ///< world; valid if diameter.lower > 0
  bool complete = false;
  std::uint64_t work = 0;
};

/// As touche::ContactInterval.
struct ContactInterval {
  Bracket start, end;
  std::optional<Contact> first, last;  ///< at start.upper and end.lower
  Containment after = Containment::undecided;
  Thickness deepest;
  double deepest_at = 0;
  double max_thickness = kInfinity;
  double max_touching_thickness = 0;
  bool only_touching = false;
  double touching_until = 0;
};

/// As touche::PathResult.
struct [[nodiscard]] PathResult {
  PathVerdict verdict = PathVerdict::undecided;
  std::vector<ContactInterval> contacts;
  std::vector<ClearanceSample> samples;
  Bracket min_clearance;
  double min_clearance_at = 0;
  Containment before = Containment::undecided;
  bool may_reach_in = false;
  double decided_until = 0;
  double tolerance = 0;
  QueryStats stats;
};

/// As touche::path, and throws InvalidInput as it does.
PathResult path(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                const PathOptions& options);

// ---- a drawing as a solid -----------------------------------------------------------------------
// A sheet of some thickness with the drawing's outline, for functions that need meshes.

/// A closed, oriented soup of the sheet from z = 0 to z = thickness above the region that the
/// closed chains enclose by the even-odd rule; chains that are drawn again do not count. Chains may
/// touch, overlap and cross each other and themselves: edges are divided where they meet, and are
/// left out where there is material on both sides or on neither. Vertices have exactly the
/// outline's coordinates, except where edges cross: crossings are rounded. Where the material
/// touches itself at a corner, each side has a vertex of its own; `examine`, which merges equal
/// positions, counts the edge of the walls there as non-manifold. The first faces are the walls,
/// one for each divided edge, in the order of the chains. Then come pairs of a top and a bottom
/// face; cuts connect their borders with their holes.
///
/// Throws InvalidInput, naming the chain or the position: for chains that are open, if nothing is
/// enclosed, for edges that cross too near to others to be divided, and for a thickness that is not
/// positive and finite.
///
///     const PolygonSoup plate = sheet_of(load_outline("plate.svg"), 2);
[[nodiscard]] PolygonSoup sheet_of(const Outline& outline, double thickness);

}  // namespace touche::plane
