// SPDX-License-Identifier: Apache-2.0
// The winding number of a closed object is how often a way from the point to far outside crosses
// its faces: from inside outwards less the other way round. Exact predicates count; where the way
// meets an edge another one is taken.
//
// The winding number of an open object is a sum of solid angles: those of near triangles by van
// Oosterom and Strackee (1983), those of far groups by the first two terms of their expansion
// (Barill and others 2018). Seen from x, an area element at
// p counts n · g(p − x) with g(r) = r / |r|³. That is the gradient of −1 / |r|, whose n-th
// derivatives are at most n! / |r|^(n+1): so the first of g is at most 2 / |r|³ and the second 6 /
// |r|⁴. For all of a group within `radius` of its centre the expansion is off by at most size ·
// radius² · 3 / (distance − radius)⁴.
#include "path/interior.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include "geometry/point_triangle.h"
#include "geometry/predicates.h"
#include "math/rounding.h"
#include "query/relative.h"
#include "touche/query.h"

namespace touche {
namespace {

constexpr Index kLeafTriangles = 8;
constexpr double kFourPi = 4 * std::numbers::pi;

// These are errors of winding numbers. A group that is off by less than kCoarse is not taken apart
// at first. Seen from a whole ball, a group may be off by the first of kGroupErrors, and by the
// second if that does not decide. kRounding bounds the rounding of the sums.
constexpr double kCoarse = 0.01, kGroupErrors[] = {4e-3, 5e-4}, kRounding = 1e-9;

double solid_angle(const Triangle& t, const Vec3& x) {
  const Vec3 a = t[0] - x, b = t[1] - x, c = t[2] - x;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double numerator = a.dot(b.cross(c));
  const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  if (numerator == 0) return 0;  // x lies in the triangle's plane, or even on the triangle
  return 2 * std::atan2(numerator, denominator);
}

/// Bounds the change of a triangle's solid angle, as `seen` from x, within `radius` of x.
double solid_angle_change(const Triangle& t, const Vec3& x, double radius, double seen) {
  const double any = std::abs(seen) + 2 * std::numbers::pi;
  const double away = kRoundDown * nearest_offset(x, t).norm() - radius;
  if (!(away > 0)) return any;
  const double size = 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
  return std::min(any, 2 * size * radius / (away * away * away));
}

// Ways out are tilted like this, in shares of the size of the object.
const Vec3 kTilts[] = {
    {0.0131, 0.0277, 0.0193}, {-0.0311, 0.0173, 0.0239}, {0.0229, -0.0337, 0.0149}};

/// A point outside of the box, past the side nearest to x.
Vec3 way_out(const Vec3& x, const Aabb& box, const Vec3& tilt) {
  int axis = 0;
  const Vec3 left = (x - box.lo).cwiseMin(box.hi - x);
  left.minCoeff(&axis);
  const Vec3 size = box.hi - box.lo;
  Vec3 end = x + tilt.cwiseProduct(size);
  const double beyond = 0.01 * size.maxCoeff();
  end[axis] = x[axis] - box.lo[axis] < box.hi[axis] - x[axis] ? box.lo[axis] - beyond
                                                              : box.hi[axis] + beyond;
  return end;
}

/// False only where the way from x by `way` stays outside of the box, rounding included.
bool may_meet(const Vec3& x, const Vec3& way, const Aabb& box) {
  const double slack = kFormulaError * (way.lpNorm<1>() + x.lpNorm<1>());
  double begin = 0, end = 1;
  for (int k = 0; k < 3; ++k) {
    double lo = box.lo[k] - x[k] - slack, hi = box.hi[k] - x[k] + slack;
    if (way[k] < 0) std::swap(lo, hi);
    if (way[k] == 0) {
      if (lo > 0 || hi < 0) return false;
      continue;
    }
    begin = std::max(begin, lo / way[k] - kFormulaError);
    end = std::min(end, hi / way[k] + kFormulaError);
  }
  return begin <= end;
}

Vec3 vector_area(const Triangle& t) { return 0.5 * (t[1] - t[0]).cross(t[2] - t[0]); }

}  // namespace

Interior::Data::Data(Object o) : object(std::move(o)), faces(object) {
  const Health health = examine(object.soup());
  closed = health.closed && health.oriented;
  std::vector<Aabb> boxes(object.soup().triangle_count());
  for (Index t = 0; t < boxes.size(); ++t)
    for (const Vec3& corner : triangle_of(object.soup(), t)) boxes[t].include(corner);
  parts = parts_of(object.soup());
  tree_ = AabbTree(boxes, kLeafTriangles);
  make_clusters();
}

void Interior::Data::make_clusters() {
  const auto nodes = tree_.nodes();
  clusters_.resize(nodes.size());

  // Sum areas and areas times positions bottom up: children come after their parents.
  for (std::size_t i = nodes.size(); i-- > 0;) {
    Cluster& cluster = clusters_[i];
    const auto add = [&](const Vec3& area, double size, const Vec3& centre) {
      cluster.area += area;
      cluster.size += size;
      cluster.centre += size * (centre - nodes[i].box.centre());
    };
    if (nodes[i].is_leaf()) {
      for (const Index item : tree_.items(nodes[i])) {
        const Triangle t = triangle_of(object.soup(), item);
        const Vec3 area = vector_area(t);
        add(area, area.norm(), t[0] / 3 + t[1] / 3 + t[2] / 3);
      }
    } else {
      for (const Index child : {nodes[i].first, nodes[i].second})
        add(clusters_[child].area, clusters_[child].size, clusters_[child].centre);
    }
    if (cluster.size > 0) cluster.centre /= cluster.size;
    cluster.centre += nodes[i].box.centre();

    // Sum moments about the centre.
    if (nodes[i].is_leaf()) {
      for (const Index item : tree_.items(nodes[i])) {
        const Triangle t = triangle_of(object.soup(), item);
        const Vec3 from_centre = t[0] / 3 + t[1] / 3 + t[2] / 3 - cluster.centre;
        cluster.moment += vector_area(t) * from_centre.transpose();
        double squares = 9 * from_centre.squaredNorm();
        for (const Vec3& corner : t) squares += (corner - cluster.centre).squaredNorm();
        cluster.spread += vector_area(t).norm() * squares / 12 * kRoundUp;
      }
    } else {
      for (const Index child : {nodes[i].first, nodes[i].second}) {
        const Cluster& part = clusters_[child];
        const Vec3 shift = part.centre - cluster.centre;
        cluster.moment += part.moment + part.area * shift.transpose();
        cluster.spread += (part.spread + part.size * shift.squaredNorm()) * kRoundUp;
      }
    }
  }

  // Let each corner widen the balls of all nodes above it.
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].is_leaf())
      for (const Index item : tree_.items(nodes[i]))
        for (const Vec3& corner : triangle_of(object.soup(), item))
          for (auto at = static_cast<Index>(i); at != kNone; at = nodes[at].parent) {
            Cluster& c = clusters_[at];
            c.radius = std::max(c.radius, (corner - c.centre).norm());
          }
}

Interior::Data::FromAfar Interior::Data::from_afar(const Cluster& cluster, const Vec3& x,
                                                   double radius) const {
  const Vec3 to = cluster.centre - x;
  const double distance2 = to.squaredNorm(), distance = std::sqrt(distance2);
  const double away = kRoundDown * distance - cluster.radius;
  if (!(away > radius)) return {};
  const double per_cube = 1 / (distance2 * distance), away2 = away * away;
  const double along = to.dot(cluster.moment * to) / distance2;
  FromAfar result;
  result.angle = (cluster.area.dot(to) + cluster.moment.trace() - 3 * along) * per_cube;
  result.off = 3 * cluster.spread / (away2 * away2);
  if (radius > 0) {
    const double left = away - radius;
    result.off_ball = 2 * cluster.size * radius / (left * left * left);
  }
  return result;
}

Interior::Data::Winding Interior::Data::winding(const Vec3& x, double radius,
                                                double group_error) const {
  double angle = 0, error = 0;
  TraversalStack<Index> waiting;
  waiting.push(0);
  while (!waiting.empty()) {
    const Index at = waiting.pop();
    const AabbTree::Node& node = tree_.nodes()[at];
    const Cluster& cluster = clusters_[at];
    const FromAfar far = from_afar(cluster, x, radius);
    // Take the group as a whole also where most of its error is due to the ball: that of smaller
    // groups would be as large.
    if (far.off < group_error * kFourPi ||
        (far.off < far.off_ball && 2 * cluster.radius < (cluster.centre - x).norm())) {
      angle += far.angle;
      error += far.off + far.off_ball;
    } else if (!node.is_leaf()) {
      waiting.push(node.second);
      waiting.push(node.first);
    } else {
      for (const Index item : tree_.items(node)) {
        const Triangle t = triangle_of(object.soup(), item);
        const double seen = solid_angle(t, x);
        angle += seen;
        if (radius > 0) error += solid_angle_change(t, x, radius, seen);
      }
    }
  }
  return {angle / kFourPi, error / kFourPi + kRounding};
}

/// Takes groups apart, the one that is farthest off first, until the error that is left is so small
/// that the winding number decides.
bool Interior::Data::open_contains(const Vec3& x) const {
  struct Group {
    double off, angle;
    Index node;
    bool operator<(const Group& o) const { return off != o.off ? off < o.off : node < o.node; }
  };
  std::vector<Group> groups;  // a heap
  groups.reserve(256);
  double angle = 0, error = 0;
  TraversalStack<Index> waiting;
  waiting.push(0);
  for (;;) {
    // Sum the groups that wait: far ones as a whole, near ones by their parts.
    while (!waiting.empty()) {
      const Index at = waiting.pop();
      const AabbTree::Node& node = tree_.nodes()[at];
      const FromAfar far = from_afar(clusters_[at], x, 0);
      if (far.off < kCoarse * kFourPi) {
        angle += far.angle;
        error += far.off;
        groups.push_back({far.off, far.angle, at});
        std::push_heap(groups.begin(), groups.end());
      } else if (node.is_leaf()) {
        for (const Index item : tree_.items(node))
          angle += solid_angle(triangle_of(object.soup(), item), x);
      } else {
        waiting.push(node.second);
        waiting.push(node.first);
      }
    }
    // Answer as soon as the error cannot change the answer.
    const double clear = std::abs(std::abs(angle) / kFourPi - 0.5);
    if (clear > error / kFourPi + kRounding) return std::abs(angle) / kFourPi > 0.5;
    if (groups.empty()) return std::abs(exact_winding(x)) >= 0.5;

    // Take the group that is farthest off apart.
    std::pop_heap(groups.begin(), groups.end());
    const Group group = groups.back();
    groups.pop_back();
    angle -= group.angle;
    error -= group.off;
    const AabbTree::Node& node = tree_.nodes()[group.node];
    if (node.is_leaf()) {
      for (const Index item : tree_.items(node))
        angle += solid_angle(triangle_of(object.soup(), item), x);
    } else {
      waiting.push(node.second);
      waiting.push(node.first);
    }
  }
}

bool Interior::Data::all_outside(const Vec3& x, double radius) const {
  if (squared_distance(x, object.bounds()) > radius * radius * kRoundUp) return true;
  for (const double group_error : kGroupErrors) {
    const Winding w = winding(x, radius, group_error);
    if (std::abs(w.value) + w.error < 0.5) return true;
    if (std::abs(w.value) >= 0.5) return false;
  }
  return false;
}

std::optional<int> Interior::Data::crossings(const Vec3& x, const Vec3& y) const {
  const Vec3 way = y - x;
  int count = 0;
  const bool clear = tree_.visit(
      [&](const Aabb& box) { return may_meet(x, way, box); },
      [&](Index item) {
        const Triangle t = triangle_of(object.soup(), item);
        // Skip the triangle where its plane lies beside the way, or the way's line beside it.
        const int side_x = orient3d(t[0], t[1], t[2], x), side_y = orient3d(t[0], t[1], t[2], y);
        if (side_x == side_y && side_x != 0) return true;
        const int turns[] = {orient3d(x, y, t[0], t[1]), orient3d(x, y, t[1], t[2]),
                             orient3d(x, y, t[2], t[0])};
        const int least = std::min({turns[0], turns[1], turns[2]});
        const int most = std::max({turns[0], turns[1], turns[2]});
        if (least < 0 && most > 0) return true;
        // Give up where the way meets an edge or a vertex, or ends in the plane.
        if (side_x == 0 || side_y == 0 || least == 0 || most == 0) return false;
        count += side_x > 0 ? 1 : -1;  // from below, which is inside
        return true;
      });
  return clear ? std::optional(count) : std::nullopt;
}

double Interior::Data::exact_winding(const Vec3& x) const {
  double angle = 0;
  for (Index t = 0; t < object.soup().triangle_count(); ++t)
    angle += solid_angle(triangle_of(object.soup(), t), x);
  return angle / kFourPi;
}

bool Interior::Data::contains(const Vec3& x) const {
  if (!in_bounds(x)) return false;
  if (closed)
    for (const Vec3& tilt : kTilts)
      if (const auto count = crossings(x, way_out(x, object.bounds(), tilt))) return *count != 0;
  return open_contains(x);
}

Interior::Interior(Object object) : data_(std::make_shared<const Data>(std::move(object))) {}

const Object& Interior::object() const { return data_->object; }
bool Interior::closed() const { return data_->closed; }
double Interior::winding_number(const Vec3& x) const { return data_->exact_winding(x); }
bool Interior::contains(const Vec3& x) const { return data_->contains(x); }
double Interior::signed_distance(const Vec3& x) const {
  const double distance = data_->faces.nearest(x, 0).distance;
  return data_->contains(x) ? -distance : distance;
}

std::vector<std::vector<Index>> parts_of(const PolygonSoup& soup) {
  // Let one vertex stand for all at its position.
  std::vector<Index> order(soup.vertex_count()), leader(soup.vertex_count());
  std::iota(order.begin(), order.end(), Index{0});
  const auto key = [&](Index v) {
    const Vec3& x = soup.vertex(v);
    return std::tie(x[0], x[1], x[2]);
  };
  std::sort(order.begin(), order.end(),
            [&](Index v, Index w) { return key(v) != key(w) ? key(v) < key(w) : v < w; });
  for (std::size_t i = 0; i < order.size(); ++i)
    leader[order[i]] =
        i > 0 && key(order[i]) == key(order[i - 1]) ? leader[order[i - 1]] : order[i];

  // Let triangles join their vertices.
  const auto find = [&](Index v) {
    while (leader[v] != v) v = leader[v] = leader[leader[v]];
    return v;
  };
  for (const auto& t : soup.triangles())
    for (const Index v : t) leader[find(v)] = find(t[0]);

  // List the parts in the order of their first triangles.
  std::vector<std::vector<Index>> parts;
  std::vector<Index> part_of(soup.vertex_count(), kNone);
  std::vector<bool> used(soup.vertex_count());
  for (const auto& t : soup.triangles())
    for (const Index v : t) {
      if (used[v]) continue;
      used[v] = true;
      Index& part = part_of[find(v)];
      if (part == kNone) {
        part = static_cast<Index>(parts.size());
        parts.emplace_back();
      }
      parts[part].push_back(v);
    }
  return parts;
}

namespace {

/// Finds out whether the parts of one object lie inside another. Answers nothing when the budget
/// ends first.
class PartsInside {
 public:
  explicit PartsInside(const Budget& budget) : budget_(budget) {}

  std::optional<bool> all(const Interior& inner, const Interior& outer,
                          const RelativePose& to_outer) {
    for (const auto& part : data_of(inner).parts)
      if (const auto inside = holds(outer, inner.object().soup(), part, to_outer); inside != true)
        return inside;
    return true;
  }

  std::optional<bool> any(const Interior& inner, const Interior& outer,
                          const RelativePose& to_outer) {
    for (const auto& part : data_of(inner).parts)
      if (const auto inside = holds(outer, inner.object().soup(), part, to_outer); inside != false)
        return inside;
    return false;
  }

 private:
  /// Whether a part lies inside. One vertex tells it for all if the outer object is closed.
  std::optional<bool> holds(const Interior& outer, const PolygonSoup& soup,
                            const std::vector<Index>& part, const RelativePose& to_outer) {
    const std::size_t count = outer.closed() ? 1 : part.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (points_++ >= budget_.max_work || budget_.expired()) return std::nullopt;
      if (!outer.contains(to_outer * soup.vertex(part[i]))) return false;
    }
    return true;
  }

  const Budget& budget_;
  std::uint64_t points_ = 0;
};

Containment containment_of(std::optional<bool> inside, Containment which) {
  return !inside ? Containment::undecided : *inside ? which : Containment::none;
}

}  // namespace

std::optional<bool> reaches_inside(const Interior& inner, const Pose& pose_inner,
                                   const Interior& outer, const Pose& pose_outer,
                                   const Budget& budget) {
  return PartsInside(budget).any(inner, outer, RelativePose(pose_outer, pose_inner));
}

Containment any_part_inside(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b, const Budget& budget) {
  PartsInside parts(budget);
  const Containment first =
      containment_of(parts.any(a, b, RelativePose(pose_b, pose_a)), Containment::a_in_b);
  return first != Containment::none
             ? first
             : containment_of(parts.any(b, a, RelativePose(pose_a, pose_b)), Containment::b_in_a);
}

Containment containment(const Interior& a, const Pose& pose_a, const Interior& b,
                        const Pose& pose_b, const Budget& budget) {
  const IntersectsResult crossing = intersects(a.object(), pose_a, b.object(), pose_b, budget);
  if (crossing.intersects) return Containment::none;
  if (!crossing.decided) return Containment::undecided;
  PartsInside parts(budget);
  const Containment first =
      containment_of(parts.all(a, b, RelativePose(pose_b, pose_a)), Containment::a_in_b);
  return first != Containment::none
             ? first
             : containment_of(parts.all(b, a, RelativePose(pose_a, pose_b)), Containment::b_in_a);
}

}  // namespace touche
