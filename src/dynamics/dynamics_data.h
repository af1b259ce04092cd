// SPDX-License-Identifier: Apache-2.0
// The data of Dynamics, and the declarations of the stages of a step.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/articulation.h"
#include "dynamics/as_one.h"
#include "dynamics/bed.h"
#include "dynamics/contact_list.h"
#include "dynamics/contact_solver.h"
#include "dynamics/direct_contacts.h"
#include "dynamics/moving_node.h"
#include "dynamics/partners.h"
#include "dynamics/resting_solver.h"
#include "dynamics/rigid_body.h"
#include "touche/dynamics.h"

namespace touche::dynamics {

/// Throws InvalidInput unless the condition holds.
inline void require(bool holds, const std::string& what) {
  if (!holds) throw InvalidInput("dynamics: " + what);
}

}  // namespace touche::dynamics

namespace touche {

struct Dynamics::Data {
  Data(const World& in_world, const DynamicsOptions& with);

  World world_;  // a handle that keeps the data of the world alive
  World::Data& world;
  DynamicsOptions options;
  struct NodeSurface {
    Index generation = kNone;
    Surface surface;
  };
  std::vector<NodeSurface> surfaces;
  /// Dynamic nodes first, in ascending order; then nodes that were given a motion.
  std::vector<dynamics::MovingNode> nodes;
  std::size_t dynamic_count = 0;
  std::vector<std::pair<NodeId, Motion>> moves;  // for the next step
  double dt = 0;                                 // of the present part
  double step_time = 0;                          // of all parts
  DynamicsResult result;
  std::vector<dynamics::JointEntry> joints;

  // ---- sleep (sleeping.cpp) ----

  void wake_up(dynamics::MovingNode& node);
  void wake_joined(const dynamics::JointEntry& joint);
  void wake_all();

  // ---- nodes (dynamics.cpp) ----

  dynamics::MovingNode* find(NodeId node);  // null: it is not dynamic
  dynamics::MovingNode& dynamic_node(NodeId node);
  dynamics::MovingNode* dynamic_above(NodeId node);  // null: neither it nor a node above is dynamic
  dynamics::JointEntry& joint_at(JointId id);
  void forget_ways();
  void require_no_half_space(NodeId node);
  Surface surface_of(Index node) const;
  Vec3 centre(NodeId node);

  // ---- steps in parts (step_parts.cpp) ----

  const DynamicsResult& step(double time);
  Motion way_of(const dynamics::MovingNode& node) const;

  // ---- a part from its beginning to its end (dynamics_step.cpp) ----

  void drop_removed_nodes();
  void prepare();

 private:
  int parts_of_step(double time);
  Vec3 turn_ahead(NodeId node, double time);
  double turn_to_limits(double time);
  [[nodiscard]] NodeId node_above(Index body);
  [[nodiscard]] bool are_no_threads(Index a, Index b);
  void list_about_to_roll(double time);
  void list_rolling();
  void add_part();

  // ---- the account of a step (account.cpp) ----

  void begin_account();
  void close_account();
  void tell_corrections();
  void tell_motor(Index joint, double strength, const Vec3& axis);
  void tell_limits();
  void tell_resting(const dynamics::MeetingPair& pair, std::span<const Vec3> impulses, double t);
  void add_contacts();
  void add_pushes();

  void take_part(double time);
  Motion way_of_part(const dynamics::MovingNode& node) const;
  void begin_step();
  Vec3 to_chord(const dynamics::MovingNode& node, double time) const;
  void give_motion(dynamics::MovingNode& node, double from, const Pose& pose);
  void give_motions_of_start();
  void move_all();
  static Vec3 held_of(const Vec3& momentum, const Vec3& impulse);
  void take_back(dynamics::MovingNode& node, double time) const;
  void finish(dynamics::MovingNode& node, double reached);
  void end_step();
  const dynamics::MovingNode* mover(Index body) const;  // null: it stands still
  Vec3 acceleration(const dynamics::MovingNode& node) const {
    return node.inertia.inverse_mass * node.all_force;
  }

  // ---- resting contacts (resting.cpp) ----

  void find_contacts();  // candidates at the start of the step
  void ask_for_contacts();
  /// The following solve for the velocities of supported bodies so that no gap gets too small.
  void solve_contacts();
  void predict();
  double relative_motion(Index a, Index b) const;
  Index solver_number(Index body) const;
  std::optional<dynamics::SolverContact> contact_at(const dynamics::NearPlace& place) const;
  bool rests_on(const dynamics::NearPlace& place) const;
  double gap_speed(const dynamics::NearPlace& place) const;
  void list_resting();
  [[nodiscard]] bool gains_energy() const;
  double small_speed() const;
  void solve_kept_velocities();
  [[nodiscard]] bool solve_velocities();
  /// Whether the velocities that bodies keep are solved only after their motions are known. With
  /// articulations they are solved at once, because flights of these leave the joint systems at
  /// other times than the start.
  [[nodiscard]] bool velocities_wait() const { return articulation_count_ == 0; }
  bool solve_motions(double small);
  void allow_for_swing();
  void support_pressed();
  void hold_pressed();
  void remember();
  Vec3 taken_impulse(std::size_t i);
  void take_velocities();
  void pay_for_lift(dynamics::MovingNode& node, const Vec3& lift) const;
  void give_back_paid();
  void give_back_paid(const dynamics::Partners& partners) const;
  static void give_back_paid(std::span<dynamics::MovingNode* const> group);
  Surface common_surface(Index a, Index b) const;
  double resting_speed(Index a, Index b) const;
  double fast() const;
  bool choose_heavy(double small);
  void solve_heavy_motions(double small);
  void solve_heavy(double small);

  // ---- gaps of pressed bodies (regain.cpp) ----

  [[nodiscard]] bool has_least_gap(const dynamics::NearPlace& place) const;
  [[nodiscard]] bool may_stand_still(const dynamics::NearPlace& place) const;
  [[nodiscard]] bool lacks_gap(const dynamics::NearPlace& place) const;
  bool regain_gaps();
  void find_least_opening(std::span<const dynamics::NearPlace> places);
  [[nodiscard]] bool was_opened(const dynamics::NearPlace& place) const;
  bool take_regaining();
  void keep_turning_apart();
  void keep_turning_apart(std::span<const std::pair<Index, Index>> group);
  [[nodiscard]] static Motion with_regaining(const dynamics::MovingNode& node, const Motion& way);

  // ---- bodies that turn far in a step (tumbling.cpp) ----

  /// In units of the tolerance: bodies that are this near are pressed together. Impacts leave
  /// larger gaps.
  static constexpr double kPressedTogether = 0.5;
  [[nodiscard]] bool tumbles(const dynamics::MovingNode& node) const;
  [[nodiscard]] double calm_speed(const dynamics::MovingNode& node) const;
  [[nodiscard]] static double passing_share(double turn);
  [[nodiscard]] static Vec3 turning_of(
      const dynamics::MovingNode& node) {  // at the start of the step
    return node.inertia.inverse_world(node.rotation(node.start)) * node.angular_momentum;
  }
  void calm_pressed();
  [[nodiscard]] dynamics::AsOne as_one(std::span<const std::pair<Index, Index>> group) const;
  void calm(std::span<const std::pair<Index, Index>> group, bool stands);
  void calm_joined(std::span<const std::pair<Index, Index>> group, bool stands);

  // ---- limits of energy (energy_limit.cpp) ----

  void note_energy();
  static void end_lag(dynamics::MovingNode& node, const Pose& pose);
  void take_back_lag_energy();
  void limit_lift();
  bool rises_too_far(bool held_back);
  void limit_energy();
  void limit_energy(std::span<const std::pair<Index, Index>> group, bool stands);
  double allowed_time(const dynamics::Partners& partners, const dynamics::PartnerSpeeds& drifts,
                      double rest);
  void slow_down(const dynamics::Partners& partners, dynamics::PartnerSpeeds& drifts, double t,
                 double rate);
  void take_energy(std::span<const std::pair<Index, Index>> group, bool stands, double energy,
                   double most);
  double energy_of(const dynamics::Articulation& of) const;  // (joint_energy.cpp)
  void end_swing(dynamics::Articulation& of, bool is_cut);
  void keep_energy(dynamics::Articulation& of);
  void limit_joined_energy();  // (joint_energy.cpp)
  void limit_joined_energy(std::span<const std::pair<Index, Index>> group);
  void keep_momenta(std::span<const std::pair<Index, Index>> group, double most);

  // ---- active contacts (active_contacts.cpp) ----

  void choose_active();
  void recall();
  void add_contact(Index place);
  dynamics::BendingGap gap_at(const dynamics::NearPlace& place) const;
  void find_turns();
  double failure(const dynamics::NearPlace& place) const;
  bool activate();
  void sort_contacts();

  // ---- surfaces that slide along each other (sliding.cpp) ----

  void find_sliding();
  std::optional<dynamics::SlidingPair> sliding_pair(Index a, Index b);
  const dynamics::SlidingBodies* sliding_bodies(Index a, Index b) const;
  Vec3 turning(Index body) const;
  Vec3 turn_between(const dynamics::SlidingBodies& both, double time) const;
  void find_besides();
  double slide_bend(const dynamics::NearPlace& place) const;

  // ---- contacts that arise within the step (foresight.cpp) ----

  bool foresee(StepOptions& step);
  bool list_met(const StepResult& seen);
  [[nodiscard]] bool presses(Index a, Index b) const;
  void list_neighbours(const StepResult& seen);
  [[nodiscard]] bool is_crowded(Index a, Index b) const;
  [[nodiscard]] bool stops_in_crowd(Index a, Index b) const;
  bool add_met(const StepPair& pair);
  bool add_places_at(Index a, Index b, double t, const Contact* contact_found, bool at_any_speed);
  Pose pose_at(Index body, double t) const;
  void merge_places();

  // ---- articulations: bodies that joints hold together (articulated.cpp) ----

  void find_articulations();
  void tell_stepper();
  bool is_exempt(Index a, Index b) const;  // bodies
  std::span<dynamics::Articulation> articulations() {
    return std::span(articulations_).first(articulation_count_);
  }
  Index number_of(const dynamics::MovingNode& node) const {
    return static_cast<Index>(&node - nodes.data());
  }
  dynamics::Articulation* articulation(const dynamics::MovingNode& node);
  dynamics::Home home(const dynamics::MovingNode* node);
  dynamics::JointPlace joint_place(Index node, const dynamics::JointFrame& frame,
                                   std::span<const dynamics::Placed> places) const;
  dynamics::JointPlace place_a(const dynamics::JointEntry& joint,
                               std::span<const dynamics::Placed> places) const;
  dynamics::JointPlace place_b(const dynamics::JointEntry& joint,
                               std::span<const dynamics::Placed> places) const;
  double list_blocks(const dynamics::Articulation& of, std::span<const dynamics::Placed> places);
  void build_system(dynamics::Articulation& of);
  void build_middle(const dynamics::Articulation& of, std::span<const dynamics::SolverBody> bodies,
                    double time);
  double joint_errors(const dynamics::Articulation& of, std::span<const dynamics::Placed> places,
                      std::vector<double>& errors, std::span<const double> aims = {}) const;
  void join_contact(dynamics::SolverContact& contact, const std::array<dynamics::Home, 2>& homes);
  void add_reactions(const dynamics::Articulation& of, std::span<const double> impulses,
                     bool in_flight);
  void end_flight(const dynamics::Articulation& of, double t);
  bool close_joints(dynamics::Articulation& of, double from, int most);
  bool close_joints(dynamics::Articulation& of, std::vector<dynamics::SolverBody>& bodies,
                    double from, double to, std::span<const double> aims, int most);

  bool sleeps(const dynamics::Articulation& of) const;
  void drive();  // (articulated_motor.cpp)

  // ---- sleep (sleeping.cpp) ----

  void wake_disturbed();
  bool wake_near();
  bool is_active(Index i) const;
  void fall_asleep();
  void make_beds();

  // ---- articulations at rest (articulated_rest.cpp) ----

  void predict_joined();
  void list_limits();
  dynamics::Home home_of(Index body);
  bool close_moved(int most, bool at_last);
  void keep_drift();
  bool is_supported(const dynamics::Articulation& of) const;
  void support_joined();
  void tell_reactions();
  void give_joined_motions();
  void drift_joined(dynamics::Articulation& of, double from);

  // ---- articulations in flight (articulated_flight.cpp) ----

  Vec3 straight_point(const dynamics::Articulation& of, Index number) const;
  double opening(const dynamics::Articulation& of, std::span<const dynamics::Placed> places,
                 std::span<const dynamics::Drift> drifts, double time) const;
  void place_bodies(dynamics::Articulation& of, double t);
  dynamics::SolverBody body_at(const dynamics::Articulation& of, std::size_t n, double t) const;
  void fly(dynamics::Articulation& of, double from);
  void fly_supported(dynamics::Articulation& of, double from);
  void fly_from(dynamics::Articulation& of, double from);
  Vec3 force_in_flight(const dynamics::MovingNode& node) const {
    return node.supported ? Vec3(Vec3::Zero()) : acceleration(node);
  }
  Vec3 torque_in_flight(const dynamics::MovingNode& node) const {
    return node.supported ? Vec3(Vec3::Zero()) : node.all_torque;
  }
  double fly_parts(dynamics::Articulation& of, double from, int parts, double rate);
  void begin_part(dynamics::Articulation& of, double begin, double end, double time);
  void stand_still(dynamics::Articulation& of);
  bool is_touched(const dynamics::Articulation& of) const;  // (articulated_as_one.cpp)
  bool stands(const dynamics::Articulation& of) const;
  bool is_driven(const dynamics::Articulation& of) const;  // some body follows a motion
  void go_on_as_one(dynamics::Articulation& of, double rate);
  void keep_turning(dynamics::Articulation& of) const;
  void fly_as_one(dynamics::Articulation& of, double rest);
  void regain_part(dynamics::Articulation& of, double begin, double end, double time);
  bool close_part(dynamics::Articulation& of, double end, double time);
  dynamics::Drift flight_momenta(const dynamics::MovingNode& node, double t) const;
  void settle(dynamics::Articulation& of);
  void end_joints();
  void update(dynamics::JointEntry& joint,
              std::span<const dynamics::Placed> places) const;  // (joint_position.cpp)
  double follow_hinge(const dynamics::JointEntry& joint,
                      std::span<const dynamics::Placed> places) const;

  // ---- impacts (impacts.cpp) ----

  std::vector<GroupMotion> respond(const StepContact& met);
  dynamics::Partner partner(NodeId body, NodeId group, const Pose& pose);
  void bring_partners(std::size_t first, double t);
  void add_joined_partners(std::size_t first, double t);
  dynamics::PartnerSpeeds solver_bodies(const dynamics::Partners& partners, double t) const;
  void settle_partners(std::size_t first, double t);
  void note_met(const dynamics::Partner& a, const dynamics::Partner& b);
  void wake(dynamics::MovingNode& node, bool is_still, double t) const;
  dynamics::Drift momenta_at(const dynamics::MovingNode& node, double t) const;
  Vec3 to_parabola_at(const dynamics::MovingNode& node, double t) const;
  void advance(dynamics::MovingNode& node, double t) const;
  static void limit_turning(dynamics::MovingNode& node, const Mat3& rotation);
  void ground_supported();
  void separate_all();
  void join_bodies(Index a, Index b);
  Index joined_root(Index i);
  /// Calls use(group, stands) for all sets of `joined_to_` except single free bodies. `stands`: the
  /// set includes something that forces do not move.
  template <class Use>
  void each_joined_group(Use&& use);
  /// Calls use(group) for all sets of `joined_to_`, also of one body.
  template <class Use>
  void each_group(Use&& use);
  void support(const dynamics::Partner& partner, double rest) const;
  dynamics::SolverBody solver_body(const dynamics::Partner& partner, double t) const;
  dynamics::SolverBody forces_ahead(const dynamics::Partner& partner, double t) const;
  dynamics::PartnerSpeeds forces_ahead(const dynamics::Partners& partners, double t);
  void take(const dynamics::Partner& partner, const dynamics::SolverBody& body) const;
  void list_near(NodeId a, const Pose& pose_a, NodeId b, const Pose& pose_b);
  void add_nearest(Index a, const Pose& pose_a, Index b, const Pose& pose_b, const Contact& told);
  void add_touching(dynamics::MeetingPair pair, const dynamics::Partners& partners,
                    const dynamics::PartnerSpeeds& bodies);
  std::span<const dynamics::SolverContact> contacts_of(const dynamics::MeetingPair& pair) const {
    return std::span(meeting_).subspan(pair.first, pair.last - pair.first);
  }
  bool rest_on_each_other(const dynamics::Partners& partners, double t);
  dynamics::PartnerSpeeds hold(const dynamics::Partners& partners, double t);
  /// After this many impacts in a step a body stands still for the rest of it: this bounds the work
  /// where impacts do not end.
  static constexpr int kMaxImpacts = 24;
  /// Relative to other speeds: a smaller speed is rounding.
  static constexpr double kSmallSpeed = 1e-12;
  /// In units of the tolerance: contact candidates this near count as touching in an impact.
  static constexpr double kMeeting = 4;
  /// In units of the tolerance: a body that is nearer to one that it meets with some speed is
  /// pressed to it. That may happen a few times, each time nearer than before.
  static constexpr double kPressedHard = 0.1;
  /// Returns whether the bodies of the first pair are pressed together.
  [[nodiscard]] bool meet(const StepContact& met, const dynamics::Partners& partners);
  bool is_pressed(const dynamics::MeetingPair& pair) const;
  void collect_impulses();
  void give_motions(const dynamics::Partners& partners, double t);
  void fly_on(const dynamics::Partners& partners, dynamics::PartnerSpeeds& bodies, double time);
  void tell_impact(const dynamics::MeetingPair& pair, double time);

  // ---- parabolas (parabola.cpp) ----

  [[nodiscard]] bool is_on_parabola(const dynamics::Partner& partner);
  dynamics::Passing passing(const dynamics::Partner& partner, double t);
  double wait_on_parabolas(double speed, const Vec3& normal, const dynamics::Passing& a,
                           const dynamics::Passing& b) const;
  double wait_of_first(const dynamics::Partners& partners, const dynamics::PartnerSpeeds& bodies,
                       double t);
  double time_of_impact(const dynamics::Partners& partners, const dynamics::PartnerSpeeds& bodies,
                        double t);

  // ---- impacts at the same time (simultaneous.cpp) ----

  bool add_simultaneous(const dynamics::PartnerSpeeds& bodies, double t);
  dynamics::Partner partner_at(Index body, double t);
  [[nodiscard]] bool passes_on(Index body) const;
  [[nodiscard]] bool may_be_met(const dynamics::Partner& partner) const;
  [[nodiscard]] bool comes_near(const dynamics::MeetingPair& pair, const dynamics::Partner& a,
                                const dynamics::Partner& b, double t, double wait);
  Index take_in(const dynamics::Partner& partner, double t);

  int part_ = 0, parts_ = 1;                            // number and count of the step's parts
  std::vector<std::pair<NodeId, NodeId>> rolling_;      // pairs, see step_parts.cpp
  std::vector<std::pair<NodeId, Motion>> ways_before_;  // in the parts so far
  std::vector<Impact> impacts_before_;                  // also in the parts so far
  std::vector<RestingContact> contacts_before_, met_contacts_;  // met_: within the present part
  std::vector<JointPush> pushes_before_;
  std::vector<LostTime> lost_before_;
  std::vector<std::pair<NodeId, NodeId>> stuck_before_, unresolved_before_;
  std::vector<double> moves_lost_;  // for each of `moves`: lost time, in parts
  Stepper stepper_;
  dynamics::ContactList contact_list_;
  std::vector<Index> mover_of_;  // numbers in `nodes`, or kNone
  std::vector<dynamics::NearQuestion> near_pairs_;
  std::vector<std::pair<Index, Index>> neighbours_;  // (number in `nodes`, body), sorted
  int looks_ = 0, looks_before_ = 0;        // predictions with new contacts: now, last step
  bool coarse_ = false;                     // motions are only predicted
  std::vector<dynamics::NearPlace> found_;  // the candidates of contact_list_ that count
  std::vector<dynamics::SlidingBodies> sliding_;
  dynamics::SlidingSurfaces sliding_surfaces_;
  std::vector<dynamics::NearPlace> met_;     // on predicted motions, see foresee
  std::vector<dynamics::NearPlace> places_;  // found_ and met_, merged
  std::vector<Index> resting_;               // active places_ where bodies rest
  std::vector<dynamics::SolverContact> solver_contacts_, sorted_contacts_;  // the same, then limits
  std::vector<std::pair<Index, double>> limits_;  // joint and side (1: `least`) of these limits
  std::vector<Index> active_, waiting_;           // chosen places_, and all others
  std::vector<Index> recalled_;  // for each of places_: number in remembered_, or kNone
  struct Failing {
    double speed;
    Index place;
  };
  std::vector<Failing> failing_;
  std::vector<Index> added_, order_;
  dynamics::RestingSolver contact_solver_;
  dynamics::ContactSolver impact_solver_;
  std::vector<std::pair<Index, Index>> opened_;         // bodies with regained gaps, sorted
  std::vector<bool> held_;                              // in this step; like `nodes`
  std::vector<bool> tumbles_;                           // like `nodes`, plus one at rest
  std::vector<bool> pressed_joined_;                    // like articulations_
  std::vector<Index> joined_to_;                        // parents, in sets of bodies in contact
  std::vector<std::pair<Index, Index>> joined_groups_;  // (last of a set, member)
  // Like `nodes`, plus one at rest: bodies that met, and bodies that contacts moved or held.
  std::vector<std::pair<Index, Index>> met_in_step_, pressed_in_step_;
  std::vector<bool> driven_;                 // touches what follows a motion
  std::vector<bool> standing_;               // is held by what stands still
  std::vector<double> gap_speeds_;           // how fast gaps may close, or must open
  std::vector<dynamics::Rise> rises_;        // of the sets of joined_to_
  std::vector<dynamics::Turns> body_turns_;  // of solver_bodies_, see find_turns
  std::vector<Vec3> centres_;                // like `nodes`, plus one that stands still
  std::vector<dynamics::SolverBody> unjoined_, predicted_, solver_bodies_,
      moved_bodies_;   // like `nodes`, plus one at rest
  struct Remembered {  // an impulse of the previous step
    Index a, b;
    Feature feature_a, feature_b;
    Vec3 impulse, point;
  };
  std::vector<Remembered> remembered_;
  NearResult near_;
  Workspace workspace_;
  std::vector<dynamics::MeetingPair> meeting_pairs_;  // of an impact; the first one met first
  std::vector<dynamics::SolverContact> meeting_;      // the contacts of these pairs
  std::vector<std::pair<Feature, Feature>> meeting_features_;
  std::vector<Vec3> meeting_points_, meeting_impulses_;
  std::vector<double> meeting_restitutions_;
  std::vector<std::pair<Index, Index>> meet_soon_;   // bodies
  std::vector<std::pair<NodeId, NodeId>> touching_;  // bodies that touched from the start

  std::vector<dynamics::Articulation> articulations_;
  std::size_t articulation_count_ = 0;
  std::vector<Index> articulation_of_, local_of_;  // like `nodes`; kNone: not joined
  std::vector<dynamics::JointBlock> blocks_;
  std::deque<dynamics::JointedResponse> responses_;  // a deque: elements in use stay where they are
  std::size_t responses_used_ = 0;
  dynamics::Partners partners_;
  std::vector<dynamics::Articulation*> meeting_joined_;  // of the partners
  std::vector<double> joint_impulses_, sum_;
  std::vector<double> start_errors_, aims_;  // of joints at a flight's start, and a part's end
  double open_at_start_ = 0;                 // the largest of start_errors_, see joint_errors
  std::vector<dynamics::SolverBody> unit_bodies_, before_, closing_, start_bodies_, moved_joined_;
  std::vector<dynamics::Placed> start_places_, end_places_, middle_places_;
  dynamics::JointSystem middle_system_;
  std::vector<dynamics::Drift> drifts_, momenta_;
  std::vector<Motion> flight_motions_;
  dynamics::DirectContacts direct_;  // for resting islands with heavy bodies
  std::vector<dynamics::Bed> beds_;
  std::vector<NodeId> woken_;  // in this step, by impacts
};

template <class Use>
void Dynamics::Data::each_group(Use&& use) {
  joined_groups_.clear();
  for (Index i = 0; i < dynamic_count; ++i) joined_groups_.emplace_back(joined_root(i), i);
  std::sort(joined_groups_.begin(), joined_groups_.end());
  for (auto first = joined_groups_.begin(); first != joined_groups_.end();) {
    const auto last = std::find_if(first, joined_groups_.end(),
                                   [&](const auto& other) { return other.first != first->first; });
    use(std::span<const std::pair<Index, Index>>(first, last));
    first = last;
  }
}

template <class Use>
void Dynamics::Data::each_joined_group(Use&& use) {
  each_group([&](std::span<const std::pair<Index, Index>> group) {
    const bool stands = group.front().first == dynamic_count;
    if (stands || group.size() > 1) use(group, stands);
  });
}

}  // namespace touche
