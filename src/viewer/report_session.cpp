// SPDX-License-Identifier: Apache-2.0
#include "viewer/report_session.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <optional>
#include <set>

#include "bvh/object_data.h"
#include "touche/version.h"
#include "viewer/clash_message.h"
#include "viewer/mesh_chunks.h"
#include "viewer/opened.h"
#include "viewer/proved.h"
#include "viewer/scene_messages.h"
#include "viewer/simplify.h"
#include "viewer/timeline.h"

namespace touche::viewer {
namespace {

constexpr std::size_t kMostReportFaces = 400;  // the page keeps as many
constexpr std::size_t kMostReportFaceFloats = 300'000;
constexpr std::size_t kMostReportKeys = 20'000;
// Interpolated poses may be this share of the scene's size off, as far as the poses above suffice.
constexpr double kFilmTolerance = 2e-4;

// ---- the motion --------------------------------------------------------------------------------

// From a node's origin to the farthest corner of what hangs on it.
double reach_of(const Opened& opened, std::uint32_t node) {
  double reach = 0;
  for (const OpenedNode& body : opened.nodes) {
    if (!body.object) continue;
    const auto number = static_cast<std::uint32_t>(&body - opened.nodes.data());
    bool hangs = number == node;
    for (std::uint32_t up = body.parent; up != protocol::kNoNode && !hangs;
         up = opened.nodes[up].parent)
      hangs = up == node;
    if (!hangs) continue;
    const Aabb& box = opened.objects[*body.object].bounds();
    const Vec3 centre = relative(opened.nodes[node].pose, body.pose) * (0.5 * (box.lo + box.hi));
    reach = std::max(reach, centre.norm() + 0.5 * box.diagonal());
  }
  return reach;
}

struct FilmMotion {
  const NodeMotion* of;
  double reach;
};

// How far a point of the moving body is from its position by interpolation between two timeline
// values.
double film_error(const Timeline& timeline, const FilmMotion& moving, double from, double to,
                  double share) {
  const auto pose = [&](double value) { return moving.of->motion.pose(timeline.share(value)); };
  const Pose a = pose(from), b = pose(to), middle = pose(from + share * (to - from));
  const Vec3 at = a.translation() + share * (b.translation() - a.translation());
  const Eigen::Quaterniond turned = a.rotation().slerp(share, b.rotation());
  return (middle.translation() - at).norm() +
         moving.reach * turned.angularDistance(middle.rotation());
}

// Timeline values between which poses are interpolated: keys, all marks, and more where that would
// be too coarse.
std::vector<double> film_places(const Timeline& timeline, const std::vector<FilmMotion>& moving,
                                const std::vector<double>& marks, double tolerance) {
  const std::size_t most = std::max<std::size_t>(2, kMostReportPoses / moving.size());
  std::set<double> places = {timeline.start, timeline.end};
  const std::size_t stride = 1 + timeline.keys.size() / most;
  for (std::size_t k = 0; k < timeline.keys.size(); k += stride) places.insert(timeline.keys[k]);
  for (const double mark : marks)
    if (mark > timeline.start && mark < timeline.end && places.size() < most) places.insert(mark);

  // Breadth first: the longest pieces are halved first.
  std::vector<std::pair<double, double>> pieces;
  for (auto place = places.begin(); std::next(place) != places.end(); ++place)
    pieces.emplace_back(*place, *std::next(place));
  const double least = 1e-5 * (timeline.end - timeline.start);
  for (std::size_t i = 0; i < pieces.size() && places.size() < most; ++i) {
    const double from = pieces[i].first, to = pieces[i].second;
    if (!(to - from > least)) continue;
    // Not at halves only: there, whole turns would look like none.
    const bool coarse = std::any_of(moving.begin(), moving.end(), [&](const FilmMotion& m) {
      return film_error(timeline, m, from, to, 0.5) > tolerance ||
             film_error(timeline, m, from, to, 0.3) > tolerance;
    });
    if (!coarse) continue;
    const double middle = 0.5 * (from + to);
    places.insert(middle);
    pieces.emplace_back(from, middle);
    pieces.emplace_back(middle, to);
  }
  return {places.begin(), places.end()};
}

// In single precision, which takes half as much when it is packed.
Pose shortened(const Pose& pose) {
  const Eigen::Quaterniond q = pose.rotation().cast<float>().cast<double>();
  constexpr double kMost = std::numeric_limits<float>::max();
  const Vec3 within = pose.translation().cwiseMax(-kMost).cwiseMin(kMost);
  return Pose::from_quaternion_unchecked(q, within.cast<float>().cast<double>());
}

std::vector<protocol::Poses> film(const Timeline& timeline, const std::vector<double>& marks,
                                  const Opened& opened, double size) {
  std::vector<FilmMotion> moving;
  for (const NodeMotion& motion : timeline.motions)
    if (!motion.motion.is_still()) moving.push_back({&motion, reach_of(opened, motion.node)});
  if (timeline.empty() || moving.empty()) return {};
  std::vector<protocol::Poses> film;
  for (const double place : film_places(timeline, moving, marks, kFilmTolerance * size)) {
    protocol::Poses poses;
    poses.step = static_cast<std::uint32_t>(film.size());
    poses.time = place;
    for (const FilmMotion& m : moving)
      poses.items.push_back(
          {.node = m.of->node, .pose = shortened(m.of->motion.pose(timeline.share(place)))});
    film.push_back(std::move(poses));
  }
  return film;
}

// ---- the session -------------------------------------------------------------------------------

class SessionWriter {
 public:
  template <class Message>
  void say(const Message& message) {
    say_bytes(encode(message));
  }
  void say_bytes(const std::vector<std::byte>& message) {
    for (int shift = 0; shift < 32; shift += 8)
      out_.bytes.push_back(static_cast<std::byte>(message.size() >> shift & 0xff));
    out_.bytes.insert(out_.bytes.end(), message.begin(), message.end());
  }

  // Faces that a contact or a clash names.
  template <class Pair>
  void say_faces(const Opened& opened, const Pair& pair) {
    for (const auto& [node, face] : {std::pair(pair.a, pair.face_a), {pair.b, pair.face_b}}) {
      if (face == kNone || faces_.size() == kMostReportFaces || !faces_.emplace(node, face).second)
        continue;
      const protocol::FaceShape shape = face_message(opened, node, face);
      face_floats_ += shape.triangles.size();
      if (face_floats_ <= kMostReportFaceFloats) say(shape);
    }
  }

  // Simplifies meshes where they are too many triangles, for good.
  void simplify(Opened& opened, std::uint64_t most_triangles) {
    std::vector<Index> counts;
    for (const Object& object : opened.objects) counts.push_back(object.soup().triangle_count());
    const Index most = fair_share(counts, most_triangles);
    for (Object& object : opened.objects) {
      out_.triangles_of += object.soup().triangle_count();
      if (object.soup().triangle_count() > most) {
        object = Object(simplified(object.soup(), most), object.name());
        ++out_.simplified;
      }
      out_.triangles += object.soup().triangle_count();
    }
  }

  ReportSession take() { return std::move(out_); }

 private:
  ReportSession out_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> faces_;
  std::size_t face_floats_ = 0;
};

struct Answers {
  Timeline timeline = {};
  std::optional<protocol::Proved> proved = {};
  std::optional<protocol::ClashTable> clashes = {};
};

ReportSession session_of(Opened opened, Answers answers, std::uint64_t most_triangles) {
  SessionWriter out;
  protocol::Hello hello;
  hello.protocol = protocol::kVersion;
  hello.program = std::string("touche ") + kVersion;
  hello.title = opened.title;
  hello.source = opened.kind;
  hello.unit = opened.unit;
  hello.metres_per_unit = metres_per_unit(opened.unit);
  hello.rate = 60;
  hello.tolerance = opened.tolerance;
  out.say(hello);

  for (Object& object : opened.objects)
    if (bvh::flat_of(object) != nullptr) object = Object(bvh::soup_to_show(object), object.name());
  const Opened whole = opened;
  out.simplify(opened, most_triangles);
  const protocol::Scene scene = scene_message(opened);
  out.say(scene);
  if (answers.timeline.keys.size() > kMostReportKeys)
    answers.timeline.keys = {answers.timeline.start, answers.timeline.end};
  out.say(timeline_message(answers.timeline));

  std::vector<double> marks;
  if (answers.proved) {
    // Where the input lies is nothing that a page should carry away.
    answers.proved->study = std::filesystem::path(answers.proved->study).filename().string();
    out.say(*answers.proved);
    for (const protocol::PathContact& contact : answers.proved->contacts) {
      marks.push_back(contact.s_upper);
      out.say_faces(whole, contact);
    }
  }
  if (answers.clashes) {
    out.say(*answers.clashes);
    for (const protocol::ClashRow& row : answers.clashes->rows) out.say_faces(whole, row);
  }
  for (std::size_t m = 0; m < opened.objects.size(); ++m)
    for (const MeshPiece& piece : mesh_pieces(opened.objects[m], static_cast<std::uint32_t>(m)))
      out.say_bytes(*piece.message);
  for (const protocol::Poses& poses :
       film(answers.timeline, marks, opened, (scene.hi - scene.lo).norm()))
    out.say(poses);
  return out.take();
}

}  // namespace

ReportSession report_session(const StudyResult& result, std::uint64_t most_triangles) {
  Opened opened = open_study(result.study, result.parts);
  opened.kind = protocol::SourceKind::result;
  Answers answers{.timeline = timeline_of(result.study, opened.group_nodes, 5),
                  .proved = proved_message(result, opened)};
  return session_of(std::move(opened), std::move(answers), most_triangles);
}

ReportSession report_session(const ClashResult& result, std::uint64_t most_triangles) {
  Opened opened = open_parts(result.parts);
  opened.kind = protocol::SourceKind::clashes;
  opened.title = std::filesystem::path(opened.title).filename().string();
  Answers answers{.clashes = clash_message(result, opened)};
  return session_of(std::move(opened), std::move(answers), most_triangles);
}

ReportSession report_session(const SimulationResult& result, std::uint64_t most_triangles) {
  Opened opened = open_simulation(result.simulation, result.parts);
  Answers answers{.timeline = timeline_of(result), .proved = proved_message(result, opened)};
  return session_of(std::move(opened), std::move(answers), most_triangles);
}

ReportSession report_session(const HandleResult& result, std::uint64_t most_triangles) {
  const StudyResult& taken = result.proof;
  Opened opened = open_study(taken.study, taken.parts);
  opened.kind = protocol::SourceKind::result;
  Answers answers{.timeline = timeline_of(taken.study, opened.group_nodes, 5),
                  .proved = proved_message(taken, opened)};
  answers.proved->sentence = handle_sentence(result);
  return session_of(std::move(opened), std::move(answers), most_triangles);
}

}  // namespace touche::viewer
