// SPDX-License-Identifier: Apache-2.0
// Steps of a world: many bodies move at once, and it is proved which of them meet first, and how
// far all can move without a contact (thesis, chapters 7 and 8). Link target touche::world.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "touche/motion.h"
#include "touche/names.h"
#include "touche/query.h"
#include "touche/world.h"

namespace touche {

/// What a group does when it meets another body.
enum class StepPolicy : std::uint8_t {
  report,    ///< nothing moves; the first contact of each pair is reported
  together,  ///< all groups stop at the first contact of any pair
  each,      ///< each group stops at its own first contact; others go on and may meet it
  respond,   ///< as `each`, but a callback may set new motions for the rest of the step
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<StepPolicy> = {"report", "together", "each",
                                                                       "respond"};

/// How the budget of a step is divided among pairs. What cheap pairs leave over goes to expensive
/// ones.
enum class BudgetShare : std::uint8_t {
  /// All pairs take short turns, first the ones that are proved free for the shortest time.
  one_queue,
  equal,        ///< each pair gets the same share
  by_distance,  ///< the nearer a pair is to the viewer, the larger its share
};
template <>
inline constexpr std::array<std::string_view, 3> kNames<BudgetShare> = {"one_queue", "equal",
                                                                        "by_distance"};

/// How to guess the contact time of pairs that the budget leaves undecided (thesis, §8.2.1). A
/// guess changes neither what is proved nor where groups stop.
enum class Guess : std::uint8_t {
  none,
  proved_time,  ///< the time until which they are proved free
  volumes,      ///< when the first of the bounding volumes meet that would have been tested next
  faces,        ///< as `volumes`, with a rectangle in the middle of each volume in its place
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<Guess> = {"none", "proved_time", "volumes",
                                                                  "faces"};

/// Two bodies, a < b, that meet in a step or may meet.
struct StepPair {
  NodeId a, b;
  ToiStatus status = ToiStatus::undecided;
  /// As ToiResult::time, on the motions that the bodies had then: they are farther apart than the
  /// clearance at every t in [0, time.lower), and at time.lower, too, unless they touch from the
  /// start; at time.upper they are at most clearance + tolerance apart. With `each` and `respond`
  /// groups stop at time.lower.
  Bracket time;
  std::optional<Contact> contact;  ///< at time.upper
  /// For an undecided pair, if StepOptions::guess is set: a guess of the contact time in
  /// [time.lower, 1]; 1 if they do not seem to meet. It may be too early or too late. Past the
  /// deadline, and for pairs with a convex shape, it is time.lower.
  std::optional<double> guess = {};
};

/// The result of a group, which is a node that was given a motion.
struct StepGroup {
  NodeId node;
  /// The time at which it stopped; 1 if it made its whole motion. With `report`, the time until
  /// which it is proved to meet nothing.
  double reached = 0;
  /// Index of its first contact in StepResult::contacts; kNone if it has none.
  Index contact = kNone;
};

/// A motion of a group for the rest of a step: t in [0, 1] is that rest.
struct GroupMotion {
  NodeId node;
  Motion motion;
};

/// A contact, as passed to the callback of StepPolicy::respond.
struct StepContact {
  StepPair pair;
  /// The groups of the two bodies. The index is kNone for a body that stands still in this step.
  NodeId group_a, group_b;
  Pose pose_a, pose_b;  ///< at time.lower, of the groups, or of bodies that stand still
  /// Their motions for the rest of the step, if the callback sets none.
  Motion rest_a = Motion::at({}), rest_b = Motion::at({});
};

/// Returns new motions for the rest of the step, for any groups that move in this step. Each must
/// start at the group's pose at that time, up to rounding; a group that would touch a body by this
/// rounding stops instead. Of the two groups that meet, one without a new motion stops. The
/// callback may query the world, which is still in its state before the step, but must not change
/// it.
using StepResponse = std::function<std::vector<GroupMotion>(const StepContact&)>;

struct StepOptions {
  /// Lengths, > 0 and >= 0, as for time_of_impact. Groups stop where they are farther apart than
  /// the clearance by a part of the tolerance, so that the next step starts free.
  double tolerance = 0, clearance = 0;
  StepPolicy policy = StepPolicy::report;
  StepResponse respond = {};  ///< for StepPolicy::respond
  /// Maximum number of calls of `respond` in a step. At later contacts both groups stop.
  int max_responses = 1000;
  /// Limits the whole step. Work is counted as for queries, for all pairs together. When it is used
  /// up, groups stop where their motion is proved so far. With `each` and `respond` an eighth is
  /// reserved for pairs that must be tested again because a group stopped. When this is used up as
  /// well, groups that a stopped body may meet stop, too.
  Budget budget = {};
  BudgetShare share = BudgetShare::one_queue;
  Vec3 viewer = Vec3::Zero();  ///< for BudgetShare::by_distance, in world coordinates
  Guess guess = Guess::none;
  int threads = 0;  ///< 0: all; the results do not depend on it
  /// Whether to report which pairs start and end being in contact. This costs one distance query
  /// for each pair of which a body moved and whose boxes are near enough at the end. It is subject
  /// to the budget's deadline, but not to its work, which is for the motions.
  bool events = false;
  /// Length, >= 0. With `events`, a value above clearance + tolerance also reports which pairs
  /// start and end being at most that far apart. 0: no such events.
  double near_distance = 0;
};

/// A pair of bodies in an event, a < b.
struct PairEvent {
  NodeId a, b;
  /// A new number each time a pair begins; it is kept until the pair ends. Each stepper counts from
  /// 1.
  std::uint64_t id = 0;
};

/// Changes of pairs since the last step that reported events. All lists are in ascending order.
struct PairEvents {
  std::vector<PairEvent> began, going_on;
  std::vector<PairEvent> ended;  ///< their nodes may have been removed
};

struct StepStats {
  std::size_t pairs = 0;      ///< pairs whose boxes meet during the step
  std::size_t questions = 0;  ///< tests by faces, of these and of later pairs
  std::size_t responses = 0;  ///< calls of StepOptions::respond
  std::size_t measured = 0;   ///< distances that were measured for events
  QueryStats queries;
};

struct StepResult {
  std::vector<StepGroup> groups;  ///< in the order of the calls of move()
  /// Contacts that stopped groups, sorted by time, then by bodies. With `report`: the first
  /// contacts of all pairs. With `together`: the contacts that are not proved to be later than the
  /// first one.
  std::vector<StepPair> contacts;
  /// Pairs left undecided by the budget, or, with a convex shape, by rounding. With `report` all of
  /// them, else the ones that stopped a group. Each is free until time.lower.
  std::vector<StepPair> undecided;
  /// The time of the first contact of any pair, on the motions that were given. In [0, time.lower)
  /// all pairs are proved free, except for pairs that touch at 0 and then separate. `together`
  /// stops at time.lower, which is 1 if nothing meets. At time.upper some pair is at most clearance
  /// + tolerance apart; it is infinite if no contact was found.
  Bracket time;
  /// Events of all pairs of the world at the end of the step; empty unless StepOptions::events is
  /// set. A pair is in contact if it is at most clearance + tolerance apart, or if its bodies were
  /// stopped by each other. A pair is near if it is in contact or within the near distance. Changes
  /// of the world between steps are included: bodies that were moved are measured, and pairs of
  /// removed bodies end. Undecided pairs keep their state. With `report` nothing moves, and no
  /// events are reported.
  PairEvents contact_events, near_events;
  StepStats stats;
};

/// Moves groups of bodies through a world, step by step. A group is a node that is given a motion,
/// with all nodes attached to it. It is rigid during a step: its bodies keep their poses relative
/// to it from the start of the step. What is known about pairs is kept from step to step, see
/// forget().
///
///     Stepper stepper(world);
///     stepper.move(box, Motion::interpolated(world.pose(box), pose));
///     const StepResult& step = stepper.run({.tolerance = 1e-3, .policy = StepPolicy::each});
///     if (const Index met = step.groups[0].contact; met != kNone) report(step.contacts[met].b);
///
/// Guarantees:
/// - All motions that groups make are proved free, see StepPair::time and StepResult::time.
/// - The result depends only on the steps before, the motions and the world, not on the number of
///   threads. Only deadlines may change it.
/// - A step allocates no memory if earlier steps were similar.
///
/// Limits:
/// - The world may be changed between steps. Its data are shared, so it may also be moved, and
///   destroyed before the stepper.
/// - Bodies are objects, which are surfaces, or convex shapes, which are solid (see
///   touche/shape.h).
/// - The world selects the pairs of bodies (BodyOptions, pair filter); bodies of the same group are
///   never compared. So bodies that are `fixed` can be given motions, but two fixed bodies are no
///   pair.
class Stepper {
 public:
  explicit Stepper(World& world);
  ~Stepper();
  Stepper(Stepper&&) noexcept;
  Stepper& operator=(Stepper&&) noexcept;

  /// Sets the motion of a node in the next step, in world coordinates. Nodes attached to it move
  /// with it, except where they are given motions of their own. If the motion does not start at the
  /// node's pose, the node jumps to its start, and the jump is not tested. The last call for a node
  /// counts.
  void move(NodeId node, const Motion& motion);

  /// Takes the step and clears the motions that were set. Returns a reference that is valid until
  /// the next call; copy it to keep it. Throws InvalidInput for invalid options, for nodes that
  /// were removed since, and for responses that change the world or whose motions start elsewhere;
  /// nothing has moved then.
  [[nodiscard]] const StepResult& run(const StepOptions& options);

  /// Continues the last step, which must have had the policy `report`: searches of undecided pairs
  /// go on where they stopped; all other pairs keep their results. When no pair is left undecided,
  /// the result is the same as with an unlimited budget. Policy, budget and threads may differ from
  /// the last call; tolerance and clearance must be the same. Returns a reference that is valid
  /// until the next call; copy it to keep it. Throws InvalidInput as run() does, and when there is
  /// no step to continue: the last one had another policy or threw, the world has changed since, or
  /// motions were set.
  [[nodiscard]] const StepResult& go_on(const StepOptions& options);

  /// Discards all that is known from earlier steps, so that the next step is like the first one. A
  /// step cannot be continued after this.
  void forget();

  /// Writes all steps from now on to a file, with all data that they depend on; see
  /// touche/step.h. Calls forget(), so that a replay starts from the same state. An empty name
  /// ends the recording. Throws LoadError when the file cannot be written. While recording, steps
  /// throw LoadError, too, and InvalidInput for what a file cannot hold: a pair filter, and motions
  /// that are user functions. Nothing has moved then.
  void record(const std::filesystem::path& file);

  struct Data;  ///< internal

 private:
  friend struct DataAccess;
  std::unique_ptr<Data> data_;
};

// ---- recorded steps -----------------------------------------------------------------------------
// Replays steps of a world that Stepper::record wrote to a file, for bug reports and tests. See
// docs/session-file.md.

/// A replayed step.
struct ReplayedStep {
  std::vector<GroupMotion> motions;  ///< as recorded
  /// As recorded, except for deadlines and flags, which are not replayed. `respond` is not set:
  /// with StepPolicy::respond, the recorded responses are used.
  StepOptions options;
  bool goes_on = false;              ///< whether it was a call of Stepper::go_on
  std::optional<StepResult> result;  ///< of the replay; not set when it threw
  std::string error;                 ///< message of the exception that it threw; else empty
  /// Whether the result and the poses of all nodes are bit for bit as recorded, or the same
  /// exception was thrown. Also false when the recording ends within the step.
  bool same = false;
  bool was_timed = false;  ///< the recorded step had a deadline or could be cancelled
};

/// Replays the steps of a file that Stepper::record wrote, in a world of its own. Nodes have the
/// same NodeIds as in the recorded world.
///
///     SessionReplay replay("session.touche");
///     while (const ReplayedStep* step = replay.next())
///       if (!step->same) report(step->error);
class SessionReplay {
 public:
  /// Throws LoadError when the file is not a session file.
  explicit SessionReplay(const std::filesystem::path& file);
  ~SessionReplay();
  SessionReplay(SessionReplay&&) noexcept;
  SessionReplay& operator=(SessionReplay&&) noexcept;

  /// Applies the changes that were made to the world before the next step, and takes that step.
  /// Returns null when there are no more steps; else a pointer that is valid until the next call;
  /// copy the step to keep it. threads = 0: all. Throws LoadError, naming the byte, where the file
  /// is damaged or ends too early; then there are no further steps.
  [[nodiscard]] const ReplayedStep* next(int threads = 0);

  /// The world in its state after the last step. Changes to it affect the steps that follow.
  [[nodiscard]] World& world();

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace touche
