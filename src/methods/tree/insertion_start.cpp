// SPDX-License-Identifier: Apache-2.0
#include "methods/tree/insertion_start.h"

#include <cmath>
#include <numbers>
#include <numeric>

#include "methods/bounds/smallest_sphere.h"
#include "methods/tree/regions.h"
#include "methods/tree/split_parts.h"

namespace touche::tree {
namespace {

constexpr int kSpherePoints = 32;

/// The faces of one set, and which of them are chosen.
class Choice {
 public:
  Choice(const Faces& faces, std::span<const Index> set)
      : faces_(faces), set_(set), taken_(set.size()) {}

  /// The face nearest to a point, among the ones not taken or among all.
  Index nearest(const Vec3& point, bool of_all) const {
    Index best = 0;
    double least = kInfinity;
    for (Index i = 0; i < set_.size(); ++i) {
      if (taken_[i] && !of_all) continue;
      const double d2 = nearest_corner2(faces_.corners(set_[i]), point);
      if (d2 < least) least = d2, best = i;
    }
    return best;
  }

  void take(Index i) {
    taken_[i] = true;
    chosen_.push_back(i);
  }

  /// Adds the candidate that is farthest from all chosen; whether there was one left.
  bool take_farthest(std::span<const Index> candidates) {
    Index best = kNone;
    double most = -1;
    for (const Index i : candidates) {
      if (taken_[i]) continue;
      double least = kInfinity;
      for (const Index j : chosen_) least = std::min(least, distance2(i, j));
      if (least > most) most = least, best = i;
    }
    if (best == kNone) return false;
    take(best);
    return true;
  }

  /// Takes the two candidates, perhaps the same, that are farthest from each other.
  void take_farthest_pair(std::span<const Index> candidates) {
    Index a = candidates[0], b = candidates[0];
    for (std::size_t i = 0; i < candidates.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (distance2(candidates[i], candidates[j]) > distance2(a, b))
          a = candidates[j], b = candidates[i];
    take(a);
    if (b != a) take(b);
  }

  std::vector<Index> chosen() && { return std::move(chosen_); }
  std::size_t count() const { return chosen_.size(); }

 private:
  double distance2(Index i, Index j) const {
    return (faces_.middle(set_[i]) - faces_.middle(set_[j])).squaredNorm();
  }

  const Faces& faces_;
  std::span<const Index> set_;
  std::vector<bool> taken_;
  std::vector<Index> chosen_;
};

/// Among the faces nearest to points of the smallest sphere, chooses ones that lie far from each
/// other. Maximising the least distance is a hard problem; starting from the farthest pair and
/// adding the farthest face is at least half as good. If the points yield too few faces, it adds
/// any others.
void by_sphere(const Faces& faces, std::span<const Index> set, std::size_t wanted,
               std::span<const Vec3> directions, Choice& choice) {
  std::vector<Vec3> corners;
  faces.gather(set, corners);
  const bounds::Sphere sphere = bounds::smallest_sphere(corners).sphere;
  std::vector<Index> candidates;
  for (const Vec3& d : directions)
    candidates.push_back(choice.nearest(sphere.centre + sphere.radius * d, true));
  choice.take_farthest_pair(candidates);
  while (choice.count() < wanted && choice.take_farthest(candidates)) {
  }
  std::vector<Index> all(set.size());
  std::iota(all.begin(), all.end(), Index{0});
  while (choice.count() < wanted) choice.take_farthest(all);
}

}  // namespace

std::vector<Vec3> icosahedron_corners() {
  constexpr double kGolden = std::numbers::phi;
  const double length = std::hypot(1, kGolden), a = 1 / length, b = kGolden / length;
  std::vector<Vec3> corners;
  for (const double x : {-a, a})
    for (const double y : {-b, b}) {
      corners.emplace_back(0, x, y);
      corners.emplace_back(x, y, 0);
      corners.emplace_back(y, 0, x);
    }
  return corners;
}

std::vector<Index> start_faces(const Faces& faces, std::span<const Index> set, int degree,
                               InsertionStart start, base::Random& random) {
  const auto wanted = static_cast<std::size_t>(degree_for(set, degree));
  Choice choice(faces, set);
  switch (start) {
    case InsertionStart::random: {
      std::vector<Index> all(set.size());
      std::iota(all.begin(), all.end(), Index{0});
      random.shuffle(all);
      for (std::size_t i = 0; i < wanted; ++i) choice.take(all[i]);
      break;
    }
    case InsertionStart::sphere_points: {
      std::vector<Vec3> directions(kSpherePoints);
      for (Vec3& d : directions) d = random.direction();
      by_sphere(faces, set, wanted, directions, choice);
      break;
    }
    case InsertionStart::icosahedron:
      by_sphere(faces, set, wanted, icosahedron_corners(), choice);
      break;
    case InsertionStart::regions: {
      const bounds::Obb box = principal_box(faces, set);
      for (const Vec3& centre :
           region_centres(box, static_cast<int>(wanted), longest_first(box.half)))
        choice.take(choice.nearest(centre, false));
      break;
    }
  }
  return std::move(choice).chosen();
}

}  // namespace touche::tree
