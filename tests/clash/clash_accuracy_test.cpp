// SPDX-License-Identifier: Apache-2.0
// Pairs that meet within the accuracy of their meshes, and assemblies whose overlaps and touches a
// CAD kernel found in their exact surfaces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "clash_scenes.h"
#include "mesh_builder.h"
#include "shared_data.h"

namespace touche::clash_accuracy_test {
namespace {

using test::cube;
using test::only_pair;
using test::PartsBuilder;

/// A prism of `sides` on a circle, turned by a share of a side.
std::vector<Vec3> ring(double radius, int sides, double turned, double z) {
  std::vector<Vec3> points;
  for (int k = 0; k < sides; ++k) {
    const double angle = 2 * std::numbers::pi * (k + turned) / sides;
    points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
  }
  return points;
}

PolygonSoup pin(double radius, int sides, double turned) {
  scenes::MeshBuilder mesh;
  std::vector<Index> lower, upper;
  for (const Vec3& x : ring(radius, sides, turned, -15)) lower.push_back(mesh.vertex(x));
  for (const Vec3& x : ring(radius, sides, turned, 15)) upper.push_back(mesh.vertex(x));
  for (std::size_t k = 0; k < lower.size(); ++k) {
    const std::size_t next = (k + 1) % lower.size();
    mesh.face({lower[k], lower[next], upper[next], upper[k]});
  }
  mesh.face(upper);
  std::reverse(lower.begin(), lower.end());
  mesh.face(lower);
  return mesh.soup();
}

/// A tube whose bore has that radius.
PolygonSoup tube(double radius, int sides) {
  scenes::MeshBuilder mesh;
  std::vector<std::vector<Index>> rings;
  for (const auto& [r, z] : {std::pair(radius, -10.0), std::pair(radius, 10.0),
                             std::pair(2 * radius, 10.0), std::pair(2 * radius, -10.0)}) {
    rings.emplace_back();
    for (const Vec3& x : ring(r, sides, 0, z)) rings.back().push_back(mesh.vertex(x));
  }
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t k = 0, n = rings[r].size(); k < n; ++k) {
      const auto &from = rings[r], &to = rings[(r + 1) % 4];
      mesh.face({from[k], to[k], to[(k + 1) % n], from[(k + 1) % n]});
    }
  return mesh.soup();
}

/// A square pin pressed into a square tube: they overlap by 0.25 at each of four walls.
ClashParts pressed_in() {
  const double outwards = 0.25 / std::cos(std::numbers::pi / 4);
  return PartsBuilder().part("pin", pin(5 + outwards, 4, 0)).part("tube", tube(5, 4)).take();
}

// The thickness is known to a tenth of it.
TEST(ClashAccuracy, APairBetweenTouchAndClashMeetsWithinIt) {
  const auto allowed = [](double most) {
    return only_pair(pressed_in(), {.max_touching_thickness = most});
  };
  EXPECT_EQ(allowed(0.2).verdict, ClashPairVerdict::clash);
  EXPECT_EQ(allowed(0.6).verdict, ClashPairVerdict::touching);
  const ClashPair pair = allowed(0.2499);
  ASSERT_EQ(pair.verdict, ClashPairVerdict::within_accuracy);
  EXPECT_LE(pair.thickness.diameter.lower, 0.25);
  EXPECT_GE(pair.thickness.diameter.upper, 0.25);
  EXPECT_LE(pair.thickness.diameter.upper, 4 * 0.2499);
}

TEST(ClashAccuracy, IsNoFailureButSaid) {
  const ClashResult result = find_clashes(pressed_in(), {.max_touching_thickness = 0.2499});
  EXPECT_EQ(result.verdict, ClashVerdict::free);
  EXPECT_EQ(result.count(ClashPairVerdict::within_accuracy), 1u);
  const std::string said = clash_sentence(result);
  EXPECT_NE(said.find("1 pair meets within the accuracy of meshes"), said.npos) << said;
  EXPECT_NE(said.find("no two overlap by more than"), said.npos) << said;
}

// Facets that are out of phase overlap although the round shapes have play. With interference
// beyond the accuracy of both it is a clash.
TEST(ClashAccuracy, FacetsOutOfPhaseTouch) {
  for (const int sides : {12, 24, 60})
    for (const double turned : {0.0, 0.25, 0.5}) {
      const double sag = 5 * (1 - std::cos(std::numbers::pi / sides));
      const auto pair_of = [&](double radius) {
        return PartsBuilder()
            .part("pin", pin(radius, sides, turned))
            .part("tube", tube(5, sides))
            .take();
      };
      const ClashResult play = find_clashes(pair_of(5 - 0.05 * sag));
      EXPECT_EQ(play.verdict, ClashVerdict::free) << sides << " " << turned;
      EXPECT_EQ(play.count(ClashPairVerdict::within_accuracy), 0u) << sides << " " << turned;
      EXPECT_EQ(only_pair(pair_of(5 + 4 * sag)).verdict, ClashPairVerdict::clash)
          << sides << " " << turned;
    }
}

TEST(ClashAccuracy, KnownErrorsReplaceTheEstimate) {
  ClashParts parts =
      PartsBuilder().part("pin", pin(4.99, 24, 0.5)).part("tube", tube(5, 24)).take();
  EXPECT_EQ(only_pair(parts).verdict, ClashPairVerdict::touching);
  parts.chord_errors = {std::vector<double>(parts.objects[0].soup().face_count(), 0.0),
                        std::vector<double>(parts.objects[1].soup().face_count(), 0.0)};
  const ClashPair exact = only_pair(parts);
  EXPECT_EQ(exact.verdict, ClashPairVerdict::clash);
  EXPECT_NE(exact.allowance, ClashAllowance::chord_error);
  parts.chord_errors[1] = {};  // estimated
  EXPECT_NE(only_pair(parts).verdict, ClashPairVerdict::clash);
}

TEST(ClashAccuracy, RefusesErrorsThatDoNotFit) {
  const auto with = [](std::vector<std::vector<double>> errors) {
    ClashParts parts = PartsBuilder().part("a", cube(0, 1)).part("b", cube(1, 2)).take();
    parts.chord_errors = std::move(errors);
    return parts;
  };
  EXPECT_THROW((void)find_clashes(with({{}})), InvalidInput);
  EXPECT_THROW((void)find_clashes(with({{0}, {}})), InvalidInput);
  EXPECT_THROW((void)find_clashes(with({std::vector<double>(6, -1.0), {}})), InvalidInput);
  EXPECT_THROW((void)find_clashes(with({std::vector<double>(6, std::nan("")), {}})), InvalidInput);
  EXPECT_NO_THROW((void)find_clashes(with({std::vector<double>(6, 0.1), {}})));
}

// ---- assemblies with truth

struct Truth {
  std::size_t overlaps = 0, touches = 0;
};

/// Counts pairs of a table of exact surfaces: common volume, distance.
Truth truth_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  Truth truth;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::string a, b, volume, distance;
    std::getline(cells, a, ',');
    std::getline(cells, b, ',');
    std::getline(cells, volume, ',');
    std::getline(cells, distance, ',');
    if (std::stod(volume) > 1e-6)
      ++truth.overlaps;
    else if (std::stod(distance) < 1e-6)
      ++truth.touches;
  }
  return truth;
}

TEST(ClashAccuracy, ClassesAreTheExactOnes) {
  TOUCHE_NEED_SHARED_DATA();
  const std::filesystem::path step = test::shared_data() / "step";
  for (const std::string name :
       {"as1-oc-214.stp", "as1_pe_203.stp", "box_sides.STEP", "dm1-oc-214.stp"}) {
    const Truth truth = truth_of(step / "truth" / (name + ".csv"));
    const std::string stem = std::filesystem::path(name).stem().string();
    for (const double chord : {0.01, 0.1, 1.0}) {
      std::ostringstream file;
      file << stem << "-chord-" << chord << ".glb";
      const ClashResult result = find_clashes(
          load_clash_parts({step / "meshes" / file.str()}, {.unit = "mm", .up = UpAxis::z}));
      EXPECT_EQ(result.count(ClashPairVerdict::clash), truth.overlaps) << file.str();
      EXPECT_EQ(result.count(ClashPairVerdict::open), 0u) << file.str();
      EXPECT_EQ(result.count(ClashPairVerdict::touching) +
                    result.count(ClashPairVerdict::within_accuracy),
                truth.touches)
          << file.str();
      for (const ClashPair& pair : result.pairs) {
        if (pair.verdict == ClashPairVerdict::within_accuracy) {
          EXPECT_LE(pair.thickness.diameter.lower, 2 * chord) << file.str();
        }
        // A bound that says something.
        if (pair.verdict == ClashPairVerdict::clash) {
          EXPECT_LE(pair.thickness.diameter.upper, 8 * pair.thickness.diameter.lower) << file.str();
        }
      }
    }
  }
}

}  // namespace
}  // namespace touche::clash_accuracy_test
