// SPDX-License-Identifier: Apache-2.0
// The M16 nut on its bolt (NVIDIA Factory meshes), loose and tight, against recorded truth.
//
// The recorded poses turn about the z axis through the nut's origin while it moves along z, so
// between two of them linear translation with slerp is the same screw as the one that made them.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "csv.h"
#include "shared_data.h"
#include "test_scale.h"
#include "touche/io.h"
#include "touche/query.h"

namespace touche::test::real_nut_bolt_test {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kTolerance = 1e-11;  // metres

std::filesystem::path folder() { return shared_data() / "nut_bolt"; }

const Object& part(const std::string& file) {
  static std::map<std::string, Object> loaded;
  const auto found = loaded.find(file);
  return (found != loaded.end() ? found : loaded.emplace(file, load(folder() / file)).first)
      ->second;
}
const Object& nut(const std::string& fit) {
  return part("factory_nut_m16_" + fit + "_subdiv_3x.obj");
}
const Object& bolt(const std::string& fit) { return part("factory_bolt_m16_" + fit + ".obj"); }

Pose on_axis(double angle, double z) {
  return Pose::from_axis_angle(Vec3::UnitZ(), angle, Vec3(0, 0, z));
}

struct Recorded {
  Pose pose;
  double degrees, axial, distance, pairs;
};

std::vector<Recorded> recorded(const std::string& fit) {
  std::vector<Recorded> poses;
  for (const auto& row : read_csv(folder() / ("factory_m16_" + fit + ".csv"))) {
    const double degrees = std::stod(row.at(0)), axial = std::stod(row.at(1));
    poses.push_back({on_axis(degrees * kDegree, axial), degrees, axial, std::stod(row.at(2)),
                     std::stod(row.at(3))});
  }
  return poses;
}

TEST(RealNutBolt, EveryRowOfTheHelixTruth) {
  TOUCHE_NEED_SHARED_DATA();
  const auto rows = read_csv(folder() / "helix_truth.csv");
  ASSERT_EQ(rows.size(), 8u);
  for (const auto& row : rows) {
    SCOPED_TRACE(row.at(0) + " turned " + row.at(5) + " degrees, moved " + row.at(6));
    const double angle = std::stod(row[5]) * kDegree, travel = std::stod(row[6]);
    const Motion motion =
        Motion::screw(on_axis(0, std::stod(row[7])), Vec3::Zero(), Vec3::UnitZ(), angle, travel);
    const ToiResult r = time_of_impact(part(row[0]), motion, part(row[1]), Motion::at(Pose()),
                                       {.tolerance = kTolerance});
    EXPECT_EQ(r.tolerance, kTolerance);
    if (row[8] == "FREE") {
      EXPECT_EQ(r.status, ToiStatus::free);
      continue;
    }
    // Contact is reported as soon as they are within the tolerance: along the flank, where they
    // approach at a small angle, 1e-11 m are a few 1e-8 of the motion, less than the bracket.
    const double lo = std::stod(row[9]), hi = std::stod(row[10]);
    EXPECT_EQ(r.status, ToiStatus::contact);
    EXPECT_GE(r.time.lower, lo);
    EXPECT_LE(r.time.upper, hi);
    RecordProperty("touched_at_" + row[5] + "_" + row[6], std::to_string(r.time.upper));
  }
}

TEST(RealNutBolt, DistanceAtEveryRecordedPose) {
  TOUCHE_NEED_SHARED_DATA();
  for (const std::string fit : {"loose", "tight"}) {
    const std::vector<Recorded> poses = recorded(fit);
    ASSERT_EQ(poses.size(), 577u);
    const auto stride = static_cast<std::size_t>(577 / scaled(577, 30));
    for (std::size_t i = 0; i < poses.size(); i += stride) {
      const DistanceResult d = distance(nut(fit), poses[i].pose, bolt(fit), Pose());
      // Nine digits are printed, and of the axial position 1e-12 m; what is left, 4e-12 m, is how
      // far the recorded distances are off their own printed poses.
      EXPECT_NEAR(d.distance.upper, poses[i].distance, 5e-12 + 5e-9 * poses[i].distance)
          << fit << " at " << poses[i].degrees;
      EXPECT_EQ(poses[i].pairs, 0);
      EXPECT_FALSE(intersects(nut(fit), poses[i].pose, bolt(fit), Pose()));
    }
  }
}

// Proved free from fully on to fully off: 16 turns through all recorded poses.
TEST(RealNutBolt, TheLooseNutComesOff) {
  TOUCHE_NEED_SHARED_DATA();
  std::vector<Pose> path;
  for (const Recorded& r : recorded("loose")) path.push_back(r.pose);
  path.resize(static_cast<std::size_t>(1 + scaled(576, 9)));
  const ToiResult r = time_of_impact(nut("loose"), Motion::through(path), bolt("loose"),
                                     Motion::at(Pose()), {.tolerance = kTolerance});
  EXPECT_EQ(r.status, ToiStatus::free);
}

// One turn through 37 recorded poses, rounded to a picometre, is proved as the screw that made
// them.
TEST(RealNutBolt, ARecordedTurnTakesFewPairs) {
  TOUCHE_NEED_SHARED_DATA();
  for (const std::string fit : {"loose", "tight"}) {
    std::vector<Pose> path;
    for (const Recorded& r : recorded(fit)) path.push_back(r.pose);
    path.resize(37);
    const ToiResult r = time_of_impact(nut(fit), Motion::through(path), bolt(fit),
                                       Motion::at(Pose()), {.tolerance = 1e-8});
    EXPECT_EQ(r.status, ToiStatus::free);
    EXPECT_LT(r.stats.node_pairs, 100'000u) << fit;
  }
}

// The tight nut, 2.5 micrometres of clearance at the recorded poses, is free between them too. This
// tests the tightest step of the first turn; the whole motion takes minutes and was run by hand.
TEST(RealNutBolt, TheTightNutIsFreeBetweenItsRecordedPoses) {
  TOUCHE_NEED_SHARED_DATA();
  const std::vector<Recorded> poses = recorded("tight");
  const Motion step = Motion::interpolated(poses[21].pose, poses[22].pose);
  const ToiResult r =
      time_of_impact(nut("tight"), step, bolt("tight"), Motion::at(Pose()), {.tolerance = 1e-6});
  EXPECT_EQ(r.status, ToiStatus::free);
  // Nearer than at either end, which the recorded poses alone do not show.
  const double between =
      distance(nut("tight"), step.pose(0.3), bolt("tight"), Pose()).distance.upper;
  EXPECT_NEAR(between, 2.45143211e-6, 1e-11);
  EXPECT_LT(between, std::min(poses[21].distance, poses[22].distance));
}

}  // namespace
}  // namespace touche::test::real_nut_bolt_test
