// SPDX-License-Identifier: Apache-2.0
#include "world/session_content.h"

#include "math/coordinates.h"
#include "math/motion_data.h"
#include "math/pose_bits.h"
#include "shape/shape_data.h"

namespace touche::world::session {
namespace {

using detail::MotionData;
using detail::Piece;
using detail::PieceKind;

// Tolerance for numbers that are rigid except for rounding.
constexpr double kRigid = 1e-6;

void put(Bytes& to, const Piece& piece) {
  to.put(static_cast<std::uint8_t>(piece.kind));
  for (const double x : {piece.t_begin, piece.t_end, piece.u_begin, piece.u_end, piece.angle})
    to.put(x);
  to.put(piece.centre);
  to.put(piece.start);
  to.put(piece.travel);
  to.put(piece.axis);
  to.put(piece.rotation);
  to.put(piece.rodrigues_sine);
  to.put(piece.rodrigues_cosine);
}

Piece get_piece(Source& from) {
  Piece piece;
  piece.kind = from.one_of<PieceKind>(2);
  for (double* x : {&piece.t_begin, &piece.t_end, &piece.u_begin, &piece.u_end, &piece.angle}) {
    *x = from.get<double>();
    from.require(std::isfinite(*x), "a motion's number is not finite");
  }
  for (const double u : {piece.u_begin, piece.u_end})
    from.require(u >= 0 && u <= 1, "a motion's piece is no part of it");
  from.require(piece.t_begin < piece.t_end, "a motion's piece ends before it begins");
  for (Vec3* v : {&piece.centre, &piece.start, &piece.travel, &piece.axis})
    *v = from.numbers<Vec3>();
  for (const Vec3* v : {&piece.centre, &piece.start, &piece.travel})
    from.require(math::all_within(*v, detail::kLargestOfPiece), "a motion is too far away");
  for (Mat3* m : {&piece.rotation, &piece.rodrigues_sine, &piece.rodrigues_cosine})
    *m = from.numbers<Mat3>();
  const Mat3 gram = piece.rotation * piece.rotation.transpose();
  from.require((gram - Mat3::Identity()).norm() < kRigid, "a motion's rotation is not rigid");
  from.require(piece.axis.norm() < 1 + kRigid, "a motion's axis is too long");
  for (const Mat3* m : {&piece.rodrigues_sine, &piece.rodrigues_cosine})
    from.require(m->norm() < 2, "a motion's turn is not rigid");
  return piece;
}

template <class Number>
std::vector<Number> get_list(Source& from) {
  std::vector<Number> list(from.count(sizeof(Number)));
  for (Number& x : list) x = from.get<Number>();
  return list;
}

}  // namespace

// ---- objects ------------------------------------------------------------------------------------

void put(Bytes& to, const Object& object) {
  const PolygonSoup& soup = object.soup();
  to.put(object.name());
  to.put(std::uint64_t{soup.vertex_count()} * 3);
  for (const Vec3& vertex : soup.vertices()) to.put(vertex);
  to.put(std::uint64_t{soup.corner_count()});
  for (Index corner = 0; corner < soup.corner_count(); ++corner) to.put(soup.corner_vertex(corner));
  to.put(std::uint64_t{soup.face_count()});
  for (Index face = 0; face < soup.face_count(); ++face)
    to.put(static_cast<Index>(soup.face(face).size()));
  const auto groups = soup.group_names();
  to.put(std::uint64_t{groups.size()});
  for (const std::string& name : groups) to.put(name);
  // A face's group is identified by the address of the group's name.
  const bool grouped = soup.face_count() > 0 && soup.face_group(0).data() != nullptr;
  to.put(std::uint64_t{grouped ? soup.face_count() : 0});
  for (Index face = 0; grouped && face < soup.face_count(); ++face) {
    Index group = 0;
    while (groups[group].data() != soup.face_group(face).data()) ++group;
    to.put(group);
  }
}

Object get_object(Source& from) {
  std::string name = from.text();
  const auto coordinates = get_list<double>(from);
  const auto corners = get_list<Index>(from), face_sizes = get_list<Index>(from);
  std::vector<std::string> groups(from.count(sizeof(std::uint64_t)));
  for (std::string& group : groups) group = from.text();
  const auto face_groups = get_list<Index>(from);
  return Object(PolygonSoup(coordinates, corners, face_sizes, face_groups, std::move(groups)),
                std::move(name));
}

// ---- shapes -------------------------------------------------------------------------------------

void put(Bytes& to, const Shape& shape) {
  const shape::ShapeParts parts = shape::parts_of(shape);
  to.put(static_cast<std::uint8_t>(parts.kind));
  to.put(parts.radius);
  to.put(std::uint64_t{parts.corners.size()});
  for (const Vec3& corner : parts.corners) to.put(corner);
  to.put(std::uint64_t{parts.round.size()});
  for (const convex::Round& part : parts.round) {
    to.put(static_cast<std::uint8_t>(part.kind));
    to.put(part.size);
    to.put(part.axes);
    to.put(part.centre);
  }
  to.put(parts.inner.centre);
  to.put(parts.inner.radius);
  to.put(parts.half_space.normal);
  to.put(parts.half_space.offset);
}

Shape get_shape(Source& from) {
  shape::ShapeParts parts;
  parts.kind = from.one_of<ShapeKind>(names<ShapeKind>().size());
  parts.radius = from.get<double>();
  parts.corners.resize(from.count(sizeof(Vec3)));
  for (Vec3& corner : parts.corners) corner = from.numbers<Vec3>();
  parts.round.resize(from.count(sizeof(Mat3)));
  for (convex::Round& part : parts.round) {
    part.kind = from.one_of<convex::Round::Kind>(3);
    part.size = from.numbers<Vec3>();
    part.axes = from.numbers<Mat3>();
    part.centre = from.numbers<Vec3>();
  }
  parts.inner.centre = from.numbers<Vec3>();
  parts.inner.radius = from.get<double>();
  parts.half_space.normal = from.numbers<Vec3>();
  parts.half_space.offset = from.get<double>();
  return shape::shape_of(parts);
}

// ---- poses and motions --------------------------------------------------------------------------

void put(Bytes& to, const Pose& pose) {
  to.put(pose.rotation().coeffs());
  to.put(pose.translation());
}

Pose get_pose(Source& from) {
  const Eigen::Quaterniond rotation(from.numbers<Eigen::Vector4d>());
  const Vec3 translation = from.numbers<Vec3>();
  from.require(std::abs(rotation.norm() - 1) < kRigid && rotation.w() >= 0, "a pose is not rigid");
  from.require(math::all_within(translation, PoseBits::kLargestTranslation),
               "a pose is too far away");
  return PoseBits::make(rotation, translation);
}

void put(Bytes& to, NodeId node) {
  to.put(node.index);
  to.put(node.generation);
}

NodeId get_node(Source& from) {
  const auto index = from.get<Index>();
  return {index, from.get<Index>()};
}

void put(Bytes& to, const Motion& motion, const std::string& node) {
  const auto pieces = math::pieces_of(motion);
  to.put(std::uint64_t{pieces.size()});
  for (const Piece& piece : pieces) {
    if (piece.kind == PieceKind::function)
      throw InvalidInput("session: the motion of " + node +
                         " is a function, which cannot be written to a file");
    put(to, piece);
  }
}

Motion get_motion(Source& from) {
  const std::size_t count = from.count(sizeof(double));
  from.require(count > 0, "a motion without pieces");
  MotionData data;
  double t = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Piece piece = get_piece(from);
    from.require(piece.t_begin == t, "a motion's pieces do not follow each other");
    t = piece.t_end;
    data.add(std::move(piece));
  }
  from.require(t == 1, "a motion ends early");
  return MotionData::motion(std::move(data));
}

// ---- options and results ------------------------------------------------------------------------

void put(Bytes& to, const StepOptions& options) {
  for (const double x : {options.tolerance, options.clearance, options.near_distance}) to.put(x);
  to.put(options.viewer);
  to.put(options.budget.max_work);
  to.put(std::int32_t{options.max_responses});
  to.put(static_cast<std::uint8_t>(options.policy));
  to.put(static_cast<std::uint8_t>(options.share));
  to.put(static_cast<std::uint8_t>(options.guess));
  to.put(static_cast<std::uint8_t>(options.events));
  const bool timed = options.budget.deadline != Budget::Clock::time_point::max() ||
                     options.budget.cancel != Cancel::never();
  to.put(static_cast<std::uint8_t>(timed));
}

WrittenOptions get_options(Source& from) {
  WrittenOptions written;
  StepOptions& options = written.options;
  for (double* x : {&options.tolerance, &options.clearance, &options.near_distance})
    *x = from.get<double>();
  options.viewer = from.numbers<Vec3>();
  options.budget.max_work = from.get<std::uint64_t>();
  options.max_responses = from.get<std::int32_t>();
  options.policy = from.one_of<StepPolicy>(names<StepPolicy>().size());
  options.share = from.one_of<BudgetShare>(names<BudgetShare>().size());
  options.guess = from.one_of<Guess>(names<Guess>().size());
  options.events = from.flag();
  written.timed = from.flag();
  return written;
}

namespace {

void put(Bytes& to, const StepPair& pair) {
  put(to, pair.a);
  put(to, pair.b);
  to.put(pair.status);
  to.put(pair.time.lower);
  to.put(pair.time.upper);
  if (pair.guess) to.put(*pair.guess);
  if (!pair.contact) return;
  const Contact& contact = *pair.contact;
  to.put(contact.face_a);
  to.put(contact.face_b);
  for (const Feature& feature : {contact.feature_a, contact.feature_b}) {
    to.put(feature.kind);
    to.put(feature.index);
  }
  for (const Vec3& v : {contact.point_a, contact.point_b, contact.normal}) to.put(v);
  to.put(contact.distance);
}

}  // namespace

std::uint64_t digest(const StepResult& result, const World::Data& world) {
  Bytes bytes;
  for (const StepGroup& group : result.groups) {
    put(bytes, group.node);
    bytes.put(group.reached);
    bytes.put(group.contact);
  }
  for (const auto* list : {&result.contacts, &result.undecided}) {
    bytes.put(std::uint64_t{list->size()});
    for (const StepPair& pair : *list) put(bytes, pair);
  }
  bytes.put(result.time.lower);
  for (const PairEvents* events : {&result.contact_events, &result.near_events})
    for (const auto* list : {&events->began, &events->going_on, &events->ended}) {
      bytes.put(std::uint64_t{list->size()});
      for (const PairEvent& event : *list) {
        put(bytes, event.a);
        put(bytes, event.b);
        bytes.put(event.id);
      }
    }
  for (Index node = 0; node < world.graph.size(); ++node)
    if (world.graph.is_taken(node)) put(bytes, world.graph.pose(node));
  return base::xxhash64(bytes.all());
}

}  // namespace touche::world::session
