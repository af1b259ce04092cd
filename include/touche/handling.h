// SPDX-License-Identifier: Apache-2.0
// A part held by a hand: a virtual spring pulls it towards a target pose, and it follows as far as
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
  /// Length, > 0: the resolution of contacts. Parts that are pressed together come to rest some
  /// tolerances farther apart than the clearance.
  double tolerance = 0;
  /// Length, > 0: a distance that is always kept, so that the next step starts free. Parts that are
  /// pressed together rest at clearance + 2 tolerance where there is room. So closely fitting parts
  /// should have a play of more than twice that.
  double clearance = 0;
  /// Length, >= 0: contacts nearer than this are taken into account before they are reached. 0
  /// means 3 · (clearance + 2 · tolerance).
  double max_distance = 0;
  /// Stiffness of the spring, > 0, in force per length; for torques it is multiplied by the radius
  /// of gyration squared. Contact forces are proportional to it; the motion of the part does not
  /// depend on it.
  double stiffness = 1;
  /// Coulomb's coefficient of static friction, >= 0. A part does not move as long as contact forces
  /// within their friction cones can hold it. Once one of them would leave its cone, the part
  /// slides without friction.
  double friction = 0;
  /// Mass properties of all held bodies, in the frame of the held node. They weight rotation
  /// against translation in the spring's energy, see Handling. Not set: they are computed from the
  /// held bodies at uniform density, where bodies that enclose no volume, and shapes that
  /// touche/shape.h does not support, count as their boxes.
  std::optional<MassProperties> mass = {};
  /// Maximum number of rounds in a step, > 0. A round finds near contacts, chooses a motion and
  /// proves it.
  int max_rounds = 20;
  /// In [0, 1). A round gains energy when it relaxes the spring. A step ends before a round that
  /// would gain, or after a round that gained, less than this share of the energy that the step has
  /// gained so far; such a round takes as long as any other, and the next step can continue. With
  /// 0, a step goes on until rounds gain almost nothing; this is for a hand that takes a single
  /// step.
  double least_gain = 0.05;
  /// Limits each step. Work is counted as for queries, so the same steps give the same result on
  /// any machine.
  ///
  /// When the budget ends, the part stays at the end of its proved motion. A round that would need
  /// more work than is left, if it needed as much as the last one, is left to the next step. After
  /// a motion whose proof exceeded the budget, the next motions are shorter, until their proofs
  /// fit. So the part lags behind the hand, but the step is not late. If one search for near
  /// contacts and the proof of a motion of one tolerance do not fit into the budget, the part does
  /// not move.
  ///
  /// A deadline in these options is absolute, so it is useful for one step only; pass per-step
  /// deadlines to step().
  Budget budget = {};
  /// Threads among which the bodies near the part are divided; 0: all. The results do not depend on
  /// it.
  int threads = 1;
};

/// How a step ended.
enum class HandlingStatus : std::uint8_t {
  undecided,  ///< the budget or max_rounds ended the step; the next step may go on
  arrived,    ///< the part is at the target
  held_back,  ///< contacts hold the part back, and further rounds would gain little
  /// The part started in contact or nearer to a body than the clearance, and was not proved to
  /// separate. It stands still.
  touching,
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<HandlingStatus> = {"undecided", "arrived",
                                                                           "held_back", "touching"};

/// A contact that holds the part back, at its pose at the end of a step.
struct HandlingContact {
  NodeId held, other;  ///< the two bodies
  /// In world coordinates. a is the held body, so the normal points from it to the other one.
  /// Features of a convex shape are numbers of its own that stay the same while it moves; that of a
  /// half space is face 0.
  Contact contact;
  /// Force of the other body on the part: along −normal, with friction also across it.
  Vec3 force = Vec3::Zero();
};

struct HandlingStats {
  int rounds = 0;                 ///< motions that were chosen and proved
  std::size_t near_contacts = 0;  ///< taken into account, summed over all rounds
  int iterations = 0;             ///< of the quadratic programs, in total
  QueryStats queries;
};

/// The state of the held part at the end of a step, and the force that the hand should feel.
struct HeldState {
  Pose pose;  ///< of the held node, in the world
  /// Total force and torque of all contacts on the part. The torque is about `centre`.
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  Vec3 centre = Vec3::Zero();  ///< the part's centre of mass, in the world
  /// What is left to the target: distance of the centre of mass (a length), and angle in radians.
  double distance_left = 0, angle_left = 0;
};

struct HandlingStep : HeldState {
  HandlingStatus status = HandlingStatus::undecided;
  /// False when the budget ended the step. With a larger budget the part might have come nearer to
  /// the target, or more contacts might have been reported.
  bool complete = false;
  /// The motions that the held node took, one after the other; each starts where the one before
  /// ended. All are proved to keep the clearance. If the step starts nearer than the clearance,
  /// they keep half the initial gap; if it starts in contact, the parts are proved to separate.
  /// Empty if nothing moved.
  std::vector<Motion> motions;
  std::vector<HandlingContact> contacts;  ///< sorted by held body, other body and faces
  HandlingStats stats;
};

/// Pulls a node of a world, with all nodes attached to it, towards target poses of a hand: from a
/// mouse, a tracked hand or a recording.
///
/// The spring stores the energy ½ stiffness (|d|² + rᵀ J r / m). d is the vector from the centre of
/// mass to its position at the target, r is the rotation vector to the target's rotation, m and J
/// are mass and inertia. A step repeats three operations until little is gained (`least_gain`):
/// - All local minima of the distance to nearby bodies give linear bounds on how fast the part may
///   approach there.
/// - Of the screw motions within these bounds, a quadratic program of 6 variables chooses the one
///   that comes nearest to the target by that energy. The multipliers of the program are the
///   contact forces.
/// - The world proves how far the part can go on this motion (Stepper), and it moves there.
///
///     Handling hand(world, nut, {.tolerance = 1e-3, .clearance = 0.01});
///     for (const Pose& wanted : poses) {
///       const HandlingStep& step = hand.step(wanted);
///       for (const HandlingContact& held : step.contacts) draw(held.contact.point_a, held.force);
///     }
///
/// Guarantees:
/// - A part that starts free is at no moment nearer to another body than the clearance, however far
///   or fast the target jumps.
/// - The same world and targets give the same bits for any number of threads, except with
///   deadlines.
/// - With one thread, a step allocates no memory if earlier steps were similar.
///
/// Limits:
/// - Bodies may be objects or convex shapes, also the held ones. A half space can be an obstacle
///   only.
/// - The world selects the pairs of bodies (BodyOptions, pair filter). Bodies attached to the held
///   node are not pairs of each other.
/// - Other bodies that move in the world between steps may come too near. Then the step either
///   reports `touching`, or moves the part away if that motion is proved to separate.
/// - A round part that is pressed onto a body turns and rolls there freely.
class Handling {
 public:
  /// The world may be changed between steps; its data are shared, so it may also be moved, and
  /// destroyed before this object. Throws InvalidInput for invalid options, if no body is attached
  /// to the node, and if a half space is.
  Handling(World& world, NodeId held, const HandlingOptions& options);
  ~Handling();
  Handling(Handling&&) noexcept;
  Handling& operator=(Handling&&) noexcept;

  /// Pulls the held node towards `target`, a pose in the world, and leaves it where it gets.
  /// Returns a reference that is valid until the next call; copy it to keep it. `deadline` applies
  /// in addition to the budget of the options; the step ends soon after it. Throws InvalidInput
  /// when the node is no longer in the world, and as the constructor does.
  [[nodiscard]] const HandlingStep& step(
      const Pose& target, Budget::Clock::time_point deadline = Budget::Clock::time_point::max());

  [[nodiscard]] NodeId held() const;
  /// The mass properties of the held bodies, in the frame of the held node: as in the options, or
  /// as computed.
  [[nodiscard]] const MassProperties& mass() const;

  struct Data;  ///< internal

 private:
  std::unique_ptr<Data> data_;
};

}  // namespace touche
