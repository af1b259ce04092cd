// SPDX-License-Identifier: Apache-2.0
#include "world_bytes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <variant>
#include <vector>

#include "bytes.h"
#include "model_world.h"
#include "same_answers.h"
#include "shapes.h"
#include "step_of_both.h"

namespace touche::test {
namespace {

// Whether an answer contains anything, for answers that can be empty.
bool found(const TouchingPairs& answer) { return !answer.pairs.empty(); }
bool found(const NearPairs& answer) { return !answer.pairs.empty(); }
bool found(const ClosestPoint& answer) { return answer.face != kNone; }
bool found(const std::optional<BodyHit>& answer) { return answer.has_value(); }
template <class T>
bool found(const std::vector<T>& answer) {
  return !answer.empty();
}

// ---- calls -------------------------------------------------------------------------------------

// Small, flat, open, and made of several faces at one point.
const std::vector<Object>& shapes() {
  static const std::vector<Object> all = [] {
    const std::vector<double> corners{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const std::vector<Index> tetrahedron{0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2}, triangle{0, 1, 2};
    std::vector<Object> made;
    made.emplace_back(PolygonSoup(corners, tetrahedron));
    made.emplace_back(PolygonSoup(corners, triangle));
    made.emplace_back(scenes::box(Vec3::Zero(), Vec3::Ones(), 1));
    made.emplace_back(scenes::box(Vec3::Constant(-0.125), Vec3(0.125, 0.125, 3), 1));
    return made;
  }();
  return all;
}

class Replay {
 public:
  explicit Replay(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  ByteWorld run() {
    while (!bytes_.empty() && result_.wrong.empty()) {
      const Index call = bytes_.take() % kCalls.size();
      ++result_.calls;
      (this->*kCalls[call])();
      if (result_.wrong.empty()) check_nodes();
    }
    return result_;
  }

 private:
  // -- both answer, and alike, or both refuse --

  template <class Call>
  auto answer(const Call& call, auto& w) {
    using Answer = decltype(call(w));
    using Kept = std::conditional_t<std::is_void_v<Answer>, std::monostate, std::decay_t<Answer>>;
    std::optional<Kept> kept;
    try {
      if constexpr (std::is_void_v<Answer>) {
        call(w);
        kept.emplace();
      } else {
        kept = call(w);
      }
    } catch (const InvalidInput&) {
    }
    return kept;
  }

  template <class Call>
  auto change(const char* name, const Call& call) {
    auto of_world = answer(call, world_);
    const auto of_model = answer(call, model_);
    if (of_world.has_value() != of_model.has_value() || (of_world && !same(*of_world, *of_model)))
      result_.wrong = name;
    result_.refused += !of_world;
    return of_world;
  }

  template <class Call>
  void ask(const char* name, const Call& call) {
    const auto of_world = change(name, call);
    if (!of_world) return;
    ++result_.questions;
    result_.found += found(*of_world);
  }

  // -- making them: one function each; a new one is a line in kCalls --

  void add() {
    if (model_.body_count() >= 20) return;
    const Object& object = shape();
    const Pose at = pose();
    const BodyOptions how = options();
    const std::optional<NodeId> above = maybe_node();
    remember(
        above, [&] { return world_.add(object, at, how, above); }, object, at, how);
  }
  void add_group() {
    if (ever_.size() >= 200) return;
    const Pose at = pose();
    const std::optional<NodeId> above = maybe_node();
    remember(above, [&] { return world_.add_group(at, above); }, {}, at, {});
  }
  void remove() {
    const NodeId which = node();
    change("remove", [&](auto& w) { w.remove(which); });
  }
  void replace() {
    const NodeId which = node();
    const Object& object = shape();
    change("replace", [&](auto& w) { w.replace(which, object); });
  }
  void attach() {
    const NodeId which = node(), above = node();
    const Keep how = keep();
    change("attach", [&](auto& w) { w.attach(which, above, how); });
  }
  void detach() {
    const NodeId which = node();
    const Keep how = keep();
    change("detach", [&](auto& w) { w.detach(which, how); });
  }
  void set_pose() {
    const NodeId which = node();
    const Pose at = pose();
    change("set_pose", [&](auto& w) { w.set_pose(which, at); });
  }
  void set_local_pose() {
    const NodeId which = node();
    const Pose at = pose();
    change("set_local_pose", [&](auto& w) { w.set_local_pose(which, at); });
  }
  void set_options() {
    const NodeId which = node();
    const BodyOptions how = options();
    change("set_options", [&](auto& w) { w.set_options(which, how); });
  }
  void set_pair_filter() {
    World::PairFilter filter;
    if (const Index modulus = bytes_.below(4); modulus > 1)
      filter = [modulus](NodeId a, NodeId b) { return (a.index + b.index) % modulus != 0; };
    change("set_pair_filter", [&](auto& w) { w.set_pair_filter(filter); });
  }
  void step() {
    std::vector<GroupMotion> given;
    for (Index count = bytes_.below(4); count > 0; --count) {
      const NodeId which = node();
      const Pose to = pose();
      if (!model_.has(which)) {
        change("move", [&](auto& w) { return w.pose(which); });  // both refuse
        continue;
      }
      std::erase_if(given, [&](const GroupMotion& g) { return g.node == which; });
      given.push_back({which, Motion::interpolated(world_.pose(which), to)});
    }
    StepOptions how;
    how.tolerance = 0.01 * (1 + bytes_.below(30));
    how.clearance = 0.05 * bytes_.below(3);
    how.policy = static_cast<StepPolicy>(bytes_.below(3));
    how.events = bytes_.below(2) == 0;
    if (how.events) how.near_distance = 0.5 * bytes_.below(2);
    how.threads = 1 + static_cast<int>(bytes_.below(2));
    if (bytes_.below(4) == 0) how.budget.max_work = bytes_.below(64);
    result_.wrong = step_of_both(stepper_, world_, model_, given, how);
  }

  void move_the_world() {
    World other = std::move(world_);
    world_ = std::move(other);
  }

  void touching_pairs() {
    const int threads = 1 + static_cast<int>(bytes_.below(2));
    ask("touching_pairs", [&](auto& w) { return w.touching_pairs({.threads = threads}); });
  }
  void near_pairs() {
    const double clearance = length();
    const int threads = 1 + static_cast<int>(bytes_.below(2));
    ask("near_pairs", [&](auto& w) { return w.near_pairs(clearance, {.threads = threads}); });
  }
  void touching_body() {
    const NodeId which = node();
    ask("touching_body", [&](auto& w) { return w.touching_body(which); });
  }
  void touching_box() {
    Aabb box;
    box.include(point());
    if (bytes_.below(8) != 0) box.include(point());
    if (bytes_.below(16) == 0) box = {};
    ask("touching_box", [&](auto& w) { return w.touching_box(box); });
  }
  void touching_ball() {
    const Vec3 centre = point();
    const double radius = length();
    ask("touching_ball", [&](auto& w) { return w.touching_ball({centre, radius}); });
  }
  void closest_point() {
    const NodeId which = node();
    const Vec3 x = point();
    const double most = length();
    ask("closest_point", [&](auto& w) { return w.closest_point(which, x, most); });
  }
  void nearest() {
    const Vec3 x = point();
    const std::size_t count = bytes_.below(6);
    const double most = bytes_.below(2) == 0 ? kInfinity : length();
    ask("nearest", [&](auto& w) { return w.nearest(x, count, most); });
  }
  void cast_ray() {
    const Ray along = ray();
    const std::uint32_t mask = bytes_.below(8);
    ask("cast_ray", [&](auto& w) { return w.cast_ray(along, mask); });
  }
  void all_ray_hits() {
    const Ray along = ray();
    const std::uint32_t mask = bytes_.below(8);
    ask("all_ray_hits", [&](auto& w) { return w.all_ray_hits(along, mask); });
  }
  void look_at_a_node() {
    const NodeId which = node();
    change("is_body", [&](auto& w) { return w.is_body(which); });
    change("parent", [&](auto& w) { return w.parent(which); });
    change("children", [&](auto& w) { return w.children(which); });
    change("local_pose", [&](auto& w) { return Pose(w.local_pose(which)); });
  }

  static constexpr std::array kCalls = {&Replay::add,
                                        &Replay::add,
                                        &Replay::add,
                                        &Replay::add,
                                        &Replay::add,
                                        &Replay::step,
                                        &Replay::add_group,
                                        &Replay::remove,
                                        &Replay::replace,
                                        &Replay::attach,
                                        &Replay::attach,
                                        &Replay::detach,
                                        &Replay::set_pose,
                                        &Replay::set_pose,
                                        &Replay::set_local_pose,
                                        &Replay::set_options,
                                        &Replay::set_pair_filter,
                                        &Replay::move_the_world,
                                        &Replay::touching_pairs,
                                        &Replay::near_pairs,
                                        &Replay::touching_body,
                                        &Replay::touching_box,
                                        &Replay::touching_ball,
                                        &Replay::closest_point,
                                        &Replay::nearest,
                                        &Replay::cast_ray,
                                        &Replay::all_ray_hits,
                                        &Replay::look_at_a_node};

  // -- what bytes mean --

  // Half of the time a node that is there, else any there ever was, or none at all.
  NodeId node() {
    const Index which = bytes_.take();
    std::vector<NodeId> choice = ever_;
    if (which % 4 != 0) std::erase_if(choice, [&](NodeId id) { return !model_.has(id); });
    choice.push_back({});
    return choice[which / 4 % choice.size()];
  }
  std::optional<NodeId> maybe_node() {
    if (bytes_.below(2) == 0) return {};
    return node();
  }
  Vec3 point() { return 0.5 * bytes_.point(); }
  const Object& shape() { return shapes()[bytes_.below(static_cast<Index>(shapes().size()))]; }
  Keep keep() { return bytes_.below(2) == 0 ? Keep::world_pose : Keep::local_pose; }
  Pose pose() {
    const Vec3 shift = point();
    switch (bytes_.below(4)) {
      case 0: {
        const double quarters = bytes_.below(4);
        return Pose::from_axis_angle(Vec3::Unit(static_cast<int>(bytes_.below(3))),
                                     quarters * std::acos(0.0), shift);
      }
      case 1: {
        const Vec3 axis = bytes_.point();
        const double angle = bytes_.number();
        if (!axis.isZero()) return Pose::from_axis_angle(axis, angle, shift);
        [[fallthrough]];
      }
      default:
        return Pose::from_translation(shift);
    }
  }
  BodyOptions options() {
    const std::uint32_t category = bytes_.below(4), mask = ~std::uint32_t{0} << bytes_.below(4);
    return {.category = category | 4, .mask = mask, .fixed = bytes_.below(4) == 0};
  }
  // 0, no length, or one that no distance of these shapes is expected to be.
  double length() {
    const Index which = bytes_.take();
    return which == 0 ? 0 : which == 1 ? -1 : which / 64.0 + 0.00137;
  }
  Ray ray() {
    const Vec3 origin = point();
    return {origin, bytes_.point()};
  }

  template <class Add>
  void remember(std::optional<NodeId> above, const Add& add, std::optional<Object> object,
                const Pose& at, const BodyOptions& how) {
    NodeId id;
    try {
      id = add();
    } catch (const InvalidInput&) {
      ++result_.refused;
      if (!above || model_.has(*above)) result_.wrong = "add";
      return;
    }
    const bool is_new = std::find(ever_.begin(), ever_.end(), id) == ever_.end();
    if (!is_new || (above && !model_.has(*above))) {
      result_.wrong = "add";
      return;
    }
    ever_.push_back(id);
    model_.add(id, std::move(object), at, how, above);
  }

  // Compares the nodes and their poses.
  void check_nodes() {
    change("bodies", [](auto& w) { return w.bodies(); });
    change("body_count", [](auto& w) { return w.body_count(); });
    for (const NodeId id : ever_) {
      change("has", [&](auto& w) { return w.has(id); });
      if (!model_.has(id)) continue;
      change("pose", [&](auto& w) { return w.pose(id); });
      if (model_.is_body(id) && result_.wrong.empty()) model_.place(id, world_.pose(id));
    }
  }

  Bytes bytes_;
  World world_;
  Stepper stepper_{world_};
  ModelWorld model_;
  std::vector<NodeId> ever_;  // all nodes there ever were
  ByteWorld result_;
};

}  // namespace

ByteWorld replay_world(std::span<const std::uint8_t> bytes) { return Replay(bytes).run(); }

}  // namespace touche::test
