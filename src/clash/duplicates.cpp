// SPDX-License-Identifier: Apache-2.0
// Finds identical copies in one position. Their vertices and faces may be in another order, and a
// part with a symmetry may be turned.
#include "clash/duplicates.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/moved_box.h"

namespace touche::clash {
namespace {

bool are_near(const Vec3& a, const Vec3& b, double tolerance) {
  return (a - b).cwiseAbs().maxCoeff() <= tolerance;
}

// Points sorted by x.
class SortedPoints {
 public:
  explicit SortedPoints(std::vector<Vec3> points) : points_(std::move(points)) {
    std::sort(points_.begin(), points_.end(), [](const Vec3& p, const Vec3& q) {
      return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
    });
  }

  // Whether each point is near one of the others. Stops after `work` comparisons, and returns
  // false.
  bool all_near(const SortedPoints& other, double tolerance, std::size_t& work) const {
    const auto below = [](const Vec3& p, double x) { return p.x() < x; };
    return std::all_of(points_.begin(), points_.end(), [&](const Vec3& p) {
      auto q =
          std::lower_bound(other.points_.begin(), other.points_.end(), p.x() - tolerance, below);
      for (; q != other.points_.end() && q->x() <= p.x() + tolerance && work > 0; ++q, --work)
        if (are_near(p, *q, tolerance)) return true;
      return false;
    });
  }

 private:
  std::vector<Vec3> points_;
};

std::vector<Vec3> corners_in_world(const PolygonSoup& soup, const Pose& pose) {
  std::vector<Vec3> points;
  for (const Vec3& v : soup.vertices()) points.push_back(pose * v);
  return points;
}

std::vector<Vec3> middles_in_world(const PolygonSoup& soup, const Pose& pose) {
  std::vector<Vec3> points;
  for (Index f = 0; f < soup.face_count(); ++f) {
    Vec3 sum = Vec3::Zero();
    for (const Index v : soup.face(f)) sum += soup.vertex(v);
    points.push_back(pose * Vec3(sum / static_cast<double>(soup.face(f).size())));
  }
  return points;
}

// Many points in one plane across x would be compared with each other.
constexpr std::size_t kComparisons = 64;

bool agree(std::vector<Vec3> a, std::vector<Vec3> b, double tolerance) {
  std::size_t work = kComparisons * (a.size() + b.size()) + 100'000'000;
  const SortedPoints sorted_a(std::move(a)), sorted_b(std::move(b));
  return sorted_a.all_near(sorted_b, tolerance, work) &&
         sorted_b.all_near(sorted_a, tolerance, work);
}

}  // namespace

bool are_copies(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                double tolerance) {
  const PolygonSoup &soup_a = a.soup(), &soup_b = b.soup();
  if (soup_a.vertex_count() != soup_b.vertex_count() || soup_a.face_count() != soup_b.face_count())
    return false;
  std::vector<Vec3> corners_a = corners_in_world(soup_a, pose_a),
                    corners_b = corners_in_world(soup_b, pose_b);
  Aabb box_a, box_b;
  for (const Vec3& p : corners_a) box_a.include(p);
  for (const Vec3& p : corners_b) box_b.include(p);
  if (!are_near(box_a.lo, box_b.lo, tolerance) || !are_near(box_a.hi, box_b.hi, tolerance))
    return false;
  return agree(std::move(corners_a), std::move(corners_b), tolerance) &&
         agree(middles_in_world(soup_a, pose_a), middles_in_world(soup_b, pose_b), tolerance);
}

}  // namespace touche::clash
