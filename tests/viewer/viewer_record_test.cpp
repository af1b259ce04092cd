// SPDX-License-Identifier: Apache-2.0
// The paths of hands are recorded, saved as a study and proved; nothing of them is lost.
#include <algorithm>

#include "scenes.h"
#include "study_files.h"
#include "touche/io.h"
#include "viewer_client.h"

namespace touche::viewer_record_test {
namespace {

using namespace viewer::protocol;
using test::node_named;
using test::RunningSession;
using test::StudyFolder;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }

// A cube of one unit at the origin as a group of its own, and a wall from x = 3.5 to 3.6.
fs::path cube_and_wall(const StudyFolder& folder) {
  test::Json json = test::box_study();
  folder.write("study.json", json.dump());
  return folder.path() / "study.json";
}

struct TakenDown {
  RunningSession session;
  Scene scene;
  std::uint32_t held;

  explicit TakenDown(viewer::Opened opened)
      : session(std::move(opened)), scene(session.enter(1)), held(0) {}
  void grab(std::uint32_t node, Mode mode) {
    held = node;
    session.say(1, Grab{.node = node, .mode = mode});
  }
  std::optional<Recording> finish() {
    session.say(1, Release{});
    session.say(1, Record{.on = false});
    return session.outbox().next<Recording>(
        1, [](const Recording& r) { return !r.active && r.poses > 0; });
  }
};

TEST(SessionRecord, AWayAlongAWallIsSavedAndProvedToBeFree) {
  const StudyFolder folder("viewer-record");
  TakenDown run(viewer::open_inputs({cube_and_wall(folder)}));
  run.session.say(1, Record{.on = true});
  run.grab(0, Mode::contact);
  const Held pressed = run.session.drag(1, at(3));
  EXPECT_EQ(pressed.status, HeldStatus::held_back);
  (void)run.session.drag(1, at(3, 0.5));
  (void)run.session.drag(1, at(0, 0.5));
  const auto recorded = run.finish();
  ASSERT_TRUE(recorded);
  EXPECT_GE(recorded->poses, 4U);
  EXPECT_GT(recorded->seconds, 0);
  const auto timeline = run.session.outbox().next<Timeline>(1);
  ASSERT_TRUE(timeline);
  EXPECT_FALSE(timeline->keys.empty());

  run.session.say(1, Prove{});
  const auto proved = run.session.outbox().next<Proved>(1);
  ASSERT_TRUE(proved);
  EXPECT_EQ(proved->verdict, Verdict::free) << proved->sentence;
  EXPECT_TRUE(proved->contacts.empty());
  ASSERT_FALSE(proved->profile.empty());
  EXPECT_EQ(proved->profile.front().s_start, 0);
  EXPECT_EQ(proved->profile.back().s_end, 1);
  double least = kInfinity;
  for (const Band& band : proved->profile) {
    EXPECT_LE(band.lower, band.upper);
    least = std::min(least, band.upper);
  }
  EXPECT_LT(least, 0.01) << "it was pressed against the wall";

  // `touche study` says the same of the file.
  const Study study = load_study(proved->study);
  EXPECT_EQ(run_study(study, load_parts(study)).verdict, StudyVerdict::free);

  // The path can be played: in the middle the cube is at the wall, in the end away from it.
  run.session.say(1, Scrub{.value = 1});
  const auto end = run.session.outbox().next<Poses>(1);
  ASSERT_TRUE(end);
  EXPECT_NEAR(end->items[0].pose.translation().x(), 0, 0.01);
  run.session.say(1, Scrub{.value = 0});
  EXPECT_TRUE(run.session.outbox().next<Poses>(
      1, [](const Poses& p) { return p.items[0].pose.translation().norm() < 1e-9; }));
}

TEST(SessionRecord, AWayThroughAWallIsProvedToMeetIt) {
  const StudyFolder folder("viewer-through");
  TakenDown run(viewer::open_inputs({cube_and_wall(folder)}));
  run.session.say(1, Record{.on = true});
  run.grab(0, Mode::free);
  (void)run.session.drag(1, at(8));
  ASSERT_TRUE(run.finish());
  run.session.say(1, Prove{});
  const auto proved = run.session.outbox().next<Proved>(1);
  ASSERT_TRUE(proved);
  EXPECT_EQ(proved->verdict, Verdict::contact) << "no pose that was recorded touches it";
  ASSERT_EQ(proved->contacts.size(), 1U);
  // When that is depends on how long the hand was held still; where it is does not.
  const Motion motion = load_study(proved->study).groups[0].motion;
  EXPECT_NEAR(motion.pose(proved->contacts[0].s_upper).translation().x(), 2.5, 0.01);
  EXPECT_GT(proved->contacts[0].s_end, proved->contacts[0].s_upper);
  EXPECT_EQ(proved->thickest, 0U);
  EXPECT_LE(proved->contacts[0].thickness_lower, 0.1 + 1e-9);
  EXPECT_GE(proved->contacts[0].thickness_upper, 0.1);
}

TEST(SessionRecord, PartsWithoutFilesAreWrittenBesideTheStudy) {
  const StudyFolder folder("viewer-assembly");
  viewer::Opened opened =
      viewer::open_inputs({folder.path() / "cube.off", folder.path() / "wall.off"});
  opened.nodes[0].pose = Pose::from_axis_angle(Vec3::UnitZ(), 0.3, {-1, 0, 0});
  TakenDown run(std::move(opened));
  run.session.say(1, Record{.on = true});
  run.grab(node_named(run.scene, "cube.off"), Mode::stop);
  const Held held = run.session.drag(1, at(9));
  EXPECT_EQ(held.status, HeldStatus::held_back);
  ASSERT_TRUE(run.finish());
  run.session.say(1, SaveStudy{.name = "my way"});
  const auto saved =
      run.session.outbox().next<Recording>(1, [](const Recording& r) { return !r.file.empty(); });
  ASSERT_TRUE(saved);
  EXPECT_EQ(fs::path(saved->file), folder.path() / "my way" / "study.json");
  const Study study = load_study(saved->file);
  const std::vector<Object> parts = load_parts(study);
  EXPECT_EQ(run_study(study, parts).verdict, StudyVerdict::free);
  // The end of the motion is where the part was in the end.
  const Pose end = study.groups[0].motion.pose(1);
  EXPECT_LT((end * Vec3(1, 1, 1) - held.pose * Vec3(1, 1, 1)).norm(), 1e-9);
  EXPECT_LT((parts[study.groups[0].parts[0]].soup().vertex(0) -
             load_soup(folder.path() / "cube.off").vertex(0))
                .norm(),
            1e-12);
}

TEST(SessionRecord, TwoPartsOneAfterTheOtherAreTwoGroups) {
  const StudyFolder folder("viewer-two");
  TakenDown run(viewer::open_inputs({folder.path() / "cube.off", folder.path() / "wall.off"}));
  run.session.say(1, Record{.on = true});
  run.grab(node_named(run.scene, "wall.off"), Mode::free);
  (void)run.session.drag(1, at(5));
  run.session.say(1, Release{});
  run.grab(node_named(run.scene, "cube.off"), Mode::free);
  (void)run.session.drag(1, at(4));
  ASSERT_TRUE(run.finish());
  run.session.say(1, Prove{});
  const auto proved = run.session.outbox().next<Proved>(1);
  ASSERT_TRUE(proved);
  EXPECT_EQ(proved->verdict, Verdict::free) << "the wall was gone when the cube came";
  EXPECT_EQ(load_study(proved->study).groups.size(), 2U);
}

TEST(SessionRecord, ARecordingOutlivesTheClientAndTheSession) {
  const StudyFolder folder("viewer-lost");
  const fs::path file = cube_and_wall(folder);
  {
    RunningSession session(viewer::open_inputs({file}));
    (void)session.enter(1);
    (void)session.enter(2);
    session.say(1, Record{.on = true});
    session.say(1, Grab{.node = 0, .mode = Mode::stop});
    (void)session.drag(1, at(1));
    session.session().leave(1);  // in the middle of a drag
    const auto told =
        session.outbox().next<Recording>(2, [](const Recording& r) { return !r.file.empty(); });
    ASSERT_TRUE(told);
    EXPECT_NEAR(load_study(told->file).groups[0].motion.pose(1).translation().x(), 1, 1e-9);

    session.say(2, Record{.on = true});
    session.say(2, Grab{.node = 0, .mode = Mode::stop});
    (void)session.drag(2, at(2));
  }  // the session ends in the middle of another
  const Study study = load_study(folder.path() / "study-recording-2" / "study.json");
  EXPECT_NEAR(study.groups[0].motion.pose(1).translation().x(), 2, 1e-9);
}

// A recording goes to disk meanwhile; another name takes it along, and leaves nothing behind. The
// disk gets it again after twenty times as long as writing took: on a busy machine that is long.
TEST(SessionRecord, ARecordingIsOnDiskBeforeItEnds) {
  const StudyFolder folder("viewer-journal");
  TakenDown run(viewer::open_inputs({cube_and_wall(folder)}));
  const fs::path journal = folder.path() / "study-recording";
  run.session.say(1, Record{.on = true});
  run.grab(0, Mode::stop);
  (void)run.session.drag(1, at(1));
  const auto is_there = [&](double x) {
    const auto patience = std::chrono::steady_clock::now() + 240s;
    while (std::chrono::steady_clock::now() < patience) {
      if (fs::exists(journal / "study.json") &&
          load_study(journal / "study.json").groups[0].motion.pose(1).translation().x() >= x)
        return true;
      std::this_thread::sleep_for(5ms);
    }
    return false;
  };
  EXPECT_TRUE(is_there(1 - 1e-9));
  (void)run.session.drag(1, at(2));
  EXPECT_TRUE(is_there(2 - 1e-9)) << "and what comes later";
  ASSERT_TRUE(run.finish());
  run.session.say(1, SaveStudy{.name = "mine"});
  const auto saved = run.session.outbox().next<Saved>(1);
  ASSERT_TRUE(saved);
  EXPECT_EQ(fs::path(saved->file), folder.path() / "mine" / "study.json");
  EXPECT_FALSE(fs::exists(journal));
}

// A proof that ends too early to be stopped is followed by one that takes longer.
TEST(SessionRecord, AProofCanBeStopped) {
  for (Index triangles = 20'000; triangles < 2'000'000; triangles *= 4) {
    const StudyFolder folder("viewer-stop");
    scenes::write_study(scenes::headlamp({.triangles = triangles}), folder.path());
    RunningSession session(viewer::open_inputs({folder.path() / "study.json"}));
    const Scene scene = session.enter(1);
    session.say(1, Prove{});
    const auto progress = session.outbox().next<TaskProgress>(1, [](const TaskProgress& p) {
      return p.task == Task::proof && (!p.running || p.total > 0);
    });
    ASSERT_TRUE(progress);
    if (!progress->running) continue;
    session.say(1, viewer::protocol::Cancel{.task = Task::proof});
    const auto proved = session.outbox().next<Proved>(1);
    ASSERT_TRUE(proved);
    EXPECT_TRUE(
        session.outbox().next<TaskProgress>(1, [](const TaskProgress& p) { return !p.running; }));
    if (proved->verdict == Verdict::interrupted) return;
  }
  FAIL() << "no proof was stopped";
}

TEST(SessionRecord, PathsArePlayedAndTakenStepByStep) {
  const StudyFolder folder("viewer-play");
  RunningSession session(viewer::open_inputs({cube_and_wall(folder)}));
  (void)session.enter(1);
  const auto timeline = session.outbox().next<Timeline>(1);
  ASSERT_TRUE(timeline);
  ASSERT_GE(timeline->keys.size(), 2U);
  session.say(1, Play{.speed = 100});
  EXPECT_TRUE(session.outbox().next<Position>(
      1, [](const Position& p) { return p.value == 1 && p.speed == 0; }));
  session.say(1, Advance{.keys = -1});
  const double before = timeline->keys[timeline->keys.size() - 2];
  EXPECT_TRUE(
      session.outbox().next<Position>(1, [&](const Position& p) { return p.value == before; }));
}

}  // namespace
}  // namespace touche::viewer_record_test
