// SPDX-License-Identifier: Apache-2.0
#include "bounds/mixed.h"

namespace touche::bounds {
namespace {

// The pairs of different kinds. A sphere comes first; seen from the other side the pose is inverse.
double bound(const Sphere& a, const Sphere& b, const Placement& p) { return lower_bound(a, b, p); }
double bound(const Obb& a, const Obb& b, const Placement& p) { return lower_bound(a, b, p); }
double bound(const Sphere& a, const Obb& b, const Placement& p) { return lower_bound(a, b, p); }
double bound(const Obb& a, const Sphere& b, const Placement& p) {
  return lower_bound(b, a, p.inverse());
}
bool meet(const Obb& a, const Obb& b, const Placement& p) { return overlap(a, b, p); }
template <typename A, typename B>
bool meet(const A& a, const B& b, const Placement& p) {
  return bound(a, b, p) == 0;
}

const Sphere& as_tested(const Sphere& s) { return s; }
const Obb& as_tested(const Obb& b) { return b; }
Obb as_tested(const AabbMinMax& b) { return to_obb(b); }

}  // namespace

Mixed Mixed::fit(std::span<const Vec3> points) {
  return fit(points, Criterion::surface_area, TestCosts());
}

Mixed Mixed::fit(std::span<const Vec3> points, Criterion criterion, const TestCosts& costs) {
  const Sphere sphere = Sphere::fit(points);
  const AabbMinMax aabb = AabbMinMax::fit(points);
  const Obb obb = Obb::fit(points);
  Mixed best = {sphere};
  double least = costs.sphere * measure(sphere, criterion);
  if (const double c = costs.aabb * measure(aabb, criterion); c < least) least = c, best = {aabb};
  if (const double c = costs.obb * measure(obb, criterion); c < least) best = {obb};
  return best;
}

bool Mixed::contains(const Vec3& p) const {
  return std::visit([&](const auto& s) { return s.contains(p); }, shape);
}

double Mixed::volume() const {
  return std::visit([](const auto& s) { return s.volume(); }, shape);
}

double Mixed::surface_area() const {
  return std::visit([](const auto& s) { return s.surface_area(); }, shape);
}

double Mixed::diameter() const {
  return std::visit([](const auto& s) { return s.diameter(); }, shape);
}

Mixed moved(const Mixed& m, const Placement& place) {
  return std::visit([&](const auto& s) { return Mixed{moved(s, place)}; }, m.shape);
}

bool overlap(const Mixed& a, const Mixed& b, const Placement& place) {
  return std::visit(
      [&](const auto& s, const auto& t) { return meet(as_tested(s), as_tested(t), place); },
      a.shape, b.shape);
}

double lower_bound(const Mixed& a, const Mixed& b, const Placement& place) {
  return std::visit(
      [&](const auto& s, const auto& t) { return bound(as_tested(s), as_tested(t), place); },
      a.shape, b.shape);
}

}  // namespace touche::bounds
