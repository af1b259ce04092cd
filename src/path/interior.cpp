// SPDX-License-Identifier: Apache-2.0
// Whether a point lies inside. The winding number of a closed object is the number of faces that a
// segment from the point to a point outside crosses from inside outwards, minus the number crossed
// inwards. Exact predicates count the crossings; if the segment meets an edge, another segment is
// taken.
#include "path/interior.h"

#include <algorithm>
#include <optional>
#include <string>

#include "geometry/equal_positions.h"
#include "geometry/half_edges.h"
#include "geometry/predicates.h"
#include "math/coordinates.h"
#include "math/rounding.h"
#include "path/inside_fault.h"
#include "path/parts_inside.h"
#include "path/solid.h"
#include "touche/path.h"

namespace touche {
namespace {

constexpr Index kLeafTriangles = 8;

constexpr double kDistanceError = 0x1p-45;  // see Interior::signed_distance

// Tilts of the segments, in shares of the size of the object.
const Vec3 kTilts[] = {
    {0.0131, 0.0277, 0.0193}, {-0.0311, 0.0173, 0.0239}, {0.0229, -0.0337, 0.0149}};

void require_point(const Vec3& x) {
  if (!math::all_within(x, math::kLargestCoordinate))
    throw InvalidInput("interior: a point has a coordinate that is not a number up to 1e90");
}

/// Returns a point outside the box, beyond the side nearest to x.
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

/// Returns false only if the segment from x to x + `way` misses the box, rounding included.
bool may_meet(const Vec3& x, const Vec3& way, const Aabb& box) {
  const double slack = math::kFormulaError * (way.lpNorm<1>() + x.lpNorm<1>());
  double begin = 0, end = 1;
  for (int k = 0; k < 3; ++k) {
    double lo = box.lo[k] - x[k] - slack, hi = box.hi[k] - x[k] + slack;
    if (way[k] < 0) std::swap(lo, hi);
    if (way[k] == 0) {
      if (lo > 0 || hi < 0) return false;
      continue;
    }
    begin = std::max(begin, lo / way[k] - math::kFormulaError);
    end = std::min(end, hi / way[k] + math::kFormulaError);
  }
  return begin <= end;
}

}  // namespace

Interior::Data::Data(Object o) : object(std::move(o)), faces(object), flat(bvh::flat_of(object)) {
  const std::vector<Index> merged = geometry::merge_equal_positions(object.soup().vertices());
  parts = paths::parts_of(object.soup(), merged);
  triangles = object.soup().triangles();
  if (flat != nullptr) {
    has_open_chains = !flat->open_edges().empty();
    closed = !has_open_chains;  // points enclose nothing
    return;
  }
  paths::Oriented surface = paths::oriented(object.soup(), merged);
  fault = inside_fault(object.soup(), surface);
  turned_ = std::move(surface.turned);
  if (!turned_.empty()) triangles = turned_;
  caps = paths::close_up(object.soup(), surface.boundary.edges);
  closed = caps.closed;
  std::vector<Aabb> boxes(object.soup().triangle_count());
  for (Index t = 0; t < boxes.size(); ++t)
    for (const Vec3& corner : triangle(t)) boxes[t].include(corner);
  tree_ = aabb_tree::AabbTree(boxes, kLeafTriangles);
  boxes.assign(caps.caps.size(), {});
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (const Vec3& corner : caps.caps[i].triangle) boxes[i].include(corner);
  cap_tree_ = aabb_tree::AabbTree(boxes, kLeafTriangles);
}

const paths::HullBounds& Interior::Data::hull() const {
  std::call_once(hulled_, [this] {
    hull_ = flat != nullptr ? paths::HullBounds(object.soup(), flat->open_edges())
                            : paths::HullBounds(object.soup());
  });
  return hull_;
}

std::optional<int> Interior::Data::crossings(const Vec3& x, const Vec3& y) const {
  const Vec3 way = y - x;
  int count = 0;
  const auto meets = [&](const Aabb& box) { return may_meet(x, way, box); };
  const auto cross = [&](const Triangle& t) {
    // Skip the triangle if its plane does not separate the ends, or if the segment's line passes
    // beside it.
    const int side_x = geometry::orient3d(t[0], t[1], t[2], x),
              side_y = geometry::orient3d(t[0], t[1], t[2], y);
    if (side_x == side_y && side_x != 0) return true;
    const int turns[] = {geometry::orient3d(x, y, t[0], t[1]), geometry::orient3d(x, y, t[1], t[2]),
                         geometry::orient3d(x, y, t[2], t[0])};
    const int least = std::min({turns[0], turns[1], turns[2]});
    const int most = std::max({turns[0], turns[1], turns[2]});
    if (least < 0 && most > 0) return true;
    // Give up if the segment meets an edge or a vertex, or ends in the plane.
    if (side_x == 0 || side_y == 0 || least == 0 || most == 0) return false;
    count += side_x > 0 ? 1 : -1;  // crossed from below, that is from inside
    return true;
  };
  const bool clear = tree_.visit(meets, [&](Index item) {
    return cross(triangle(item));
  }) && cap_tree_.visit(meets, [&](Index item) { return cross(caps.caps[item].triangle); });
  return clear ? std::optional(count) : std::nullopt;
}

std::optional<int> Interior::Data::count_winding(const Vec3& x) const {
  if (!in_bounds(x)) return 0;
  for (const Vec3& tilt : kTilts)
    if (const auto count = crossings(x, way_out(x, object.bounds(), tilt))) return count;
  return std::nullopt;
}

bool Interior::Data::contains(const Vec3& x) const {
  if (!in_bounds(x)) return false;
  if (flat != nullptr) return flat->contains(x);
  if (caps.complete && caps.few)
    if (const auto count = count_winding(x))
      if (const auto inside = contains_by_caps(x, *count)) return *inside;
  return open_contains(x);
}

bool Interior::Data::holds(const Vec3& x) const {
  if (is_capped())
    if (const auto count = count_winding(x)) return *count != 0;
  return contains(x);
}

// A ball that meets neither faces nor caps lies on one side of them.
bool Interior::Data::holds_none(const Vec3& x, double radius) const {
  if (!is_capped()) return all_outside(x, radius);
  if (aabb_tree::squared_distance(x, object.bounds()) > radius * radius * math::kRoundUp)
    return true;
  return faces.nearest(x, 0).distance * math::kRoundDown > radius + caps.widest &&
         count_winding(x) == 0;
}

void paths::require_inside(const char* who, const Interior& body) {
  const Interior::Data& data = base::data_of(body);
  if (data.closed && (data.flat != nullptr || data.determines_inside())) return;
  throw InvalidInput(
      std::string(who) + ": '" + body.object().name() +
      (data.closed ? "' has faces in contradicting orientations" : "' is not closed") +
      ", so how deep another object reaches into it is not known; see distance()");
}

Interior::Interior(Object object) : data_(std::make_shared<const Data>(std::move(object))) {}

const Object& Interior::object() const {
  if (solid_) throw InvalidInput("interior: a convex shape has no object");
  return data_->object;
}
bool Interior::closed() const { return solid_ || data_->closed; }
bool Interior::is_open() const { return !solid_ && data_->is_open(); }
std::optional<Vec3> Interior::open_at() const {
  if (!is_open()) return std::nullopt;
  const PolygonSoup& soup = data_->object.soup();
  if (data_->flat != nullptr) return soup.vertex(soup.triangle(data_->flat->open_edges()[0])[0]);
  const std::vector<Index> merged = geometry::merge_equal_positions(soup.vertices());
  std::optional<Vec3> middle;
  double longest = 0;
  geometry::for_each_edge(
      soup.vertex_count(), soup.corner_count(),
      [&](Index c) { return merged[soup.corner_vertex(c)]; },
      [&](Index c) { return soup.next_corner(c); },
      [&](std::span<const geometry::EdgeUse> uses) {
        if (uses.size() % 2 == 0) return;
        const Vec3 &p = soup.vertex(uses[0].far),
                   &q = soup.vertex(soup.corner_vertex(
                       uses[0].backward ? soup.next_corner(uses[0].corner) : uses[0].corner));
        if (middle && !((q - p).norm() > longest)) return;
        longest = (q - p).norm();
        middle = 0.5 * (p + q);
      });
  return middle;
}
double Interior::closed_gap() const {
  if (solid_ || data_->closed || data_->flat != nullptr || !data_->tells_inside()) return 0;
  return data_->caps.widest;
}
double Interior::winding_number(const Vec3& x) const {
  require_point(x);
  return solid_ ? (solid_->contains(x) ? 1 : 0) : data_->exact_winding(x);
}
bool Interior::contains(const Vec3& x) const {
  require_point(x);
  return solid_ ? solid_->contains(x) : data_->contains(x);
}
double Interior::signed_distance(const Vec3& x) const {
  require_point(x);
  if (solid_) {
    const Bracket distance = solid_->side(x).distance;
    return 0.5 * distance.lower + 0.5 * distance.upper;
  }
  const double distance = data_->faces.nearest(x, 0).distance;
  return data_->contains(x) ? -distance : distance;
}
Bracket Interior::signed_distance_bracket(const Vec3& x) const {
  require_point(x);
  if (solid_) return solid_->side(x).distance;
  const double distance = data_->faces.nearest(x, 0).distance;
  const double error = kDistanceError * (distance + data_->object.bounds().diagonal());
  if (distance <= error) return {-distance - error, distance + error};
  const double is = data_->contains(x) ? -distance : distance;
  return {is - error, is + error};
}

}  // namespace touche
