// SPDX-License-Identifier: Apache-2.0
// Finds which pairs of bodies may meet, and when they do.
#include <algorithm>

#include "base/budget_part.h"
#include "world/step_data.h"

namespace touche {
const Stepper::Data::Group* Stepper::Data::group_at(Index node) const {
  const Index mover = mover_of[node];
  return mover == kNone ? nullptr : &groups[movers[mover].group];
}

Index Stepper::Data::version_at(Index node) const {
  const Group* group = group_at(node);
  return group == nullptr ? 0 : group->version;
}

void Stepper::Data::add_pair(Index a, Index b) {
  const Group *group_a = group_at(a), *group_b = group_at(b);
  if (group_a == group_b) return;  // both of the same group, or both of none
  const auto moves = [](const Group* group) { return group != nullptr && !group->still; };
  if (!(moves(group_a) || moves(group_b)) || !world.may_pair(a, b)) return;
  const std::pair<Index, Index> pair = std::minmax(a, b);
  if (!std::binary_search(exempt.begin(), exempt.end(), pair)) pairs_.push_back(pair);
}

void Stepper::Data::ask_all() {
  pairs_.clear();
  for (const BoxPair& pair : world.boxes->pairs()) {
    const Index a = world.node_of_box[pair.a], b = world.node_of_box[pair.b];
    if (mover_of[a] != kNone || mover_of[b] != kNone) add_pair(a, b);
  }
  drop_pairs_that_pass();
  list_each_once();
  drop_pairs_proved_apart(0);
  make_questions(0);
  result.stats.pairs = questions.size();
  recall();
  ask(first_share());
}

void Stepper::Data::ask_on() {
  result.stats.pairs = questions.size();
  go_on_within(first_share());
  end_asking();
}

// Drops pairs of bodies that pass each other, at different times or side by side, although their
// swept boxes overlap.
void Stepper::Data::drop_pairs_that_pass() {
  const double enough = options->clearance + options->tolerance;
  const bool may_prove = proves_before_asking();
  const auto ball = [&](Index node) {
    return mover_of[node] == kNone ? nullptr : whole_ball(node);
  };
  std::erase_if(pairs_, [&](const std::pair<Index, Index>& pair) {
    if (may_prove) {
      const world::BallWay *a = ball(pair.first), *b = ball(pair.second);
      if (a != nullptr && b != nullptr && world::balls_stay_apart(*a, *b, enough)) return true;
    }
    return !overlap_time(moving_box_of(pair.first), moving_box_of(pair.second), enough);
  });
}

MovingBox Stepper::Data::moving_box_of(Index node) {
  const Index m = mover_of[node];
  if (m == kNone) {
    const Aabb box = world::world_box(world.shape(node), world.bodies[node].pose);
    return {box, box};
  }
  if (!movers[m].box) movers[m].box = world::moving_box(world.shape(node), movers[m].motion);
  return *movers[m].box;
}

void Stepper::Data::ask_again(std::span<const Index> changed, double from) {
  pairs_.clear();
  for (const Index g : changed)
    for (Index m = groups[g].first; m < groups[g].last; ++m) {
      const Index node = movers[m].node;
      found_.clear();
      const RoundedBox box = world.boxes->box(world.bodies[node].box);
      world.boxes->in_box(world::searchable(world::to_aabb(box)), [this](Index number) {
        found_.push_back(number);
        return true;
      });
      for (const Index number : found_) add_pair(node, world.node_of_box[number]);
    }
  list_each_once();
  drop_pairs_proved_apart(from);
  make_questions(from);
  ask(next_share());
}

// In ascending order, without duplicates.
void Stepper::Data::list_each_once() {
  pair_sort_(pairs_, static_cast<Index>(world.bodies.size()));
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

// Returns the straight path of a moving body, from where its motion begins; null if it has none.
const world::StraightWay* Stepper::Data::whole_way(Index node) {
  Mover& mover = movers[mover_of[node]];
  if (!mover.asked_way && !world::is_half_space(world.shape(node)))
    mover.way = world::StraightWay::of(mover.motion, world.ball_of(node),
                                       world::hull_corners(world.shape(node)), 0,
                                       world::hull_of_soup(world.shape(node)));
  mover.asked_way = true;
  return mover.way ? &*mover.way : nullptr;
}

// Returns the ball around the body on that path.
const world::BallWay* Stepper::Data::whole_ball(Index node) {
  KnownBall& known = balls_[mover_of[node]];
  if (!known.asked) {
    known.asked = true;
    known.ball.reset();
    if (const world::StraightWay* const way = whole_way(node); way != nullptr)
      known.ball.emplace(*way);
  }
  return known.ball ? &*known.ball : nullptr;
}

// Returns the path of any body from time `from` on; `room` is memory for one not yet known.
const world::StraightWay* Stepper::Data::way_from(Index node, double from,
                                                  std::optional<world::StraightWay>& room) {
  if (world::is_half_space(world.shape(node))) return nullptr;
  const std::span<const Vec3> corners = world::hull_corners(world.shape(node));
  const Shape* const hull = world::hull_of_soup(world.shape(node));
  if (mover_of[node] == kNone) {
    room = world::StraightWay::of(Motion::at(world.bodies[node].pose), world.ball_of(node), corners,
                                  0, hull);
  } else {
    const world::StraightWay* const whole = whole_way(node);
    const Mover& mover = movers[mover_of[node]];
    const double begin = groups[mover.group].begin;
    if (whole == nullptr || from == begin) return whole;
    room = world::StraightWay::of(mover.motion, world.ball_of(node), corners,
                                  (from - begin) / (1 - begin), hull);
  }
  return room ? &*room : nullptr;
}

// The ball around a moving body from time `from` on, taken from the ball of its whole motion.
std::optional<world::BallWay> Stepper::Data::ball_from(Index node, double from) {
  if (mover_of[node] == kNone) return {};
  const world::BallWay* const whole = whole_ball(node);
  if (whole == nullptr) return {};
  const double begin = groups[movers[mover_of[node]].group].begin;
  return begin < from ? whole->rest((from - begin) / (1 - begin)) : *whole;
}

// If work is limited, all pairs get their share of it instead.
bool Stepper::Data::proves_before_asking() const { return left_.max_work == Budget::kUnlimited; }

// Drops pairs that are proved apart: most neighbours in a pile are, mostly by the plane of the step
// before.
void Stepper::Data::drop_pairs_proved_apart(double from) {
  if (!proves_before_asking()) return;
  const double enough = options->clearance + options->tolerance;
  Index last = kNone;
  const world::StraightWay* way_a = nullptr;
  std::optional<world::StraightWay> room_a, room_b;
  std::optional<world::BallWay> ball_a;
  auto known = planes_.begin();
  next_planes_.clear();
  std::erase_if(pairs_, [&](const std::pair<Index, Index>& pair) {
    if (pair.first != last) {
      way_a = way_from(pair.first, from, room_a);
      ball_a = ball_from(pair.first, from);
    }
    last = pair.first;
    if (way_a == nullptr) return false;
    // The rest of a path is computed only if the balls do not prove the pair apart.
    if (const std::optional<world::BallWay> ball_b = ball_from(pair.second, from);
        ball_a && ball_b && world::balls_stay_apart(*ball_a, *ball_b, enough))
      return true;
    const world::StraightWay* const way_b = way_from(pair.second, from, room_b);
    if (way_b == nullptr) return false;
    if (world::balls_stay_apart(*way_a, *way_b, enough)) return true;
    while (known != planes_.end() && known->pair < pair) ++known;
    PlaneBetween plane{pair};
    if (known != planes_.end() && known->pair == pair) plane.normal = known->normal;
    if (!world::hulls_stay_apart(*way_a, *way_b, enough, &plane.normal)) return false;
    next_planes_.push_back(plane);
    return true;
  });
  if (from == 0) planes_.swap(next_planes_);  // later in a step only some pairs are tested
}

// Makes one query for each pair.
void Stepper::Data::make_questions(double from) {
  questions.clear();
  for (const auto& [a, b] : pairs_) {
    Question& question = questions.emplace_back();
    question.a = a;
    question.b = b;
    question.from = from;
    question.version_a = version_at(a);
    question.version_b = version_at(b);
  }
}

// Finds what is known of the queried pairs. What is known of other pairs is kept while neither of
// their bodies moves.
void Stepper::Data::recall() {
  const auto stands = [&](Index node, std::uint64_t became) {
    const Group* group = group_at(node);
    return world.bodies[node].is_body() && world.bodies[node].became == became &&
           (group == nullptr || group->still);
  };
  const auto stays = [&](const world::PairState& pair) {
    return stands(pair.a, pair.became_a) && stands(pair.b, pair.became_b);
  };
  memory.begin();
  world::PairState pair;
  for (Question& q : questions) {
    pair.a = q.a;
    pair.b = q.b;
    pair.became_a = world.bodies[q.a].became;
    pair.became_b = world.bodies[q.b].became;
    q.memory = memory.recall(pair, stays);
  }
  memory.end(stays);
}

void Stepper::Data::ask(const Budget& budget) {
  for (Question& q : questions) q.answer.time.lower = q.from;
  if (is_limited())
    go_on_within(budget);
  else
    ask_to_the_end();
  end_asking();
}

// The motion of a body from that time to the end of the step.
Motion Stepper::Data::motion_from(Index node, double from) const {
  const Index m = mover_of[node];
  if (m == kNone) return Motion::at(world.bodies[node].pose);
  return rest_of(movers[m].motion, groups[movers[m].group].begin, from);
}

world::PairQuestion Stepper::Data::pair_question(const Question& q, const Motion& motion_a,
                                                 const Motion& motion_b) const {
  return {.a = world.shape(q.a),
          .motion_a = motion_a,
          .b = world.shape(q.b),
          .motion_b = motion_b,
          .from = q.from,
          .tolerance = options->tolerance,
          .clearance = options->clearance,
          .budget = base::for_part(options->budget),
          .confirmed = confirmed};
}

void Stepper::Data::ask_to_the_end() {
  questioner.ask_all(questions.size(), options->threads, [&](std::size_t i, Workspace& workspace) {
    Question& q = questions[i];
    const Motion motion_a = motion_from(q.a, q.from), motion_b = motion_from(q.b, q.from);
    const world::PairQuestion question = pair_question(q, motion_a, motion_b);
    q.answer = q.memory == Question::kNothing
                   ? world::ask_pair(question, workspace)
                   : world::ask_known_pair(question, memory[q.memory], workspace);
  });
}

// Stopped searches are kept only with the policy under which a step may be continued.
void Stepper::Data::end_asking() {
  if (options->guess != Guess::none) guess_undecided();
  result.stats.questions += questions.size();
  for (Question& q : questions) {
    result.stats.queries += q.answer.stats;
    if (options->policy != StepPolicy::report) drop_search(q);
  }
}

bool Stepper::Data::is_stale(const Question& question) const {
  return version_at(question.a) != question.version_a ||
         version_at(question.b) != question.version_b;
}

}  // namespace touche
