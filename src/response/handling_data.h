// SPDX-License-Identifier: Apache-2.0
// A step of a hand consists of rounds: each finds near contacts, a motion within the bounds that
// they set (handling_choice.cpp), and how far it is proved (handling_proof.cpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/budget_part.h"
#include "base/data_access.h"
#include "response/held_part.h"
#include "response/quadratic_program.h"
#include "response/twist.h"
#include "touche/handling.h"
#include "touche/step.h"

namespace touche::response {

struct BentSpring;

}  // namespace touche::response

namespace touche {

struct Handling::Data {
  /// A step leaves this many tolerances between parts beyond the clearance, where it can.
  static constexpr double kRoom = 2;
  /// A motion is not worthwhile if no point moves by this many tolerances.
  static constexpr double kLeastMove = 0.25;
  /// Number of steps to the same target without any gain, before the part rests.
  static constexpr int kPatience = 16;

  Data(const World& of, NodeId node, const HandlingOptions& with)
      : handle(DataAccess::share(of)),
        world(DataAccess::mutable_data(handle)),
        options(with),
        part(world, node, with.mass, with.tolerance),
        stepper_(handle) {
    constexpr double kMargin = 3;
    if (options.max_distance == 0)
      options.max_distance = kMargin * (with.clearance + kRoom * with.tolerance);
    // Facts that are computed once for each object should not burden the first step.
    part.prepare_motions(options.max_distance);
    // A search that takes longer, with a margin in which everything is near, is left to the steps
    // and their deadlines.
    constexpr std::uint64_t kFirstLook = 100'000;
    left_ = base::for_part(options.budget);
    left_.max_work = std::min(left_.max_work, kFirstLook);
    look_around();
  }

  World handle;  // keeps the data of the world alive
  World::Data& world;
  HandlingOptions options;
  response::HeldPart part;
  HandlingStep result;

  void step(const Pose& target, Budget::Clock::time_point deadline);

 private:
  /// A direction in which a near contact may push the part: a row of the quadratic program.
  struct Push {
    std::size_t near;
    Vec3 direction;
  };

  void begin_result();
  bool take_round(const Pose& target);
  bool may_go_on();
  void look_around();
  bool sticks();
  bool is_tight() const;
  void draw_back();
  enum class Hold { none, contacts };
  Hold choose();
  void go_to(const Pose& target);
  void bar_ways(double opening);
  void choose_within(const response::BentSpring& spring);
  void add_row(std::size_t near, const Vec3& direction, double least);
  void advance();
  void shorten();
  void learn_length(double reached, std::uint64_t work, const Budget& budget);
  Budget budget_of_motion() const;
  bool is_worth_while() const;
  void end(HandlingStatus status);
  void spend(const QueryStats& stats, std::uint64_t work);
  void tell(const Pose& target);
  void see_target(const Pose& target);
  void count_idle();

  Vec3 centre() const { return pose_ * part.mass().centre; }
  double travel(const response::Vec6& twist) const {
    return response::travel_bound(twist, part.reach());
  }
  double energy() const { return 0.5 * wish_.dot(metric_ * wish_); }
  /// Returns the work of the spring's force along a length of one tolerance.
  double on_way() const { return options.tolerance * std::sqrt(2 * energy()); }
  bool rests() const { return idle_ >= kPatience; }

  using Revision = std::pair<std::uint64_t, std::uint64_t>;
  Revision revision() const { return {world.revision, world.graph.changes()}; }

  Stepper stepper_;
  Budget left_;
  Pose pose_;  // of the part
  response::Mat6 metric_ = response::Mat6::Identity();
  response::Vec6 wish_ = response::Vec6::Zero(),
                 twist_ = response::Vec6::Zero();  // to the target, and the motion to make
  double last_energy_ = 0;                         // before the last round
  double first_energy_ = 0;                        // before the first round
  std::uint64_t work_before_ = 0;                  // left before the last motion
  double longest_ = kInfinity;  // limit of how far points move in the next motion
  bool drew_back_ = false;      // in this step
  bool goes_straight_ = false;  // in the next motion, which is then no screw

  Pose target_;                      // of the last step
  Revision ended_;                   // of the world, when that step ended
  double least_energy_ = kInfinity;  // smallest of all steps to this target
  int idle_ = 0;                     // steps to this target since that fell

  bool cut_ = false;                // the budget ended in the last round
  bool shortened_ = false;          // the last motion, which would else have exceeded the budget
  bool limited_ = false;            // the budget kept this step from going on
  bool moved_ = false;              // the part moved in the last round
  Budget::Clock::duration look_{};  // time of the last search for contacts
  std::uint64_t look_work_ = 0;     // work of that search

  Revision seen_;  // of the world for which near_ was found
  std::vector<response::NearContact> near_;
  bool complete_ = false;  // whether near_ has all contacts
  double gap_ = 0;         // the least distance of near_
  bool pierced_ = false;   // found by the proof, where coplanar faces give no near features
  std::vector<response::LinearConstraint> rows_;
  std::vector<Push> pushes_;  // of each row
  response::QuadraticProgram program_;
  response::QpStatus solved_ = response::QpStatus::optimal;
  std::vector<response::QuadraticProgram::Active> active_;  // sorted by constraint
};

}  // namespace touche
