// SPDX-License-Identifier: Apache-2.0
// Clients watch a world and move its parts: the messages they receive, and where parts can go.
#include "viewer/session.h"

#include <algorithm>
#include <numbers>

#include "scenes.h"
#include "study_files.h"
#include "touche/query.h"
#include "viewer_client.h"

namespace touche::viewer_session_test {
namespace {

using namespace viewer::protocol;
using test::node_named;
using test::RunningSession;
using namespace std::chrono_literals;

constexpr double kPi = std::numbers::pi;

// A block of one unit around the origin, and a thin wall from x = 2 on.
ClashParts block_and_wall() {
  ClashParts parts;
  parts.source = "block and wall";
  parts.unit = "mm";
  parts.objects.emplace_back(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, 4), "block");
  parts.objects.emplace_back(scenes::box({2, -5, -5}, {2.01, 5, 5}, 3), "wall");
  parts.parts.push_back({"tool/block", "tool", 0, {}});
  parts.parts.push_back({"wall", "", 1, {}});
  return parts;
}

viewer::Opened opened_block(const std::filesystem::path& folder = ".") {
  viewer::Opened opened = viewer::open_parts(block_and_wall());
  opened.tolerance = 1e-4;
  opened.folder = folder;
  opened.stem = "block";
  return opened;
}

bool meets_wall(const Pose& pose) {
  const ClashParts parts = block_and_wall();
  return static_cast<bool>(intersects(parts.objects[0], pose, parts.objects[1], {}));
}

Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }

struct Hand {
  RunningSession& session;
  std::uint32_t block;
  void grab(Mode mode, viewer::ClientId client = 1) {
    session.say(client, Grab{.node = block, .mode = mode, .point = Vec3::Zero()});
  }
};

TEST(Session, TellsAClientWhatThereIs) {
  RunningSession session(opened_block());
  const Scene scene = session.enter(1);
  ASSERT_EQ(scene.nodes.size(), 3U);
  EXPECT_EQ(scene.nodes[0].name, "tool");
  EXPECT_EQ(scene.nodes[0].kind, NodeKind::group);
  EXPECT_EQ(scene.nodes[1].name, "block");
  EXPECT_EQ(scene.nodes[1].parent, 0U);
  EXPECT_EQ(scene.meshes.size(), 2U);
  EXPECT_TRUE(scene.meshes[0].closed);
  EXPECT_EQ(scene.lo, Vec3(-0.5, -5, -5));
  EXPECT_TRUE(session.outbox().next<MeshChunk>(1));
  EXPECT_TRUE(session.outbox().next<MeshChunk>(1));
}

TEST(Session, APartStopsBeforeAThinWallHoweverFarItIsDragged) {
  for (const Mode mode : {Mode::stop, Mode::contact}) {
    RunningSession session(opened_block());
    const Scene scene = session.enter(1);
    Hand held{session, node_named(scene, "block")};
    held.grab(mode);
    const Held told = session.drag(1, at(50));
    EXPECT_EQ(told.status, HeldStatus::held_back);
    EXPECT_EQ(told.node, held.block);
    EXPECT_FALSE(meets_wall(told.pose));
    EXPECT_NEAR(told.pose.translation().x(), 1.5, 0.01);
    EXPECT_NEAR(told.distance_left, 48.5, 0.02);
    ASSERT_FALSE(told.contacts.empty());
    EXPECT_EQ(told.contacts[0].other, node_named(scene, "wall"));
    EXPECT_NEAR(told.contacts[0].normal.x(), 1, 1e-6);
    // The whole path, in one piece, is proved to be free by another search.
    const ClashParts parts = block_and_wall();
    const ToiResult toi = time_of_impact(parts.objects[0], Motion::interpolated({}, told.pose),
                                         parts.objects[1], Motion::at({}), {.tolerance = 1e-5});
    EXPECT_EQ(toi.status, ToiStatus::free);
    const auto poses = session.outbox().next<Poses>(1);
    ASSERT_TRUE(poses);
    EXPECT_EQ(poses->items[0].pose.translation(), told.pose.translation());
  }
}

TEST(Session, ContactSimulationSlidesAlongTheWallWhereStoppingStays) {
  double y[2];
  for (const Mode mode : {Mode::stop, Mode::contact}) {
    RunningSession session(opened_block());
    const Scene scene = session.enter(1);
    Hand held{session, node_named(scene, "block")};
    held.grab(mode);
    (void)session.drag(1, at(3));
    const Held told = session.drag(1, at(3, 2, 1));
    EXPECT_FALSE(meets_wall(told.pose));
    y[mode == Mode::contact ? 1 : 0] = told.pose.translation().y();
    if (mode == Mode::contact) {
      EXPECT_LT(told.force.x(), 0) << "the wall pushes back";
    }
  }
  EXPECT_LT(y[0], 0.1);
  EXPECT_NEAR(y[1], 2, 0.01);
}

// In contact, and nearer than the clearance: the block is put there freely.
TEST(Session, APartThatBeginsInContactComesApartInEachMode) {
  for (const Mode mode : {Mode::stop, Mode::contact}) {
    for (const double gap : {0.0, 1e-5}) {
      RunningSession session(opened_block());
      const Scene scene = session.enter(1);
      Hand held{session, node_named(scene, "block")};
      held.grab(Mode::free);
      (void)session.drag(1, at(1.5 - gap));
      session.say(1, Release{});
      held.grab(mode);
      const Held deeper = session.drag(1, at(4));
      EXPECT_LT(deeper.pose.translation().x(), 1.5 + 1e-9) << gap;
      EXPECT_NE(deeper.status, HeldStatus::arrived);
      const Held away = session.drag(1, at(0.25, 0.5));
      EXPECT_EQ(away.status, HeldStatus::arrived) << gap << " " << int(mode);
      EXPECT_NEAR(away.pose.translation().x(), 0.25, 1e-3);
      // There is nothing special about it from now on.
      const Held back = session.drag(1, at(4, 0.5));
      EXPECT_EQ(back.status, HeldStatus::held_back);
      EXPECT_FALSE(meets_wall(back.pose));
    }
  }
}

TEST(Session, APartThatOverlapsIsToldSoAndFreedByModeFree) {
  RunningSession session(opened_block());
  const Scene scene = session.enter(1);
  Hand held{session, node_named(scene, "block")};
  held.grab(Mode::free);
  (void)session.drag(1, at(1.8));
  session.say(1, SetMode{.mode = Mode::stop});
  const Held stays = session.drag(1, at(0));
  EXPECT_EQ(stays.status, HeldStatus::touching);
  EXPECT_EQ(stays.pose.translation().x(), 1.8);
  session.say(1, SetMode{.mode = Mode::free});
  EXPECT_EQ(session.drag(1, at(0)).status, HeldStatus::arrived);
}

TEST(Session, FreelyItGoesThroughAndClashesAreTold) {
  RunningSession session(opened_block());
  const Scene scene = session.enter(1);
  Hand held{session, node_named(scene, "block")};
  held.grab(Mode::free);
  EXPECT_EQ(session.drag(1, at(2)).status, HeldStatus::arrived);
  const auto clashes = session.outbox().next<Clashes>(1);
  ASSERT_TRUE(clashes);
  ASSERT_EQ(clashes->pairs.size(), 1U);
  EXPECT_EQ(clashes->pairs[0].a, held.block);
  EXPECT_EQ(clashes->undecided, 0U);
  (void)session.drag(1, at(8));
  const auto none = session.outbox().next<Clashes>(1);
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->pairs.empty());
}

TEST(Session, AGroupMovesWithWhatHangsOnIt) {
  RunningSession session(opened_block());
  const Scene scene = session.enter(1);
  session.say(1, Grab{.node = node_named(scene, "tool"), .mode = Mode::stop});
  const Held told = session.drag(1, at(9));
  EXPECT_EQ(told.status, HeldStatus::held_back);
  EXPECT_NEAR(told.pose.translation().x(), 1.5, 0.01);
}

TEST(Session, OneAtATimeHolds) {
  RunningSession session(opened_block());
  const Scene scene = session.enter(1);
  (void)session.enter(2);
  Hand held{session, node_named(scene, "block")};
  held.grab(Mode::free, 1);
  held.grab(Mode::free, 2);
  EXPECT_NE(session.notice(2).find("Somebody else holds"), std::string::npos);
  session.say(2, Drag{.sequence = 1, .target = at(7)});
  EXPECT_NE(session.notice(2).find("No part is held"), std::string::npos);
  session.say(2, SnapBack{.node = kNoNode});
  EXPECT_NE(session.notice(2).find("Somebody else holds"), std::string::npos);

  // Both receive what the first does. When it leaves, the second may take over.
  (void)session.drag(1, at(-1));
  EXPECT_TRUE(session.outbox().next<Held>(2));
  session.session().leave(1);
  EXPECT_TRUE(session.outbox().next<Roles>(2, [](const Roles& r) { return r.holder == 0; }));
  held.grab(Mode::free, 2);
  EXPECT_TRUE(session.outbox().next<Roles>(2, [](const Roles& r) { return r.holder == 2; }));
  EXPECT_EQ(session.drag(2, at(-2)).holder, 2U);
}

TEST(Session, MovesAreUndoneDoneAgainAndSnapBack) {
  RunningSession session(opened_block());
  const Scene scene = session.enter(1);
  Hand held{session, node_named(scene, "block")};
  const auto x_is = [&](double x) {
    return session.outbox().next<Poses>(
        1, [&](const Poses& p) { return std::abs(p.items[0].pose.translation().x() - x) < 1e-9; });
  };
  for (const double x : {-1.0, -2.0}) {
    held.grab(Mode::free);
    (void)session.drag(1, at(x));
    session.say(1, Release{});
  }
  EXPECT_TRUE(session.outbox().next<History>(1, [](const History& h) { return h.undo == 2; }));
  session.say(1, Undo{});
  EXPECT_TRUE(x_is(-1));
  session.say(1, Undo{});
  EXPECT_TRUE(x_is(0));
  session.say(1, Undo{});
  EXPECT_NE(session.notice(1).find("nothing to undo"), std::string::npos);
  session.say(1, Redo{});
  EXPECT_TRUE(x_is(-1));
  session.say(1, SnapBack{.node = held.block});
  EXPECT_TRUE(x_is(0));
  session.say(1, Undo{});
  EXPECT_TRUE(x_is(-1)) << "snapping back can be undone, too";
}

BuildTree tree_of(std::uint32_t node, const char* volume, const char* method, std::uint32_t degree,
                  double improvement = 0, const char* quality = "volume",
                  const char* combine = "mean") {
  return {.node = node,
          .volume = volume,
          .method = method,
          .degree = degree,
          .improvement = improvement,
          .quality = quality,
          .combine = combine};
}

TEST(Session, WhatMakesNoSenseGetsANotice) {
  RunningSession session(opened_block());
  const Scene scene = session.enter(1);
  const std::uint32_t block = node_named(scene, "block"), tool = node_named(scene, "tool");
  const ClientMessage absurd[] = {
      Grab{.node = 17, .mode = Mode::free},
      Drag{.sequence = 1},
      Release{},
      Undo{},
      Redo{},
      SnapBack{.node = 99},
      Prove{},
      SaveStudy{.name = "../../etc/passwd"},
      SaveStudy{.name = ""},
      SaveStudy{.name = "good name"},
      SaveAnimation{.name = "../out"},
      SaveAnimation{},
      Scrub{.value = 0.5},
      Play{.speed = 1},
      Advance{.keys = -2147483647},
      MeasurePair{.a = block, .b = block},
      MeasurePair{.a = tool, .b = block},
      MeasurePair{.a = 1000, .b = block},
      tree_of(tool, "obb", "median", 2),
      tree_of(block, "teapot", "median", 2),
      tree_of(block, "obb", "cleverly", 2),
      tree_of(block, "obb", "median", 900),
      tree_of(block, "obb", "median", 2, -1),
      tree_of(block, "obb", "branch_and_bound", 2),
      tree_of(block, "obb", "median", 2, 0, "beauty"),
      tree_of(block, "obb", "median", 2, 0, "volume", "sum"),
      tree_of(block, "dop18", "median", 2, 0, "hausdorff"),
      ShowVolumes{.node = tool, .hierarchy = Hierarchy::own, .level = 0},
      ShowVolumes{.node = block, .hierarchy = Hierarchy::tree, .level = 0},
      SetBudget{.tolerance = 0, .clearance = 1, .milliseconds = 1},
      SetBudget{.tolerance = 1, .clearance = 1, .milliseconds = 1},
      SetBudget{.tolerance = 1, .clearance = 2, .milliseconds = 1e9},
      FindClashes{.clearance = -1},
      CommentClash{.a = block, .b = block, .text = "itself"},
      CommentClash{.a = tool, .b = block, .text = "a group"},
      AskFace{.node = block, .face = 4294967295},
      AskFace{.node = 5, .face = 0},
      Enter{.protocol = kVersion},
  };
  for (const ClientMessage& message : absurd) {
    session.say(1, message);
    const auto notice = session.outbox().next<Notice>(1, 60s);
    ASSERT_TRUE(notice) << "message " << message.index();
    EXPECT_EQ(notice->level, Level::error);
    EXPECT_FALSE(notice->text.empty());
  }
  EXPECT_TRUE(session.outbox().closed(1, 60s)) << "to enter twice ends it";
  (void)session.enter(2);  // all is well
  Hand held{session, block};
  held.grab(Mode::stop, 2);
  EXPECT_EQ(session.drag(2, at(-1)).status, HeldStatus::arrived);
  session.say(2, Drag{.sequence = 5, .target = at(1e80)});
  EXPECT_NE(session.notice(2).find("farther"), std::string::npos);
}

TEST(Session, WhoSpeaksAnotherVersionOrNoneAtAllIsShownOut) {
  RunningSession session(opened_block());
  session.session().enter(1);
  session.say(1, Enter{.protocol = kVersion + 1});
  ASSERT_TRUE(session.outbox().closed(1, 60s));
  session.session().enter(2);
  session.say(2, Undo{});
  ASSERT_TRUE(session.outbox().closed(2, 60s));
  session.session().enter(3);
  const std::byte noise[] = {std::byte{200}, std::byte{1}};
  session.session().receive(3, noise);
  const auto reason = session.outbox().closed(3, 60s);
  ASSERT_TRUE(reason);
  EXPECT_NE(reason->find("byte"), std::string::npos);
}

TEST(Session, AClientThatTakesNothingMoreGetsNoMoreMeshes) {
  ClashParts parts = block_and_wall();
  parts.objects[0] = Object(scenes::sphere(1, 1'000'000), "ball");
  RunningSession session(viewer::open_parts(std::move(parts)));
  session.outbox().stall();
  const Scene scene = session.enter(1);
  EXPECT_GT(scene.meshes[0].chunks, 50U);
  ASSERT_TRUE(session.outbox().next<MeshChunk>(1));
  session.say(1, Grab{.node = node_named(scene, "wall"), .mode = Mode::free});
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(session.drag(1, at(9 + i)).status, HeldStatus::arrived) << "the world goes on";
  EXPECT_LT(session.outbox().bytes(), 5'000'000U);
}

// The hand turns the nut once about the axis and pulls; the thread decides how far it comes.
TEST(Session, ANutIsUnscrewedByATurn) {
  const scenes::Scene thread = scenes::thread_by_hand(
      {.thread = {.size = "M8", .segments = 24}, .trembling = {.shift = 0, .angle = 0}});
  const test::StudyFolder folder("viewer-nut");
  scenes::write_study(thread, folder.path());
  RunningSession session(viewer::open_inputs({folder.path() / "study.json"}));
  const Scene scene = session.enter(1);
  const std::uint32_t nut = scene.nodes[0].id;
  ASSERT_EQ(scene.nodes[0].kind, NodeKind::group);
  const Pose start = scene.nodes[0].pose;
  session.say(1, Grab{.node = nut, .mode = Mode::contact});
  Held told;
  for (int i = 1; i <= 24; ++i)
    told = session.drag(
        1, Pose::from_axis_angle(Vec3::UnitZ(), 2 * kPi * i / 24, {0, 0, 1.25 * i / 24 + 0.2}) *
               start);
  EXPECT_NEAR(told.pose.translation().z() - start.translation().z(), 1.25, 0.15)
      << "a pitch of the thread, and its play";
  EXPECT_LT(told.angle_left, 0.1);
  EXPECT_FALSE(told.contacts.empty());
  EXPECT_LT(told.force.z(), 0) << "the thread holds it back";

  // Nothing touches at the final pose, according to the query that tests all faces.
  const Study study = load_study(folder.path() / "study.json");
  const std::vector<Object> parts = load_parts(study);
  const std::size_t part = study.groups[0].parts[0];
  EXPECT_FALSE(intersects(parts[part], told.pose, parts[1 - part], {}));
}

}  // namespace
}  // namespace touche::viewer_session_test
