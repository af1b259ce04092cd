// SPDX-License-Identifier: Apache-2.0
#include "plane/flat_outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numbers>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "math/rounding.h"
#include "plane/region_data.h"
#include "plane/vec2.h"

namespace touche::plane {
namespace {

/// Corners with a larger angle are taken for intended corners, like edges of meshes.
constexpr double kSharp = std::numbers::pi / 6;

/// The contribution of a corner to the estimated rise of a curve above its chords. The arc over a
/// chord rises above it by length · angle / 8, where the angle is the arc's; the corner at either
/// end of an edge contributes half of that angle.
double half_rise(const Vec2& start, const Vec2& corner, const Vec2& end) {
  const Vec2 before = corner - start, after = end - corner;
  const double angle = std::abs(std::atan2(cross(before, after), before.dot(after)));
  return angle > 0 && angle <= kSharp ? angle / 16 : 0;
}

/// An edge, given by its ends, the smaller end first.
using Ends = std::array<double, 4>;

/// Whether q lies on the segment from p to r.
bool passes_straight(const Vec2& p, const Vec2& q, const Vec2& r) {
  return orientation(p, q, r) == 0 && (q - p.cwiseMin(r)).minCoeff() >= 0 &&
         (p.cwiseMax(r) - q).minCoeff() >= 0;
}

/// The sides of a closed chain, in an order that does not depend on where the chain starts, on its
/// orientation, or on points that subdivide its sides.
std::vector<Ends> sides_of(const Outline& outline, Index chain) {
  const auto less = [](const Vec2& p, const Vec2& q) {
    return std::pair(p.x(), p.y()) < std::pair(q.x(), q.y());
  };
  const std::span points = outline.vertices().subspan(
      outline.first_vertex(chain), outline.first_vertex(chain + 1) - outline.first_vertex(chain));
  // Start at the smallest point: it is a corner.
  const std::size_t first = static_cast<std::size_t>(
      std::min_element(points.begin(), points.end(), less) - points.begin());
  std::vector<Vec2> corners = {points[first]};
  for (std::size_t i = 1; i <= points.size(); ++i) {
    const Vec2& p = points[(first + i) % points.size()];
    if (p == corners.back()) continue;
    while (corners.size() > 1 && passes_straight(corners[corners.size() - 2], corners.back(), p))
      corners.pop_back();
    corners.push_back(p);
  }
  std::vector<Ends> sides;
  for (std::size_t i = 1; i < corners.size(); ++i) {
    const auto& [p, q] = std::minmax(corners[i - 1], corners[i], less);
    sides.push_back({p.x(), p.y(), q.x(), q.y()});
  }
  std::sort(sides.begin(), sides.end());
  return sides;
}

/// Marks the closed chains, but each only once: a chain that is drawn twice would enclose nothing
/// by the even-odd rule.
std::vector<bool> enclosing(const Outline& outline) {
  std::vector<bool> used(outline.chain_count());
  std::set<std::vector<Ends>> seen;
  for (Index c = 0; c < outline.chain_count(); ++c)
    used[c] = outline.closed(c) && !outline.again(c) && seen.insert(sides_of(outline, c)).second;
  return used;
}

PolygonSoup walls_on(const Outline& outline) {
  constexpr double kHeight = 0.05;
  const double height = kHeight * outline.diagonal();
  std::vector<double> coordinates;
  std::vector<Index> corners, sizes(outline.edge_count(), 4);
  for (Index e = 0; e < outline.edge_count(); ++e) {
    for (const Index v : outline.edge(e))
      for (const double z : {0.0, height})
        coordinates.insert(coordinates.end(), {outline.vertex(v).x(), outline.vertex(v).y(), z});
    corners.insert(corners.end(), {4 * e, 4 * e + 2, 4 * e + 3, 4 * e + 1});
  }
  return PolygonSoup(coordinates, corners, sizes);
}

/// The unit vector, or zero for a vector without a direction.
Vec2 unit(const Vec2& v) { return math::unit_or_zero(Vec3(v.x(), v.y(), 0)).head<2>(); }
Vec2 to_the_left(const Vec2& v) { return {-v.y(), v.x()}; }

class FlatOutline final : public bvh::Flat {
 public:
  explicit FlatOutline(std::shared_ptr<const Outline> outline) : outline_(std::move(outline)) {}

  bool closed() const override {
    for (Index c = 0; c < outline_->chain_count(); ++c)
      if (!outline_->closed(c)) return false;
    return true;
  }

  std::vector<Index> open_edges() const override {
    std::vector<Index> edges;
    for (Index c = 0; c < outline_->chain_count(); ++c) {
      const Index first = outline_->first_edge(c), end = outline_->first_edge(c + 1);
      if (outline_->closed(c) || points_of(c).size() < 2) continue;
      for (Index e = first; e < end; ++e) edges.push_back(e);
    }
    return edges;
  }

  bool contains(const Vec3& x) const override {
    // Made at the first use, since most queries do not need it.
    std::call_once(asked_place_, [this] { trees_.emplace(*outline_, enclosing(*outline_)); });
    return trees_->place(*outline_, x.head<2>(), FillRule::even_odd) == Place::inside;
  }

  const Outline& outline() const { return *outline_; }

  touche::Object shrunk(double length) const override {
    const std::vector<bool> encloses = enclosing(*outline_);
    std::vector<Chain> chains;
    for (Index c = 0; c < outline_->chain_count(); ++c) {
      const std::span points = points_of(c);
      Chain& chain = chains.emplace_back();
      chain.closed = outline_->closed(c);
      chain.name = outline_->name(c);
      // A copy may be moved slightly differently, and would not be recognised as a copy any more.
      chain.again = chain.closed && !encloses[c];
      const double shift = length * side_of_inside(c);
      for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec2 &p = points[i], &before = points[(i + points.size() - 1) % points.size()],
                   &after = points[(i + 1) % points.size()];
        const Vec2 left = to_the_left(unit(p - before) + unit(after - p));
        chain.points.push_back(p + shift * unit(left));
      }
    }
    return Object(Outline(chains, outline_->remarks(), outline_->chord_error())).in_space();
  }

  const PolygonSoup& walls() const override {
    std::call_once(asked_walls_, [this] { walls_.emplace(walls_on(*outline_)); });
    return *walls_;
  }

  double chord_error() const override {
    std::vector<double> rise(outline_->edge_count());
    for (Index c = 0; c < outline_->chain_count(); ++c) {
      const Index first = outline_->first_edge(c), end = outline_->first_edge(c + 1);
      for (Index e = first; e < end; ++e) {
        if (e + 1 == end && !outline_->closed(c)) continue;
        const Index next = e + 1 == end ? first : e + 1;
        const std::array<Index, 2>&here = outline_->edge(e), &there = outline_->edge(next);
        const double share = half_rise(outline_->vertex(here[0]), outline_->vertex(here[1]),
                                       outline_->vertex(there[1]));
        for (const Index edge : {e, next}) {
          const auto& [from, to] = outline_->edge(edge);
          rise[edge] += share * (outline_->vertex(to) - outline_->vertex(from)).norm();
        }
      }
    }
    return rise.empty() ? 0 : *std::max_element(rise.begin(), rise.end());
  }

 private:
  std::span<const Vec2> points_of(Index chain) const {
    const Index first = outline_->first_vertex(chain);
    return outline_->vertices().subspan(first, outline_->first_vertex(chain + 1) - first);
  }

  /// For a closed chain, 1 if the inside is to the left of its longest edge, −1 if it is to the
  /// right, and 0 if that cannot be determined.
  double side_of_inside(Index chain) const {
    if (!outline_->closed(chain)) return 0;
    const std::span points = points_of(chain);
    Vec2 middle = Vec2::Zero(), along = Vec2::Zero();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec2 &p = points[i], &q = points[(i + 1) % points.size()];
      if (!((q - p).squaredNorm() > along.squaredNorm())) continue;
      middle = p + 0.5 * (q - p);
      along = q - p;
    }
    constexpr double kAside = 1e-6;
    const Vec2 aside = kAside * to_the_left(along);
    const auto inside = [&](const Vec2& x) { return contains({x.x(), x.y(), 0}); };
    const bool left = inside(middle + aside), right = inside(middle - aside);
    return left == right ? 0 : left ? 1 : -1;
  }

  std::shared_ptr<const Outline> outline_;
  mutable std::once_flag asked_place_, asked_walls_;
  mutable std::optional<Region::Data> trees_;
  mutable std::optional<PolygonSoup> walls_;
};

}  // namespace

std::shared_ptr<const bvh::Flat> flat_outline(std::shared_ptr<const Outline> outline) {
  return std::make_shared<const FlatOutline>(std::move(outline));
}

const Outline* outline_of(const touche::Object& object) {
  const auto* flat = dynamic_cast<const FlatOutline*>(bvh::flat_of(object));
  return flat != nullptr ? &flat->outline() : nullptr;
}

std::span<const std::string> remarks_of(const touche::Object& object) {
  const Outline* outline = outline_of(object);
  return outline != nullptr ? outline->remarks() : object.soup().remarks();
}

double chord_error_of(std::span<const touche::Object> objects) {
  double error = 0;
  for (const touche::Object& object : objects)
    if (const Outline* outline = outline_of(object))
      error = std::max(error, outline->chord_error());
  return error;
}

std::string chord_remark(const std::string& error) {
  return "curves are drawn by chords, which are off by up to " + error +
         ": answers are about the chords";
}

}  // namespace touche::plane
