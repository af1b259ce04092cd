// SPDX-License-Identifier: Apache-2.0
// When two bodies of a step meet, so that whoever stops there stands free.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>

#include "shape/soup_hull.h"
#include "touche/query.h"
#include "world/form.h"

namespace touche {

/// Says what ToiResult says, in the time of the step.
struct PairAnswer {
  ToiStatus status = ToiStatus::undecided;
  Bracket time;
  std::optional<Contact> contact = {};
  std::size_t stage = 0;  // in which they were found, see Stages
  QueryStats stats = {};
  bool stuck = false;  // undecided by rounding: no budget would help
};

struct PairQuestion {
  Form a;
  const Motion& motion_a;
  Form b;
  const Motion& motion_b;
  double from = 0;  // the time of the step at which both motions begin
  double tolerance = 0, clearance = 0;
  Budget budget = {};
  /// Contacts that hulls tell are confirmed so.
  Confirmed confirmed = Confirmed::by_faces;
};

/// Whether both are objects that are the surfaces of their hulls.
bool are_hull_surfaces(const PairQuestion& question);

/// Asks these about a pair, one after the other, as long as they count as touching from the
/// start.
///
/// A contact is called where a band of distances ends, and bodies are proved to be farther apart
/// than where it begins: so whoever stops keeps a part of the tolerance. Those that begin within a
/// band, because they stopped or were put there, are asked again in a narrower one; those that
/// begin within the last in one that is as narrow as their gap. Only who is in touch, or nearer
/// than the clearance, may begin with a contact that comes apart.
///
/// Two that met in a narrow band after they had come far apart are asked once more, in the first
/// band, from then on: else they would be left with little of the tolerance for having begun near
/// to each other.
class Stages {
 public:
  std::size_t number = 0;

  bool is_last() const { return number == kLast; }
  /// Returns what to ask now; may skip a stage. Nothing when the budget ended first.
  std::optional<ToiOptions> enter(const PairQuestion& question, Workspace& workspace,
                                  QueryStats& stats);
  /// Whether the answer is one for the next stage, and not the last: they begin within the band, be
  /// it said so or called a contact a moment later.
  /// `apart` is a lower bound of their distance at the start, or 0.
  bool is_passed(ToiStatus status, const PairQuestion& question, double apart, Workspace& workspace,
                 QueryStats& stats) const;
  /// Whether they are to be asked in the first band, from a time on at which they were far apart.
  /// Before that the narrow band proves them apart. Once at most.
  bool widen(const ToiResult& met, const PairQuestion& question, Workspace& workspace,
             QueryStats& stats);
  /// The part of what was entered in which hulls let bodies stop. Steps of advancement end where
  /// their bounds do, at the least distance that is allowed.
  ToiOptions for_hulls(const ToiOptions& entered) const;
  /// Goes on to the next stage of those in which two that are at most that far apart at the start
  /// do not count as touching.
  void pass(const PairQuestion& question, double apart);

 private:
  static constexpr std::size_t kBands = 3, kGap = kBands, kLast = kGap + 1;

  std::optional<double> gap_;  // a lower bound of the distance at the start
  double band_end_ = 0;        // of the stage that was entered, a distance
  double from_ = 0;            // the motions' time from which on the first band is asked again
};

/// The answer that the convex hulls of two objects give to what a stage asks, if they do.
struct AnswerOfHulls {
  std::optional<ToiResult> result;
  /// Known where they touch from the start: they are at most that far apart.
  double apart = kInfinity;
  /// They are at least that far apart at the start of their motions.
  double apart_at_start = 0;
};
AnswerOfHulls answer_of_hulls(const PairQuestion& question, const Stages& stages,
                              const ToiOptions& entered);

/// Bodies that came apart from the start and met again are only known to be apart at each moment
/// until then. A time at which they are so by enough to stop there, in that of the motions: 0, if
/// none is found.
double time_to_stop(const PairQuestion& question, const ToiResult& meet, Workspace& workspace);

/// Lengths of time are those of the step, so `from` is the earliest time there is. `first_stage`
/// leaves out stages in which they are thought to begin: the answer is as true, but they may stop
/// nearer to each other.
PairAnswer ask_pair(const PairQuestion& question, Workspace& workspace,
                    std::size_t first_stage = 0);

/// Whether their hulls tell that both ways are next to nothing against what lies between them,
/// beyond the clearance, at the start: then `ask_pair` tells them free.
bool hardly_move(const PairQuestion& question, Workspace& workspace, QueryStats& stats);

/// Asks on several threads, each with a workspace of its own, which are used again.
class PairQuestioner {
 public:
  /// Calls ask(i, workspace) for all i below count, in any order.
  void ask_all(std::size_t count, int threads,
               const std::function<void(std::size_t, Workspace&)>& ask);

 private:
  std::deque<Workspace> workspaces_;  // of each thread
};

}  // namespace touche
