// SPDX-License-Identifier: Apache-2.0
// Studies of parts whose faces are not oriented alike.
#include <gtest/gtest.h>

#include "study_answer.h"
#include "touche/path.h"

namespace touche {
namespace {

using test::Answer;
using test::answer;
using test::box_study;
using test::StudyFolder;

// Faces of the box around the cube are turned: first two of those that are there, then one of those
// that are there a second time.
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
  const Answer inside = answer(folder, box_study(), {.paths = true});
  EXPECT_EQ(inside.result.verdict, StudyVerdict::inside);
  EXPECT_TRUE(study_remarks(inside.view()).empty());

  const std::string faces = around.substr(around.find("4 0 2 3 1"));
  const std::string twice = "OFF\n8 12 24" + around.substr(around.find('\n', 4)) + faces;
  folder.write("wall.off", turned(twice, "4 0 2 3 1", "4 1 3 2 0"));
  const Answer unclear = answer(folder, box_study(), {.paths = true});
  const std::vector<std::string> remarks = study_remarks(unclear.view());
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0], "wall: " + std::string(remark_of(InsideFault::unoriented)));
}

}  // namespace
}  // namespace touche
