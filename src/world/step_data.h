// SPDX-License-Identifier: Apache-2.0
// Holds the data of a step: groups with their motions, their bodies, and the questions asked about
// pairs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "touche/step.h"
#include "world/end_reserve.h"
#include "world/event_memory.h"
#include "world/pair_memory.h"
#include "world/pair_search.h"
#include "world/straight_way.h"
#include "world/world_data.h"

namespace touche {

class SessionWriter;

struct Stepper::Data {
  explicit Data(World::Data& of) : world(of) {}

  struct Group {
    NodeId node;
    Motion motion = Motion::at({});  // from `begin` to the end of the step
    double begin = 0;                // in the time of the step
    Index version = 0;               // counts its motions
    Index first = 0, last = 0;       // its movers
    bool still = false;
  };
  /// A body of a group.
  struct Mover {
    Index node = kNone, group = kNone;
    bool is_group = false;           // it is the group's own node
    Pose offset;                     // relative to the group
    Motion motion = Motion::at({});  // like that of the group
    std::optional<MovingBox> box;    // of its first motion, once it was asked for
    std::optional<StraightWay> way;  // of its motion, if it has one
    bool asked_way = false;
  };
  /// A question about two bodies, and its answer. `a` and `b` are nodes, a < b.
  struct Question {
    Index a = kNone, b = kNone;
    double from = 0;
    Index version_a = 0, version_b = 0;  // of their groups when it was asked
    std::size_t memory = kNothing;       // the number of what is known of the pair
    PairAnswer answer;
    std::optional<double> guess;
    PairSearch* search = nullptr;  // for the answer, where it may go on
    static constexpr std::size_t kNothing = static_cast<std::size_t>(-1);
    bool meets() const { return answer.status != ToiStatus::free; }
  };

  World::Data& world;
  std::vector<Group> groups;
  std::vector<Mover> movers;    // group by group
  std::vector<Index> group_of;  // of each node of the world that was given a motion; else kNone
  std::vector<Index> mover_of;  // of each node of the world; kNone where nothing moves it
  std::vector<std::pair<Index, Index>> exempt;  // bodies that are no pairs, in ascending order
  std::vector<std::vector<Index>> links;        // nodes that stop together
  std::vector<Index> link_of;  // of each node of the world, or empty; kNone: it stops alone
  bool nested = false;         // whether a group hangs on another
  /// Whoever looks at a contact for the places where two meet need not be told its faces.
  Confirmed confirmed = Confirmed::by_faces;
  std::vector<Question> questions;       // the last asked together
  std::vector<Question> waiting;         // a heap of those that meet, the earliest first
  const StepOptions* options = nullptr;  // during a step
  PairQuestioner questioner;
  PairMemory memory;
  EventMemory event_memory;
  StepResult result;
  std::shared_ptr<SessionWriter> session;  // that steps are written to, or null

  void register_motion(NodeId node, const Motion& motion);
  const StepResult& run(const StepOptions& with);
  const StepResult& go_on(const StepOptions& with);
  /// Whether a step is over that may go on.
  bool is_kept() const { return kept_.has_value(); }

  void require_no_step() const;
  /// Lets questions to the world make boxes of ways smaller again.
  void leave_world();

  // ---- groups (step_groups.cpp) ----

  /// Finds the bodies of the groups, their motions and the boxes of their ways.
  void begin_step();
  /// Gives a group another motion for the time from then on.
  void change_motion(Index group, const Motion& motion, double from);
  Pose pose_of(const Group& group, double t) const;
  Motion rest_of(const Motion& motion, double begin, double from) const;
  /// Brings the groups to where they are at that time.
  void commit(double t);
  /// Forgets the motions and what was asked.
  void end_step();

  // ---- pairs (step_pairs.cpp) ----

  /// Asks about all pairs of which at least one body moves.
  void ask_all();
  /// Asks on about those that are undecided.
  void ask_on();
  /// Asks about all pairs of which a body is of a group that was given another motion at that time.
  void ask_again(std::span<const Index> changed, double from);
  const Group* group_at(Index node) const;  // of a body; none: nothing moves it
  bool is_stale(const Question& question) const;

  // ---- budget (step_budget.cpp) ----

  bool is_limited() const;
  /// Keeps some of the time that is left for what comes after the pairs.
  void keep_time_for_end();
  /// At the end of a step.
  void learn_time_for_end();
  /// Returns the share of what is left for pairs that are asked first.
  Budget first_share() const;
  /// The same for pairs that are asked again.
  Budget next_share() const;
  /// Asks those questions that are undecided until this part of what is left is used up.
  void go_on_within(Budget budget);
  void drop_search(Question& question);

  // ---- order (step_order.cpp) ----

  /// Calls use(question) for those that wait and meet until a time, in any order; some may be
  /// stale.
  template <class Use>
  void each_waiting_until(double t, Use&& use, std::size_t at = 0) const {
    if (at >= waiting.size() || waiting[at].answer.time.lower > t) return;
    use(waiting[at]);
    for (const std::size_t below : {2 * at + 1, 2 * at + 2}) each_waiting_until(t, use, below);
  }
  Bracket first_contact() const;  // of all pairs, on the motions that were given
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
  const StraightWay* whole_way(Index node);
  const BallWay* whole_ball(Index node);
  const StraightWay* way_from(Index node, double from, std::optional<StraightWay>& room);
  std::optional<BallWay> ball_from(Index node, double from);
  [[nodiscard]] bool proves_before_asking() const;
  void make_questions(double from);
  void recall();
  Motion motion_from(Index node, double from) const;
  PairQuestion pair_question(const Question& question, const Motion& motion_a,
                             const Motion& motion_b) const;
  void ask(const Budget& budget);
  void ask_to_the_end();
  void end_asking();
  bool guesses_cost() const;
  void guess_undecided();

  /// A step that is over must have this in common with one that goes on with it. While there is
  /// one, the motions and questions are those of that step.
  struct Kept {
    double tolerance, clearance;
    std::uint64_t revision, changes;
    friend bool operator==(const Kept&, const Kept&) = default;
  };
  /// Tells what a pair may cost in a round. Without a weight it gets all the time there is.
  struct Share {
    std::uint64_t work;
    double weight;
  };
  double weight(const Question& question) const;
  void give_turns(const Budget& budget, std::uint64_t turn);
  void give_by_weight(const Budget& budget);
  void run_round(Budget& budget);
  std::uint64_t go_on_with(Question& question, const Budget& budget);
  PairSearch& search_of(Question& question);

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

  std::vector<std::pair<Index, Index>> pairs_;  // to be asked
  std::vector<Index> found_;                    // boxes
  struct PlaneBetween {                         // by which a pair was proved to stay apart
    std::pair<Index, Index> pair;
    Vec3 normal = Vec3::Zero();
  };
  /// The ball around a mover on its whole way, if it has one, apart from all else that is known of
  /// it: most pairs are proved apart by it.
  struct KnownBall {
    std::optional<BallWay> ball;
    bool asked = false;
  };
  std::vector<KnownBall> balls_;                    // of movers
  std::vector<PlaneBetween> planes_, next_planes_;  // of the step before, in ascending order
  PairSort pair_sort_;
  std::size_t live_ = 0;                            // that waited when stale ones were dropped
  std::vector<Index> changed_;                      // by a meeting
  std::vector<Pose> ends_;                          // of groups
  std::vector<std::pair<Index, Index>> responded_;  // at the time of the last meeting

  Budget left_;                             // of the step
  EndReserve end_;                          // time for what comes after the pairs
  Budget::Clock::duration lost_before_{0};  // since the clock began, when the step did
  bool begun_in_time_ = false;
  std::vector<Index> open_;    // questions that are undecided, by the time proved
  std::vector<Share> shares_;  // of the first of them
  PairSearches searches_;
  std::optional<Kept> kept_;

  bool has_events() const { return options->events && options->policy != StepPolicy::report; }
  bool stands_since(Index node, double t) const;

  std::vector<Index> moved_with_;                 // of each node its group
  std::vector<std::pair<Index, Index>> stopped_;  // by each other, as they stand now
};

}  // namespace touche
