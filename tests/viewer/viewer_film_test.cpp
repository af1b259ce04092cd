// SPDX-License-Identifier: Apache-2.0
// The motion of a timeline as glTF: what a player of keyframes shows is what the timeline does, and
// a session saves it where it may.
#include "viewer/film.h"

#include <numbers>

#include "base/random.h"
#include "gltf_player.h"
#include "shapes.h"
#include "test_scale.h"
#include "viewer_client.h"

namespace touche::viewer_film_test {
namespace {

using namespace viewer::protocol;
using test::GltfPlayer;
using test::RunningSession;
using test::StudyFolder;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr double kPi = std::numbers::pi;

Vec3 random_vector(base::Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}
Pose random_pose(base::Random& random, double size) {
  return Pose::from_axis_angle(random_vector(random, 1), random.uniform(0, 6),
                               random_vector(random, size));
}

// Two bodies on a group that moves, one that stands.
viewer::Opened tool_and_wall(base::Random& random) {
  ClashParts parts;
  parts.source = "tool and wall";
  parts.unit = "mm";
  parts.objects.emplace_back(scenes::box({-1, -2, -3}, {1, 2, 3}), "block");
  parts.parts.push_back({"tool/block", "tool", 0, random_pose(random, 20)});
  parts.parts.push_back({"tool/other", "tool", 0, random_pose(random, 20)});
  parts.parts.push_back({"wall", "", 0, random_pose(random, 20)});
  viewer::Opened opened = viewer::open_parts(std::move(parts));
  opened.tolerance = 0.01;
  return opened;
}

std::vector<Pose> local_poses(const viewer::Opened& opened) {
  std::vector<Pose> poses;
  for (const viewer::OpenedNode& node : opened.nodes)
    poses.push_back(node.parent == kNoNode ? node.pose
                                           : relative(opened.nodes[node.parent].pose, node.pose));
  return poses;
}

// Interpolates like players: linearly between keyframes, for rotations along the shorter arc.
Pose played(const GltfPlayer& player, std::size_t node, double time) {
  const auto [times, places] = player.channel(node, "translation");
  const auto [same_times, turns] = player.channel(node, "rotation");
  EXPECT_EQ(times, same_times);
  EXPECT_GE(times.size(), 2U);
  const auto next =
      std::clamp<std::ptrdiff_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin(),
                                 1, static_cast<std::ptrdiff_t>(times.size()) - 1);
  const auto i = static_cast<std::size_t>(next);
  const double share = (time - times[i - 1]) / (times[i] - times[i - 1]);
  const auto place = [&places = places](std::size_t k) {
    return Vec3(places[3 * k], places[3 * k + 1], places[3 * k + 2]);
  };
  const auto turn = [&turns = turns](std::size_t k) {
    return Eigen::Quaterniond(turns[4 * k + 3], turns[4 * k], turns[4 * k + 1], turns[4 * k + 2])
        .normalized();
  };
  return Pose::from_quaternion_unchecked(turn(i - 1).slerp(share, turn(i)),
                                         place(i - 1) + share * (place(i) - place(i - 1)));
}

TEST(Film, APlayerShowsWhatTheTimelineDoes) {
  const StudyFolder folder("viewer-film");
  base::Random random(5);
  int refined = 0;
  const int rounds = test::scaled(60, 20);
  for (int round = 0; round < rounds; ++round) {
    const viewer::Opened opened = tool_and_wall(random);
    // Turns of any size and helices; every fourth is straight, which needs no keyframes between.
    const bool straight = round % 4 == 0;
    const Motion motion =
        straight ? Motion::interpolated(Pose::from_translation(random_vector(random, 50)),
                                        Pose::from_translation(random_vector(random, 50)))
                 : Motion::screw(random_pose(random, 10), random_vector(random, 10),
                                 random_vector(random, 1), random.uniform(-8, 8) * 2 * kPi,
                                 random.uniform(-50, 50));
    viewer::Timeline timeline;
    timeline.keys = {0, 0.25, 0.5, 1};
    timeline.duration = 4;
    timeline.motions.push_back({0, motion});
    const std::vector<Pose> locals = local_poses(opened);
    save_animation(viewer::film(opened, timeline, locals), folder.path() / "a.glb");
    const GltfPlayer player(folder.path() / "a.glb");
    ASSERT_EQ(player.gltf()["nodes"].size(), 4U);
    ASSERT_EQ(player.gltf()["meshes"].size(), 1U) << "both bodies share it";
    EXPECT_TRUE(player.channel(3, "translation").first.empty()) << "the wall stands";
    for (const std::size_t body : {0U, 1U}) {
      const auto times = player.channel(1 + body, "translation").first;
      ASSERT_FALSE(times.empty());
      EXPECT_EQ(times.front(), 0);
      EXPECT_EQ(times.back(), 4);
      if (straight) {
        EXPECT_EQ(times.size(), 4U);
      }
      refined += times.size() > 4 ? 1 : 0;
      for (int probe = 0; probe < 20; ++probe) {
        const double share = random.uniform(0, 1);
        const Pose truth = motion.pose(share) * locals[1 + body];
        const Pose shown = played(player, 1 + body, 4 * share);
        for (const Vec3& corner : {Vec3(1, 2, 3), Vec3(-1, 2, -3), Vec3(1, -2, -3)})
          ASSERT_LT((truth * corner - shown * corner).norm(),
                    viewer::kFilmDeviation * opened.tolerance + 1e-4)
              << "round " << round << ", s = " << share;
      }
    }
  }
  EXPECT_GT(refined, rounds) << "of twice as many bodies";
}

TEST(Film, WhatWasMovedByHandGoesAlongFromThere) {
  base::Random random(6);
  const viewer::Opened opened = tool_and_wall(random);
  viewer::Timeline timeline;
  timeline.keys = {0, 1};
  timeline.motions.push_back({0, Motion::interpolated({}, Pose::from_translation({0, 0, 7}))});
  std::vector<Pose> locals = local_poses(opened);
  const Pose elsewhere = random_pose(random, 30);
  locals[3] = elsewhere;
  locals[1] = Pose::from_translation({1, 2, 3});
  const Animation animation = viewer::film(opened, timeline, locals);
  ASSERT_EQ(animation.bodies.size(), 3U);
  EXPECT_EQ(animation.bodies[0].poses.back().translation(), Vec3(1, 2, 10));
  EXPECT_EQ(animation.bodies[2].poses.size(), 1U);
  EXPECT_EQ(animation.bodies[2].poses[0].translation(), elsewhere.translation());
  EXPECT_EQ(animation.metres_per_unit, 1e-3);
}

class SavedFilm : public testing::Test {
 protected:
  SavedFilm() { folder_.write("study.json", test::box_study().dump()); }

  viewer::SessionOptions options() {
    viewer::SessionOptions options{.milliseconds = 1000};
    options.saved = [this](const fs::path& file) { told_.push_back(file); };
    return options;
  }
  std::string saved(RunningSession& session, const std::string& name) {
    session.say(1, SaveAnimation{.name = name});
    const auto answer = session.outbox().next<Saved>(1, 60s);
    EXPECT_TRUE(answer && answer->what == Saving::animation);
    return answer ? answer->file : "";
  }

  const StudyFolder folder_{"viewer-saved-film"};
  std::vector<fs::path> told_;
};

TEST_F(SavedFilm, LiesBesideTheStudyAndNeverOnTopOfAnother) {
  {
    RunningSession session(viewer::open_inputs({folder_.path() / "study.json"}), options());
    (void)session.enter(1);
    EXPECT_EQ(saved(session, "way out"), (folder_.path() / "way out.glb").generic_string());
    EXPECT_EQ(saved(session, "way out"), (folder_.path() / "way out-2.glb").generic_string());
    EXPECT_EQ(saved(session, ""), (folder_.path() / "study-animation.glb").generic_string());
    for (const char* name : {"../out", "/tmp/out", "a.glb", " a", "a\\b", "Gehäuse"}) {
      session.say(1, SaveAnimation{.name = name});
      EXPECT_EQ(session.notice(1),
                "A name has letters, digits, spaces, '-' and '_', and spaces only inside.");
    }
  }
  EXPECT_EQ(told_.size(), 3U);
  const GltfPlayer player(folder_.path() / "way out.glb");
  const auto [times, places] = player.channel(1, "translation");
  EXPECT_EQ(times, (std::vector<double>{0, 2.5, 5}));
  EXPECT_EQ(places, (std::vector<double>{0, 0, 0, 2, 0, 0, 4, 0, 0}));
}

TEST_F(SavedFilm, GoesAmongTemporaryFilesWhereTheFolderCannotBe) {
  RunningSession session(viewer::open_inputs({folder_.path() / "study.json"},
                                             {.unit = "", .folder = folder_.path() / "cube.off"}),
                         options());
  (void)session.enter(1);
  const fs::path file = saved(session, "");
  EXPECT_EQ(file.parent_path(), fs::temp_directory_path());
  EXPECT_GT(fs::file_size(file), 100U);
  fs::remove(file);
}

TEST_F(SavedFilm, WithoutAMotionThereIsNone) {
  RunningSession session(viewer::open_inputs({folder_.path() / "cube.off"}));
  (void)session.enter(1);
  session.say(1, SaveAnimation{});
  EXPECT_EQ(session.notice(1), "There is no motion that could be saved.");
}

TEST_F(SavedFilm, IsFinishedWhenTheSessionEnds) {
  {
    RunningSession session(viewer::open_inputs({folder_.path() / "study.json"}), options());
    (void)session.enter(1);
    session.say(1, SaveAnimation{.name = "last"});
    // Wait for the file; ending the session reports it.
    const auto until = std::chrono::steady_clock::now() + 60s;
    while (!fs::exists(folder_.path() / "last.glb") && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(1ms);
  }
  ASSERT_EQ(told_.size(), 1U);
  const GltfPlayer player(told_[0]);
  EXPECT_FALSE(player.channel(1, "rotation").first.empty());
}

}  // namespace
}  // namespace touche::viewer_film_test
