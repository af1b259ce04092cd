// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/mixed.h"

namespace touche::bounds {
namespace {

// The pairs of different kinds. A sphere comes first; seen from the other side the pose is inverse.
double bound(const Sphere& a, const Sphere& b, const PoseMatrix& p) { return lower_bound(a, b, p); }
double bound(const Obb& a, const Obb& b, const PoseMatrix& p) { return lower_bound(a, b, p); }
double bound(const Sphere& a, const Obb& b, const PoseMatrix& p) { return lower_bound(a, b, p); }
double bound(const Obb& a, const Sphere& b, const PoseMatrix& p) {
  return lower_bound(b, a, p.inverse());
}
bool meet(const Obb& a, const Obb& b, const PoseMatrix& p) { return overlap(a, b, p); }
template <typename A, typename B>
bool meet(const A& a, const B& b, const PoseMatrix& p) {
  return bound(a, b, p) == 0;
}

/// Calls f with a sphere or a box.
template <typename F>
auto as_tested(const Mixed& m, F&& f) {
  return m.kind == Mixed::Kind::sphere ? f(Sphere{m.box.centre, m.box.half.x()}) : f(m.box);
}

}  // namespace

Mixed Mixed::fit(std::span<const Vec3> points) {
  return fit(points, Criterion::surface_area, TestCosts());
}

Mixed Mixed::fit(std::span<const Vec3> points, Criterion criterion, const TestCosts& costs) {
  const Sphere sphere = Sphere::fit(points);
  const AabbMinMax aabb = AabbMinMax::fit(points);
  const Obb obb = Obb::fit(points);
  Mixed best = sphere;
  double least = costs.sphere * measure(sphere, criterion);
  if (const double c = costs.aabb * measure(aabb, criterion); c < least) least = c, best = aabb;
  if (const double c = costs.obb * measure(obb, criterion); c < least) best = obb;
  return best;
}

bool Mixed::contains(const Vec3& p) const {
  return visit([&](const auto& s) { return s.contains(p); });
}

double Mixed::volume() const {
  return visit([](const auto& s) { return s.volume(); });
}

double Mixed::surface_area() const {
  return visit([](const auto& s) { return s.surface_area(); });
}

double Mixed::diameter() const {
  return visit([](const auto& s) { return s.diameter(); });
}

Mixed moved(const Mixed& m, const PoseMatrix& pose) {
  return m.visit([&](const auto& s) { return Mixed(moved(s, pose)); });
}

bool overlap(const Mixed& a, const Mixed& b, const PoseMatrix& pose) {
  return as_tested(a, [&](const auto& s) {
    return as_tested(b, [&](const auto& t) { return meet(s, t, pose); });
  });
}

double lower_bound(const Mixed& a, const Mixed& b, const PoseMatrix& pose) {
  return as_tested(a, [&](const auto& s) {
    return as_tested(b, [&](const auto& t) { return bound(s, t, pose); });
  });
}

}  // namespace touche::bounds
