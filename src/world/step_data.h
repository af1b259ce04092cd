// SPDX-License-Identifier: Apache-2.0
// The data of a step: groups with their motions, their bodies, and the queries of pairs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/data_access.h"
#include "touche/step.h"
#include "world/end_reserve.h"
#include "world/event_memory.h"
#include "world/pair_memory.h"
#include "world/pair_search.h"
#include "world/straight_way.h"
#include "world/world_data.h"

namespace touche::world {

class SessionWriter;

}  // namespace touche::world

namespace touche {

struct Stepper::Data {
  explicit Data(const World& of)
      : handle(DataAccess::share(of)), world(DataAccess::mutable_data(handle)) {}

  struct Group {
    NodeId node;
    Motion motion = Motion::at({});  // from `begin` to the end of the step
    double begin = 0;                // in the time of the step
    Index version = 0;               // number of changes of its motion
    Index first = 0, last = 0;       // range of its movers
    bool still = false;
  };
  /// A body of a group.
  struct Mover {
    Index node = kNone, group = kNone;
    bool is_group = false;                  // it is the group's own node
    Pose offset;                            // relative to the group
    Motion motion = Motion::at({});         // over the same time as that of the group
    std::optional<MovingBox> box;           // of its first motion, once needed
    std::optional<world::StraightWay> way;  // the straight path of its motion, if it has one
    bool asked_way = false;
  };
  /// A query of two bodies, and its answer. `a` and `b` are nodes, a < b.
  struct Question {
    Index a = kNone, b = kNone;
    double from = 0;
    Index version_a = 0, version_b = 0;  // of their groups at the query
    std::size_t memory = kNothing;       // the number of the pair's state in `memory`
    world::PairAnswer answer;
    std::optional<double> guess;
    world::PairSearch* search = nullptr;  // that computes the answer, if it may go on
    static constexpr std::size_t kNothing = static_cast<std::size_t>(-1);
    bool meets() const { return answer.status != ToiStatus::free; }
  };

  World handle;  // keeps the data of the world alive, wherever the world itself is
  World::Data& world;
  std::vector<Group> groups;
  std::vector<Mover> movers;    // group by group
  std::vector<Index> group_of;  // the group of each node that was given a motion; else kNone
  std::vector<Index> mover_of;  // the mover of each node; kNone if nothing moves it
  std::vector<std::pair<Index, Index>> exempt;  // pairs of bodies not to query, in ascending order
  std::vector<std::vector<Index>> links;        // nodes that stop together
  std::vector<Index> link_of;  // the link of each node, or empty; kNone: it stops alone
  bool nested = false;         // whether a group is below another one
  /// A caller that finds the contact points of two bodies by itself needs no faces of contacts.
  shape::Confirmed confirmed = shape::Confirmed::by_faces;
  std::vector<Question> questions;       // the last ones made together
  std::vector<Question> waiting;         // a heap of queries that meet, the earliest first
  const StepOptions* options = nullptr;  // set during a step
  world::PairQuestioner questioner;
  world::PairMemory memory;
  world::EventMemory event_memory;
  StepResult result;
  std::shared_ptr<world::SessionWriter> session;  // to which steps are written, or null

  void register_motion(NodeId node, const Motion& motion);
  const StepResult& run(const StepOptions& with);
  const StepResult& go_on(const StepOptions& with);
  /// True if there is a finished step that may be continued.
  bool is_kept() const { return kept_.has_value(); }

  void require_no_step() const;
  /// Lets queries of the world shrink the boxes of moving bodies again.
  void leave_world();

  // ---- groups (step_groups.cpp) ----

  /// Finds the bodies of the groups, their motions and their swept boxes.
  void begin_step();
  /// Gives a group another motion from time `from` on.
  void change_motion(Index group, const Motion& motion, double from);
  Pose pose_of(const Group& group, double t) const;
  Motion rest_of(const Motion& motion, double begin, double from) const;
  /// Moves the groups to their poses at time `t`.
  void commit(double t);
  /// Drops the motions and the queries.
  void end_step();

  // ---- pairs (step_pairs.cpp) ----

  /// Queries all pairs of which at least one body moves.
  void ask_all();
  /// Continues the queries that are undecided.
  void ask_on();
  /// Queries all pairs with a body of the groups that were given another motion at time `from`.
  void ask_again(std::span<const Index> changed, double from);
  const Group* group_at(Index node) const;  // the group that moves a body, or null
  bool is_stale(const Question& question) const;

  // ---- budget (step_budget.cpp) ----

  bool is_limited() const;
  /// Reserves some of the remaining time for the work after the pairs.
  void keep_time_for_end();
  /// At the end of a step: adapts that reserve.
  void learn_time_for_end();
  /// Returns the part of the remaining budget for pairs that are queried first.
  Budget first_share() const;
  /// Returns the part for pairs that are queried again.
  Budget next_share() const;
  /// Continues the undecided queries until this part of the remaining budget is used up.
  void go_on_within(Budget budget);
  void drop_search(Question& question);

  // ---- order (step_order.cpp) ----

  /// Calls `use(question)` for the waiting queries that meet until time `t`, in any order; some may
  /// be stale.
  template <class Use>
  void each_waiting_until(double t, Use&& use, std::size_t at = 0) const {
    if (at >= waiting.size() || waiting[at].answer.time.lower > t) return;
    use(waiting[at]);
    for (const std::size_t below : {2 * at + 1, 2 * at + 2}) each_waiting_until(t, use, below);
  }
  Bracket first_contact() const;  // of all pairs, with the given motions
  void report();
  void stop_together();
  void stop_each();

  // ---- events (step_events.cpp) ----

  void begin_events();
  void tell_events();

 private:
  Motion body_motion(const Group& group, const Mover& mover) const;
  void set_boxes(const Group& group);
  Index version_at(Index node) const;
  void add_pair(Index a, Index b);
  MovingBox moving_box_of(Index node);
  void drop_pairs_that_pass();
  void list_each_once();
  void drop_pairs_proved_apart(double from);
  const world::StraightWay* whole_way(Index node);
  const world::BallWay* whole_ball(Index node);
  const world::StraightWay* way_from(Index node, double from,
                                     std::optional<world::StraightWay>& room);
  std::optional<world::BallWay> ball_from(Index node, double from);
  [[nodiscard]] bool proves_before_asking() const;
  void make_questions(double from);
  void recall();
  Motion motion_from(Index node, double from) const;
  world::PairQuestion pair_question(const Question& question, const Motion& motion_a,
                                    const Motion& motion_b) const;
  void ask(const Budget& budget);
  void ask_to_the_end();
  void end_asking();
  bool guesses_cost() const;
  void guess_undecided();

  /// What a finished step must have in common with one that continues it. While it is set, the
  /// motions and queries are of that finished step.
  struct Kept {
    double tolerance, clearance;
    std::uint64_t revision, changes;
    friend bool operator==(const Kept&, const Kept&) = default;
  };
  /// What a pair may spend in a round. Without a weight it may use all the remaining time.
  struct Share {
    std::uint64_t work;
    double weight;
  };
  double weight(const Question& question) const;
  void give_turns(const Budget& budget, std::uint64_t turn);
  void give_by_weight(const Budget& budget);
  void run_round(Budget& budget);
  std::uint64_t go_on_with(Question& question, const Budget& budget);
  world::PairSearch& search_of(Question& question);

  void begin(const StepOptions& with);
  const StepResult& finish();
  Kept common() const;

  Index tell(const Question& question);
  void wait_for_meetings();
  void drop_stale();
  void meet(const Question& question);
  bool responds_to(const Question& question);
  void respond(const Question& question);
  bool may_shift(Index group, const Pose& from, const Pose& to, double t);
  bool may_shift(Index node, const Motion& way, Index other, double t, Workspace& workspace);
  void stop(Index group, double t);

  std::vector<std::pair<Index, Index>> pairs_;  // to be queried
  std::vector<Index> found_;                    // boxes
  struct PlaneBetween {                         // the plane that proved a pair apart
    std::pair<Index, Index> pair;
    Vec3 normal = Vec3::Zero();
  };
  /// The ball around a mover during its whole motion, if it has one. It is kept apart from the
  /// other data, because most pairs are proved apart by it alone.
  struct KnownBall {
    std::optional<world::BallWay> ball;
    bool asked = false;
  };
  std::vector<KnownBall> balls_;                    // of movers
  std::vector<PlaneBetween> planes_, next_planes_;  // of the step before, in ascending order
  world::PairSort pair_sort_;
  std::size_t live_ = 0;                            // queries waiting when stale ones were dropped
  std::vector<Index> changed_;                      // groups, by a meeting
  std::vector<Pose> ends_;                          // poses of groups at the end
  std::vector<std::pair<Index, Index>> responded_;  // pairs, at the time of the last meeting

  Budget left_;                             // of the step's budget
  world::EndReserve end_;                   // time for the work after the pairs
  Budget::Clock::duration lost_before_{0};  // clock less processor time when the step began
  bool begun_in_time_ = false;
  std::vector<Index> open_;    // undecided queries, by proved time
  std::vector<Share> shares_;  // of the first queries in open_
  world::PairSearches searches_;
  std::optional<Kept> kept_;

  bool has_events() const { return options->events && options->policy != StepPolicy::report; }
  bool stands_since(Index node, double t) const;

  std::vector<Index> moved_with_;                 // the group of each node
  std::vector<std::pair<Index, Index>> stopped_;  // by each other, and not moved since
};

}  // namespace touche
