// SPDX-License-Identifier: Apache-2.0
// Finds identical copies in one position. Their vertices and faces may be in another order, and a
// part with a symmetry may be turned.
#include "clash/duplicates.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "aabb_tree/aabb_tree.h"

namespace touche::clash {
namespace {

constexpr Index kLeafPoints = 8;

bool are_near(const Vec3& a, const Vec3& b, double tolerance) {
  return (a - b).cwiseAbs().maxCoeff() <= tolerance;
}

bool all_near(const std::vector<Vec3>& points, const std::vector<Vec3>& others, double tolerance) {
  std::vector<Aabb> boxes;
  boxes.reserve(others.size());
  for (const Vec3& p : others) boxes.push_back({p, p});
  const aabb_tree::AabbTree tree(boxes, kLeafPoints);
  return std::all_of(points.begin(), points.end(), [&](const Vec3& p) {
    const Aabb around{p.array() - tolerance, p.array() + tolerance};
    // Stops at the first point that is near.
    return !tree.in_box(around, [&](Index q) { return !are_near(p, others[q], tolerance); });
  });
}

std::vector<Vec3> corners_in_world(const PolygonSoup& soup, const Pose& pose) {
  std::vector<Vec3> points;
  points.reserve(soup.vertex_count());
  for (const Vec3& v : soup.vertices()) points.push_back(pose * v);
  return points;
}

std::vector<Vec3> middles_in_world(const PolygonSoup& soup, const Pose& pose) {
  std::vector<Vec3> points;
  points.reserve(soup.face_count());
  for (Index f = 0; f < soup.face_count(); ++f) {
    Vec3 sum = Vec3::Zero();
    for (const Index v : soup.face(f)) sum += soup.vertex(v);
    points.push_back(pose * Vec3(sum / static_cast<double>(soup.face(f).size())));
  }
  return points;
}

bool agree(const std::vector<Vec3>& a, const std::vector<Vec3>& b, double tolerance) {
  return all_near(a, b, tolerance) && all_near(b, a, tolerance);
}

}  // namespace

bool are_copies(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                double tolerance) {
  const PolygonSoup &soup_a = a.soup(), &soup_b = b.soup();
  if (soup_a.vertex_count() != soup_b.vertex_count() || soup_a.face_count() != soup_b.face_count())
    return false;
  const std::vector<Vec3> corners_a = corners_in_world(soup_a, pose_a),
                          corners_b = corners_in_world(soup_b, pose_b);
  Aabb box_a, box_b;
  for (const Vec3& p : corners_a) box_a.include(p);
  for (const Vec3& p : corners_b) box_b.include(p);
  if (!are_near(box_a.lo, box_b.lo, tolerance) || !are_near(box_a.hi, box_b.hi, tolerance))
    return false;
  return agree(corners_a, corners_b, tolerance) &&
         agree(middles_in_world(soup_a, pose_a), middles_in_world(soup_b, pose_b), tolerance);
}

}  // namespace touche::clash
