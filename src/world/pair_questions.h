// SPDX-License-Identifier: Apache-2.0
// Computes when two bodies of a step meet, such that a body that stops there keeps a distance.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>

#include "query/is_near.h"
#include "shape/soup_hull.h"
#include "touche/shape.h"
#include "world/body_boxes.h"

namespace touche::world {

/// As ToiResult, in the time of the step.
struct PairAnswer {
  ToiStatus status = ToiStatus::undecided;
  Bracket time;
  std::optional<Contact> contact = {};
  std::size_t stage = 0;  // in which the pair was found, see Stages
  QueryStats stats = {};
  bool stuck = false;  // undecided because of rounding: no budget would help
};

/// The shapes and motions must outlive the question.
struct PairQuestion {
  const Shape& a;
  const Motion& motion_a;
  const Shape& b;
  const Motion& motion_b;
  double from = 0;  // the time of the step at which both motions begin
  double tolerance = 0, clearance = 0;
  Budget budget = {};
  /// How contacts that hulls find are confirmed.
  shape::Confirmed confirmed = shape::Confirmed::by_faces;
};

/// As `query::is_near`, for any two bodies.
query::IsNear is_near(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      double margin, const Budget& budget, Workspace& workspace, QueryStats& stats);

/// True if both are soups that are the surfaces of their hulls.
bool are_hull_surfaces(const PairQuestion& question);

/// The queries of a pair, made one after the other as long as the bodies count as touching from the
/// start.
///
/// A contact is reported where a band of distances ends, and bodies are proved to be farther apart
/// than where it begins: so a body that stops keeps a part of the tolerance. Bodies that begin
/// within a band, because they stopped or were put there, are queried again in a narrower band;
/// bodies that begin within the narrowest one, in a band that is a part of their gap. Only bodies
/// that are in contact, or nearer than the clearance, may begin with a contact that separates.
///
/// Bodies that met in a narrow band after they had been far apart are queried once more, in the
/// first band and from that time on: otherwise they would be left with little of the tolerance only
/// because they began near each other.
class Stages {
 public:
  std::size_t number = 0;

  bool is_last() const { return number == kLast; }
  /// Returns the query of this stage; may skip a stage. Empty if the distance at the start is not
  /// known: the budget ended first, or rounding leaves it open.
  std::optional<ToiOptions> enter(const PairQuestion& question, Workspace& workspace,
                                  QueryStats& stats);
  /// True if the answer calls for the next stage, and this is not the last: the bodies begin within
  /// the band, whether this is reported as touching at the start or as a contact a moment later.
  /// `apart` is a lower bound of their distance at the start, or 0.
  bool is_passed(ToiStatus status, const PairQuestion& question, double apart, Workspace& workspace,
                 QueryStats& stats) const;
  /// If the bodies were far apart before they met, switches to the first band from such a time on
  /// and returns true. Before that time the narrow band proves them apart. Happens once at most.
  bool widen(const ToiResult& met, const PairQuestion& question, Workspace& workspace,
             QueryStats& stats);
  /// The part of the entered band in which hulls let bodies stop. Conservative advancement ends
  /// where its bounds do, at the smallest distance allowed.
  ToiOptions for_hulls(const ToiOptions& entered) const;
  /// Goes on to the next stage in which two bodies that are at most `apart` from each other at the
  /// start do not count as touching.
  void pass(const PairQuestion& question, double apart);

 private:
  static constexpr std::size_t kBands = 3, kGap = kBands, kLast = kGap + 1;

  std::optional<double> gap_;  // a lower bound of the distance at the start
  double band_end_ = 0;        // the distance at which the band of the entered stage ends
  double from_ = 0;            // the motions' time from which the first band is queried again
};

/// The answer of two objects' convex hulls to the query of a stage, if they give one.
struct AnswerOfHulls {
  std::optional<ToiResult> result;
  /// Upper bound of their distance at the start; known if they touch there.
  double apart = kInfinity;
  /// Lower bound of their distance at the start of their motions.
  double apart_at_start = 0;
};
AnswerOfHulls answer_of_hulls(const PairQuestion& question, const Stages& stages,
                              const ToiOptions& entered);

/// Bodies that separated from the start and met again are only known to be apart at each moment
/// until then. Returns a time of the motions at which they are far enough apart to stop there; 0 if
/// none is found.
double time_to_stop(const PairQuestion& question, const ToiResult& meet, Workspace& workspace);

/// Times are in the time of the step, so `from` is the earliest possible one. `first_stage` skips
/// the stages in which the bodies are assumed to begin: the answer is as valid, but they may stop
/// nearer to each other.
PairAnswer ask_pair(const PairQuestion& question, Workspace& workspace,
                    std::size_t first_stage = 0);

/// True if by their hulls both motions are negligible against the gap beyond the clearance at the
/// start: then `ask_pair` reports the pair as free.
bool hardly_move(const PairQuestion& question, Workspace& workspace, QueryStats& stats);

/// Makes queries on several threads, each with a workspace of its own, which is reused.
class PairQuestioner {
 public:
  /// Calls `ask(i, workspace)` for all i below count, in any order.
  void ask_all(std::size_t count, int threads,
               const std::function<void(std::size_t, Workspace&)>& ask);

 private:
  std::deque<Workspace> workspaces_;  // of each thread
};

}  // namespace touche::world
