// SPDX-License-Identifier: Apache-2.0
// Tests what a session shows besides where parts are: meshes, distances, volumes, clashes,
// simulations.
#include <algorithm>
#include <cmath>
#include <set>

#include "scene_files.h"
#include "scenes.h"
#include "touche/query.h"
#include "viewer/mesh_chunks.h"
#include "viewer/method_view.h"
#include "viewer_client.h"

namespace touche::viewer_view_test {
namespace {

using namespace viewer::protocol;
using test::node_named;
using test::RunningSession;
using test::StudyFolder;
using namespace std::chrono_literals;

Vec3 normal_of(std::int8_t x8, std::int8_t y8) {
  double x = x8 / 127.0, y = y8 / 127.0;
  const double z = 1 - std::abs(x) - std::abs(y);
  if (z < 0) {
    const double folded = (1 - std::abs(y)) * (x < 0 ? -1 : 1);
    y = (1 - std::abs(x)) * (y < 0 ? -1 : 1);
    x = folded;
  }
  return Vec3(x, y, z).normalized();
}

std::vector<MeshChunk> chunks_of(const Object& object) {
  std::vector<MeshChunk> chunks;
  for (const viewer::MeshPiece& piece : viewer::mesh_pieces(object, 0))
    chunks.push_back(std::get<MeshChunk>(parse_server(*piece.message)));
  return chunks;
}

Vec3 position(const MeshChunk& chunk, std::size_t vertex) {
  Vec3 p;
  for (int i = 0; i < 3; ++i)
    p[i] = chunk.lo[i] + (chunk.hi[i] - chunk.lo[i]) *
                             chunk.positions[3 * vertex + static_cast<std::size_t>(i)] / 65535;
  return p;
}

TEST(MeshPieces, AreTheWholeMeshNearlyWhereItIs) {
  const Object ball(scenes::sphere(3, 60000), "ball");
  const std::vector<MeshChunk> chunks = chunks_of(ball);
  ASSERT_EQ(chunks.size(), viewer::piece_count(ball));
  std::size_t triangles = 0;
  double area = 0;
  for (const MeshChunk& chunk : chunks) {
    triangles += chunk.indices.size() / 3;
    EXPECT_EQ(chunk.normals.size() / 2, chunk.positions.size() / 3);
    EXPECT_TRUE(chunk.edges.empty()) << "a ball has no creases";
    for (std::size_t v = 0; v < chunk.positions.size() / 3; ++v) {
      const Vec3 p = position(chunk, v);
      EXPECT_NEAR(p.norm(), 3, 2e-4);
      const Vec3 n = normal_of(chunk.normals[2 * v], chunk.normals[2 * v + 1]);
      EXPECT_GT(n.dot(p.normalized()), 0.999);
    }
    for (std::size_t t = 0; t < chunk.indices.size(); t += 3) {
      const Vec3 a = position(chunk, chunk.indices[t]), b = position(chunk, chunk.indices[t + 1]),
                 c = position(chunk, chunk.indices[t + 2]);
      const Vec3 cross = (b - a).cross(c - a);
      EXPECT_GT(cross.dot(a), 0) << "seen from outside they are counterclockwise";
      area += 0.5 * cross.norm();
    }
  }
  EXPECT_EQ(triangles, ball.soup().triangle_count());
  EXPECT_NEAR(area, examine(ball.soup()).area, 1e-3 * area);
}

TEST(MeshPieces, CreasesSplitNormalsAndAreEdges) {
  const std::vector<MeshChunk> chunks = chunks_of(Object(scenes::box({0, 0, 0}, {1, 2, 3}), "box"));
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_EQ(chunks[0].positions.size(), 3U * 24);
  EXPECT_EQ(chunks[0].edges.size(), 2U * 12) << "diagonals of faces are none";
  for (std::size_t v = 0; v < 24; ++v) {
    const Vec3 n = normal_of(chunks[0].normals[2 * v], chunks[0].normals[2 * v + 1]);
    EXPECT_NEAR(n.cwiseAbs().maxCoeff(), 1, 1e-12);
  }
}

TEST(MeshPieces, VerticesThatAFileSplitsAreOne) {
  // A ball of triangles that share nothing.
  const PolygonSoup ball = scenes::sphere(1, 2000);
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (const auto& triangle : ball.triangles())
    for (const Index v : triangle) {
      corners.push_back(static_cast<Index>(corners.size()));
      for (int i = 0; i < 3; ++i) coordinates.push_back(ball.vertex(v)[i]);
    }
  const std::vector<MeshChunk> split =
      chunks_of(Object(PolygonSoup(coordinates, corners), "split"));
  EXPECT_TRUE(split[0].edges.empty());
  EXPECT_EQ(split[0].positions.size(), 3 * std::size_t{ball.vertex_count()});
}

TEST(MeshPieces, TakeAtMostSixteenBytesATriangle) {
  for (const scenes::Scene& scene :
       {scenes::headlamp({.triangles = 60000}), scenes::nut_and_bolt({.size = "M8"})}) {
    std::size_t bytes = 0, triangles = 0;
    for (const scenes::ScenePart& part : scene.parts) {
      const Object object(part.soup, part.name);
      triangles += object.soup().triangle_count();
      for (const viewer::MeshPiece& piece : viewer::mesh_pieces(object, 0))
        bytes += piece.message->size();
    }
    EXPECT_LE(bytes, 16 * triangles) << scene.title;
  }
}

TEST(MeshPieces, TheNearestComeFirst) {
  RunningSession session(viewer::open_parts([] {
    ClashParts parts;
    parts.unit = "mm";
    parts.objects.emplace_back(scenes::sphere(10, 400000), "ball");
    parts.parts.push_back({"ball", "", 0, {}});
    return parts;
  }()));
  session.session().enter(1);
  session.say(1, Enter{.protocol = kVersion});
  session.say(1, Viewpoint{.position = {100, 0, 0}, .rate = 60});
  double nearest = 0, last = 0;
  const auto scene = session.outbox().next<Scene>(1);
  ASSERT_TRUE(scene);
  for (std::uint32_t i = 0; i < scene->meshes[0].chunks; ++i) {
    const auto chunk = session.outbox().next<MeshChunk>(1);
    ASSERT_TRUE(chunk);
    double most = -kInfinity;
    for (std::size_t v = 0; v < chunk->positions.size() / 3; ++v)
      most = std::max(most, position(*chunk, v).x());
    if (i == 0) nearest = most;
    last = most;
  }
  EXPECT_NEAR(nearest, 10, 0.1);
  EXPECT_LT(last, 0);
}

ClashParts two_boxes(double gap) {
  ClashParts parts;
  parts.unit = "mm";
  parts.source = "boxes";
  parts.objects.emplace_back(scenes::box({0, 0, 0}, {1, 1, 1}), "box");
  parts.parts.push_back({"left", "", 0, {}});
  parts.parts.push_back({"right", "", 0, Pose::from_translation({1 + gap, 0, 0})});
  return parts;
}

TEST(SessionView, MeasuresTheRealDistance) {
  RunningSession session(viewer::open_parts(two_boxes(0.25)));
  (void)session.enter(1);
  // It has 50 ms, which may pass without any work on a busy machine; then the bracket is wide, or a
  // notice says that there was no time.
  std::optional<Measured> measured;
  const auto patience = std::chrono::steady_clock::now() + 60s;
  do {
    session.say(1, MeasurePair{.a = 0, .b = 1});
    measured = session.outbox().next<Measured>(
        1, [](const Measured&) { return true; }, 5s);
    if (!measured) continue;
    EXPECT_LE(measured->lower, 0.25);
    EXPECT_GE(measured->upper, 0.25);
  } while ((!measured || measured->upper - measured->lower > 1e-9) &&
           std::chrono::steady_clock::now() < patience);
  ASSERT_TRUE(measured);
  EXPECT_NEAR(measured->upper, 0.25, 1e-9);
  EXPECT_NEAR((measured->point_a - measured->point_b).norm(), 0.25, 1e-9);
  EXPECT_FALSE(measured->intersecting);
}

TEST(SessionView, ClashesAreListedCommentedAndKept) {
  const StudyFolder folder("viewer-clash");
  const auto open = [&] {
    viewer::Opened opened = viewer::open_parts(two_boxes(-0.25));
    opened.folder = folder.path();
    opened.stem = "boxes";
    return opened;
  };
  {
    RunningSession session(open());
    (void)session.enter(1);
    session.say(1, FindClashes{.clearance = 0.1});
    const auto table = session.outbox().next<ClashTable>(1);
    ASSERT_TRUE(table);
    ASSERT_EQ(table->rows.size(), 1U);
    EXPECT_EQ(table->rows[0].verdict, viewer::protocol::ClashClass::clash);
    EXPECT_NEAR(table->rows[0].thickness_upper, 0.25, 0.05);
    EXPECT_TRUE(table->rows[0].has_point);
    EXPECT_FALSE(table->rows[0].accepted);
    session.say(1, CommentClash{.a = 1, .b = 0, .text = "a press fit", .accepted = true});
    const auto accepted = session.outbox().next<ClashTable>(1);
    ASSERT_TRUE(accepted);
    EXPECT_TRUE(accepted->rows[0].accepted);
    EXPECT_EQ(accepted->rows[0].comment, "a press fit");
  }
  RunningSession session(open());
  (void)session.enter(1);
  session.say(1, FindClashes{.clearance = 0});
  const auto table = session.outbox().next<ClashTable>(1);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->rows[0].comment, "a press fit") << "it is still there another day";
}

// A mesh larger than the shape that it stands for clashes where the shapes do.
TEST(SessionView, ClashesAreThoseOfShapes) {
  for (const double error : {0.0, 0.05}) {
    ClashParts parts = two_boxes(-0.02);
    parts.mesh_errors = {error};
    RunningSession session(viewer::open_parts(std::move(parts)));
    (void)session.enter(1);
    session.say(1, FindClashes{.clearance = 0.1});
    const auto table = session.outbox().next<ClashTable>(1);
    ASSERT_TRUE(table);
    ASSERT_EQ(table->rows.size(), 1U);
    EXPECT_EQ(table->rows[0].verdict, error > 0 ? viewer::protocol::ClashClass::touching
                                                : viewer::protocol::ClashClass::clash);
  }
}

BuildTree tree_of(const std::string& volume, const std::string& quality) {
  return {.node = 0,
          .volume = volume,
          .method = "median",
          .degree = 2,
          .improvement = 0,
          .quality = quality,
          .combine = "mean"};
}

TEST(SessionView, TreesAreBuiltByEveryQualityThatTheirVolumeHas) {
  ClashParts parts = two_boxes(0.25);
  parts.objects[0] = Object(scenes::bumpy_sphere(100, 1), "stone");
  RunningSession session(viewer::open_parts(std::move(parts)));
  (void)session.enter(1);
  const auto choices = session.outbox().next<TreeChoices>(1);
  ASSERT_TRUE(choices);
  EXPECT_EQ(choices->combines.size(), 2U);
  int refused = 0;
  for (const TreeVolume& volume : choices->volumes)
    for (const Name& quality : choices->qualities) {
      SCOPED_TRACE(volume.text + " " + quality.text);
      session.say(1, tree_of(volume.text, quality.text));
      if (quality.text == "hausdorff" && !volume.hausdorff) {
        EXPECT_NE(session.notice(1).find("Hausdorff"), std::string::npos);
        ++refused;
        continue;
      }
      const auto tree = session.outbox().next<Tree>(1);
      ASSERT_TRUE(tree);
      EXPECT_EQ(tree->quality, quality.text);
      EXPECT_EQ(tree->combine, "mean");
      EXPECT_GT(tree->tests, 0);
    }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, static_cast<int>(choices->volumes.size())) << "some have it";
}

// The quality decides about the degree: other ones build other trees.
TEST(SessionView, TheQualityOfATreeMatters) {
  ClashParts parts = two_boxes(0.25);
  parts.objects[0] = Object(scenes::bumpy_sphere(400, 1), "stone");
  RunningSession session(viewer::open_parts(std::move(parts)));
  (void)session.enter(1);
  std::set<std::uint32_t> nodes;
  for (const char* quality : {"volume", "diameter"}) {
    BuildTree wanted = tree_of("obb", quality);
    wanted.method = "gottschalk";
    wanted.degree = 6;
    wanted.improvement = 0.5;
    wanted.combine = "maximum";
    session.say(1, wanted);
    const auto tree = session.outbox().next<Tree>(1);
    ASSERT_TRUE(tree);
    nodes.insert(tree->nodes);
  }
  EXPECT_EQ(nodes.size(), 2U);
}

// The lines of every volume lie in and around the mesh's box, and deeper levels have more of them.
TEST(SessionView, VolumesOfEveryKindAreShown) {
  ClashParts parts = two_boxes(0.25);
  parts.objects[0] = Object(scenes::bumpy_sphere(600, 1), "stone");
  RunningSession session(viewer::open_parts(std::move(parts)));
  (void)session.enter(1);
  const auto choices = session.outbox().next<TreeChoices>(1);
  ASSERT_TRUE(choices);
  EXPECT_EQ(choices->volumes.size(), volume_names().size());
  const auto check = [&](Hierarchy hierarchy) {
    std::uint32_t before = 0;
    for (const std::uint32_t level : {0U, 1U, 2U}) {
      session.say(1, ShowVolumes{.node = 0, .hierarchy = hierarchy, .level = level});
      const auto volumes = session.outbox().next<Volumes>(1);
      ASSERT_TRUE(volumes);
      EXPECT_GT(volumes->count, before);
      EXPECT_GT(volumes->levels, 2U);
      before = volumes->count;
      ASSERT_GE(volumes->lines.size(), std::size_t{6} * volumes->count);
      for (const float x : volumes->lines) EXPECT_LT(std::abs(x), 4);
      float most = 0;
      for (const float x : volumes->lines) most = std::max(most, std::abs(x));
      EXPECT_GT(most, 0.8);
    }
  };
  check(Hierarchy::own);
  for (const TreeVolume& volume : choices->volumes) {
    SCOPED_TRACE(volume.text);
    session.say(1, tree_of(volume.text, "surface_area"));
    const auto tree = session.outbox().next<Tree>(1);
    ASSERT_TRUE(tree);
    EXPECT_GT(tree->nodes, 300U);
    EXPECT_GT(tree->tests, 0);
    check(Hierarchy::tree);
  }
}

TEST(SessionView, OpenPairsAreThoseThatAreNotApart) {
  const Object box(scenes::box({0, 0, 0}, {1, 1, 1}, 8), "box");
  std::vector<float> lines;
  std::size_t count = 0;
  viewer::add_open_pairs(box, {}, box, Pose::from_translation({3, 0, 0}), 4, 100, lines, count);
  EXPECT_EQ(count, 0U);
  viewer::add_open_pairs(box, {}, box, Pose::from_translation({0.999, 0, 0}), 0, 100, lines, count);
  EXPECT_EQ(count, 1U) << "the roots";
  EXPECT_EQ(lines.size(), 2U * 12 * 6);
  count = 0;
  viewer::add_open_pairs(box, {}, box, Pose::from_translation({0.999, 0, 0}), 4, 100, lines, count);
  EXPECT_GT(count, 1U);
}

TEST(SessionView, FacesAreShownWithAllTheirTriangles) {
  RunningSession session(viewer::open_parts(two_boxes(1)));
  (void)session.enter(1);
  session.say(1, AskFace{.node = 1, .face = 3});
  const auto face = session.outbox().next<FaceShape>(1);
  ASSERT_TRUE(face);
  EXPECT_EQ(face->triangles.size(), 2U * 9) << "a rectangle";
}

TEST(SessionView, SimulationsArePlayed) {
  const StudyFolder folder("viewer-simulation");
  folder.write("ball.off", test::kOctahedronOff);
  folder.write("scene.json", test::falling_scene().dump());
  RunningSession session(viewer::open_inputs({folder.path() / "scene.json"}));
  const Scene scene = session.enter(1);
  const std::uint32_t ball = node_named(scene, "ball");
  EXPECT_TRUE(scene.nodes[node_named(scene, "plate")].fixed);
  const auto timeline =
      session.outbox().next<Timeline>(1, [](const Timeline& t) { return !t.keys.empty(); });
  ASSERT_TRUE(timeline);
  EXPECT_TRUE(timeline->seconds);
  EXPECT_NEAR(timeline->end, 0.5, 1e-9);
  EXPECT_TRUE(session.outbox().next<Proved>(1));
  session.say(1, Scrub{.value = 0.25});
  const auto poses = session.outbox().next<Poses>(1);
  ASSERT_TRUE(poses);
  const auto item = std::find_if(poses->items.begin(), poses->items.end(),
                                 [&](const NodePose& n) { return n.node == ball; });
  ASSERT_NE(item, poses->items.end());
  EXPECT_LT(item->pose.translation().z(), 1);
}

TEST(SessionView, TheBudgetIsToldAndSet) {
  RunningSession session(viewer::open_parts(two_boxes(1)));
  (void)session.enter(1);
  session.say(1, SetBudget{.tolerance = 1e-3,
                           .clearance = 0.1,
                           .milliseconds = 5,
                           .share = viewer::protocol::Share::equal,
                           .guess = viewer::protocol::Guess::volumes});
  EXPECT_TRUE(
      session.outbox().next<viewer::protocol::Budget>(1, [](const viewer::protocol::Budget& b) {
        return b.clearance == 0.1 && b.share == viewer::protocol::Share::equal;
      }));
  session.say(1, Grab{.node = 0, .mode = Mode::stop});
  const Held held = session.drag(1, Pose::from_translation({5, 0, 0}));
  EXPECT_NEAR(held.pose.translation().x(), 0.9, 0.01) << "the clearance is kept";
  const auto used = session.outbox().next<viewer::protocol::Budget>(
      1, [](const viewer::protocol::Budget& b) { return b.used > 0; });
  ASSERT_TRUE(used);
  EXPECT_EQ(used->pairs, 1U);
}

}  // namespace
}  // namespace touche::viewer_view_test
