// SPDX-License-Identifier: Apache-2.0
// Convex shapes in the viewer: files of their own, and the remarks about round ones.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "study_files.h"
#include "viewer/opened.h"

namespace touche::viewer_shapes_test {
namespace {

using test::StudyFolder;
using Json = nlohmann::json;

constexpr const char* kLarger = "larger by up to";

TEST(ViewerShapes, AFileOfItsOwnIsOpenedAlone) {
  const StudyFolder folder("view-shape");
  folder.write("ball.json", R"({"touche_shape": 1, "shape": {"type": "sphere", "radius": 10}})");
  folder.write("DIE.JSON", R"({"touche_shape": 1, "shape": {"type": "box", "size": [2, 3, 4]}})");
  const viewer::Opened ball = viewer::open_inputs({folder.path() / "ball.json"});
  EXPECT_EQ(ball.kind, viewer::protocol::SourceKind::assembly);
  ASSERT_EQ(ball.objects.size(), 1U);
  EXPECT_GE(ball.objects[0].bounds().diagonal(), 20 * std::sqrt(3.0));
  EXPECT_EQ(ball.folder, folder.path());
  EXPECT_EQ(ball.stem, "ball");
  ASSERT_EQ(ball.remarks.size(), 1U);
  EXPECT_NE(ball.remarks[0].find(kLarger), std::string::npos) << ball.remarks[0];
  const viewer::Opened die = viewer::open_inputs({folder.path() / "DIE.JSON"});
  EXPECT_EQ(die.objects.at(0).bounds().hi, Vec3(1, 1.5, 2));
  EXPECT_TRUE(die.remarks.empty());  // a polytope is shown as it is
}

TEST(ViewerShapes, OfAStudyAreSaidToBeFeltAsPolyhedra) {
  const StudyFolder folder("view-study-shape");
  Json study = test::box_study();
  folder.write("study.json", study.dump());
  EXPECT_TRUE(viewer::open_inputs({folder.path() / "study.json"}).remarks.empty());
  study["parts"][0] = {{"name", "mover"}, {"shape", {{"type", "sphere"}, {"radius", 0.5}}}};
  folder.write("study.json", study.dump());
  const viewer::Opened round = viewer::open_inputs({folder.path() / "study.json"});
  ASSERT_EQ(round.remarks.size(), 1U);
  EXPECT_NE(round.remarks[0].find(kLarger), std::string::npos) << round.remarks[0];
}

}  // namespace
}  // namespace touche::viewer_shapes_test
