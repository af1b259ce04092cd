// SPDX-License-Identifier: Apache-2.0
// Studies of parts whose faces are not oriented alike.
#include <gtest/gtest.h>

#include "study_answer.h"
#include "touche/path.h"

namespace touche {
namespace {

/// box_study() with parts that say their unit: their sizes differ by more than 20 times.
nlohmann::json in_millimetres() {
  nlohmann::json study = test::box_study();
  for (nlohmann::json& part : study["parts"]) part["unit"] = "mm";
  return study;
}

using test::answer;
using test::StudyFolder;

// Faces of the box around the cube are reversed: first two of the original ones, then one of the
// duplicates.
TEST(StudyInsides, FacesOfAMeshNeedNotBeOrientedAlike) {
  const StudyFolder folder("turned");
  const std::string around = test::box_off(-5, -5, -5, 15, 15, 15);
  const auto turned = [](std::string mesh, const std::string& face, const std::string& by) {
    const std::size_t at = mesh.find(face);
    EXPECT_NE(at, std::string::npos);
    return at == std::string::npos ? mesh : mesh.replace(at, face.size(), by);
  };
  folder.write("wall.off",
               turned(turned(around, "4 0 2 3 1", "4 1 3 2 0"), "4 4 5 7 6", "4 6 7 5 4"));
  const StudyResult inside = answer(folder, in_millimetres(), {.paths = true});
  EXPECT_EQ(inside.verdict, StudyVerdict::inside);
  EXPECT_TRUE(study_remarks(inside).empty());

  const std::string faces = around.substr(around.find("4 0 2 3 1"));
  const std::string twice = "OFF\n8 12 24" + around.substr(around.find('\n', 4)) + faces;
  folder.write("wall.off", turned(twice, "4 0 2 3 1", "4 1 3 2 0"));
  const StudyResult unclear = answer(folder, in_millimetres(), {.paths = true});
  const std::vector<std::string> remarks = study_remarks(unclear);
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0], "wall: " + std::string(remark_of(InsideFault::unoriented)));
}

// The wall is two boxes that overlap around the cube, one of them inside out.
TEST(StudyInsides, BodiesOfAMeshThatCrossMayRunOppositeWaysRound) {
  const StudyFolder folder("crossing");
  const std::string wall =
      "OFF\n16 12 48\n-5 -5 -5\n15 -5 -5\n-5 15 -5\n15 15 -5\n-5 -5 15\n15 -5 15\n-5 15 15\n15 15 "
      "15\n"
      "-6 -4 -4\n14 -4 -4\n-6 14 -4\n14 14 -4\n-6 -4 14\n14 -4 14\n-6 14 14\n14 14 14\n"
      "4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n"
      "4 9 11 10 8\n4 14 15 13 12\n4 12 13 9 8\n4 11 15 14 10\n4 10 14 12 8\n4 13 15 11 9\n";
  folder.write("wall.off", wall);
  const StudyResult inside = answer(folder, in_millimetres(), {.paths = true});
  EXPECT_EQ(inside.verdict, StudyVerdict::inside);
  const std::vector<std::string> remarks = study_remarks(inside);
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0], "wall: " + std::string(remark_of(InsideFault::ambiguous)));
}

}  // namespace
}  // namespace touche
