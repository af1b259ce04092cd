// SPDX-License-Identifier: Apache-2.0
// Contacts in the plane. The shortest shift that separates two overlapping convex polygons is along
// the normal of a side of either; if they are apart, the nearest pair is along such a normal, too,
// or it consists of two corners. An outline is tested edge by edge. If the nearest pair is at an
// edge's end where the outline continues towards the shape, the next edge is nearer; an overlap is
// then resolved along the edge's own normal. These are the rules of touche::contacts for soups,
// applied to edges. Two outlines are tested edge by edge, too, but edges that intersect are not
// deep in each other, because outlines have no inside.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "math/rounding.h"
#include "plane/edge_pair.h"
#include "plane/flat_outline.h"
#include "touche/near_faces.h"
#include "touche/plane_shape.h"
#include "touche/reference.h"
#include "touche/shape.h"

namespace touche::plane {
namespace {

// A share of sizes, and a sine: below it, points coincide and directions are parallel.
constexpr double kOnePlace = 1e-9;
constexpr double kLargestMargin = 1e90;

Vec2 left_of(const Vec2& n) { return {-n.y(), n.x()}; }

/// All points within the radius of a convex polygon, counter-clockwise, in world coordinates.
struct Polygon {
  std::span<const Vec2> corners;
  double radius = 0;

  [[nodiscard]] const Vec2& after(std::size_t i) const { return corners[(i + 1) % corners.size()]; }
};

/// The first and the last corner of the part that is farthest along a direction, from right to left
/// as seen against the direction: the ends of a side, or one corner twice.
struct Part {
  std::size_t first = 0, last = 0;
};

Part farthest_part(const Polygon& polygon, const Vec2& n, double near) {
  double most = -kInfinity, low = kInfinity, high = -kInfinity;
  for (const Vec2& p : polygon.corners) most = std::max(most, n.dot(p));
  Part part;
  for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
    if (n.dot(polygon.corners[i]) < most - near) continue;
    const double at = left_of(n).dot(polygon.corners[i]);
    if (at < low) low = at, part.first = i;
    if (at > high) high = at, part.last = i;
  }
  return part;
}

/// Lengths below this are rounding.
double rounding_of(const Polygon& a, const Polygon& b) {
  double extent = 0, size = 0;
  for (const Polygon* polygon : {&a, &b})
    for (const Vec2& p : polygon->corners) {
      extent = std::max(extent, (p - polygon->corners[0]).norm());
      size = std::max(size, p.norm());
    }
  return kOnePlace * extent + 16 * math::kUnitRoundoff * size;
}

/// How two polygons face each other along a normal from a to b.
struct Facing {
  Vec2 normal = Vec2::UnitX();
  double gap = -kInfinity;  // of the polygons without radii; negative if they overlap
  Part part_a, part_b;
};

Facing facing_along(const Polygon& a, const Polygon& b, const Vec2& n, double near) {
  Facing f{n, 0, farthest_part(a, n, near), farthest_part(b, -n, near)};
  double most = -kInfinity, least = kInfinity;
  for (const Vec2& p : a.corners) most = std::max(most, n.dot(p));
  for (const Vec2& p : b.corners) least = std::min(least, n.dot(p));
  f.gap = least - most;
  return f;
}

/// The interval along the tangent in which both parts lie over each other; empty (low > high) if
/// there is none.
struct Common {
  double low, high;
};
Common common_of(const Polygon& a, const Polygon& b, const Facing& f) {
  const Vec2 t = left_of(f.normal);
  const auto at = [&](const Polygon& p, std::size_t i) { return t.dot(p.corners[i]); };
  // Seen from the other side, the order of b's part is reversed.
  return {std::max(at(a, f.part_a.first), at(b, f.part_b.last)),
          std::min(at(a, f.part_a.last), at(b, f.part_b.first))};
}

/// The direction of the shortest separating shift, or of the nearest pair.
Facing facing(const Polygon& a, const Polygon& b, double near) {
  Facing best;
  const auto look = [&](const Polygon& sides, double sign) {
    for (std::size_t i = 0; i < sides.corners.size() && sides.corners.size() > 1; ++i) {
      const Vec2 along = sides.after(i) - sides.corners[i];
      const double length = along.norm();
      if (!(length > 0)) continue;
      const Facing f = facing_along(a, b, -sign / length * left_of(along), near);
      if (f.gap > best.gap) best = f;
    }
  };
  look(a, 1);
  look(b, -1);
  if (best.gap > -kInfinity) {
    const Common common = common_of(a, b, best);
    // Two parts beside each other on one line are apart along that line, although no side separates
    // them.
    if (best.gap < -near || common.high >= common.low - near) return best;
  }
  // From corner to corner.
  double least = kInfinity;
  std::size_t of_a = 0, of_b = 0;
  for (std::size_t i = 0; i < a.corners.size(); ++i)
    for (std::size_t j = 0; j < b.corners.size(); ++j)
      if (const double d = (b.corners[j] - a.corners[i]).squaredNorm(); d < least)
        least = d, of_a = i, of_b = j;
  const Vec2 way = b.corners[of_b] - a.corners[of_a];
  const double length = way.norm();
  return {
      length > 0 ? Vec2(way / length) : Vec2(Vec2::UnitX()), length, {of_a, of_a}, {of_b, of_b}};
}

/// The point of a part at a given coordinate along the tangent.
Vec2 point_at(const Polygon& polygon, const Part& part, const Vec2& across, double at) {
  const Vec2 &p = polygon.corners[part.first], &q = polygon.corners[part.last];
  const double from = across.dot(p), to = across.dot(q);
  if (!(std::abs(to - from) > 0)) return p;
  return p + std::clamp((at - from) / (to - from), 0.0, 1.0) * (q - p);
}

Feature feature_at(const Polygon& polygon, const Part& part, const Vec2& x, double near) {
  for (const std::size_t i : {part.first, part.last})
    if ((polygon.corners[i] - x).norm() <= near)
      return {FeatureKind::vertex, static_cast<Index>(i)};
  return {FeatureKind::edge, static_cast<Index>(part.first)};
}

/// The contact points of the two: one point, or both ends of the common interval. Features are
/// numbers of corners, and of sides by their first corner.
std::vector<ShapeContact> contacts_along(const Polygon& a, const Polygon& b, const Facing& f,
                                         double near) {
  std::vector<ShapeContact> contacts;
  const auto [low, high] = common_of(a, b, f);
  const Vec2 t = left_of(f.normal);
  std::array<double, 2> at = {low, high};
  const bool one = high - low <= near;
  if (one) at[0] = at[1] = 0.5 * (low + high);
  for (std::size_t k = 0; k < (one ? 1 : 2); ++k) {
    const Vec2 on_a = point_at(a, f.part_a, t, at[k]), on_b = point_at(b, f.part_b, t, at[k]);
    ShapeContact c;
    c.normal = f.normal;
    c.point_a = on_a + a.radius * f.normal, c.point_b = on_b - b.radius * f.normal;
    c.distance = f.normal.dot(on_b - on_a) - (a.radius + b.radius);
    c.feature_a = feature_at(a, f.part_a, on_a, near);
    c.feature_b = feature_at(b, f.part_b, on_b, near);
    contacts.push_back(c);
  }
  return contacts;
}

std::vector<Vec2> corners_in_world(const Shape& shape, const Pose& pose) {
  std::vector<Vec2> corners;
  for (const Vec3& p : shape.in_space().corners()) corners.push_back(pose * Vec2(p.head<2>()));
  return corners;
}

/// An outline in the world.
class PlacedOutline {
 public:
  PlacedOutline(const Shape& shape, const Pose& pose)
      : outline_(*outline_of(shape.in_space().object())), pose_(pose), radius_(shape.radius()) {}

  /// An edge as a polygon of one or two corners.
  struct Side {
    std::array<Vec2, 2> ends;
    double radius;

    [[nodiscard]] bool is_point() const { return ends[0] == ends[1]; }
    [[nodiscard]] Polygon polygon() const { return {{ends.data(), is_point() ? 1u : 2u}, radius}; }
  };
  [[nodiscard]] Side side(Index edge) const {
    const auto [from, to] = outline_.edge(edge);
    return {{place(from), place(to)}, radius_};
  }

  /// Whether the outline beyond this end of the edge comes nearer to a shape in direction n.
  [[nodiscard]] bool goes_on_towards(Index edge, std::size_t end, const Vec2& n) const {
    const Index other = beyond(edge, end);
    if (other == kNone) return false;
    const Vec2 way = place(other) - place(outline_.edge(edge)[end]);
    return n.dot(way) > kOnePlace * way.norm();
  }
  /// Whether the outline ends or turns at this end of the edge.
  [[nodiscard]] bool is_sharp(Index edge, std::size_t end) const {
    const Index other = beyond(edge, end);
    if (other == kNone) return true;
    const Vec2 at = place(outline_.edge(edge)[end]), on = place(other) - at,
               back = place(outline_.edge(edge)[1 - end]) - at;
    return !(std::abs(left_of(on).dot(back)) <= kOnePlace * on.norm() * back.norm() &&
             on.dot(back) < 0);
  }

  /// The feature of the outline for one of an edge's polygon.
  [[nodiscard]] Feature feature(Index edge, const Feature& of_side) const {
    if (of_side.kind == FeatureKind::vertex)
      return {of_side.kind, outline_.edge(edge)[of_side.index]};
    return {of_side.kind, edge};
  }

  [[nodiscard]] const Outline& outline() const { return outline_; }
  [[nodiscard]] double radius() const { return radius_; }

 private:
  [[nodiscard]] Vec2 place(Index vertex) const { return pose_ * outline_.vertex(vertex); }

  /// The far end of the next edge at this end; kNone if the outline ends here.
  [[nodiscard]] Index beyond(Index edge, std::size_t end) const {
    const Index chain = outline_.chain_of_edge(edge), first = outline_.first_edge(chain),
                count = outline_.first_edge(chain + 1) - first;
    const bool last_end = edge == (end == 0 ? first : first + count - 1);
    if (count == 1 || (last_end && !outline_.closed(chain))) return kNone;
    const Index next = first + (edge - first + (end == 0 ? count - 1 : 1)) % count;
    return outline_.edge(next)[end];
  }

  const Outline& outline_;
  const Pose pose_;
  const double radius_;
};

/// The contacts found so far, and the nearest pair, which is reported in any case.
class FoundContacts {
 public:
  /// Adds each point once; a point shared by two edges is assigned to the first of them. Points
  /// nearer than `near` are one point.
  void add(const ShapeContact& c, double near) {
    const auto same = std::ranges::find_if(contacts_, [&](const ShapeContact& d) {
      return (c.point_a - d.point_a).norm() <= near && (c.point_b - d.point_b).norm() <= near;
    });
    if (same == contacts_.end())
      contacts_.push_back(c);
    else if (edges_of(c) < edges_of(*same))
      *same = c;
  }
  void take_nearest(const ShapeContact& c, double near) {
    if (nearest_.edge_a == kNone ||
        std::pair(c.distance, edges_of(c)) < std::pair(nearest_.distance, edges_of(nearest_)))
      nearest_ = c, nearest_rounding_ = near;
  }

  std::vector<ShapeContact> take() {
    if (nearest_.edge_a != kNone && std::ranges::none_of(contacts_, [&](const ShapeContact& c) {
          return c.distance <= nearest_.distance + nearest_rounding_;
        }))
      add(nearest_, nearest_rounding_);
    std::ranges::stable_sort(contacts_, {}, edges_of);
    return std::move(contacts_);
  }

 private:
  static std::pair<Index, Index> edges_of(const ShapeContact& c) { return {c.edge_a, c.edge_b}; }

  std::vector<ShapeContact> contacts_;
  ShapeContact nearest_;
  double nearest_rounding_ = 0;
};

/// Finds the contacts between an outline, which is a, and a convex shape, which is b.
class OutlineContacts {
 public:
  OutlineContacts(const Shape& outline, const Pose& pose, const Shape& shape,
                  const Pose& shape_pose, double margin)
      : outline_(outline, pose),
        corners_(corners_in_world(shape, shape_pose)),
        shape_{corners_, shape.radius()},
        margin_(margin) {}

  void look(Index edge) {
    const PlacedOutline::Side ends = outline_.side(edge);
    const Polygon side = ends.polygon();
    const double near = rounding_of(side, shape_);
    Facing f = facing(side, shape_, near);
    for (const ShapeContact& c : contacts_along(side, shape_, f, near))
      found_.take_nearest(of_edge(edge, c), near);
    if (f.gap - side.radius - shape_.radius > margin_) return;
    if (f.part_a.first == f.part_a.last &&
        outline_.goes_on_towards(edge, f.part_a.first, f.normal)) {
      if (f.gap > 0 || ends.is_point()) return;
      f = along_normal(side, near);
    }
    for (const ShapeContact& c : contacts_along(side, shape_, f, near))
      if (counts(edge, c)) found_.add(of_edge(edge, c), near);
  }

  std::vector<ShapeContact> take() { return found_.take(); }

 private:
  /// The side of the edge to which the shape has to move less.
  [[nodiscard]] Facing along_normal(const Polygon& side, double near) const {
    const Vec2 n = left_of(side.corners[1] - side.corners[0]).normalized();
    const Facing one = facing_along(side, shape_, n, near),
                 other = facing_along(side, shape_, -n, near);
    return other.gap > one.gap ? other : one;
  }

  /// A contact of an edge's polygon with the numbers of the outline.
  [[nodiscard]] ShapeContact of_edge(Index edge, ShapeContact c) const {
    c.edge_a = edge;
    c.feature_a = outline_.feature(edge, c.feature_a);
    return c;
  }

  /// Whether a contact counts: always at a corner of the shape; at an end of the edge only if the
  /// outline ends or turns there.
  [[nodiscard]] bool counts(Index edge, const ShapeContact& c) const {
    return c.feature_b.kind == FeatureKind::vertex || c.feature_a.kind != FeatureKind::vertex ||
           outline_.is_sharp(edge, c.feature_a.index);
  }

  const PlacedOutline outline_;
  const std::vector<Vec2> corners_;
  const Polygon shape_;
  const double margin_;
  FoundContacts found_;
};

/// Finds the contacts between two outlines.
class OutlinePairContacts {
 public:
  OutlinePairContacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      double margin)
      : a_(a, pose_a),
        b_(b, pose_b),
        pose_a_(pose_a),
        to_a_(pose_a.in_space(), pose_b.in_space()),
        margin_(margin) {}

  void look(Index edge_a, Index edge_b) {
    const PlacedOutline::Side ends_a = a_.side(edge_a), ends_b = b_.side(edge_b);
    const Polygon side_a = ends_a.polygon(), side_b = ends_b.polygon();
    const double near = rounding_of(side_a, side_b);
    if (add_crossing(edge_a, edge_b, near)) return;
    const Facing f = facing(side_a, side_b, near);
    const std::vector<ShapeContact> found = contacts_along(side_a, side_b, f, near);
    for (const ShapeContact& c : found) found_.take_nearest(of_edges(edge_a, edge_b, c), near);
    if (f.gap - side_a.radius - side_b.radius > margin_) return;
    if (f.part_a.first == f.part_a.last && a_.goes_on_towards(edge_a, f.part_a.first, f.normal))
      return;
    if (f.part_b.first == f.part_b.last && b_.goes_on_towards(edge_b, f.part_b.first, -f.normal))
      return;
    for (const ShapeContact& c : found)
      if (counts(edge_a, edge_b, c)) found_.add(of_edges(edge_a, edge_b, c), near);
  }

  std::vector<ShapeContact> take() { return found_.take(); }

 private:
  /// Adds the contact of two edges that intersect. Returns false if they do not.
  bool add_crossing(Index edge_a, Index edge_b, double near) {
    const Edge at_a = edge_of(a_.outline(), edge_a), at_b = edge_of(b_.outline(), edge_b, to_a_);
    if (!edges_intersect(at_a, at_b)) return false;
    const Contact met = make_contact(a_.outline(), edge_a, b_.outline(), edge_b, at_a, at_b,
                                     edge_distance(at_a, at_b), pose_a_);
    ShapeContact c;
    c.normal = met.normal;
    c.point_a = met.point_a + a_.radius() * met.normal;
    c.point_b = met.point_b - b_.radius() * met.normal;
    c.distance = 0 - (a_.radius() + b_.radius());
    c.edge_a = edge_a, c.edge_b = edge_b;
    c.feature_a = met.feature_a, c.feature_b = met.feature_b;
    found_.take_nearest(c, near);
    found_.add(c, near);
    return true;
  }

  [[nodiscard]] ShapeContact of_edges(Index edge_a, Index edge_b, ShapeContact c) const {
    c.edge_a = edge_a, c.edge_b = edge_b;
    c.feature_a = a_.feature(edge_a, c.feature_a);
    c.feature_b = b_.feature(edge_b, c.feature_b);
    return c;
  }

  /// Whether a contact counts: between two edges, or where one of the outlines ends or turns.
  [[nodiscard]] bool counts(Index edge_a, Index edge_b, const ShapeContact& c) const {
    const bool at_a = c.feature_a.kind == FeatureKind::vertex,
               at_b = c.feature_b.kind == FeatureKind::vertex;
    return (!at_a && !at_b) || (at_a && a_.is_sharp(edge_a, c.feature_a.index)) ||
           (at_b && b_.is_sharp(edge_b, c.feature_b.index));
  }

  const PlacedOutline a_, b_;
  const Pose pose_a_;
  const query::RelativePose to_a_;
  const double margin_;
  FoundContacts found_;
};

/// Exchanges a and b.
ShapeContactsResult turned(ShapeContactsResult result) {
  result.normal = -result.normal;
  for (ShapeContact& c : result.contacts) {
    std::swap(c.point_a, c.point_b);
    std::swap(c.edge_a, c.edge_b);
    std::swap(c.feature_a, c.feature_b);
    c.normal = -c.normal;
  }
  return result;
}

ShapeContactsResult between_polygons(const Shape& a, const Pose& pose_a, const Shape& b,
                                     const Pose& pose_b) {
  const std::vector<Vec2> corners_a = corners_in_world(a, pose_a),
                          corners_b = corners_in_world(b, pose_b);
  const Polygon polygon_a{corners_a, a.radius()}, polygon_b{corners_b, b.radius()};
  const double near = rounding_of(polygon_a, polygon_b);
  const Facing f = facing(polygon_a, polygon_b, near);
  ShapeContactsResult result;
  result.normal = f.normal;
  result.contacts = contacts_along(polygon_a, polygon_b, f, near);
  return result;
}

/// The edges of an outline within a distance of a convex shape.
std::vector<Index> edges_within(double reach, const Shape& outline, const Pose& pose,
                                const Shape& shape, const Pose& shape_pose, QueryStats& stats) {
  const ShapeFacesResult found =
      intersecting_faces(shape.rounded(reach).in_space(), shape_pose.in_space(),
                         outline.in_space().object(), pose.in_space());
  stats = found.stats;
  std::vector<Index> edges = found.faces;
  edges.insert(edges.end(), found.undecided.begin(), found.undecided.end());
  return edges;
}

/// The pairs of edges of two outlines that are at most `reach` apart, and possibly a few others.
std::vector<FacePair> pairs_within(double reach, const Shape& a, const Pose& pose_a, const Shape& b,
                                   const Pose& pose_b, QueryStats& stats) {
  constexpr double kRounding = 1e-11;  // ten times the error of near_faces
  const touche::Object &object_a = a.in_space().object(), &object_b = b.in_space().object();
  const double more =
      kRounding * (reach + object_a.bounds().diagonal() + object_b.bounds().diagonal());
  const NearResult found = near_faces(object_a, pose_a.in_space(), object_b, pose_b.in_space(),
                                      {.max_distance = reach + more});
  stats = found.stats;
  std::vector<FacePair> pairs;
  pairs.reserve(found.contacts.size());
  for (const touche::Contact& c : found.contacts) pairs.push_back({c.face_a, c.face_b});
  return pairs;
}

ShapeContactsResult between_outlines(const Shape& a, const Pose& pose_a, const Shape& b,
                                     const Pose& pose_b, double margin, bool all_edges) {
  ShapeContactsResult result;
  OutlinePairContacts contacts(a, pose_a, b, pose_b, margin);
  if (all_edges) {
    result.stats.brute_force = 1;
    const Index count_a = outline_of(a.in_space().object())->edge_count(),
                count_b = outline_of(b.in_space().object())->edge_count();
    for (Index ea = 0; ea < count_a; ++ea)
      for (Index eb = 0; eb < count_b; ++eb) contacts.look(ea, eb);
  } else {
    const double reach = margin + a.radius() + b.radius();
    for (const FacePair& pair : pairs_within(reach, a, pose_a, b, pose_b, result.stats))
      contacts.look(pair.a, pair.b);
  }
  result.contacts = contacts.take();
  return result;
}

ShapeContactsResult between_outline_and_convex(const Shape& a, const Pose& pose_a, const Shape& b,
                                               const Pose& pose_b, double margin, Index nearest,
                                               bool all_edges) {
  ShapeContactsResult result;
  OutlineContacts contacts(a, pose_a, b, pose_b, margin);
  if (all_edges) {
    result.stats.brute_force = 1;
    const Index count = outline_of(a.in_space().object())->edge_count();
    for (Index e = 0; e < count; ++e) contacts.look(e);
  } else {
    for (const Index e : edges_within(margin + a.radius(), a, pose_a, b, pose_b, result.stats))
      contacts.look(e);
    contacts.look(nearest);  // rounding may have omitted it
  }
  result.contacts = contacts.take();
  return result;
}

ShapeContactsResult find_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b, double margin, bool all_edges) {
  if (!(margin >= 0 && margin <= kLargestMargin))
    throw InvalidInput("contacts: max_distance must not be negative, nor larger than 1e90");
  if (a.is_convex() && !b.is_convex())
    return turned(find_contacts(b, pose_b, a, pose_a, margin, all_edges));
  const DistanceResult apart = distance(a, pose_a, b, pose_b);
  if (apart.distance.lower > margin) return {};
  if (a.is_convex()) return between_polygons(a, pose_a, b, pose_b);
  ShapeContactsResult result = b.is_convex()
                                   ? between_outline_and_convex(a, pose_a, b, pose_b, margin,
                                                                apart.closest->edge_a, all_edges)
                                   : between_outlines(a, pose_a, b, pose_b, margin, all_edges);
  if (result.contacts.empty()) return result;
  result.normal = std::ranges::min_element(result.contacts, {}, &ShapeContact::distance)->normal;
  return result;
}

}  // namespace

ShapeContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             double margin) {
  return find_contacts(a, pose_a, b, pose_b, margin, false);
}

ShapeContactsResult brute_force::contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                          const Pose& pose_b, double margin) {
  return find_contacts(a, pose_a, b, pose_b, margin, true);
}

}  // namespace touche::plane
