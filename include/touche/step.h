// SPDX-License-Identifier: Apache-2.0
// One step of a world under control: many bodies move at once, and it is proved who meets whom
// first, and where all can go without a contact (thesis, chapters 7 and 8). Link target
// touche::world.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "touche/motion.h"
#include "touche/names.h"
#include "touche/query.h"
#include "touche/world.h"

namespace touche {

/// Says what becomes of groups that meet something.
enum class StepPolicy : std::uint8_t {
  report,    ///< nothing moves: all contacts of all motions are told
  together,  ///< all groups stop at the first contact
  each,      ///< a group stops at its own first contact, the others go on and may run into it
  respond,   ///< as `each`, but a callback may give new motions for the rest of the step
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<StepPolicy> = {"report", "together", "each",
                                                                       "respond"};

/// How pairs share the budget of a step. Dear pairs get what cheap ones leave over.
enum class BudgetShare : std::uint8_t {
  one_queue,    ///< all go on in short turns, first those that are proved free for the least time
  equal,        ///< every pair gets the same
  by_distance,  ///< the more, the nearer a pair is to the viewer
};
template <>
inline constexpr std::array<std::string_view, 3> kNames<BudgetShare> = {"one_queue", "equal",
                                                                        "by_distance"};

/// Says what to guess of pairs that the budget leaves undecided (thesis, §8.2.1). No guess changes
/// what is proved, nor where groups stop.
enum class Guess : std::uint8_t {
  none,
  proved_time,  ///< they meet as soon as nothing proves that they do not
  volumes,  ///< when the first of a few bounding volumes meet that would have been looked at next
  faces,    ///< the same of a face in the middle of each of these, which stands for what is in it
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<Guess> = {"none", "proved_time", "volumes",
                                                                  "faces"};

/// Two bodies that meet in a step, or may: a < b.
struct StepPair {
  NodeId a, b;
  ToiStatus status = ToiStatus::undecided;
  /// Means the same as ToiResult::time, on the motions that were theirs then: farther apart than
  /// the clearance at every t in [0, time.lower), and also at time.lower itself unless they touch
  /// from the start; at most clearance + tolerance apart at time.upper. With `each` and `respond`
  /// groups stop at time.lower.
  Bracket time;
  std::optional<Contact> contact;  ///< at time.upper
  /// Where it is undecided and a guess was asked for: a time in [time.lower, 1] at which they meet,
  /// or 1 where they do not seem to. It may be wrong either way. Past the deadline, and of pairs
  /// with a convex shape, it is the time proved.
  std::optional<double> guess = {};
};

/// Tells what became of a group: a node that was given a motion.
struct StepGroup {
  NodeId node;
  /// The time at which it stopped; 1: it went all the way. With `report`, until when it is proved
  /// to meet nothing.
  double reached = 0;
  /// Its first contact, a number in StepResult::contacts; kNone where there is none.
  Index contact = kNone;
};

/// A motion for the rest of a step, which is [0, 1] for it.
struct GroupMotion {
  NodeId node;
  Motion motion;
};

/// A contact that StepPolicy::respond asks about.
struct StepContact {
  StepPair pair;
  /// The groups that the bodies belong to, at time.lower. The index of a body's group is kNone when
  /// it stands still in this step.
  NodeId group_a, group_b;
  Pose pose_a, pose_b;  ///< of the groups, or of bodies that stand still
  Motion rest_a = Motion::at({}), rest_b = Motion::at({});  ///< what they would have done from then
};

/// Gives new motions for the rest of the step to any groups that have one already. They start where
/// the groups are at that time, but for rounding; a group that would meet somebody by that alone
/// stops instead. Each of the two groups that meet stops if it is given none. It may ask the
/// world, in which all is as before the step, but not change it.
using StepResponse = std::function<std::vector<GroupMotion>(const StepContact&)>;

struct StepOptions {
  /// They are lengths, as for time_of_impact, > 0 and >= 0. Groups are left where they are
  /// a part of the tolerance farther apart than the clearance, so the next step begins free.
  double tolerance = 0, clearance = 0;
  StepPolicy policy = StepPolicy::report;
  StepResponse respond = {};  ///< for StepPolicy::respond
  /// After so many calls in one step contacts stop those that meet.
  int max_responses = 1000;
  /// Limits the whole step; work counts as for queries, of all pairs together. When it is used up,
  /// groups stop where their way is proved so far. With `each` and `respond` an eighth is kept for
  /// pairs that are asked again because somebody stopped; then, who may be met by those that stop
  /// stops, too.
  Budget budget = {};
  BudgetShare share = BudgetShare::one_queue;
  Vec3 viewer = Vec3::Zero();  ///< for BudgetShare::by_distance, in the world
  Guess guess = Guess::none;
  int threads = 0;  ///< 0: all; the answers do not depend on it
  /// Whether to tell which pairs begin and end to be in contact. Costs a distance for each pair of
  /// which one moved and whose boxes are that near at the end, within the budget's time; its work
  /// is for the ways.
  bool events = false;
  /// Length, >= 0: with events, also tells which pairs begin and end to be at most that far apart,
  /// where it is more than clearance + tolerance. 0: none.
  double near_distance = 0;
};

/// A pair in an event: a < b.
struct PairEvent {
  NodeId a, b;
  /// Another number each time a pair begins, the same until it ends. Each stepper counts from 1.
  std::uint64_t id = 0;
};

/// Tells what became of pairs since the last step that told events; lists are in ascending order.
struct PairEvents {
  std::vector<PairEvent> began, going_on;
  std::vector<PairEvent> ended;  ///< nodes may be gone
};

struct StepStats {
  std::size_t pairs = 0;      ///< whose boxes met on the way
  std::size_t questions = 0;  ///< of these and of those that came later, asked by their faces
  std::size_t responses = 0;  ///< calls of the callback
  std::size_t measured = 0;   ///< pairs of which a distance was asked for, for events
  QueryStats queries;
};

struct StepResult {
  std::vector<StepGroup> groups;  ///< in the order in which they were given motions
  /// Contacts that stopped groups, in the order of time, and of bodies within the same time; with
  /// `report` all first contacts of pairs, with `together` those that are not proved later than the
  /// first.
  std::vector<StepPair> contacts;
  /// Pairs that the budget left undecided, or rounding where one is a convex shape, and that
  /// stopped somebody, or with `report` all: free until time.lower.
  std::vector<StepPair> undecided;
  /// The time of the first contact of all pairs, on the motions that were given. Everything in
  /// [0, time.lower) is proved free, except that pairs may touch at 0 which then come apart. At
  /// time.lower `together` stops; it is 1 where nothing meets. At time.upper some pair is at most
  /// clearance + tolerance apart; infinite where no contact was found.
  Bracket time;
  /// They tell of all pairs of the world, at the end of the step; empty unless asked for. In
  /// contact are those that are at most clearance + tolerance apart then, or were stopped by each
  /// other; near are those, and others within the near distance. Changes made to the world between
  /// steps count: bodies that were moved are measured, those of bodies that were removed end. Pairs
  /// left undecided stay as they were. With `report` nothing moves, and nothing is told.
  PairEvents contact_events, near_events;
  StepStats stats;
};

/// Moves groups of bodies through a world, step by step. The world is moved by others between steps
/// as they like; it must outlive this, and be the same object.
///
///     Stepper stepper(world);
///     stepper.move(part, Motion::interpolated(world.pose(part), wanted));
///     const StepResult& step = stepper.run({.tolerance = 1e-3, .policy = StepPolicy::each});
///     if (step.groups[0].reached < 1) ...                          // stopped by
///     step.contacts[...]
///
/// Bodies are objects or convex shapes, see touche/shape_motion.h for the second: these are solid.
///
/// A step takes groups as rigid: bodies hang on them as they do when it begins, and bodies of the
/// same group are never compared. Pairs are those of the world (BodyOptions, pair filter), so a
/// group that moves may be made of bodies that are `fixed` otherwise: two such are no pair.
///
/// Keeps what was found out about pairs from step to step. When the steps before, the motions and
/// the world are the same, so is the result, for any number of threads, but for deadlines. A step
/// like those before it allocates nothing.
class Stepper {
 public:
  explicit Stepper(World& world);
  ~Stepper();
  Stepper(Stepper&&) noexcept;
  Stepper& operator=(Stepper&&) noexcept;

  /// Says how a node moves in the next step, in the world, and with it all that hangs on it and is
  /// given no motion of its own. Where it was before does not count: a motion that begins elsewhere
  /// is a jump, and jumps are not looked at. The last call for a node counts.
  void move(NodeId node, const Motion& motion);

  /// Takes the step; those that were given motions are forgotten. The result is valid until the
  /// next call. Throws InvalidInput for options without meaning, for nodes that were removed since,
  /// and for responses that begin elsewhere or change the world; nothing has moved then.
  [[nodiscard]] const StepResult& run(const StepOptions& options);

  /// Takes the last step again, after `report`: pairs that were left undecided go on where they
  /// stopped, all others keep their answers. In the end all is as if the budget had been unlimited.
  /// Policy, budget and threads may be others, tolerance and clearance must be the same. Throws
  /// InvalidInput as run(), and where the step before was none of `report`, or threw, or where the
  /// world has changed since or motions were given: then there is none to go on with.
  [[nodiscard]] const StepResult& go_on(const StepOptions& options);

  /// Forgets what is known from the steps before, also of one that might go on: the next is as if
  /// it were the first.
  void forget();

  /// Writes all steps from now on to a file, with all they depend on: see touche/session.h. Forgets
  /// what is known, as above, so that a replay begins as this does. An empty name ends it. Throws
  /// LoadError when the file cannot be written. Steps then throw that, too, and InvalidInput for
  /// what no file can hold: a pair filter, and motions that are functions; nothing has moved then.
  void record(const std::filesystem::path& file);

  struct Data;  ///< for the library

 private:
  friend struct DataAccess;
  std::unique_ptr<Data> data_;
};

}  // namespace touche
