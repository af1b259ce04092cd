// SPDX-License-Identifier: Apache-2.0
// The viewer inside reports: what it carries is what a session would say, and it stays small.
#include <algorithm>
#include <cmath>

#include "scenes.h"
#include "study_files.h"
#include "touche/handle.h"
#include "touche/viewer.h"
#include "viewer/report_session.h"
#include "viewer/simplify.h"

namespace touche::report_viewer_test {
namespace {

using namespace viewer::protocol;
using test::StudyFolder;

std::vector<ServerMessage> messages_of(const viewer::ReportSession& session) {
  std::vector<ServerMessage> messages;
  for (std::size_t at = 0; at < session.bytes.size();) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i)
      size |= static_cast<std::size_t>(session.bytes.at(at + i)) << (8 * i);
    messages.push_back(parse_server(std::span(session.bytes).subspan(at + 4, size)));
    at += 4 + size;
  }
  return messages;
}

template <class Message>
std::vector<Message> all_of(const std::vector<ServerMessage>& messages) {
  std::vector<Message> found;
  for (const ServerMessage& message : messages)
    if (const auto* m = std::get_if<Message>(&message)) found.push_back(*m);
  return found;
}

std::size_t triangles_in(const std::vector<ServerMessage>& messages) {
  std::size_t count = 0;
  for (const MeshChunk& chunk : all_of<MeshChunk>(messages)) count += chunk.indices.size() / 3;
  return count;
}

// A cube that meets a wall, or goes past a ball, and what was found out about it.
struct Examined {
  explicit Examined(const test::Json& json) : folder("report-viewer") {
    folder.write("study.json", json.dump());
    const Study study = load_study(folder.path() / "study.json");
    result = run_study(study, load_parts(study));
  }

  StudyFolder folder;
  StudyResult result;
};

TEST(ReportSession, SaysWhatAPageNeedsInThisOrder) {
  const Examined examined(test::box_study());
  const std::vector<ServerMessage> messages = messages_of(viewer::report_session(examined.result));
  ASSERT_GT(messages.size(), 4U);
  EXPECT_TRUE(std::holds_alternative<Hello>(messages[0]));
  ASSERT_TRUE(std::holds_alternative<Scene>(messages[1]));
  EXPECT_TRUE(std::holds_alternative<Timeline>(messages[2]));
  ASSERT_TRUE(std::holds_alternative<Proved>(messages[3]));
  const auto& scene = std::get<Scene>(messages[1]);
  std::size_t triangles = 0, chunks = 0;
  for (const Mesh& mesh : scene.meshes) {
    triangles += mesh.triangles;
    chunks += mesh.chunks;
  }
  EXPECT_EQ(triangles_in(messages), triangles);
  EXPECT_EQ(all_of<MeshChunk>(messages).size(), chunks);

  const auto& proved = std::get<Proved>(messages[3]);
  EXPECT_EQ(proved.verdict, Verdict::contact);
  ASSERT_FALSE(proved.contacts.empty());
  EXPECT_EQ(proved.study, "study.json") << "no folder of this machine";
  const auto faces = all_of<FaceShape>(messages);
  for (const PathContact& contact : proved.contacts)
    EXPECT_TRUE(contact.face_a == kNone || std::ranges::any_of(faces, [&](const FaceShape& f) {
                  return f.node == contact.a && f.face == contact.face_a && !f.triangles.empty();
                }));
}

// Between the poses of a film, as viewer/src/player.ts has it.
Pose shown_at(const std::vector<Poses>& film, std::size_t item, double value) {
  std::size_t after = 1;
  while (after + 1 < film.size() && film[after].time <= value) ++after;
  const Poses &a = film[after - 1], &b = film[after];
  const double share = std::clamp((value - a.time) / (b.time - a.time), 0.0, 1.0);
  const Pose &p = a.items[item].pose, &q = b.items[item].pose;
  return Pose::from_quaternion_unchecked(
      p.rotation().slerp(share, q.rotation()),
      p.translation() + share * (q.translation() - p.translation()));
}

TEST(ReportSession, ItsMotionIsThatOfTheStudyEverywhere) {
  // Three turns of a screw between two recorded poses, which two poses alone cannot express.
  Examined examined(test::box_study());
  Study study = examined.result.study;
  const Motion screw =
      Motion::screw(study.groups[0].motion.pose(0), {1, 0, 0}, {0, 0, 1}, 6 * M_PI, 2);
  study.groups[0].motion = screw;
  study.times = {0, 1};
  examined.result = run_study(study, examined.result.parts);
  const auto messages = messages_of(viewer::report_session(examined.result));
  const std::vector<Poses> film = all_of<Poses>(messages);
  ASSERT_GT(film.size(), 6U);
  EXPECT_TRUE(std::ranges::is_sorted(film, {}, &Poses::time));
  const auto scene = all_of<Scene>(messages).at(0);
  const double size = (scene.hi - scene.lo).norm();
  ASSERT_EQ(film[0].items.size(), 1U) << "only what moves";
  for (int i = 0; i <= 1000; ++i) {
    const Pose shown = shown_at(film, 0, i / 1000.0), real = screw.pose(i / 1000.0);
    for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(1, 1, 1), Vec3(1, 0, 1)})
      EXPECT_LT((shown * corner - real * corner).norm(), 1e-3 * size) << i;
  }
}

TEST(ReportSession, AboveALimitLargeMeshesAreSimplifiedAndSmallOnesAreNot) {
  ClashParts parts;
  parts.unit = "mm";
  parts.source = "assembly.obj";
  parts.objects = {Object(scenes::sphere(5, 20000)), Object(scenes::box({9, 0, 0}, {10, 1, 1})),
                   Object(scenes::sphere(2, 1000))};
  for (std::size_t i = 0; i < 3; ++i)
    parts.parts.push_back({"part " + std::to_string(i), "", i, {}});
  const ClashResult result = find_clashes(parts);

  const viewer::ReportSession all = viewer::report_session(result);
  EXPECT_EQ(all.simplified, 0U);
  EXPECT_EQ(all.triangles, all.triangles_of);
  EXPECT_EQ(triangles_in(messages_of(all)), all.triangles);

  const viewer::ReportSession less = viewer::report_session(result, 5000);
  EXPECT_EQ(less.simplified, 1U);
  EXPECT_LE(less.triangles, 5000U);
  EXPECT_GT(less.triangles, 3500U) << "not fewer than need be";
  const auto messages = messages_of(less);
  EXPECT_EQ(triangles_in(messages), less.triangles);
  const auto meshes = all_of<Scene>(messages).at(0).meshes;
  EXPECT_EQ(meshes[1].triangles, 12U);
  EXPECT_EQ(meshes[2].triangles, parts.objects[2].soup().triangle_count());
  ASSERT_EQ(all_of<ClashTable>(messages).size(), 1U);
}

TEST(Simplified, KeepsTheShapeWithinACell) {
  const PolygonSoup ball = scenes::sphere(3, 50000);
  for (const Index most : {10000U, 1000U, 100U, 12U}) {
    const PolygonSoup few = viewer::simplified(ball, most);
    EXPECT_LE(few.triangle_count(), most);
    EXPECT_GE(few.triangle_count(), most >= 100 ? most / 3 : 1);
    // A ball with this number of triangles has a grid of about sqrt(most) cells; vertices are
    // means.
    const double cell = 6 * 3 / std::sqrt(static_cast<double>(most));
    for (const Vec3& v : few.vertices()) EXPECT_NEAR(v.norm(), 3, std::sqrt(3.0) * cell);
    if (most < 1000) continue;
    EXPECT_NEAR(examine(few).area, examine(ball).area, 0.15 * examine(ball).area);
  }
  EXPECT_EQ(viewer::simplified(ball, ball.triangle_count()).triangle_count(),
            ball.triangle_count());
}

TEST(Simplified, TrianglesThatAllFallTogetherAreSampled) {
  std::vector<double> dust;
  std::vector<Index> corners;
  for (int i = 0; i < 3000; ++i) {
    for (int k = 0; k < 3; ++k)
      for (const double x : {i % 100 + 1e-7 * k, i / 100 + 1e-7 * (k % 2), 0.0}) dust.push_back(x);
    for (Index k = 0; k < 3; ++k) corners.push_back(static_cast<Index>(3 * i) + k);
  }
  const PolygonSoup few = viewer::simplified(PolygonSoup(dust, corners), 500);
  EXPECT_GT(few.triangle_count(), 100U);
  EXPECT_LE(few.triangle_count(), 500U);
}

TEST(Simplified, FairSharesFillTheTotal) {
  EXPECT_EQ(viewer::fair_share({}, 100), 12U);
  EXPECT_EQ(viewer::fair_share({20, 30}, 100), 30U) << "all of it";
  EXPECT_EQ(viewer::fair_share({20, 30, 500, 1000}, 450), 200U);
  EXPECT_EQ(viewer::fair_share({1000, 1000, 1000}, 10), 12U) << "never fewer";
  EXPECT_EQ(viewer::fair_share({10, 4'000'000'000, 4'000'000'000}, 1'000'010), 500'000U);
}

// ---- the page ----------------------------------------------------------------------------------

std::string file_in(const std::string& html, const std::string& name) {
  const std::string mark = "data-file=\"" + name + "\">";
  const std::size_t from = html.find(mark);
  if (from == std::string::npos) return {};
  return html.substr(from + mark.size(), html.find('<', from + mark.size()) - from - mark.size());
}

TEST(ReportViewer, IsInThePageOnceAndTheSameEachTime) {
  const Examined examined(test::box_study());
  const std::string viewer = report_viewer(examined.result);
  EXPECT_EQ(viewer, report_viewer(examined.result));
  const std::string plain = result_html(examined.result);
  EXPECT_EQ(plain.find("viewer"), std::string::npos);
  const std::string html =
      result_html(examined.result, {.date = "", .remark = "", .viewer = viewer});
  EXPECT_EQ(html.size(), plain.size() + viewer.size());
  EXPECT_NE(viewer.find("<section class=\"viewer\" hidden>"), std::string::npos)
      << "hidden until a browser proves that it can draw";
  for (const char* name : {"main.js", "main.css", "session"})
    EXPECT_GT(file_in(html, name).size(), 1000U) << name;
  for (const char* outside : {"http://", "https://", "src=", "href=", "@import"})
    EXPECT_EQ(viewer.find(outside), std::string::npos) << outside;
  EXPECT_LT(viewer.size(), 500'000U);
}

TEST(ReportViewer, SaysWhatIsSimplified) {
  ClashResult result;
  result.parts.unit = "mm";
  result.parts.objects = {Object(scenes::sphere(5, 510'000))};
  result.parts.parts.push_back({"ball", "", 0, {}});
  const std::string viewer = report_viewer(result);
  EXPECT_NE(viewer.find("1 large mesh was simplified"), std::string::npos);
  EXPECT_LT(viewer.size(), 12'000'000U);
}

}  // namespace
}  // namespace touche::report_viewer_test
