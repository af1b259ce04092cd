// SPDX-License-Identifier: Apache-2.0
// Decides what happens to groups that meet, by the policy of the step and in the order of time.
#include <algorithm>
#include <string>
#include <tuple>

#include "base/budget_part.h"
#include "math/pose_bits.h"
#include "math/rounding.h"
#include "world/step_data.h"

namespace touche {
namespace {

using Question = Stepper::Data::Question;

// In the order of time, then of bodies.
bool before(const Question& x, const Question& y) {
  return std::tuple(x.answer.time.lower, x.a, x.b) < std::tuple(y.answer.time.lower, y.a, y.b);
}
// Upper bound of the distance between a group and the begin of the motion that a response gives it,
// for coordinates of this size: the rounding error of formulas. Far from the origin, where that may
// exceed the distances of bodies, it is little more than what a pose loses when it is decomposed
// and composed again.
double most_off(double size, double tolerance) {
  return std::min(math::kFormulaError * size, 32 * math::kUnitRoundoff * size + tolerance / 8);
}

// True if a body at that offset from a group has the same pose with both poses of the group, except
// for rounding. A half space has no finite size, so it may turn by rounding only.
bool is_same_place(const Pose& is, const Pose& begins, const Shape& shape, const Pose& offset,
                   double tolerance) {
  const double turn = (is.matrix() - begins.matrix()).norm(),
               shift = (is.translation() - begins.translation()).norm();
  if (world::is_half_space(shape))
    return turn <= 64 * math::kUnitRoundoff &&
           shift <= most_off(is.translation().norm(), tolerance);
  const Aabb& box = shape.bounds();
  const double reach = (offset * box.centre()).norm() + 0.5 * box.diagonal();
  return shift + turn * reach <= most_off(is.translation().norm() + reach, tolerance);
}

constexpr auto later = [](const Question& x, const Question& y) { return before(y, x); };

}  // namespace

// ---- reports ------------------------------------------------------------------------------------

// Adds a pair that meets to the result. Returns its index among the contacts, or kNone if
// undecided.
Index Stepper::Data::tell(const Question& q) {
  const world::PairAnswer& answer = q.answer;
  const bool undecided = answer.status == ToiStatus::undecided;
  std::vector<StepPair>& list = undecided ? result.undecided : result.contacts;
  const Index number = undecided ? kNone : static_cast<Index>(list.size());
  list.push_back({world.graph.id(q.a), world.graph.id(q.b), answer.status, answer.time,
                  answer.contact, q.guess});
  for (const Index node : {q.a, q.b}) {
    if (mover_of[node] == kNone) continue;
    StepGroup& group = result.groups[movers[mover_of[node]].group];
    if (options->policy == StepPolicy::report)
      group.reached = std::min(group.reached, answer.time.lower);
    if (group.contact == kNone) group.contact = number;
  }
  return number;
}

// Adds all queries that meet to the heap, which has the earliest in front.
void Stepper::Data::wait_for_meetings() {
  for (Question& q : questions)
    if (q.meets()) {
      waiting.push_back(q);
      std::push_heap(waiting.begin(), waiting.end(), later);
    }
}

// Each meeting makes some waiting queries stale. They are dropped when they may be half of all.
void Stepper::Data::drop_stale() {
  constexpr std::size_t kFew = 64;
  if (waiting.size() < 2 * live_ + kFew) return;
  std::erase_if(waiting, [this](const Question& q) { return is_stale(q); });
  std::make_heap(waiting.begin(), waiting.end(), later);
  live_ = waiting.size();
}

// ---- no group goes on after the first contact ---------------------------------------------------

Bracket Stepper::Data::first_contact() const {
  Bracket time{1, kInfinity};
  for (const Question& q : questions) {
    if (!q.meets()) continue;
    time.lower = std::min(time.lower, q.answer.time.lower);
    if (q.answer.status != ToiStatus::undecided)
      time.upper = std::min(time.upper, q.answer.time.upper);
  }
  return time;
}

void Stepper::Data::report() {
  wait_for_meetings();
  std::sort(waiting.begin(), waiting.end(), before);
  for (const Question& q : waiting) tell(q);
}

void Stepper::Data::stop_together() {
  wait_for_meetings();
  std::sort(waiting.begin(), waiting.end(), before);
  // Any meeting that is not proved to come later may be the first.
  double last = kInfinity;
  for (const Question& q : waiting) {
    if (q.answer.time.lower > last) break;
    tell(q);
    last = q.answer.status == ToiStatus::undecided ? q.answer.time.lower
                                                   : std::min(last, q.answer.time.upper);
  }
  for (StepGroup& group : result.groups) group.reached = result.time.lower;
  commit(result.time.lower);
}

// ---- the other groups go on ---------------------------------------------------------------------

// A meeting changes only what comes later, so meetings are settled in the order of time. Answers
// for groups that have another motion by then are stale; their pairs are queried again from that
// time on. In the end, each group is where it was free to go given the actual motions of all
// others.
void Stepper::Data::stop_each() {
  wait_for_meetings();
  live_ = waiting.size();
  responded_.clear();
  double now = 0;
  while (!waiting.empty()) {
    std::pop_heap(waiting.begin(), waiting.end(), later);
    const Question q = waiting.back();
    waiting.pop_back();
    if (is_stale(q)) continue;
    if (q.answer.time.lower > now) responded_.clear();
    now = q.answer.time.lower;
    meet(q);
    if (now < 1) {
      ask_again(changed_, now);
      wait_for_meetings();
      drop_stale();
    }
  }
  commit(1);
}

void Stepper::Data::meet(const Question& q) {
  tell(q);
  changed_.clear();
  if (responds_to(q)) respond(q);
  for (const Index node : {q.a, q.b}) {
    if (mover_of[node] == kNone) continue;
    const Index g = movers[mover_of[node]].group;
    if (std::find(changed_.begin(), changed_.end(), g) != changed_.end()) continue;
    if (!groups[g].still) stop(g, q.answer.time.lower);
  }
}

void Stepper::Data::stop(Index g, double t) {
  change_motion(g, Motion::at(pose_of(groups[g], t)), t);
  result.groups[g].reached = t;
  changed_.push_back(g);
  const Index node = groups[g].node.index;
  if (node >= link_of.size() || link_of[node] == kNone) return;
  for (const Index other : links[link_of[node]])
    if (group_of[other] != kNone && !groups[group_of[other]].still) stop(group_of[other], t);
}

bool Stepper::Data::responds_to(const Question& q) {
  // If a pair meets again at once, the response did not help.
  const std::pair pair(q.a, q.b);
  if (options->policy != StepPolicy::respond || q.answer.status == ToiStatus::undecided ||
      q.answer.time.lower >= 1 ||
      result.stats.responses >= static_cast<std::size_t>(options->max_responses) ||
      std::find(responded_.begin(), responded_.end(), pair) != responded_.end())
    return false;
  responded_.push_back(pair);
  return true;
}

void Stepper::Data::respond(const Question& q) {
  const double t = q.answer.time.lower;
  StepContact contact;
  contact.pair = {world.graph.id(q.a), world.graph.id(q.b), q.answer.status, q.answer.time,
                  q.answer.contact};
  const auto describe = [&](Index node, NodeId& id, Pose& pose, Motion& rest) {
    const Group* group = group_at(node);
    if (group != nullptr) id = group->node;
    pose = group == nullptr ? world.bodies[node].pose : pose_of(*group, t);
    rest = group == nullptr ? Motion::at(pose) : rest_of(group->motion, group->begin, t);
  };
  describe(q.a, contact.group_a, contact.pose_a, contact.rest_a);
  describe(q.b, contact.group_b, contact.pose_b, contact.rest_b);
  ++result.stats.responses;
  const Kept before = common();
  const std::vector<GroupMotion> answers = options->respond(contact);
  if (!(common() == before)) throw InvalidInput("step: a response changed the world");
  for (const GroupMotion& given : answers) {
    const Index g = world.graph.has(given.node) ? group_of[given.node.index] : kNone;
    if (g == kNone)
      throw InvalidInput("step: a response moves node " + std::to_string(given.node.index) +
                         ", which was given no motion in this step");
    const Pose is = pose_of(groups[g], t), begins = given.motion.pose(0);
    for (Index m = groups[g].first; m < groups[g].last; ++m)
      if (!is_same_place(is, begins, world.shape(movers[m].node), movers[m].offset,
                         options->tolerance))
        throw InvalidInput("step: a response moves node " + std::to_string(given.node.index) +
                           " from elsewhere: its motion must begin where the group is");
    if (!PoseBits::same(is, begins) && !may_shift(g, is, begins, t)) {
      stop(g, t);
      continue;
    }
    change_motion(g, given.motion, t);
    result.groups[g].reached = 1;
    changed_.push_back(g);
  }
}

// The rounding error between the pose of a group and the begin of its next motion is a motion, too:
// it must not bring bodies into contact that were not.
bool Stepper::Data::may_shift(Index g, const Pose& from, const Pose& to, double t) {
  const Motion shift = Motion::interpolated(from, to);
  const double reach = options->clearance + options->tolerance;
  Workspace workspace;
  for (Index m = groups[g].first; m < groups[g].last; ++m) {
    const Index node = movers[m].node;
    const Motion way = movers[m].is_group ? shift : shift.carrying(movers[m].offset);
    std::optional<world::StraightWay> own;
    if (!world::is_half_space(world.shape(node)))
      own = world::StraightWay::of(way, world.ball_of(node), {});
    found_.clear();
    world.boxes->in_box(world::grown_within(world::swept_box(world.shape(node), way), reach),
                        [this](Index number) {
                          found_.push_back(number);
                          return true;
                        });
    for (const Index number : found_) {
      const Index other = world.node_of_box[number];
      const std::pair<Index, Index> pair = std::minmax(node, other);
      if (group_at(other) == &groups[g] || !world.may_pair(node, other) ||
          std::binary_search(exempt.begin(), exempt.end(), pair))
        continue;
      if (const std::optional<world::BallWay> ball = ball_from(other, t);
          own && ball && world::balls_stay_apart(world::BallWay(*own), ball->stopped(), reach))
        continue;
      if (!may_shift(node, way, other, t, workspace)) return false;
    }
  }
  return true;
}

// The same for one body of the group and another body, at its pose at that time.
bool Stepper::Data::may_shift(Index node, const Motion& way, Index other, double t,
                              Workspace& workspace) {
  const Motion stands = Motion::at(motion_from(other, t).pose(0));
  const world::PairQuestion question{.a = world.shape(node),
                                     .motion_a = way,
                                     .b = world.shape(other),
                                     .motion_b = stands,
                                     .tolerance = options->tolerance,
                                     .clearance = options->clearance,
                                     .budget = base::for_part(options->budget)};
  if (world::hardly_move(question, workspace, result.stats.queries)) return true;
  const world::PairAnswer answer = world::ask_pair(question, workspace);
  result.stats.queries += answer.stats;
  if (answer.status == ToiStatus::free) return true;
  const DistanceResult before = distance(question.a, way.pose(0), question.b, stands.pose(0),
                                         {.max_distance = options->clearance + options->tolerance,
                                          .budget = base::for_part(options->budget),
                                          .workspace = &workspace});
  result.stats.queries += before.stats;
  return before.distance.lower <= options->clearance;
}

}  // namespace touche
