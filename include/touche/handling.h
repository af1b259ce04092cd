// SPDX-License-Identifier: Apache-2.0
// A part held by a hand: it is drawn towards a pose by a virtual spring and follows as far as
// contacts allow, without ever touching anything (contact simulation, thesis §10.3). Link target
// touche::dynamics.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "touche/mass.h"
#include "touche/motion.h"
#include "touche/names.h"
#include "touche/query.h"
#include "touche/world.h"

namespace touche {

struct HandlingOptions {
  /// Length, > 0: how finely contacts are resolved. Parts that are pressed together come to rest
  /// some tolerances farther apart than the clearance.
  double tolerance = 0;
  /// Length, > 0: a distance that is always kept, so that the next step starts free. Where there is
  /// room, parts that are pressed together rest at clearance + 2 tolerance; so parts that fit
  /// closely should have a play of more than twice that.
  double clearance = 0;
  /// Length, >= 0: contacts nearer than this are taken into account before they are reached. 0: 3
  /// (clearance + 2 tolerance).
  double margin = 0;
  /// Force per length by which the spring draws, > 0; for torques times the radius of gyration
  /// squared. Forces of contacts scale with it, the way of the part does not depend on it.
  double stiffness = 1;
  /// Coulomb's coefficient of static friction, >= 0. A part that its contacts hold, as long as
  /// their forces stay within their cones of friction, does not move; once one gives way, it slides
  /// without friction.
  double friction = 0;
  /// The mass of all that is held, in the frame of the held node, tells turning from shifting: see
  /// Handling. None: that of the held bodies, filled evenly; bodies that enclose nothing count as
  /// their boxes, and so do shapes of which touche/shape_mass.h has none.
  std::optional<MassProperties> mass = {};
  /// Limits each step's rounds of looking at near contacts, choosing a motion and proving it.
  int max_rounds = 20;
  /// In [0, 1): a step ends before a round that would gain, or after one that gained, less than
  /// this share of the energy of the spring that its rounds have gained so far. Such a round takes
  /// as long as one that gains much, and the next step goes on. 0: until rounds gain next to
  /// nothing, for a hand that steps once only.
  double least_gain = 0.05;
  /// Limits each step; work counts as for queries, so the same steps end at the same place on any
  /// machine. When it ends, the part stays where its way is proved; a round that would take more
  /// work than is left, if it took as much as the last, is left to the next step, and after a
  /// motion whose proof took too much the next ones are shorter, until proofs fit. So a part lags
  /// behind its hand rather than a step is late. A deadline is a moment, so one for all steps
  /// serves a single one: see step(). Where a look at what is near and the proof of a motion by a
  /// tolerance do not fit into it, the part stays where it is.
  Budget budget = {};
  /// So many threads share the bodies near the part (0: all); the answers do not depend on it.
  int threads = 1;
};

/// How a step ended.
enum class HandlingStatus : std::uint8_t {
  undecided,  ///< the budget or the rounds ended first: the next step may go on
  arrived,    ///< at the target
  held_back,  ///< by contacts: within them little is gained by going on
  /// The part began nearer to something than the clearance, or in contact, and was not proved to
  /// come apart: it stands still.
  touching,
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<HandlingStatus> = {"undecided", "arrived",
                                                                           "held_back", "touching"};

/// A contact that holds the part back, where it stands at the end of a step.
struct HandlingContact {
  NodeId held, other;  ///< the bodies
  /// Features, points and normal in world coordinates: a is the held body, so the normal points
  /// from it to the other. The features of a convex shape are numbers of its own that stay the same
  /// while it moves, that of a half space is the one face 0.
  Contact contact;
  /// By which the other body pushes the part: along −normal, and with friction aside.
  Vec3 force = Vec3::Zero();
};

struct HandlingStats {
  int rounds = 0;                 ///< of motions that were chosen and proved
  std::size_t near_contacts = 0;  ///< taken into account, of all rounds together
  int iterations = 0;             ///< of the quadratic programs
  QueryStats queries;
};

/// Where a step of a hand leaves the part that it holds, and what the hand should feel.
struct HeldState {
  Pose pose;  ///< of what is held, in the world
  /// All contacts together act so on the part. The torque is about `centre`.
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  Vec3 centre = Vec3::Zero();  ///< of mass of the part, in the world
  /// They say what is left to the target: of the centre of mass, and in radians.
  double distance_left = 0, angle_left = 0;
};

struct HandlingStep : HeldState {
  HandlingStatus status = HandlingStatus::undecided;
  /// False where the budget ended the step: with more of it the part might have come nearer to the
  /// target, or be told what holds it.
  bool complete = false;
  /// The way really taken: one motion of the held node after the other, each begins where the last
  /// ended. All of it is proved to keep the clearance. Where a step begins nearer than that, half
  /// of the gap that there is; where it begins in contact, that parts come apart. Empty where
  /// nothing moved.
  std::vector<Motion> motions;
  std::vector<HandlingContact> contacts;  ///< by held body, other body and faces
  HandlingStats stats;
};

/// Draws a node of a world, with all that hangs on it, towards poses given by a hand: of a mouse, a
/// tracked hand, a recording.
///
///     Handling hand(world, nut, {.tolerance = 1e-3, .clearance = 0.01});
///     for (const Pose& wanted : poses) {
///       const HandlingStep& step = hand.step(wanted);
///       for (const HandlingContact& contact : step.contacts) ...  // arrows
///     }
///
/// The spring stores ½ stiffness (|d|² + rᵀ J r / m): d leads from the centre of mass to where the
/// target has it, r is the rotation vector to the target's rotation, m and J are mass and inertia.
/// A step repeats three things until little is gained (`least_gain`): all local minima of distance
/// to what is near give linear bounds of how fast the part may approach there; of the screw motions
/// within these, the one is chosen that comes nearest to the target by that measure (a quadratic
/// program of 6 variables); the world proves how far the part can go on it (Stepper), and there it
/// goes. The multipliers of the program are the forces.
///
/// Bodies may be objects and convex shapes, also those that are held; half spaces are only in the
/// way. A round part that is pressed onto something turns and rolls there as freely as it would.
///
/// Nothing of the way is ever nearer to anything than the clearance, however far or fast the target
/// jumps; where the part begins free. Pairs are those of the world; bodies that hang on the held
/// node are no pairs. Other bodies that move in the world between steps may come too near: then the
/// step says `touching`, or leaves if the way is proved to come apart.
///
/// The same world and targets give the same bits, for any number of threads, but for deadlines.
/// With one thread, a step like those before it allocates nothing.
class Handling {
 public:
  /// The world must outlive this and be the same object; it may be changed between steps. Throws
  /// InvalidInput for options without meaning, and where nothing hangs on the node or a half space
  /// does.
  Handling(World& world, NodeId held, const HandlingOptions& options);
  ~Handling();
  Handling(Handling&&) noexcept;
  Handling& operator=(Handling&&) noexcept;

  /// Draws the held node to where `target` is its pose in the world, and leaves it where it gets.
  /// The result is valid until the next call. With a deadline, the step ends soon after it, besides
  /// the budget of the options. Throws InvalidInput when the node is no longer in the world, or as
  /// above.
  [[nodiscard]] const HandlingStep& step(
      const Pose& target, Budget::Clock::time_point deadline = Budget::Clock::time_point::max());

  [[nodiscard]] NodeId held() const;
  /// Returns the mass of what is held, in the frame of its node: as in the options, or as found.
  [[nodiscard]] const MassProperties& mass() const;

  struct Data;  ///< for the library

 private:
  std::unique_ptr<Data> data_;
};

}  // namespace touche
