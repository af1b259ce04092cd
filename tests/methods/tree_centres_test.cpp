// SPDX-License-Identifier: Apache-2.0
// The methods by centres (thesis Figs. 3.6 and 3.7) against second implementations that keep lists
// of faces and compute every distance anew.
#include <gtest/gtest.h>

#include <algorithm>

#include "methods/bounds/smallest_sphere.h"
#include "test_scale.h"
#include "tree_sets.h"

namespace touche::tree {
namespace {

using Groups = std::vector<std::vector<Index>>;

double distance(const Faces& faces, const Vec3& centre, Index face) {
  double most = 0;
  for (const Vec3& v : faces.corners(face)) most = std::max(most, (v - centre).squaredNorm());
  return most;
}

/// Moves a face from one list into another if that one's centre is nearer; whether it did.
bool exchange(const Faces& faces, Groups& groups, const std::vector<Vec3>& centres,
              std::size_t to) {
  bool changed = false;
  for (std::size_t from = 0; from < groups.size(); ++from) {
    if (from == to) continue;
    for (const Index face : std::vector<Index>(groups[from])) {
      if (!(distance(faces, centres[to], face) < distance(faces, centres[from], face))) continue;
      std::erase(groups[from], face);
      groups[to].push_back(face);
      changed = true;
    }
  }
  return changed;
}

/// Sorted lists in the order of their least face, without empty ones: what can be compared.
Groups normal(Groups groups) {
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  for (auto& group : groups) std::ranges::sort(group);
  std::ranges::sort(groups);
  return groups;
}
Groups groups_of(const Split& split) {
  Groups groups(static_cast<std::size_t>(split.parts));
  for (Index f = 0; f < split.part.size(); ++f) groups[split.part[f]].push_back(f);
  return normal(groups);
}

Groups far_corners(const Faces& faces, int degree) {
  Groups groups = {test::all_of(faces)};
  std::vector<Vec3> corners;
  faces.gather(groups[0], corners);
  std::vector<Vec3> centres;
  Vec3 next = *std::ranges::max_element(
      corners, {}, [middle = bounds::smallest_sphere(corners).sphere.centre](const Vec3& v) {
        return (v - middle).squaredNorm();
      });
  for (int i = 0; i < degree; ++i) {
    centres.push_back(next);
    if (i > 0) groups.emplace_back();
    exchange(faces, groups, centres, centres.size() - 1);
    next = *std::ranges::max_element(corners, {}, [&](const Vec3& v) {
      double least = kInfinity;
      for (const Vec3& c : centres) least = std::min(least, (v - c).squaredNorm());
      return least;
    });
  }
  return normal(groups);
}

/// Also returns whether the faces came to rest.
std::pair<Groups, bool> moving_centres(const Faces& faces, int degree) {
  Groups groups = {test::all_of(faces)};
  std::vector<Vec3> centres(1);
  const auto to_means = [&] {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].empty()) continue;
      Vec3 sum = Vec3::Zero();
      for (const Index face : groups[i]) sum += faces.middle(face);
      centres[i] = sum / static_cast<double>(groups[i].size());
    }
  };
  to_means();
  bool rests = true;
  for (int i = 1; i < degree; ++i) {
    double most = -1;
    Index farthest = 0;
    for (Index f = 0; f < faces.size(); ++f)
      for (std::size_t g = 0; g < groups.size(); ++g)
        if (std::ranges::find(groups[g], f) != groups[g].end() &&
            distance(faces, centres[g], f) > most)
          most = distance(faces, centres[g], f), farthest = f;
    centres.push_back(faces.middle(farthest));
    groups.emplace_back();
    bool changed = exchange(faces, groups, centres, groups.size() - 1);
    for (int round = 0; changed && round < 100; ++round) {
      to_means();
      changed = false;
      for (std::size_t g = 0; g < groups.size(); ++g)
        changed |= exchange(faces, groups, centres, g);
    }
    rests = rests && !changed;
  }
  return {normal(groups), rests};
}

/// Faces of all sizes, so that corners and centroids lead to different results.
PolygonSoup scattered(int seed) {
  return scenes::random_soup(
      static_cast<std::uint64_t>(seed),
      {.faces = static_cast<Index>(5 + seed % 60), .face_size = 0.1 * (1 + seed % 12)});
}

TEST(Centres, FarCornersAreThoseOfTheFigure) {
  for (int seed = 1; seed <= test::scaled(200, 30); ++seed) {
    const PolygonSoup soup = scattered(seed);
    const Faces faces(soup);
    const test::BoxFitter fitter(faces);
    const auto splitter = make_splitter(faces, fitter, {.method = SplitMethod::hochbaum_shmoys});
    const int degree = std::min(2 + seed % 7, static_cast<int>(faces.size()));
    EXPECT_EQ(groups_of(splitter->split(test::all_of(faces), degree, 0)),
              far_corners(faces, degree))
        << seed;
  }
}

TEST(Centres, MovingCentresAreThoseOfTheFigure) {
  int rest = 0;
  const int cases = test::scaled(200, 30);
  for (int seed = 1; seed <= cases; ++seed) {
    const PolygonSoup soup = scattered(seed);
    const Faces faces(soup);
    const test::BoxFitter fitter(faces);
    const auto splitter = make_splitter(faces, fitter, {.method = SplitMethod::moving_centres});
    const int degree = std::min(2 + seed % 7, static_cast<int>(faces.size()));
    const auto [expected, rests] = moving_centres(faces, degree);
    EXPECT_EQ(groups_of(splitter->split(test::all_of(faces), degree, 0)), expected) << seed;
    rest += rests;
  }
  EXPECT_GT(rest, 0.8 * cases);  // the bound on rounds is for the others
  std::printf("%d of %d came to rest\n", rest, cases);
}

/// Faces that jump to and fro between two centres must not keep the loop going.
TEST(Centres, MovingCentresEndOnLargeFaces) {
  for (int seed = 1; seed <= test::scaled(200, 30); ++seed) {
    const PolygonSoup soup =
        scenes::random_soup(static_cast<std::uint64_t>(seed), {.faces = 200, .face_size = 5});
    const Faces faces(soup);
    const test::BoxFitter fitter(faces);
    const auto splitter = make_splitter(faces, fitter, {.method = SplitMethod::moving_centres});
    EXPECT_GE(splitter->split(test::all_of(faces), 8, 0).parts, 2);
  }
}

}  // namespace
}  // namespace touche::tree
