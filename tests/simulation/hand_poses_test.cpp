// SPDX-License-Identifier: Apache-2.0
// Tables of a hand's poses: what is written is read again, and what is wrong is named.
#include "touche/handle.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "study_files.h"

namespace touche::hand_poses_test {
namespace {

using test::StudyFolder;

HandPoses read(const std::string& csv) {
  const StudyFolder folder("hand-poses");
  folder.write("hand.csv", csv);
  return load_hand_poses(folder.path() / "hand.csv");
}

std::string refusal(const std::string& csv) {
  try {
    (void)read(csv);
  } catch (const LoadError& e) {
    const std::string message = e.what();
    return message.substr(message.find("hand.csv"));
  }
  return "";
}

TEST(HandPoses, AreReadAsTheyWereWritten) {
  base::Random random(1);
  HandPoses hand;
  for (int i = 0; i < 200; ++i) {
    const double time = -3 + i / 60.0, angle = random.uniform(-4, 4);
    const Vec3 axis = random.direction(), at = random.in_box(1e3);
    hand.times.push_back(time);
    hand.poses.push_back(Pose::from_axis_angle(axis, angle, at));
  }
  const HandPoses again = read(hand_poses_csv(hand));
  EXPECT_EQ(again.times, hand.times);
  ASSERT_EQ(again.poses.size(), hand.poses.size());
  for (std::size_t i = 0; i < hand.poses.size(); ++i) {
    EXPECT_EQ(again.poses[i].translation(), hand.poses[i].translation()) << i;
    const Eigen::Vector4d q = hand.poses[i].rotation().coeffs();
    EXPECT_LT((again.poses[i].rotation().coeffs() - q).norm(), 4e-16) << i;
  }
}

TEST(HandPoses, AreReadFromSpreadsheets) {
  const HandPoses hand = read("x;y;z;qw;qx;qy;qz;t\n0;0;0;1;0;0;0;-0,5\n\n1,5;0;0;0;0;1;0;0,25\n");
  EXPECT_EQ(hand.times, (std::vector<double>{-0.5, 0.25}));
  EXPECT_EQ(hand.poses[1].translation(), Vec3(1.5, 0, 0));
}

TEST(HandPoses, RefusalsNameTheLine) {
  const std::string head = "t,x,y,z,qw,qx,qy,qz\n", first = "0,0,0,0,1,0,0,0\n";
  EXPECT_EQ(refusal(head + first + "1,0,0,0,1,0,0,0\n"), "");
  EXPECT_EQ(refusal(""), "hand.csv:1: the file is empty, expected a header line");
  EXPECT_EQ(refusal(head + first), "hand.csv: 1 pose, expected at least 2");
  EXPECT_EQ(refusal("x,y,z,qw,qx,qy,qz\n0,0,0,1,0,0,0\n1,0,0,1,0,0,0\n"),
            "hand.csv:1: no column \"t\"; when the hand was where must be known");
  EXPECT_EQ(refusal(head + first + "\n0,1,0,0,1,0,0,0\n"),
            "hand.csv:4: the time 0 does not come after the one before, 0");
  EXPECT_EQ(refusal(head + first + "1,oops,0,0,1,0,0,0\n"),
            "hand.csv:3: x: 'oops' is not a number in range");
  EXPECT_EQ(refusal(head + first + "1,0,-1e30,0,1,0,0,0\n"),
            "hand.csv:3: the hand is farther away than 1e+30");
  EXPECT_EQ(refusal(head + first + "1,0,0,0,1,1,0,0\n").rfind("hand.csv:3: ", 0), 0u);
  EXPECT_THROW((void)load_hand_poses("nowhere.csv"), LoadError);
}

}  // namespace
}  // namespace touche::hand_poses_test
