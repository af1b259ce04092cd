// SPDX-License-Identifier: Apache-2.0
// Insertion, best first: the heaps against rating every face for every part at each step, what they
// save, and the faces it starts with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "methods/tree/growing_parts.h"
#include "methods/tree/insertion_start.h"
#include "test_scale.h"
#include "tree_sets.h"

namespace touche::tree {
namespace {

using test::BoxFitter;

TreeOptions best_first(Combine combine, InsertionStart start = InsertionStart::regions) {
  TreeOptions options{.method = SplitMethod::insertion};
  options.combine = combine;
  options.start = start;
  options.order = InsertionOrder::best_first;
  return options;
}

/// Fig. 3.8: of each part the face that lets it grow least, of these the best for the whole.
std::vector<std::uint8_t> rate_everything(const Faces& faces, const Fitter& fitter, int degree,
                                          Combine combine) {
  const std::vector<Index> set = test::all_of(faces);
  base::Random random(0);
  GrowingParts parts(fitter, degree, combine);
  std::vector<std::uint8_t> part(set.size(), 255);
  int next = 0;
  for (const Index i : start_faces(faces, set, degree, InsertionStart::regions, random)) {
    parts.add(i, next);
    part[i] = static_cast<std::uint8_t>(next++);
  }
  for (;;) {
    GrowingParts::Place best;
    Index number = kNone;
    for (int p = 0; p < degree; ++p) {
      Index least = kNone;
      for (Index i = 0; i < set.size(); ++i)
        if (part[i] == 255 &&
            (least == kNone || parts.quality_with(i, p) < parts.quality_with(least, p)))
          least = i;
      if (least == kNone) return part;
      const auto place = parts.place(least, p);
      if (number == kNone || place.better_than(best)) best = place, number = least;
    }
    parts.add(number, best.part);
    part[number] = static_cast<std::uint8_t>(best.part);
  }
}

TEST(Insertion, HeapsFindWhatRatingEverythingFinds) {
  for (int seed = 1; seed <= test::scaled(60, 3); ++seed)
    for (const Combine combine : {Combine::mean, Combine::maximum}) {
      const PolygonSoup soup =
          scenes::random_soup(static_cast<std::uint64_t>(seed),
                              {.faces = 40, .extent = 1, .face_size = 0.1 * (1 + seed % 5)});
      const Faces faces(soup);
      const int degree = 2 + seed % 7;
      const BoxFitter boxes(faces);
      EXPECT_EQ(make_splitter(faces, boxes, best_first(combine))
                    ->split(test::all_of(faces), degree, 0)
                    .part,
                rate_everything(faces, boxes, degree, combine));
      if (seed > test::scaled(10, 1)) continue;
      const test::SphereFitter spheres(faces);
      EXPECT_EQ(make_splitter(faces, spheres, best_first(combine))
                    ->split(test::all_of(faces), degree, 0)
                    .part,
                rate_everything(faces, spheres, degree, combine));
    }
}

/// Fig. 3.8 in random order, each volume fitted anew to the faces it holds.
TEST(Insertion, RandomOrderPutsEachFaceWhereItCostsLeast) {
  for (int seed = 1; seed <= test::scaled(60, 6); ++seed)
    for (const Combine combine : {Combine::mean, Combine::maximum}) {
      const PolygonSoup soup =
          scenes::random_soup(static_cast<std::uint64_t>(seed), {.faces = 40, .face_size = 0.3});
      const Faces faces(soup);
      const BoxFitter fitter(faces);
      const auto set = test::all_of(faces);
      const auto degree = static_cast<std::size_t>(2 + seed % 7);
      TreeOptions options{.method = SplitMethod::insertion};
      options.combine = combine;
      options.start = InsertionStart::icosahedron;
      const Split split = make_splitter(faces, fitter, options)
                              ->split(set, static_cast<int>(degree), static_cast<unsigned>(seed));

      base::Random random(static_cast<std::uint64_t>(seed));
      const auto start = start_faces(faces, set, static_cast<int>(degree), options.start, random);
      std::vector<std::vector<Index>> parts;
      for (const Index i : start) parts.push_back({i});
      std::vector<Index> rest;
      for (const Index i : set)
        if (std::ranges::find(start, i) == start.end()) rest.push_back(i);
      random.shuffle(rest);
      for (const Index i : rest) {
        std::vector<std::pair<double, double>> rated;  // of all, of the part alone
        for (std::size_t p = 0; p < degree; ++p) {
          std::vector<double> quality;
          for (const auto& part : parts) quality.push_back(fitter.quality(part));
          std::vector<Index> with = parts[p];
          with.push_back(i);
          const double before = std::exchange(quality[p], fitter.quality(with));
          rated.emplace_back(combined(quality, combine), quality[p] - before);
        }
        const auto best = std::ranges::min_element(rated) - rated.begin();
        parts[static_cast<std::size_t>(best)].push_back(i);
      }
      for (std::size_t p = 0; p < degree; ++p)
        for (const Index i : parts[p]) EXPECT_EQ(split.part[i], p) << seed;
    }
}

/// A face is rated a few times for each part, far less than once at each of the n steps.
TEST(Insertion, BestFirstRatesFewFacesAgain) {
  for (const Index n : {1000u, static_cast<Index>(test::scaled(16000, 4000))}) {
    const PolygonSoup soup = scenes::bumpy_sphere(n, 5);
    const Faces faces(soup);
    for (const int degree : {2, 8}) {
      const BoxFitter fitter(faces);
      make_splitter(faces, fitter, best_first(Combine::mean))
          ->split(test::all_of(faces), degree, 0);
      const double per_face_and_part =
          static_cast<double>(fitter.ratings) / (static_cast<double>(faces.size()) * degree);
      std::printf("%u faces, degree %d: %.1f ratings of a face for a part\n", faces.size(), degree,
                  per_face_and_part);
      EXPECT_LT(per_face_and_part, 20);
    }
  }
}

/// Heaps share out what matters: the worst part alone decides, but the others do not pile up.
TEST(Insertion, MaximumFillsAllParts) {
  const PolygonSoup soup = scenes::bumpy_sphere(1000, 5);
  const Faces faces(soup);
  const BoxFitter fitter(faces);
  for (const InsertionOrder order : {InsertionOrder::random, InsertionOrder::best_first}) {
    TreeOptions options = best_first(Combine::maximum);
    options.order = order;
    const Split split = make_splitter(faces, fitter, options)->split(test::all_of(faces), 4, 3);
    for (int p = 0; p < 4; ++p) EXPECT_GT(std::ranges::count(split.part, p), 100) << p;
  }
}

// ---- starts ------------------------------------------------------------------------------------

TEST(Insertion, IcosahedronIsRegular) {
  const auto corners = icosahedron_corners();
  ASSERT_EQ(corners.size(), 12u);
  for (const Vec3& p : corners) {
    EXPECT_NEAR(p.norm(), 1, 1e-15);
    int neighbours = 0;
    for (const Vec3& q : corners) neighbours += std::abs(p.dot(q) - 1 / std::sqrt(5.0)) < 1e-12;
    EXPECT_EQ(neighbours, 5);
  }
}

/// Faces at the corners of an octahedron and many in its middle: each start but the random one
/// takes faces that lie outside.
TEST(Insertion, StartsLieApart) {
  std::vector<Triangle> triangles;
  for (int i = 0; i < 100; ++i) triangles.push_back(test::tile(0, 0.001 * (i + 1)));
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-10.0, 10.0}) {
      const Vec3 p = sign * (1 + 0.01 * axis) * Vec3::Unit(axis);
      triangles.push_back({p, p, p});
    }
  const PolygonSoup soup = test::soup_of(triangles);
  const Faces faces(soup);
  const auto set = test::all_of(faces);
  for (const InsertionStart start : {InsertionStart::sphere_points, InsertionStart::icosahedron})
    for (int degree = 2; degree <= 6; ++degree) {
      base::Random random(1);
      const auto chosen = start_faces(faces, set, degree, start, random);
      ASSERT_EQ(chosen.size(), static_cast<std::size_t>(degree));
      for (const Index i : chosen) EXPECT_GE(i, 100u);
    }
  base::Random random(1);
  const auto ends = start_faces(faces, set, 2, InsertionStart::regions, random);
  EXPECT_NE(ends[0], ends[1]);
}

TEST(Insertion, StartsAreDifferentFacesAlsoWhereTheyLieTogether) {
  for (const auto& [name, soup] : test::degenerate_soups(9)) {
    const Faces faces(soup);
    for (const InsertionStart start : {InsertionStart::random, InsertionStart::sphere_points,
                                       InsertionStart::icosahedron, InsertionStart::regions})
      for (int degree = 2; degree <= 8; ++degree) {
        base::Random random(1);
        const auto chosen = start_faces(faces, test::all_of(faces), degree, start, random);
        EXPECT_EQ(std::set<Index>(chosen.begin(), chosen.end()).size(),
                  std::min<std::size_t>(static_cast<std::size_t>(degree), faces.size()))
            << name;
      }
  }
}

}  // namespace
}  // namespace touche::tree
