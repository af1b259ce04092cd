// SPDX-License-Identifier: Apache-2.0
// Every splitting method, of every degree, on easy and on nasty sets: what comes out is a division.
// And what each method promises about it.
#include <gtest/gtest.h>

#include <algorithm>

#include "random.h"
#include "test_scale.h"
#include "tree_sets.h"

namespace touche::tree {
namespace {

using test::BoxFitter;
using test::soup_of;
using test::tile;

/// Each face is in one of the parts; no part is empty, and there are no more than requested.
void expect_division(const Split& split, std::size_t faces, int degree) {
  ASSERT_EQ(split.part.size(), faces);
  EXPECT_LE(split.parts, degree);
  std::vector<int> count(256);
  for (const auto p : split.part) ++count[p];
  for (int p = 0; p < 256; ++p) EXPECT_EQ(count[p] > 0, p < split.parts) << p;
  EXPECT_GE(split.gap, 0);
}

struct Case {
  explicit Case(PolygonSoup of) : soup(std::move(of)) {}

  const PolygonSoup soup;
  const Faces faces{soup};
  const BoxFitter fitter{faces};

  Split split(const TreeOptions& options, int degree, std::uint64_t seed = 7) const {
    const auto splitter = make_splitter(faces, fitter, options);
    const std::vector<Index> set = test::all_of(faces);
    Split found = splitter->split(set, degree, seed);
    const Split again = splitter->split(set, degree, seed);
    EXPECT_EQ(found.part, again.part);
    expect_division(found, set.size(), degree);
    return found;
  }
};

/// Methods that can distinguish any faces.
bool always_divides(SplitMethod method) {
  return method >= SplitMethod::middle || method == SplitMethod::insertion ||
         method == SplitMethod::branch_and_bound;
}

TEST(Split, EveryMethodAndDegreeDividesScatteredFaces) {
  for (int seed = 1; seed <= test::scaled(20, 2); ++seed)
    for (const Index count : {2u, 3u, 9u, 40u, 150u}) {
      const PolygonSoup soup =
          scenes::random_soup(static_cast<std::uint64_t>(seed), {.faces = count,
                                                                 .extent = 1,
                                                                 .face_size = 0.2,
                                                                 .max_corners = 3,
                                                                 .slivers = seed % 2 * 0.3});
      const Case on(soup);
      for (const SplitMethod method : test::kAllMethods)
        for (int degree = 2; degree <= 8; ++degree) {
          SCOPED_TRACE(std::string(test::name(method)) + " degree " + std::to_string(degree) +
                       " of " + std::to_string(count));
          const Split split = on.split({.method = method, .max_problems = 5}, degree);
          if (count >= 40) {
            EXPECT_GE(split.parts, 2);
          }
          if (always_divides(method)) {
            EXPECT_EQ(split.parts, std::min<int>(degree, static_cast<int>(count)));
          }
        }
    }
}

TEST(Split, DegenerateSetsAreDividedOrSaidToBeIndivisible) {
  for (const Index count : {2u, 3u, 17u})
    for (const auto& [name, soup] : test::degenerate_soups(count)) {
      const Case on(soup);
      for (const SplitMethod method : test::kAllMethods)
        for (int degree = 2; degree <= 8; ++degree) {
          SCOPED_TRACE(name + ": " + test::name(method) + " degree " + std::to_string(degree));
          const Split split = on.split({.method = method, .max_problems = 5}, degree);
          if (always_divides(method)) {
            EXPECT_EQ(split.parts, std::min<int>(degree, static_cast<int>(on.faces.size())));
          } else if (name == "equal" || name == "one point") {
            EXPECT_LT(split.parts, 2);
          } else if (name == "line" && count == 17) {
            EXPECT_GE(split.parts, 2);
          }
        }
    }
}

TEST(Split, InsertionStartsAndOrdersAllDivide) {
  for (const InsertionStart start : {InsertionStart::random, InsertionStart::sphere_points,
                                     InsertionStart::icosahedron, InsertionStart::regions})
    for (const InsertionOrder order : {InsertionOrder::random, InsertionOrder::best_first})
      for (const Combine combine : {Combine::mean, Combine::maximum}) {
        TreeOptions options{.method = SplitMethod::insertion};
        options.start = start, options.order = order, options.combine = combine;
        std::vector<test::NamedSoup> soups = test::degenerate_soups(17);
        soups.push_back({"scattered", scenes::random_soup(3, {.faces = 200})});
        for (const auto& [name, soup] : soups) {
          SCOPED_TRACE(name);
          const Case on(soup);
          for (int degree = 2; degree <= 8; ++degree)
            EXPECT_EQ(on.split(options, degree).parts,
                      std::min<int>(degree, static_cast<int>(on.faces.size())));
        }
      }
}

TEST(Split, ManyFaces) {
  const PolygonSoup soup = scenes::bumpy_sphere(static_cast<Index>(test::scaled(50000, 500)), 4);
  const Case on(soup);
  for (const SplitMethod method : test::kAllMethods) {
    if (method == SplitMethod::branch_and_bound) continue;
    for (const int degree : {2, 5, 8}) {
      SCOPED_TRACE(std::string(test::name(method)) + " degree " + std::to_string(degree));
      EXPECT_EQ(on.split({.method = method}, degree).parts, degree);
    }
  }
}

TEST(Split, RandomChoicesFollowTheSeed) {
  const Case on(scenes::random_soup(5, {.faces = 100}));
  TreeOptions options{.method = SplitMethod::insertion};
  options.start = InsertionStart::random;
  EXPECT_NE(on.split(options, 4, 1).part, on.split(options, 4, 2).part);
}

// ---- what single methods do --------------------------------------------------------------------

/// Three clusters along x that every method must find.
TEST(Split, ClustersFarApartAreFound) {
  std::vector<Triangle> triangles;
  scenes::Random random(11);
  for (int cluster = 0; cluster < 3; ++cluster)
    for (int i = 0; i < 10; ++i) {
      const Vec3 at = Vec3(100 * cluster, 0, 0) + random.in_box(1);
      triangles.push_back({at, at + random.in_box(0.2), at + random.in_box(0.2)});
    }
  const PolygonSoup soup = soup_of(triangles);
  const Case on(soup);
  for (const SplitMethod method : test::kAllMethods) {
    // Halves of halves cut through the middle cluster; these are no clusterings.
    if (method == SplitMethod::median || method == SplitMethod::least_overlap ||
        method == SplitMethod::middle)
      continue;
    SCOPED_TRACE(test::name(method));
    TreeOptions options{.method = method, .max_problems = 3};
    options.order = InsertionOrder::best_first;
    const Split split = on.split(options, 3);
    ASSERT_EQ(split.parts, 3);
    for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(split.part[i], split.part[i / 10 * 10]) << i;
  }
}

std::vector<int> parts_in_order(const Split& split) {
  return {split.part.begin(), split.part.end()};
}

TEST(Split, MiddleOfTheBoxDecides) {
  const PolygonSoup soup = soup_of({tile(0), tile(1), tile(2), tile(3), tile(10)});
  const Case on(soup);
  EXPECT_EQ(parts_in_order(on.split({.method = SplitMethod::middle}, 2)),
            (std::vector{0, 0, 0, 0, 1}));
  EXPECT_EQ(parts_in_order(on.split({.method = SplitMethod::median}, 2)),
            (std::vector{0, 0, 1, 1, 1}));
  // 5 = 2 + 3 or 3 + 2: the gap between the second and the third is as wide as the next, and both
  // are as far from the middle.
  EXPECT_EQ(parts_in_order(on.split({.method = SplitMethod::least_overlap}, 2)),
            (std::vector{0, 0, 1, 1, 1}));
  EXPECT_EQ(parts_in_order(on.split({.method = SplitMethod::surface_area}, 2)),
            (std::vector{0, 0, 0, 0, 1}));
}

TEST(Split, AFaceOnThePlaneIsNegative) {  // van den Bergen: positive if greater
  const PolygonSoup soup = soup_of({tile(-1), tile(0), tile(1)});
  EXPECT_EQ(parts_in_order(Case(soup).split({.method = SplitMethod::middle}, 2)),
            (std::vector{0, 0, 1}));
}

TEST(Split, LeastOverlapLooksOnlyAtHalfBalancedCuts) {
  // The widest gap is after the first face, the next one after the fourth.
  const PolygonSoup soup =
      soup_of({tile(0), tile(10), tile(11), tile(12), tile(15), tile(16), tile(17)});
  EXPECT_EQ(parts_in_order(Case(soup).split({.method = SplitMethod::least_overlap}, 2)),
            (std::vector{0, 0, 0, 0, 1, 1, 1}));
}

TEST(Split, LeastOverlapIsTheLeastOfAllCuts) {
  for (int seed = 1; seed <= test::scaled(200); ++seed) {
    const PolygonSoup soup = scenes::random_soup(
        static_cast<std::uint64_t>(seed),
        {.faces = static_cast<Index>(3 + seed % 20), .extent = 1, .face_size = 0.4});
    const Case on(soup);
    const Split split = on.split({.method = SplitMethod::least_overlap}, 2);
    int axis = 0;
    (soup.bounds().hi - soup.bounds().lo).maxCoeff(&axis);
    struct Interval {
      double lo, hi;
      Index face;
    };
    std::vector<Interval> intervals;
    for (Index f = 0; f < on.faces.size(); ++f) {
      const auto [a, b, c] = on.faces.corners(f);
      intervals.push_back(
          {std::min({a[axis], b[axis], c[axis]}), std::max({a[axis], b[axis], c[axis]}), f});
    }
    std::ranges::sort(intervals, {}, [](const Interval& i) { return i.lo + i.hi; });
    const auto overlap = [&](auto in_first) {
      double hi = -kInfinity, lo = kInfinity;
      for (std::size_t i = 0; i < intervals.size(); ++i)
        in_first(i) ? void(hi = std::max(hi, intervals[i].hi))
                    : void(lo = std::min(lo, intervals[i].lo));
      return hi - lo;
    };
    double least = kInfinity;
    const std::size_t n = intervals.size();
    for (std::size_t k = 1; k < n; ++k)
      if (std::max(k, n - k) <= 2 * std::min(k, n - k))
        least = std::min(least, overlap([&](std::size_t i) { return i < k; }));
    EXPECT_EQ(overlap([&](std::size_t i) { return split.part[intervals[i].face] == 0; }), least);
  }
}

TEST(Split, MedianPartsAreOfEqualSize) {
  const Case on(scenes::random_soup(9, {.faces = 64}));
  for (const int degree : {2, 4, 8}) {
    const Split split = on.split({.method = SplitMethod::median}, degree);
    for (int p = 0; p < degree; ++p)
      EXPECT_EQ(std::ranges::count(split.part, p), 64 / degree) << degree;
  }
}

/// 16 bins are finer than the 12 faces here lie: the best cut of all is found.
TEST(Split, SurfaceAreaFindsTheCheapestCut) {
  for (int seed = 1; seed <= test::scaled(100); ++seed) {
    scenes::Random random(static_cast<std::uint64_t>(seed));
    std::vector<Triangle> triangles;
    std::vector<Index> slots(16);
    for (Index i = 0; i < 16; ++i) slots[i] = i;
    for (std::size_t i = 15; i > 0; --i) std::swap(slots[i], slots[random.below(Index(i + 1))]);
    slots.resize(12);
    slots[0] = 0, slots[1] = 15;  // so that bins are as wide as slots
    std::ranges::sort(slots);
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    for (const Index slot : slots) {
      const double x = slot + 0.5, half = random.uniform(0.1, 2), y = random.uniform(-1, 1);
      triangles.push_back({Vec3(x - half, y, 0), Vec3(x + half, y, 0), Vec3(x, y + 1, 1)});
    }
    // All middles in x at slot + 0.5, their range 15: bins of 15/16 each hold at most one.
    const PolygonSoup soup = soup_of(triangles);
    const Case on(soup);
    const auto cost = [&](const std::vector<Index>& set) {
      return static_cast<double>(set.size()) * on.fitter.quality(set);
    };
    const Split split = on.split({.method = SplitMethod::surface_area}, 2);
    std::vector<Index> side[2];
    for (Index f = 0; f < on.faces.size(); ++f) side[split.part[f]].push_back(f);
    double least = kInfinity;
    for (Index k = 1; k < on.faces.size(); ++k) {
      std::vector<Index> low(k), high(on.faces.size() - k);
      std::iota(low.begin(), low.end(), Index{0});
      std::iota(high.begin(), high.end(), k);
      least = std::min(least, cost(low) + cost(high));
    }
    EXPECT_LE(cost(side[0]) + cost(side[1]), least * (1 + 1e-12));
  }
}

/// Hochbaum and Shmoys prove a factor of two for points: of faces that are points.
TEST(Split, FarCornersAreAtMostTwiceTheBestRadius) {
  for (int seed = 1; seed <= test::scaled(100, 20); ++seed) {
    scenes::Random random(static_cast<std::uint64_t>(seed));
    std::vector<Triangle> triangles;
    for (int i = 0; i < 8; ++i) {
      const Vec3 p = random.in_box(1);
      triangles.push_back({p, p, p});
    }
    const PolygonSoup soup = soup_of(triangles);
    const Faces faces(soup);
    const test::SphereFitter fitter(faces);
    const auto worst = [&](const std::vector<std::uint8_t>& part) {
      double most = 0;
      for (int p = 0; p < 2; ++p) {
        std::vector<Index> set;
        for (Index f = 0; f < 8; ++f)
          if (part[f] == p) set.push_back(f);
        most = std::max(most, fitter.quality(set));
      }
      return most;
    };
    double best = kInfinity;
    for (unsigned mask = 1; mask < 255; ++mask) {
      std::vector<std::uint8_t> part(8);
      for (unsigned f = 0; f < 8; ++f) part[f] = mask >> f & 1;
      best = std::min(best, worst(part));
    }
    const auto splitter = make_splitter(faces, fitter, {.method = SplitMethod::hochbaum_shmoys});
    const Split split = splitter->split(test::all_of(faces), 2, 0);
    EXPECT_LE(worst(split.part), 4 * best * (1 + 1e-9));  // areas: the factor's square
  }
}

// ---- bad options -------------------------------------------------------------------------------

TEST(Split, OptionsOutOfRangeAreRefused) {
  const auto refuse = [](const TreeOptions& options, const std::string& word) {
    try {
      require_valid(options);
      ADD_FAILURE() << word;
    } catch (const InvalidInput& e) {
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
  };
  EXPECT_NO_THROW(require_valid({}));
  refuse({.degree = 1}, "degree");
  refuse({.degree = 9}, "degree");
  refuse({.improvement = -0.1}, "improvement");
  refuse({.improvement = 1.1}, "improvement");
  refuse({.improvement = std::nan("")}, "improvement");
  refuse({.leaf_faces = 0}, "leaf");
  refuse({.max_depth = -1}, "depth");
  refuse({.max_problems = 0}, "problem");
  refuse({.method = SplitMethod::branch_and_bound, .quality = Quality::hausdorff}, "Hausdorff");
  EXPECT_NO_THROW(require_valid({.quality = Quality::hausdorff}));
}

TEST(Split, QualityOfSets) {
  EXPECT_EQ(combined(std::vector{1.0, 2.0, 6.0}, Combine::mean), 3);
  EXPECT_EQ(combined(std::vector{1.0, 2.0, 6.0}, Combine::maximum), 6);
  EXPECT_EQ(combined({}, Combine::mean), 0);
}

}  // namespace
}  // namespace touche::tree
