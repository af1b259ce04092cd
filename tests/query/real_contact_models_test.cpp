// SPDX-License-Identifier: Apache-2.0
// Industrial bodies at the moment they meet (FCL's contact model library), frame by frame.
#include <gtest/gtest.h>

#include <cmath>

#include "csv.h"
#include "shared_data.h"
#include "test_scale.h"
#include "touche/io.h"
#include "touche/query.h"

namespace touche::test::real_contact_models_test {
namespace {

std::filesystem::path folder() { return shared_data() / "models_in_contact"; }

struct Frame {
  Pose a, b;
};

// R row by row, then t. The matrices are printed with six digits.
Pose pose_from(const std::vector<std::string>& row, std::size_t first) {
  double x[12];
  for (std::size_t i = 0; i < 12; ++i) x[i] = std::stod(row.at(first + i));
  Mat3 rotation;
  rotation << x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8];
  return Pose::from_matrix(rotation, Vec3(x[9], x[10], x[11]));
}

std::vector<Frame> frames(const std::string& model) {
  std::vector<Frame> all;
  for (const auto& row : read_csv(folder() / (model + "_poses.csv")))
    all.push_back({pose_from(row, 2), pose_from(row, 14)});
  return all;
}

Object body(const std::string& model, int n) {
  return load(folder() / (model + "_obj" + std::to_string(n) + ".obj"));
}

TEST(RealContactModels, ScenariosAreAsRecorded) {
  TOUCHE_NEED_SHARED_DATA();
  for (const auto& row : read_csv(folder() / "scenarios_truth.csv")) {
    SCOPED_TRACE(row.at(0) + " frame " + row.at(1));
    const Object a = body(row[0], 1), b = body(row[0], 2);
    const Frame frame = frames(row[0]).at(std::stoul(row[1]) - 1);
    const bool touching = std::stoi(row.at(3)) > 0;
    EXPECT_EQ(intersects(a, frame.a, b, frame.b).intersects, touching);
    // The recorded distance is for the matrices as printed, ours for the nearest rotation.
    const double size = a.bounds().diagonal() + b.bounds().diagonal();
    EXPECT_NEAR(distance(a, frame.a, b, frame.b).distance.upper, std::stod(row.at(4)),
                touching ? 0 : 1e-6 * size);
  }
}

TEST(RealContactModels, TheSecondFrameIsReachedOnlyByTouching) {
  TOUCHE_NEED_SHARED_DATA();
  for (const std::string model : {"Model_1_Scenario_1", "Model_1_Scenario_3"}) {
    const Object a = body(model, 1), b = body(model, 2);
    const std::vector<Frame> f = frames(model);
    ASSERT_EQ(f.size(), 2u);
    const Motion motion_a = Motion::interpolated(f[0].a, f[1].a);
    const Motion motion_b = Motion::interpolated(f[0].b, f[1].b);
    const ToiResult r = time_of_impact(a, motion_a, b, motion_b, {.tolerance = 1e-6});
    ASSERT_EQ(r.status, ToiStatus::contact) << model;
    EXPECT_GT(r.time.lower, 0);
    EXPECT_LE(
        distance(a, motion_a.pose(r.time.upper), b, motion_b.pose(r.time.upper)).distance.upper,
        1.0001e-6);
  }
}

TEST(RealContactModels, FiveHundredFrames) {
  TOUCHE_NEED_SHARED_DATA();
  const Object a = body("many_Model_1", 1), b = body("many_Model_1", 2);
  const std::vector<Frame> f = frames("many_Model_1");
  const auto truth = read_csv(folder() / "many_Model_1_truth.csv");
  ASSERT_EQ(f.size(), 501u);
  ASSERT_EQ(truth.size(), 501u);
  // Coordinates are several thousand: vertex positions are accurate to about 1e-12.
  const double rounding = 1e-10;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const bool touching = std::stoi(truth[i].at(2)) > 0;
    EXPECT_EQ(touching, i + 1 >= 26);
    EXPECT_EQ(intersects(a, f[i].a, b, f[i].b).intersects, touching) << "frame " << i + 1;
    if (touching) continue;
    const double recorded = std::stod(truth[i].at(3));
    EXPECT_NEAR(distance(a, f[i].a, b, f[i].b).distance.upper, recorded,
                rounding + 1e-8 * recorded);
  }
  // Between frames: free up to the 25th, contact between the 25th and the 26th, touching from then
  // on.
  const double tolerance = 1e-6;
  for (std::size_t i = 0; i + 1 < f.size(); ++i) {
    const Motion motion_a = Motion::interpolated(f[i].a, f[i + 1].a);
    const Motion motion_b = Motion::interpolated(f[i].b, f[i + 1].b);
    const ToiResult r = time_of_impact(a, motion_a, b, motion_b, {.tolerance = tolerance});
    const ToiStatus expected = i + 1 < 25    ? ToiStatus::free
                               : i + 1 == 25 ? ToiStatus::contact
                                             : ToiStatus::initially_touching;
    EXPECT_EQ(r.status, expected) << "from frame " << i + 1;
    if (expected != ToiStatus::contact) continue;
    // It descends by 11.1 µm per 1/1000 of the step; the gap of frame 25 may close no sooner than
    // along the shortest path.
    const double fall = (f[i + 1].a.translation() - f[i].a.translation()).norm();
    EXPECT_GE(r.time.upper * fall, 0.000987633574 - tolerance - rounding);
    EXPECT_LE(
        distance(a, motion_a.pose(r.time.upper), b, motion_b.pose(r.time.upper)).distance.upper,
        tolerance + rounding);
  }
}

}  // namespace
}  // namespace touche::test::real_contact_models_test
