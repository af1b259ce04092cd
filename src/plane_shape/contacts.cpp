// SPDX-License-Identifier: Apache-2.0
// Contacts in the plane. The shortest shift that separates two overlapping convex polygons is along
// the normal of a side of either; if they are apart, the nearest pair is along such a normal, too,
// or it consists of two corners. An outline is tested edge by edge. If the nearest pair is at an
// edge's end where the outline continues towards the shape, the next edge is nearer; an overlap is
// then resolved along the edge's own normal. These are the rules of touche::contacts for soups,
// applied to edges.
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "math/rounding.h"
#include "plane/flat_outline.h"
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

/// Adds the contact points of the two: one point, or both ends of the common interval. Features are
/// numbers of corners, and of sides by their first corner.
void add_common(const Polygon& a, const Polygon& b, const Facing& f, double near,
                std::vector<ShapeContact>& contacts) {
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
    c.separation = f.normal.dot(on_b - on_a) - (a.radius + b.radius);
    c.feature_a = feature_at(a, f.part_a, on_a, near);
    c.feature_b = feature_at(b, f.part_b, on_b, near);
    contacts.push_back(c);
  }
}

std::vector<Vec2> corners_in_world(const Shape& shape, const Pose& pose) {
  std::vector<Vec2> corners;
  for (const Vec3& p : shape.in_space().corners()) corners.push_back(pose * Vec2(p.head<2>()));
  return corners;
}

/// Finds the contacts between an outline, which is a, and a convex shape, which is b.
class OutlineContacts {
 public:
  OutlineContacts(const Shape& outline, const Pose& pose, const Outline& edges, const Shape& shape,
                  const Pose& shape_pose, double margin)
      : outline_(edges),
        pose_(pose),
        corners_(corners_in_world(shape, shape_pose)),
        shape_{corners_, shape.radius()},
        radius_(outline.radius()),
        margin_(margin) {}

  void look(Index edge) {
    const auto [from, to] = outline_.edge(edge);
    const std::array<Vec2, 2> ends = {place(from), place(to)};
    const bool is_point = ends[0] == ends[1];
    const Polygon side{{ends.data(), is_point ? 1u : 2u}, radius_};
    const double near = rounding_of(side, shape_);
    Facing f = facing(side, shape_, near);
    take_nearest(edge, side, f, near);
    if (f.gap - radius_ - shape_.radius > margin_) return;
    if (f.part_a.first == f.part_a.last && goes_on_towards(edge, f.part_a.first, f.normal)) {
      if (f.gap > 0 || is_point) return;
      f = along_normal(side, near);
    }
    found_.clear();
    add_common(side, shape_, f, near, found_);
    for (const ShapeContact& c : found_)
      if (counts(edge, c)) add(edge, c, near);
  }

  /// Returns the contacts. The nearest point is reported in any case.
  std::vector<ShapeContact> take() {
    if (nearest_.edge_a != kNone && std::ranges::none_of(contacts_, [&](const ShapeContact& c) {
          return c.separation <= nearest_.separation + nearest_rounding_;
        }))
      add(nearest_.edge_a, nearest_, nearest_rounding_);
    std::ranges::stable_sort(contacts_, {}, &ShapeContact::edge_a);
    return std::move(contacts_);
  }

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

  /// The side of the edge to which the shape has to move less.
  [[nodiscard]] Facing along_normal(const Polygon& side, double near) const {
    const Vec2 n = left_of(side.corners[1] - side.corners[0]).normalized();
    const Facing one = facing_along(side, shape_, n, near),
                 other = facing_along(side, shape_, -n, near);
    return other.gap > one.gap ? other : one;
  }

  /// Whether a contact counts: always at a corner of the shape; at an end of the edge only if the
  /// outline ends or turns there.
  [[nodiscard]] bool counts(Index edge, const ShapeContact& c) const {
    return c.feature_b.kind == FeatureKind::vertex || c.feature_a.kind != FeatureKind::vertex ||
           is_sharp(edge, c.feature_a.index);
  }

  void take_nearest(Index edge, const Polygon& side, const Facing& f, double near) {
    found_.clear();
    add_common(side, shape_, f, near, found_);
    for (ShapeContact& c : found_) {
      c.edge_a = edge;
      if (nearest_.edge_a == kNone ||
          std::tie(c.separation, edge) < std::tie(nearest_.separation, nearest_.edge_a))
        nearest_ = c, nearest_rounding_ = near;
    }
  }

  /// Adds each point once; an end shared by two edges is assigned to the first of them.
  void add(Index edge, ShapeContact c, double near) {
    c.edge_a = edge;
    if (c.feature_a.kind == FeatureKind::vertex)
      c.feature_a.index = outline_.edge(edge)[c.feature_a.index];
    else
      c.feature_a.index = edge;
    const auto same = std::ranges::find_if(contacts_, [&](const ShapeContact& d) {
      return (c.point_a - d.point_a).norm() <= near && (c.point_b - d.point_b).norm() <= near;
    });
    if (same == contacts_.end())
      contacts_.push_back(c);
    else if (edge < same->edge_a)
      *same = c;
  }

  const Outline& outline_;
  const Pose pose_;
  const std::vector<Vec2> corners_;
  const Polygon shape_;
  const double radius_, margin_;
  std::vector<ShapeContact> contacts_, found_;
  ShapeContact nearest_;
  double nearest_rounding_ = 0;
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
  add_common(polygon_a, polygon_b, f, near, result.contacts);
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

ShapeContactsResult find_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b, double margin, bool all_edges) {
  if (!(margin >= 0 && margin <= kLargestMargin))
    throw InvalidInput("contacts: the margin must not be negative, nor larger than 1e90");
  if (!a.is_convex() && !b.is_convex())
    throw InvalidInput("contacts of two outlines: use contacts of their objects, touche/plane.h");
  if (a.is_convex() && !b.is_convex())
    return turned(find_contacts(b, pose_b, a, pose_a, margin, all_edges));
  const DistanceResult apart = distance(a, pose_a, b, pose_b);
  if (apart.distance.lower > margin) return {};
  if (a.is_convex()) return between_polygons(a, pose_a, b, pose_b);

  const Outline& outline = *outline_of(a.in_space().object());
  ShapeContactsResult result;
  OutlineContacts contacts(a, pose_a, outline, b, pose_b, margin);
  if (all_edges) {
    result.stats.brute_force = 1;
    for (Index e = 0; e < outline.edge_count(); ++e) contacts.look(e);
  } else {
    for (const Index e : edges_within(margin + a.radius(), a, pose_a, b, pose_b, result.stats))
      contacts.look(e);
    contacts.look(apart.closest->edge_a);  // rounding may have omitted it
  }
  result.contacts = contacts.take();
  result.normal = std::ranges::min_element(result.contacts, {}, &ShapeContact::separation)->normal;
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
