// SPDX-License-Identifier: Apache-2.0
// Divides steps into parts if bodies roll on each other over several facets. A resting contact uses
// the plane of a facet, which extends beyond the facet's ends and holds a body that has left it.
// For flanks of gears, whose facets approximate a smooth surface, that costs nearly all that drives
// them. Steps in which a hinge may turn far to one of its limits are divided, too: the limit acts
// on a speed, which leads beyond the limit if the body turns far, and which the body keeps in a
// direction that has turned away.
#include <algorithm>
#include <cmath>
#include <optional>

#include "dynamics/dynamics_data.h"
#include "math/motion_data.h"
#include "touche/near_faces.h"

namespace touche {
namespace {

// Radians between two faces that approximate a smooth surface. Less is flat.
constexpr double kMostSmooth = 0.25, kLeastSmooth = 1e-6;
// Radians: two bodies turn against each other by no more in a part, and no step has more parts than
// kMostPartsOfStep. With 0.08, gears sometimes lost a fifth of their energy when the tip of a tooth
// left the nearest facet at the root.
constexpr double kTurnOfPart = 0.06, kMostPartsOfStep = 32;
// Radians: a hinge turns towards its limit by no more in a part.
constexpr double kTurnToLimit = 0.25;
// A thread advances by at least this share of the object's size per radian.
constexpr double kLeastAdvance = 1e-3;
// Limit of work for finding out whether both bodies of a pair are smooth where they are near.
constexpr std::uint64_t kWorkOfLook = 20'000;

Vec3 normal_of(const PolygonSoup& soup, Index face) {
  const std::span<const Index> corners = soup.face(face);
  const Vec3& first = soup.vertex(corners[0]);
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    normal += (soup.vertex(corners[i]) - first).cross(soup.vertex(corners[i + 1]) - first);
  return normal;
}

// True if a neighbour of the face continues it in nearly the same direction.
bool is_smooth_around(const PolygonSoup& soup, Index face) {
  const Vec3 normal = normal_of(soup, face);
  for (Index corner = soup.face_begin(face); corner < soup.face_begin(face + 1); ++corner) {
    const Index twin = soup.opposite(corner);
    if (twin == kNone) continue;
    const Vec3 other = normal_of(soup, soup.face_of_corner(twin));
    const double angle = std::atan2(normal.cross(other).norm(), normal.dot(other));
    if (angle > kLeastSmooth && angle <= kMostSmooth) return true;
  }
  return false;
}

// True if the surface is smooth at a feature. A vertex alone does not decide that.
bool is_smooth_at(const PolygonSoup& soup, const Feature& feature) {
  if (feature.kind == FeatureKind::vertex) return false;
  if (feature.kind == FeatureKind::face) return is_smooth_around(soup, feature.index);
  const Index twin = soup.opposite(feature.index);
  return is_smooth_around(soup, soup.face_of_corner(feature.index)) ||
         (twin != kNone && is_smooth_around(soup, soup.face_of_corner(twin)));
}

// Adds the pairs of a part to the pairs of the parts before, and copies them all to `pairs`,
// sorted.
void join_pairs(std::vector<std::pair<NodeId, NodeId>>& before,
                std::vector<std::pair<NodeId, NodeId>>& pairs) {
  before.insert(before.end(), pairs.begin(), pairs.end());
  std::sort(before.begin(), before.end());
  before.erase(std::unique(before.begin(), before.end()), before.end());
  pairs.assign(before.begin(), before.end());
}

}  // namespace

// The rotation of a node by itself in a time that begins now.
Vec3 Dynamics::Data::turn_ahead(NodeId node, double time) {
  if (const dynamics::MovingNode* const moving = find(node))
    return time * (moving->inertia.inverse_world(moving->rotation(world.graph.pose(node.index))) *
                   moving->angular_momentum);
  for (const auto& [moved, motion] : moves)
    if (moved == node) {
      Vec3 turn = Vec3::Zero();
      for (const detail::Piece& piece : math::pieces_of(motion)) {
        if (piece.kind == detail::PieceKind::function) {
          const Pose change = motion.pose(piece.t_end) * motion.pose(piece.t_begin).inverse();
          turn += change.axis_angle().angle * change.axis_angle().axis;
        } else {
          turn += (piece.u_end - piece.u_begin) * piece.angle * piece.axis;
        }
      }
      return turn;
    }
  return Vec3::Zero();
}

// The node that moves a body, from the motions given and the dynamic nodes; or none.
NodeId Dynamics::Data::node_above(Index body) {
  for (std::optional<NodeId> at = world.graph.id(body); at; at = world_.parent(*at)) {
    const auto is_it = [&](const auto& move) { return move.first == *at; };
    if (find(*at) != nullptr || std::any_of(moves.begin(), moves.end(), is_it)) return *at;
  }
  return {};
}

// The largest rotation, in a time that begins now, of a hinge that thereby covers at least half of
// the angle to a limit.
double Dynamics::Data::turn_to_limits(double time) {
  double most = 0;
  for (const dynamics::JointEntry& joint : joints) {
    const bool has_limit = std::isfinite(joint.joint.least) || std::isfinite(joint.joint.most);
    if (!joint.is_there || joint.joint.type != JointType::hinge || !has_limit) continue;
    Vec3 turns[2] = {Vec3::Zero(), Vec3::Zero()};
    Mat3 rotation = Mat3::Identity();
    bool is_there = true;
    for (const std::size_t s : {0, 1}) {
      const NodeId node = s == 0 ? joint.joint.a : joint.joint.b;
      if (node == NodeId{}) continue;
      if (!world.graph.has(node)) {
        is_there = false;
        break;
      }
      if (s == 0) rotation = world.graph.pose(node.index).matrix();
      turns[s] = turn_ahead(node_above(node.index), time);
    }
    if (!is_there) continue;
    const double turn = (rotation * joint.frame_a.axes.col(2)).dot(turns[1] - turns[0]);
    const double gap =
        turn > 0 ? joint.joint.most - joint.position : joint.position - joint.joint.least;
    if (gap <= 2 * std::abs(turn)) most = std::max(most, std::abs(turn));
  }
  return most;
}

// Returns the number of parts, from the bodies that rolled on each other in the previous step or
// may in this one, and from the hinges that get to their limits.
int Dynamics::Data::parts_of_step(double time) {
  const double limits = turn_to_limits(time) / kTurnToLimit;
  list_about_to_roll(time);
  double most = 0;
  for (dynamics::MovingNode& node : nodes) node.may_roll = false;
  for (const auto& [a, b] : rolling_) {
    most = std::max(most, (turn_ahead(b, time) - turn_ahead(a, time)).norm());
    for (const NodeId id : {a, b})
      if (dynamics::MovingNode* const node = find(id)) node->may_roll = true;
  }
  rolling_.clear();
  return static_cast<int>(
      std::ceil(std::clamp(std::max(most / kTurnOfPart, limits), 1.0, kMostPartsOfStep)));
}

// True if neither body is a thread. Bodies that turn about their own axis slide as the smooth
// surfaces that facets approximate, see SlidingPair. Nuts and bolts that tumble gain little by
// parts.
bool Dynamics::Data::are_no_threads(Index a, Index b) {
  const auto is_thread = [&](Index body) {
    const Object& object = world.shape(body).object();
    const dynamics::SlidingSurface* const surface = sliding_surfaces_.of(object);
    return surface != nullptr &&
           std::abs(surface->screw().advance) > kLeastAdvance * object.bounds().diagonal();
  };
  return !sliding_pair(a, b) && !is_thread(a) && !is_thread(b);
}

// Lists pairs that are near each other where both bodies are smooth, but do not press each other
// yet, if one of them was given a velocity since the previous step or was listed in it.
void Dynamics::Data::list_about_to_roll(double time) {
  bool fast = false;
  for (const dynamics::MovingNode& node : nodes)
    fast |= node.may_roll && turn_ahead(node.node, time).norm() > kTurnOfPart;
  if (!fast) return;
  const auto may_roll_now = [&](NodeId id) {
    const dynamics::MovingNode* const node = find(id);
    return node != nullptr && node->may_roll;
  };
  const std::size_t known = rolling_.size();
  drop_removed_nodes();
  for (const auto& [a, b] : world.candidates(options.tolerance)) {
    if (!world::are_soups(world.shape(a), world.shape(b))) continue;
    const NodeId node_a = node_above(a), node_b = node_above(b);
    if (node_a == node_b || !(may_roll_now(node_a) || may_roll_now(node_b)) ||
        std::binary_search(rolling_.begin(), rolling_.begin() + static_cast<std::ptrdiff_t>(known),
                           std::pair(node_a, node_b)) ||
        (turn_ahead(node_b, time) - turn_ahead(node_a, time)).norm() <= kTurnOfPart)
      continue;
    const Object &object_a = world.shape(a).object(), &object_b = world.shape(b).object();
    const double size = std::min(object_a.bounds().diagonal(), object_b.bounds().diagonal());
    near_features(object_a, world.bodies[a].pose, object_b, world.bodies[b].pose,
                  {.max_distance = 0.5 * kTurnOfPart * size,
                   .budget = {.max_work = kWorkOfLook},
                   .workspace = &workspace_},
                  near_);
    bool smooth_a = false, smooth_b = false;
    for (const Contact& contact : near_.contacts) {
      smooth_a = smooth_a || is_smooth_at(object_a.soup(), contact.feature_a);
      smooth_b = smooth_b || is_smooth_at(object_b.soup(), contact.feature_b);
    }
    if (smooth_a && smooth_b && are_no_threads(a, b)) rolling_.emplace_back(node_a, node_b);
  }
}

// Lists pairs that press each other where both bodies are smooth, by the nodes that move them, if
// they turn so fast that it may matter.
void Dynamics::Data::list_rolling() {
  const auto node_of = [&](Index body) {
    const dynamics::MovingNode* const node = mover(body);
    return node == nullptr ? NodeId{} : node->node;
  };
  const double slow = 0.5 * kTurnOfPart / (parts_ * dt);
  const auto end = result.contacts.end();
  for (auto first = result.contacts.begin(), last = first; first != end; first = last) {
    const Index a = first->a.index, b = first->b.index;
    last = std::find_if(first, end, [&](const RestingContact& contact) {
      return contact.a != first->a || contact.b != first->b;
    });
    if ((turning(b) - turning(a)).norm() < slow ||
        !world::are_soups(world.shape(a), world.shape(b)))
      continue;
    const PolygonSoup &soup_a = world.shape(a).object().soup(),
                      &soup_b = world.shape(b).object().soup();
    bool smooth_a = false, smooth_b = false;
    for (auto at = first; at != last && !(smooth_a && smooth_b); ++at) {
      if (at->force.isZero(0)) continue;
      smooth_a = smooth_a || is_smooth_at(soup_a, at->feature_a);
      smooth_b = smooth_b || is_smooth_at(soup_b, at->feature_b);
    }
    if (smooth_a && smooth_b && are_no_threads(a, b)) rolling_.emplace_back(node_of(a), node_of(b));
  }
  std::sort(rolling_.begin(), rolling_.end());
  rolling_.erase(std::unique(rolling_.begin(), rolling_.end()), rolling_.end());
}

const DynamicsResult& Dynamics::Data::step(double time) {
  parts_ = parts_of_step(time);
  step_time = time;
  ways_before_.clear();
  moves_lost_.assign(moves.size(), 0);
  impacts_before_.clear();
  contacts_before_.clear();
  pushes_before_.clear();
  lost_before_.clear();
  stuck_before_.clear();
  unresolved_before_.clear();
  StepStats before;
  for (part_ = 0; part_ < parts_; ++part_) {
    take_part(time / parts_);
    list_rolling();
    add_contacts();
    add_pushes();
    if (parts_ == 1) break;
    add_part();
    result.stats.pairs += before.pairs;
    result.stats.questions += before.questions;
    result.stats.responses += before.responses;
    result.stats.measured += before.measured;
    result.stats.queries += before.queries;
    before = result.stats;
  }
  tell_corrections();
  moves.clear();
  for (dynamics::MovingNode& node : nodes) node.force = node.torque = Vec3::Zero();
  return result;
}

// Adds the results of the parts before to the results of this part, and records the paths so far.
void Dynamics::Data::add_part() {
  for (Impact& impact : result.impacts) {
    impact.time += part_ * dt;
    impacts_before_.push_back(impact);
  }
  result.impacts.assign(impacts_before_.begin(), impacts_before_.end());
  for (const LostTime& lost : result.lost) {
    const auto at = std::lower_bound(lost_before_.begin(), lost_before_.end(), lost,
                                     [](const auto& x, const auto& y) { return x.node < y.node; });
    if (at == lost_before_.end() || at->node != lost.node) {
      lost_before_.insert(at, lost);
    } else {
      at->time += lost.time;
      at->turning += lost.turning;
    }
  }
  result.lost.assign(lost_before_.begin(), lost_before_.end());
  join_pairs(stuck_before_, result.stuck);
  join_pairs(unresolved_before_, result.unresolved);
  if (part_ + 1 == parts_) return;
  for (const dynamics::MovingNode& node : nodes)
    if (!node.way.empty()) ways_before_.emplace_back(node.node, way_of_part(node));
  for (std::size_t i = 0; i < moves.size(); ++i) moves_lost_[i] += nodes[dynamic_count + i].lost;
}

// All parts take the same time.
Motion Dynamics::Data::way_of(const dynamics::MovingNode& node) const {
  std::vector<Motion> motions;
  for (const auto& [moved, motion] : ways_before_)
    if (moved == node.node) motions.push_back(motion);
  motions.push_back(way_of_part(node));
  return motions.size() == 1 ? motions[0] : Motion::chain(motions);
}

}  // namespace touche
