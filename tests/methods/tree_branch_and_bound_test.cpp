// SPDX-License-Identifier: Apache-2.0
// Branch and bound against all divisions of small sets, and its proven gap if it examines fewer
// problems than there are.
#include <gtest/gtest.h>

#include <algorithm>

#include "random.h"
#include "test_scale.h"
#include "tree_sets.h"

namespace touche::tree {
namespace {

using test::BoxFitter;

/// The rating of a division.
double rate(const Fitter& fitter, const std::vector<std::uint8_t>& part, int parts,
            Combine combine) {
  std::vector<double> quality;
  for (int p = 0; p < parts; ++p) {
    std::vector<Index> set;
    for (Index i = 0; i < part.size(); ++i)
      if (part[i] == p) set.push_back(i);
    quality.push_back(fitter.quality(set));
  }
  return combined(quality, combine);
}

/// The best of all divisions into exactly `parts` parts, one after the other.
double best_of_all(const Fitter& fitter, std::vector<std::uint8_t>& part, std::size_t next,
                   int used, int parts, Combine combine) {
  if (next == part.size()) return used == parts ? rate(fitter, part, parts, combine) : kInfinity;
  double best = kInfinity;
  for (int p = 0; p < std::min(used + 1, parts); ++p) {
    part[next] = static_cast<std::uint8_t>(p);
    best =
        std::min(best, best_of_all(fitter, part, next + 1, std::max(used, p + 1), parts, combine));
  }
  return best;
}
double best_of_all(const Fitter& fitter, Index faces, int parts, Combine combine) {
  std::vector<std::uint8_t> part(faces);
  return best_of_all(fitter, part, 0, 0, parts, combine);
}

constexpr std::array kBranchings = {Branching::random, Branching::raise_least_bound};
constexpr std::array kExplorations = {Exploration::lower_bound, Exploration::weighted,
                                      Exploration::potential};

struct Outcome {
  double rating = 0;
  double gap = 0;
};

Outcome search(const Faces& faces, const Fitter& fitter, int degree, TreeOptions options) {
  options.method = SplitMethod::branch_and_bound;
  const Split split =
      make_splitter(faces, fitter, options)->split(test::all_of(faces), degree, options.seed);
  EXPECT_EQ(split.parts, std::min<int>(degree, static_cast<int>(faces.size())));
  return {rate(fitter, split.part, split.parts, options.combine), split.gap};
}

void expect_optimum(const PolygonSoup& soup, const Faces& faces, const Fitter& fitter,
                    const char* name) {
  for (int degree = 2; degree <= 4; ++degree)
    for (const Combine combine : {Combine::mean, Combine::maximum}) {
      const int parts = std::min<int>(degree, static_cast<int>(soup.triangle_count()));
      const double best = best_of_all(fitter, faces.size(), parts, combine);
      for (const Branching branching : kBranchings)
        for (const Exploration exploration : kExplorations) {
          TreeOptions options;
          options.combine = combine;
          options.branching = branching;
          options.exploration = exploration;
          options.max_problems = 1000000;
          const Outcome found = search(faces, fitter, degree, options);
          EXPECT_NEAR(found.rating, best, 1e-12 * best)
              << name << " degree " << degree << " rules " << int(branching) << int(exploration);
          EXPECT_EQ(found.gap, 0);
        }
    }
}

TEST(BranchAndBound, FindsTheBestOfAllDivisionsIntoBoxes) {
  for (int seed = 1; seed <= test::scaled(30, 4); ++seed) {
    const Index count = static_cast<Index>(2 + seed % 8);
    const PolygonSoup soup =
        scenes::random_soup(static_cast<std::uint64_t>(seed),
                            {.faces = count, .extent = 1, .face_size = seed % 3 == 0 ? 1.5 : 0.3});
    const Faces faces(soup);
    for (const Quality quality : {Quality::surface_area, Quality::volume, Quality::diameter})
      expect_optimum(soup, faces, BoxFitter(faces, quality), "scattered");
  }
}

TEST(BranchAndBound, FindsTheBestOfAllDivisionsIntoSpheres) {
  for (int seed = 1; seed <= test::scaled(4, 1); ++seed) {
    const PolygonSoup soup =
        scenes::random_soup(static_cast<std::uint64_t>(seed), {.faces = 6, .face_size = 0.5});
    const Faces faces(soup);
    expect_optimum(soup, faces, test::SphereFitter(faces), "spheres");
  }
}

/// Volumes that grow loosely guide the search; they must not bound it.
TEST(BranchAndBound, FindsTheBestThoughVolumesGrowLoosely) {
  for (int seed = 1; seed <= test::scaled(10, 2); ++seed) {
    const PolygonSoup soup =
        scenes::random_soup(static_cast<std::uint64_t>(seed), {.faces = 7, .face_size = 0.5});
    const Faces faces(soup);
    expect_optimum(soup, faces, test::LooseSphereFitter(faces), "loose spheres");
  }
}

/// Enclosed faces, equal faces and faces without size: the parts must still all be filled.
TEST(BranchAndBound, FindsTheBestOfDegenerateSets) {
  for (const auto& [name, soup] : test::degenerate_soups(6)) {
    if (name == "huge") continue;  // the areas of these boxes differ by less than rounding
    const Faces faces(soup);
    expect_optimum(soup, faces, BoxFitter(faces), name.c_str());
  }
}

/// A face that lies in the volume of others costs nothing there, but may be the cheapest one to
/// fill an empty part with.
TEST(BranchAndBound, EnclosedFacesMayHaveToFillEmptyParts) {
  scenes::Random random(3);
  for (int i = 0; i < test::scaled(50, 10); ++i) {
    std::vector<Triangle> triangles;
    const auto in_plane = [&](double size) {
      const Vec3 at = random.in_box(0.3);
      const Vec3 d = size * random.in_box(1).cwiseAbs();
      triangles.push_back({at, at + d, Vec3(at.x() + d.x(), at.y(), at.z())});
    };
    for (int k = 0; k < 5; ++k) in_plane(0.01 * (1 + random.below(10)));
    triangles.insert(triangles.begin() + random.below(6),
                     {Vec3(-1, -1, -1), Vec3(1, 1, 1), Vec3(1, -1, 0)});
    const PolygonSoup soup = test::soup_of(triangles);
    const Faces faces(soup);
    expect_optimum(soup, faces, BoxFitter(faces), "enclosed");
  }
}

/// After one problem, that of no decision, the largest face is in the first part: its own quality,
/// shared by all parts, is what is proved.
TEST(BranchAndBound, TheFirstGapIsThatOfTheLargestFace) {
  for (int seed = 1; seed <= 10; ++seed) {
    const PolygonSoup soup =
        scenes::random_soup(static_cast<std::uint64_t>(seed), {.faces = 12, .face_size = 0.6});
    const Faces faces(soup);
    const BoxFitter fitter(faces);
    double largest = 0;
    for (Index f = 0; f < faces.size(); ++f)
      largest = std::max(largest, fitter.quality(std::span(&f, 1)));
    for (const Combine combine : {Combine::mean, Combine::maximum}) {
      TreeOptions options;
      options.combine = combine;
      options.max_problems = 1;
      const Outcome found = search(faces, fitter, 4, options);
      const double lower = combine == Combine::mean ? largest / 4 : largest;
      EXPECT_NEAR(found.gap, found.rating / lower - 1, 1e-12 * (1 + found.gap));
    }
  }
}

/// The optimum lies between what the gap promises and what was found; more problems close it.
TEST(BranchAndBound, TheGapHoldsWhereTheBudgetEnds) {
  int open = 0, closed = 0;
  for (int seed = 1; seed <= test::scaled(20, 3); ++seed) {
    const PolygonSoup soup =
        scenes::random_soup(static_cast<std::uint64_t>(seed), {.faces = 9, .face_size = 0.6});
    const Faces faces(soup);
    const BoxFitter fitter(faces);
    const double best = best_of_all(fitter, 9, 3, Combine::mean);
    for (const Branching branching : kBranchings)
      for (const Exploration exploration : kExplorations)
        for (const std::uint64_t problems : {1u, 2u, 5u, 20u, 100u, 100000u}) {
          TreeOptions options;
          options.branching = branching;
          options.exploration = exploration;
          options.max_problems = problems;
          const Outcome found = search(faces, fitter, 3, options);
          EXPECT_GE(found.rating, best * (1 - 1e-12));
          EXPECT_GE(best * (1 + 1e-12), found.rating / (1 + found.gap));
          ++(found.gap > 0 ? open : closed);
          if (problems == 100000) {
            EXPECT_EQ(found.gap, 0);
          }
        }
  }
  EXPECT_GT(open, closed / 10);
  EXPECT_GT(closed, open / 10);
}

/// The heuristics it starts from are never better than what it returns.
TEST(BranchAndBound, IsNeverWorseThanItsStart) {
  for (int seed = 1; seed <= test::scaled(20, 3); ++seed) {
    const PolygonSoup soup =
        scenes::random_soup(static_cast<std::uint64_t>(seed), {.faces = 40, .face_size = 0.3});
    const Faces faces(soup);
    const BoxFitter fitter(faces);
    TreeOptions options{.method = SplitMethod::hochbaum_shmoys};
    options.max_problems = 1;
    const Split start = make_splitter(faces, fitter, options)->split(test::all_of(faces), 4, 1);
    if (start.parts < 4) continue;
    EXPECT_LE(search(faces, fitter, 4, options).rating,
              rate(fitter, start.part, 4, Combine::mean) * (1 + 1e-12));
  }
}

/// Raising the least bound first needs fewer problems than chance, as the thesis expects.
TEST(BranchAndBound, BranchingByTheBoundClosesSooner) {
  double by_chance = 0, by_bound = 0;
  for (int seed = 1; seed <= test::scaled(20, 5); ++seed) {
    const PolygonSoup soup =
        scenes::random_soup(static_cast<std::uint64_t>(seed), {.faces = 14, .face_size = 0.4});
    const Faces faces(soup);
    const BoxFitter fitter(faces);
    TreeOptions options;
    options.max_problems = 15;
    options.branching = Branching::random;
    by_chance += std::min(10.0, search(faces, fitter, 3, options).gap);
    options.branching = Branching::raise_least_bound;
    by_bound += std::min(10.0, search(faces, fitter, 3, options).gap);
  }
  EXPECT_LT(by_bound, by_chance);
}

}  // namespace
}  // namespace touche::tree
