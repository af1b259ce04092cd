// SPDX-License-Identifier: Apache-2.0
// Two dimensions: polylines and polygons, and the questions of touche/query.h about them. Do two
// outlines touch, where, how far apart are they, when along a motion do they first touch; which
// points lie inside of a region, and does one region lie inside another.
//
// An outline is a set of edges, and they are what is tested: an outline wholly inside another does
// not touch it. Touching counts as intersecting. Edges may cross, overlap, have no length.
//
// Answers are as those of touche/query.h: exact about poses, for the coordinates that result when
// b's vertices are brought into a's frame in double precision; proved about motions, in floating
// point. Options, budgets and statuses are the same; so is what is said there of threads. Bounding
// volumes are in touche/plane_volumes.h, files in touche/outline_file.h.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "touche/overlap.h"
#include "touche/plane_motion.h"
#include "touche/query.h"

namespace touche::plane {

// ---- outlines
// ------------------------------------------------------------------------------------

/// A polyline, or the border of a polygon. One point alone is an edge of no length.
struct Chain {
  std::vector<Vec2> points;
  bool closed = false;  ///< an edge leads from the last point to the first
  std::string name;     ///< may be empty; a layer or an id of the file it comes from
  /// Drawn over an earlier chain of the outline: its edges count, but it encloses nothing more.
  bool again = false;
};

/// Any number of chains. Vertices and edges are numbered through all of them; edge k of a chain
/// runs from its point k to the next.
class Outline {
 public:
  Outline() = default;

  /// Throws InvalidInput, naming chain and point: no chains, a chain without points, coordinates
  /// that are not finite or larger than 1e90, more than 2^29 points. Coordinates smaller than 1e-90
  /// become 0, so that no exact test underflows.
  explicit Outline(std::span<const Chain> chains, std::vector<std::string> remarks = {},
                   double chord_error = 0);

  [[nodiscard]] Index vertex_count() const { return static_cast<Index>(vertices_.size()); }
  [[nodiscard]] Index edge_count() const { return static_cast<Index>(edges_.size()); }
  [[nodiscard]] Index chain_count() const { return static_cast<Index>(chains_.size()); }

  [[nodiscard]] const Vec2& vertex(Index v) const { return vertices_[v]; }
  [[nodiscard]] std::span<const Vec2> vertices() const { return vertices_; }
  /// Numbers of the two vertices of an edge.
  [[nodiscard]] const std::array<Index, 2>& edge(Index e) const { return edges_[e]; }

  /// Return the first vertex and the first edge of a chain; those of chain_count() are the ends.
  [[nodiscard]] Index first_vertex(Index chain) const;
  [[nodiscard]] Index first_edge(Index chain) const;
  [[nodiscard]] bool closed(Index chain) const { return chains_[chain].closed; }
  [[nodiscard]] bool again(Index chain) const { return chains_[chain].again; }
  [[nodiscard]] std::string_view name(Index chain) const { return chains_[chain].name; }
  /// Sentences of whoever made it on what is not as it should be: see load_outline.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }
  /// A length: no curve for which its edges stand is farther from them. Answers are about the
  /// edges.
  [[nodiscard]] double chord_error() const { return chord_error_; }
  [[nodiscard]] Index chain_of_edge(Index edge) const;

  /// Lower and upper corner of the box around all vertices.
  [[nodiscard]] const Vec2& lo() const { return lo_; }
  [[nodiscard]] const Vec2& hi() const { return hi_; }
  [[nodiscard]] double diagonal() const { return (hi_ - lo_).norm(); }
  [[nodiscard]] double length() const;  ///< of all edges
  /// Enclosed by a closed chain, positive where it runs counter-clockwise.
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

/// An outline with its hierarchy: immutable, cheap to copy, safe to share.
class Object {
 public:
  explicit Object(Outline outline, std::string name = {}, const BuildOptions& options = {});

  [[nodiscard]] const Outline& outline() const { return *outline_; }
  [[nodiscard]] const std::string& name() const { return in_space_.name(); }

  /// The object of space that answers for it: face e stands on edge e and reaches above it. All
  /// that holds for these in space, along motions that keep z, holds for the edges (decision 0021).
  [[nodiscard]] const touche::Object& in_space() const { return in_space_; }

 private:
  std::shared_ptr<const Outline> outline_;
  touche::Object in_space_;
};

// ---- do they touch, and where
// --------------------------------------------------------------------

/// A pair of edges that touch, or are closest. Points and normal in world coordinates.
struct Contact {
  Index edge_a = kNone, edge_b = kNone;
  Feature feature_a, feature_b;  ///< a vertex or an edge, by its number in the outline
  Vec2 point_a = Vec2::Zero(), point_b = Vec2::Zero();
  /// It has unit length and points from a to b. Where edges intersect, b comes apart from a along
  /// it by the shortest shift.
  Vec2 normal = Vec2::UnitX();
  double distance = 0;  ///< 0 when the edges intersect
};

struct [[nodiscard]] IntersectsResult {
  bool intersects = false;
  bool decided = false;                  ///< false when the budget ended first
  Index edge_a = kNone, edge_b = kNone;  ///< one pair of edges that does
  QueryStats stats;
  /// True unless they are proved apart.
  [[nodiscard]] explicit operator bool() const { return intersects || !decided; }
};
IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b, const Budget& budget = {},
                            Workspace* workspace = nullptr);

struct [[nodiscard]] ContactsResult {
  std::vector<Contact> contacts;  ///< pairs of edges, sorted by (edge_a, edge_b), each once
  bool complete = false;          ///< false when max_contacts or the budget ended the search
  QueryStats stats;
};
ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options = {});

// ---- how far apart
// -------------------------------------------------------------------------------

struct [[nodiscard]] DistanceResult {
  Bracket distance;  ///< as in touche::DistanceResult
  std::optional<Contact> closest;
  bool complete = false;
  QueryStats stats;
};
DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options = {});

struct ClosestPoint {
  Index edge = kNone;           ///< kNone: nothing within the distance asked for
  Vec2 point = Vec2::Zero();    ///< on that edge, world coordinates
  double distance = kInfinity;  ///< of the point asked for
};
/// Answers as touche::closest_point does.
[[nodiscard]] ClosestPoint closest_point(const Object& object, const Pose& pose, const Vec2& x,
                                         double max_distance = kInfinity);

// ---- when
// ----------------------------------------------------------------------------------------

/// Means the same as touche::ToiResult: free in [0, time.lower), touched at time.upper.
struct [[nodiscard]] ToiResult {
  ToiStatus status = ToiStatus::undecided;
  Bracket time;
  double separated_at = 0;
  double tolerance = 0;
  std::optional<Contact> contact;  ///< at time.upper
  QueryStats stats;
};
ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options);

// ---- the slow, obvious twins
// ---------------------------------------------------------------------

/// The same questions answered by looking at every pair of edges; all but the last one in the
/// plane, by exact signs of areas.
namespace brute_force {
IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b, const Budget& budget = {});
ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options = {});
DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options = {});
ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options);
}  // namespace brute_force

// ---- regions
// -------------------------------------------------------------------------------------

/// Which points the closed chains of an outline enclose, as SVG has it.
enum class FillRule : std::uint8_t {
  even_odd,  ///< a ray from there crosses them an odd number of times
  nonzero,   ///< they wind around it
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

/// Holds what the chains of an outline enclose: a sheet part with holes, a country with islands.
/// Chains that are drawn again do not count.
class Region {
 public:
  /// Throws InvalidInput, naming the chain, when one is not closed.
  explicit Region(Object object, FillRule rule = FillRule::even_odd);

  [[nodiscard]] const Object& object() const { return object_; }
  [[nodiscard]] FillRule rule() const { return rule_; }

  /// Coordinates are the outline's own. Exact; takes a time that grows with the logarithm of the
  /// number of edges, and with the number of chains.
  [[nodiscard]] Place place(const Vec2& x) const;
  /// How often the chains run around x counter-clockwise, less how often clockwise. Exact, for
  /// points that are not on the border.
  [[nodiscard]] int winding_number(const Vec2& x) const;
  /// Distance from the edges, negative inside and 0 on the border. The sign is exact, and so is the
  /// 0; the distance is as right as that of closest_point.
  [[nodiscard]] double signed_distance(const Vec2& x) const;

  struct Data;  ///< for the library

 private:
  Object object_;
  FillRule rule_;
  std::shared_ptr<const Data> data_;
};

/// Tells whether all of one region lies inside the other; none does where their borders touch.
[[nodiscard]] Containment containment(const Region& a, const Pose& pose_a, const Region& b,
                                      const Pose& pose_b, const Budget& budget = {});

/// By a walk along every edge.
namespace brute_force {
[[nodiscard]] Place place(const Region& region, const Vec2& x);
[[nodiscard]] double signed_distance(const Region& region, const Vec2& x);
}  // namespace brute_force

}  // namespace touche::plane
