// SPDX-License-Identifier: Apache-2.0
// The winding number of an open object is a sum of solid angles: of near triangles by van Oosterom
// and Strackee (1983), of far groups by the first two terms of their expansion (Barill and others
// 2018).
//
// Error of a group: seen from x, an area element at p contributes n · g(p − x) with g(r) = r /
// |r|³. That is the gradient of −1 / |r|, whose n-th derivatives are at most n! / |r|^(n+1): so the
// first derivative of g is at most 2 / |r|³ and the second 6 / |r|⁴. For a group within `radius` of
// its centre the error of the expansion is at most size · radius² · 3 / (distance − radius)⁴.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/point_triangle.h"
#include "math/rounding.h"
#include "path/interior.h"
#include "path/solid_angle.h"

namespace touche {
namespace {

// Expanding a group costs at most about as much as the solid angles of `kTrianglesPerGroup`
// triangles in a row.
constexpr std::size_t kTrianglesPerGroup = 64, kLeastApart = 64;

// Errors of winding numbers. A group whose error is below `kCoarse` is not expanded at first. For a
// whole ball, the allowed error of a group is the first of `kGroupErrors`, and the second if that
// does not decide. `kAngleRounding` bounds the rounding of the sums.
constexpr double kCoarse = 0.01, kGroupErrors[] = {4e-3, 5e-4}, kAngleRounding = 1e-9;

/// Bounds the change of a triangle's solid angle within `radius` of x, where it is `seen` at x.
double solid_angle_change(const Triangle& t, const Vec3& x, double radius, double seen) {
  const double any = std::abs(seen) + 2 * std::numbers::pi;
  const double away = math::kRoundDown * geometry::nearest_offset(x, t).norm() - radius;
  if (!(away > 0)) return any;
  const double size = 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
  return std::min(any, 2 * size * radius / (away * away * away));
}

Vec3 vector_area(const Triangle& t) { return 0.5 * (t[1] - t[0]).cross(t[2] - t[0]); }

}  // namespace

std::vector<Interior::Data::Cluster> Interior::Data::make_clusters() const {
  const auto nodes = tree_.nodes();
  std::vector<Cluster> clusters(nodes.size());

  // Sum areas and areas times positions bottom up: children come after their parents.
  for (std::size_t i = nodes.size(); i-- > 0;) {
    Cluster& cluster = clusters[i];
    const auto add = [&](const Vec3& area, double size, const Vec3& centre) {
      cluster.area += area;
      cluster.size += size;
      cluster.centre += size * (centre - nodes[i].box.centre());
    };
    if (nodes[i].is_leaf()) {
      for (const Index item : tree_.items(nodes[i])) {
        const Triangle t = triangle(item);
        const Vec3 area = vector_area(t);
        add(area, area.norm(), t[0] / 3 + t[1] / 3 + t[2] / 3);
      }
    } else {
      for (const Index child : {nodes[i].first, nodes[i].second})
        add(clusters[child].area, clusters[child].size, clusters[child].centre);
    }
    if (cluster.size > 0) cluster.centre /= cluster.size;
    cluster.centre += nodes[i].box.centre();

    // Sum moments about the centre.
    if (nodes[i].is_leaf()) {
      for (const Index item : tree_.items(nodes[i])) {
        const Triangle t = triangle(item);
        const Vec3 from_centre = t[0] / 3 + t[1] / 3 + t[2] / 3 - cluster.centre;
        cluster.moment += vector_area(t) * from_centre.transpose();
        double squares = 9 * from_centre.squaredNorm();
        for (const Vec3& corner : t) squares += (corner - cluster.centre).squaredNorm();
        cluster.spread += vector_area(t).norm() * squares / 12 * math::kRoundUp;
      }
    } else {
      for (const Index child : {nodes[i].first, nodes[i].second}) {
        const Cluster& part = clusters[child];
        const Vec3 shift = part.centre - cluster.centre;
        cluster.moment += part.moment + part.area * shift.transpose();
        cluster.spread += (part.spread + part.size * shift.squaredNorm()) * math::kRoundUp;
      }
    }
  }

  // Let each corner widen the balls of all nodes above it.
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].is_leaf())
      for (const Index item : tree_.items(nodes[i]))
        for (const Vec3& corner : triangle(item))
          for (auto at = static_cast<Index>(i); at != kNone; at = nodes[at].parent) {
            Cluster& c = clusters[at];
            c.radius = std::max(c.radius, (corner - c.centre).norm());
          }
  return clusters;
}

// Made at the first use, since closed bodies rarely need them.
const std::vector<Interior::Data::Cluster>& Interior::Data::clusters() const {
  std::call_once(clustered_, [this] { clusters_ = make_clusters(); });
  return clusters_;
}

Interior::Data::FromAfar Interior::Data::from_afar(const Cluster& cluster, const Vec3& x,
                                                   double radius) const {
  const Vec3 to = cluster.centre - x;
  const double distance2 = to.squaredNorm(), distance = std::sqrt(distance2);
  const double away = math::kRoundDown * distance - cluster.radius;
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
  if (flat != nullptr) {
    const Vec3 on_plane(x.x(), x.y(), 0);
    const double distance = faces.nearest(on_plane, 0).distance;
    const bool crossed =
        !(distance - 2 * geometry::kOffsetError * (distance + faces.longest_edge()) > radius);
    return {contains(on_plane) ? 1.0 : 0.0, radius > 0 && crossed ? 1.0 : 0.0};
  }
  double angle = 0, error = 0;
  const std::vector<Cluster>& clusters = this->clusters();
  aabb_tree::TraversalStack<Index> waiting;
  waiting.push(0);
  while (!waiting.empty()) {
    const Index at = waiting.pop();
    const aabb_tree::AabbTree::Node& node = tree_.nodes()[at];
    const Cluster& cluster = clusters[at];
    const FromAfar far = from_afar(cluster, x, radius);
    // Also take the group as a whole if most of its error is due to the ball: the error of smaller
    // groups would be as large.
    if (far.off < group_error * paths::kFourPi ||
        (far.off < far.off_ball && 2 * cluster.radius < (cluster.centre - x).norm())) {
      angle += far.angle;
      error += far.off + far.off_ball;
    } else if (!node.is_leaf()) {
      waiting.push(node.second);
      waiting.push(node.first);
    } else {
      for (const Index item : tree_.items(node)) {
        const Triangle t = triangle(item);
        const paths::SolidAngle seen = paths::solid_angle(t, x);
        angle += seen.angle;
        error += seen.error;
        if (radius > 0) error += solid_angle_change(t, x, radius, seen.angle);
      }
    }
  }
  return {angle / paths::kFourPi, error / paths::kFourPi + kAngleRounding};
}

/// Expands groups, the one with the largest error first, until the remaining error is so small that
/// the winding number decides. For points with many triangles near in all directions, this takes
/// more work than the sum over all triangles; hence the limit.
bool Interior::Data::open_contains(const Vec3& x) const {
  struct Group {
    double off, angle;
    Index node;
    bool operator<(const Group& o) const { return off != o.off ? off < o.off : node < o.node; }
  };
  std::vector<Group> groups;  // a heap
  groups.reserve(256);
  double angle = 0, error = 0;
  const std::vector<Cluster>& clusters = this->clusters();
  const auto add_leaf = [&](const aabb_tree::AabbTree::Node& leaf) {
    for (const Index item : tree_.items(leaf)) {
      const paths::SolidAngle seen = paths::solid_angle(triangle(item), x);
      angle += seen.angle;
      error += seen.error;
    }
  };
  aabb_tree::TraversalStack<Index> waiting;
  waiting.push(0);
  std::size_t left = kLeastApart + object.soup().triangle_count() / kTrianglesPerGroup;
  for (;;) {
    // Sum the waiting groups: far ones as a whole, near ones by their parts.
    while (!waiting.empty()) {
      const Index at = waiting.pop();
      const aabb_tree::AabbTree::Node& node = tree_.nodes()[at];
      const FromAfar far = from_afar(clusters[at], x, 0);
      if (far.off < kCoarse * paths::kFourPi) {
        angle += far.angle;
        error += far.off;
        groups.push_back({far.off, far.angle, at});
        std::push_heap(groups.begin(), groups.end());
      } else if (node.is_leaf()) {
        add_leaf(node);
      } else {
        waiting.push(node.second);
        waiting.push(node.first);
      }
    }
    // Return as soon as the error cannot change the answer.
    const double clear = std::abs(std::abs(angle) / paths::kFourPi - 0.5);
    if (clear > error / paths::kFourPi + kAngleRounding)
      return std::abs(angle) / paths::kFourPi > 0.5;
    if (groups.empty() || left-- == 0) return std::abs(exact_winding(x)) >= 0.5;

    // Expand the group with the largest error.
    std::pop_heap(groups.begin(), groups.end());
    const Group group = groups.back();
    groups.pop_back();
    angle -= group.angle;
    error -= group.off;
    const aabb_tree::AabbTree::Node& node = tree_.nodes()[group.node];
    if (node.is_leaf()) {
      add_leaf(node);
    } else {
      waiting.push(node.second);
      waiting.push(node.first);
    }
  }
}

Interior::Data::Winding Interior::Data::winding_of_caps(const Vec3& x) const {
  paths::SolidAngle sum;
  for (const paths::Cap& cap : caps.caps) {
    const paths::SolidAngle seen = paths::solid_angle(cap.triangle, x);
    sum.angle += seen.angle;
    sum.error += seen.error;
  }
  return {sum.angle / paths::kFourPi, sum.error / paths::kFourPi + kAngleRounding};
}

std::optional<bool> Interior::Data::contains_by_caps(const Vec3& x, int count) const {
  double most = closed ? 0 : kAngleRounding;
  for (const paths::Cap& cap : caps.caps) most += cap.most_winding(x);
  if (std::abs(std::abs(count) - 0.5) > most) return count != 0;
  const Winding of_caps = winding_of_caps(x);
  const double size = std::abs(count - of_caps.value);
  if (std::abs(size - 0.5) > of_caps.error) return size > 0.5;
  return std::nullopt;
}

// Along the segment from x, the winding number of faces and caps together does not change, and that
// of the caps changes little as long as the segment does not meet wide caps. Thin caps have a
// winding number below `kThinWinding` away from faces, and a segment that passes through a thin cap
// passes a face nearby.
bool Interior::Data::outside_up_to_faces(const Vec3& x, double radius) const {
  if (!caps.complete || !caps.few) return false;
  const auto count = count_winding(x);
  if (!count) return false;
  double size = caps.gap > 0 ? paths::kThinWinding : 0, wound = *count;
  for (const paths::Cap& cap : caps.caps) {
    if (cap.thin) continue;
    size += cap.most_change(x, radius);
    if (!(size < 0.5)) return false;
    const paths::SolidAngle seen = paths::solid_angle(cap.triangle, x);
    wound -= seen.angle / paths::kFourPi;
    size += seen.error / paths::kFourPi;
  }
  return size + std::abs(wound) + kAngleRounding < 0.5;
}

bool Interior::Data::all_outside(const Vec3& x, double radius) const {
  if (aabb_tree::squared_distance(x, object.bounds()) > radius * radius * math::kRoundUp)
    return true;
  if (caps.complete && caps.few &&
      faces.nearest(x, 0).distance * math::kRoundDown > radius + caps.gap &&
      outside_up_to_faces(x, radius))
    return true;
  for (const double group_error : kGroupErrors) {
    const Winding w = winding(x, radius, group_error);
    if (std::abs(w.value) + w.error < 0.5) return true;
    if (std::abs(w.value) >= 0.5) return false;
  }
  return false;
}

double Interior::Data::exact_winding(const Vec3& x) const {
  if (flat != nullptr) return contains(x) ? 1 : 0;
  double angle = 0;
  for (Index t = 0; t < object.soup().triangle_count(); ++t)
    angle += paths::solid_angle(triangle(t), x).angle;
  return angle / paths::kFourPi;
}

}  // namespace touche
