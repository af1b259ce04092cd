// SPDX-License-Identifier: Apache-2.0
// The winding number of a closed object is how often a way from the point to far outside crosses
// its faces: from inside outwards less the other way round. Exact predicates count; where the way
// meets an edge another one is taken.
//
// Open ones: solid angles of triangles by van Oosterom and Strackee (1983); far groups of them as
// dipoles (Barill and others 2018, of first order). Seen from x, an area element at p counts n ·
// g(p − x) with g(r) = r / |r|³, whose derivative is at most 2 / |r|³: for all of a group within
// `radius` of its centre the dipole is off by at most size · radius · 2 / (distance − radius)³.
#include "path/interior.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "geometry/predicates.h"
#include "query/relative.h"
#include "touche/query.h"

namespace touche {
namespace {

constexpr Index kLeafTriangles = 8;
constexpr double kFourPi = 4 * std::numbers::pi;

// A group is far enough when its dipole is off by less than this, as a winding number: first the
// first, then the others where that leaves it open.
constexpr double kGroupErrors[] = {4e-3, 5e-4, 6e-5};

double solid_angle(const Triangle& t, const Vec3& x) {
  const Vec3 a = t[0] - x, b = t[1] - x, c = t[2] - x;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double numerator = a.dot(b.cross(c));
  const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  if (numerator == 0) return 0;  // in its plane, on it too
  return 2 * std::atan2(numerator, denominator);
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
  const double slack = 1e-12 * (way.lpNorm<1>() + x.lpNorm<1>());
  double begin = 0, end = 1;
  for (int k = 0; k < 3; ++k) {
    double lo = box.lo[k] - x[k] - slack, hi = box.hi[k] - x[k] + slack;
    if (way[k] < 0) std::swap(lo, hi);
    if (way[k] == 0) {
      if (lo > 0 || hi < 0) return false;
      continue;
    }
    begin = std::max(begin, lo / way[k] - 1e-12);
    end = std::min(end, hi / way[k] + 1e-12);
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
  tree_ = AabbTree(boxes, kLeafTriangles);
  make_clusters();
}

void Interior::Data::make_clusters() {
  const auto nodes = tree_.nodes();
  clusters_.resize(nodes.size());

  // Sums of areas and of area times position, bottom up: children come after their parents.
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
  }

  // Each corner widens all balls above it.
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].is_leaf())
      for (const Index item : tree_.items(nodes[i]))
        for (const Vec3& corner : triangle_of(object.soup(), item))
          for (auto at = static_cast<Index>(i); at != kNone; at = nodes[at].parent) {
            Cluster& c = clusters_[at];
            c.radius = std::max(c.radius, (corner - c.centre).norm());
          }
}

Interior::Data::Bracket Interior::Data::winding(const Vec3& x, double group_error) const {
  double angle = 0, error = 0;
  TraversalStack<Index> waiting;
  waiting.push(0);
  while (!waiting.empty()) {
    const Index at = waiting.pop();
    const AabbTree::Node& node = tree_.nodes()[at];
    const Cluster& cluster = clusters_[at];
    const Vec3 to = cluster.centre - x;
    const double distance = to.norm(), away = distance - cluster.radius;
    const double off = 2 * cluster.size * cluster.radius / (away * away * away);
    if (away > 0 && off < group_error * kFourPi) {
      angle += cluster.area.dot(to) / (distance * distance * distance);
      error += off;
    } else if (node.is_leaf()) {
      for (const Index t : tree_.items(node))
        angle += solid_angle(triangle_of(object.soup(), t), x);
    } else {
      waiting.push(node.second);
      waiting.push(node.first);
    }
  }
  return {angle / kFourPi, error / kFourPi + 1e-9};
}

std::optional<int> Interior::Data::crossings(const Vec3& x, const Vec3& y) const {
  const Vec3 way = y - x;
  int count = 0;
  const bool clear = tree_.visit(
      [&](const Aabb& box) { return may_meet(x, way, box); },
      [&](Index item) {
        const Triangle t = triangle_of(object.soup(), item);
        const int side_x = orient3d(t[0], t[1], t[2], x), side_y = orient3d(t[0], t[1], t[2], y);
        if (side_x == side_y && side_x != 0) return true;
        const int turns[] = {orient3d(x, y, t[0], t[1]), orient3d(x, y, t[1], t[2]),
                             orient3d(x, y, t[2], t[0])};
        const int least = std::min({turns[0], turns[1], turns[2]});
        const int most = std::max({turns[0], turns[1], turns[2]});
        if (least < 0 && most > 0) return true;
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
  const Aabb& box = object.bounds();
  if ((x.array() < box.lo.array()).any() || (x.array() > box.hi.array()).any()) return false;
  if (closed)
    for (const Vec3& tilt : kTilts)
      if (const auto count = crossings(x, way_out(x, box, tilt))) return *count != 0;
  for (const double group_error : kGroupErrors) {
    const Bracket w = winding(x, group_error);
    if (std::abs(std::abs(w.value) - 0.5) > w.error) return std::abs(w.value) > 0.5;
  }
  return std::abs(exact_winding(x)) >= 0.5;
}

Interior::Interior(Object object) : data_(std::make_shared<const Data>(std::move(object))) {}

const Object& Interior::object() const { return data_->object; }
bool Interior::closed() const { return data_->closed; }
double Interior::winding_number(const Vec3& x) const { return data_->exact_winding(x); }
bool Interior::contains(const Vec3& x) const { return data_->contains(x); }
double Interior::depth(const Vec3& x) const {
  const double distance = data_->faces.nearest(x, 0).distance;
  return data_->contains(x) ? distance : -distance;
}

std::vector<Index> one_of_each_part(const PolygonSoup& soup) {
  std::vector<Index> leader(soup.vertex_count());
  std::iota(leader.begin(), leader.end(), Index{0});
  const auto find = [&](Index v) {
    while (leader[v] != v) v = leader[v] = leader[leader[v]];
    return v;
  };
  for (const auto& t : soup.triangles())
    for (const Index v : t) leader[find(v)] = find(t[0]);
  std::vector<Index> result;
  std::vector<bool> used(soup.vertex_count());
  for (const auto& t : soup.triangles())
    if (const Index v = find(t[0]); !used[v]) {
      used[v] = true;
      result.push_back(v);
    }
  return result;
}

namespace {

bool lies_inside(const Interior& inner, const Interior& outer, const RelativePose& to_outer) {
  const PolygonSoup& soup = inner.object().soup();
  // Cheap, and mostly enough.
  const Vec3 first = to_outer * soup.vertex(soup.triangle(0)[0]);
  if (!outer.contains(first)) return false;
  const std::vector<Index> vertices = one_of_each_part(soup);
  return std::all_of(vertices.begin(), vertices.end(),
                     [&](Index v) { return outer.contains(to_outer * soup.vertex(v)); });
}

bool reaches_inside(const Interior& inner, const Interior& outer, const RelativePose& to_outer) {
  const PolygonSoup& soup = inner.object().soup();
  const std::vector<Index> vertices = one_of_each_part(soup);
  return std::any_of(vertices.begin(), vertices.end(),
                     [&](Index v) { return outer.contains(to_outer * soup.vertex(v)); });
}

}  // namespace

Containment any_part_inside(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b) {
  if (reaches_inside(a, b, RelativePose(pose_b, pose_a))) return Containment::a_in_b;
  if (reaches_inside(b, a, RelativePose(pose_a, pose_b))) return Containment::b_in_a;
  return Containment::none;
}

Containment containment(const Interior& a, const Pose& pose_a, const Interior& b,
                        const Pose& pose_b) {
  if (intersects(a.object(), pose_a, b.object(), pose_b)) return Containment::none;
  if (lies_inside(a, b, RelativePose(pose_b, pose_a))) return Containment::a_in_b;
  if (lies_inside(b, a, RelativePose(pose_a, pose_b))) return Containment::b_in_a;
  return Containment::none;
}

}  // namespace touche
