// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/smallest_sphere.h"

#include <algorithm>
#include <list>

namespace touche::bounds {
namespace {

/// Smaller excesses of squared distances are rounding; the radius is raised over them at the end.
constexpr double kOutside = 1 + 1e-14;

struct Circumsphere {
  Vec3 centre = Vec3::Zero();
  double radius2 = -1;  // no point: nothing is inside
};

class Welzl {
 public:
  explicit Welzl(std::span<const Vec3> points) : points_(points) {}

  bool outside(const Vec3& p) const {
    return (p - best_.centre).squaredNorm() > best_.radius2 * kOutside;
  }

  /// The smallest sphere with `forced_` on it and [begin, end) of the list inside.
  void run(std::list<Index>::iterator end) {
    found_ = forced_;
    if (forced_.size() == 4) return;
    for (auto i = list.begin(); i != end;) {
      const auto here = i++;
      if (!outside(points_[*here]) || !push(*here)) continue;
      run(here);
      forced_.pop_back();
      list.splice(list.begin(), list, here);
    }
  }

  /// Adds a point that lies outside, and with it runs over the list.
  bool add(Index pivot) {
    if (!push(pivot)) return false;
    run(list.end());
    forced_.pop_back();
    list.push_front(pivot);
    // Drop points that no longer determine the sphere. If one matters again, the search for the
    // farthest point finds it.
    list.remove_if([&](Index i) { return std::ranges::find(found_, i) == found_.end(); });
    return true;
  }

  const Circumsphere& best() const { return best_; }
  const std::vector<Index>& found() const { return found_; }

  std::list<Index> list;

 private:
  /// Forces one more point onto the sphere, unless it depends on the others: then no sphere through
  /// all of them is determined better than by rounding errors.
  bool push(Index next) {
    const Vec3& origin = points_[forced_.empty() ? next : forced_.front()];
    // The point c of the affine hull with 2 qᵢ·c = qᵢ² for the differences qᵢ: along axes made
    // orthogonal one by one, twice each against rounding errors.
    const std::size_t n = forced_.size();
    Vec3 axes[3], c = Vec3::Zero();
    for (std::size_t k = 0; k < n; ++k) {
      const Vec3 d = points_[k + 1 < n ? forced_[k + 1] : next] - origin;
      const double length = d.norm();
      if (!(length > 0)) return false;
      Vec3& axis = axes[k] = d / length;
      for (int pass = 0; pass < 2; ++pass)
        for (std::size_t i = 0; i < k; ++i) axis -= axis.dot(axes[i]) * axes[i];
      const double along = axis.norm();
      if (!(along > 1e-12)) return false;
      axis /= along;
      c += (0.5 * length - d.dot(c) / length) / along * axis;
    }
    forced_.push_back(next);
    best_ = {origin + c, c.squaredNorm()};
    return true;
  }

  std::span<const Vec3> points_;
  std::vector<Index> forced_, found_;
  Circumsphere best_;
};

}  // namespace

SmallestSphere smallest_sphere(std::span<const Vec3> points, std::span<const Index> known_support) {
  require_points(points);
  Welzl welzl(points);
  for (const Index i : known_support) {
    if (i >= points.size()) throw InvalidInput("support " + std::to_string(i) + " is no point");
    welzl.list.push_back(i);
  }
  if (welzl.list.empty()) welzl.list.push_back(0);
  welzl.run(welzl.list.end());

  SmallestSphere result;
  result.sphere = sphere_about(welzl.best().centre, points);
  result.support = welzl.found();
  for (;;) {
    ++result.rounds;
    const Vec3 centre = welzl.best().centre;
    std::size_t farthest = 0;
    double far2 = -1;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (const double d2 = (points[i] - centre).squaredNorm(); d2 > far2) far2 = d2, farthest = i;
    const double radius2 = welzl.best().radius2;
    if (!welzl.outside(points[farthest]) || !welzl.add(static_cast<Index>(farthest))) break;
    const Sphere better = sphere_about(welzl.best().centre, points);
    if (better.radius < result.sphere.radius) {
      result.sphere = better;
      result.support = welzl.found();
    }
    // Each round's sphere is larger than the last, save for rounding, which ends it.
    if (!(welzl.best().radius2 > radius2)) break;
  }
  return result;
}

}  // namespace touche::bounds
