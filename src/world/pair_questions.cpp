// SPDX-License-Identifier: Apache-2.0
#include "world/pair_questions.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <iterator>

#include "base/threads.h"
#include "query/workspace.h"
#include "shape/soup_hull.h"
#include "world/in_order.h"

namespace touche::world {
namespace {

// Distances beyond the clearance, as fractions of the tolerance or of a gap.
struct Band {
  double lower, upper;
};
// The first band leaves half of the tolerance between bodies that stop.
constexpr Band kOfTolerance[] = {{0.5, 1}, {0.125, 0.25}, {0.03125, 0.0625}};
// A stopped body may use part of the remaining gap. But where only a small fraction of the
// tolerance is left, the first query of a step leaves nearly all of it: otherwise a body that is
// pressed in every step would be left with less than rounding can distinguish from a contact.
// Motion along the nearly touching surface stays possible. Later queries in a step follow a
// response, which should change the motion; if it does not, the responses end sooner the faster the
// gap shrinks.
constexpr Band kOfGap = {0.25, 0.75}, kOfSmallGap = {1 - 1.0 / 256, 1 - 1.0 / 65536};
constexpr double kSmallGap = 1.0 / 256;
constexpr double kLeastGap = kOfTolerance[2].lower;

// Bodies that hulls stop in a band of the tolerance stop in this upper part of it, so that they can
// be stopped more often before too little is left. In a band of a gap little is left already, and
// the sequence of stops must end, so there the whole band is used.
constexpr double kUpperPart = 0.5;

// If two bodies separate and meet again, their distance is measured at these fractions of the time
// until then. They were far apart if it exceeds `kFarApart` tolerances: bodies at rest on each
// other stay below that, and a round body that wobbles rises higher at one point while another
// point stays near.
constexpr double kInBetween[] = {0.5, 0.25, 0.75}, kFarApart = 2;

// A body that moves by less than this fraction of a gap stays in the upper part of the narrowest
// band.
constexpr double kHardly = 0x1p-20;

// Hulls may be reported as touching beyond a band by up to this fraction of its width.
constexpr double kOfHulls = 0.25;

ToiOptions within(const Band& band, double length, double clearance) {
  return {.tolerance = (band.upper - band.lower) * length,
          .clearance = clearance + band.lower * length};
}

double end_of(const ToiOptions& band) { return band.clearance + band.tolerance; }

// The distance at a time of the motions. Hulls are measured first, as faces are at least as far
// apart.
DistanceResult distance_at(const PairQuestion& question, double t, double max_distance,
                           Workspace& workspace) {
  const Pose a = question.motion_a.pose(t), b = question.motion_b.pose(t);
  const DistanceOptions options{
      .max_distance = max_distance, .budget = question.budget, .workspace = &workspace};
  if (are_hull_surfaces(question)) {
    DistanceResult hulls = distance(*shape::hull_of(question.a.object()), a,
                                    *shape::hull_of(question.b.object()), b, options);
    if (hulls.complete && hulls.distance.lower > 0) return hulls;
  }
  return distance(question.a, a, question.b, b, options);
}

}  // namespace

query::IsNear is_near(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      double margin, const Budget& budget, Workspace& workspace,
                      QueryStats& stats) {
  if (are_soups(a, b))
    return query::is_near(a.object(), pose_a, b.object(), pose_b, margin, budget, workspace, stats);
  const DistanceResult start = distance(
      a, pose_a, b, pose_b,
      {.max_distance = margin, .stop_below = margin, .budget = budget, .workspace = &workspace});
  stats += start.stats;
  if (start.distance.upper <= margin) return query::IsNear::yes;
  return start.distance.lower >= margin ? query::IsNear::no : query::IsNear::unknown;
}

bool are_hull_surfaces(const PairQuestion& question) {
  return are_soups(question.a, question.b) && shape::is_hull_surface(question.a.object()) &&
         shape::is_hull_surface(question.b.object());
}

std::optional<ToiOptions> Stages::enter(const PairQuestion& question, Workspace& workspace,
                                        QueryStats& stats) {
  static_assert(std::size(kOfTolerance) == kBands);
  const double clearance = question.clearance, tolerance = question.tolerance;
  if (number < kBands) {
    ToiOptions band = within(kOfTolerance[number], tolerance, clearance);
    band.t_start = from_;
    band_end_ = end_of(band);
    return band;
  }
  if (!gap_) {
    const DistanceResult start = distance_at(question, 0, clearance + tolerance, workspace);
    stats += start.stats;
    // Rounding may leave the distance of round shapes open, but their lower bound is proved.
    const bool is_proved = !are_soups(question.a, question.b) && start.distance.lower > 0;
    if (!start.complete && !is_proved) return {};
    // Some distances are known beyond the queried maximum.
    gap_ = std::min(start.distance.lower, clearance + tolerance);
    // Pairs that were found in this stage in an earlier step and have separated since, or were
    // moved elsewhere, begin in the band that fits their distance.
    const bool asked_bands = band_end_ > 0;
    for (std::size_t k = 0; k < kBands && !asked_bands; ++k)
      if (*gap_ >= end_of(within(kOfTolerance[k], tolerance, clearance))) {
        number = k;
        return enter(question, workspace, stats);
      }
  }
  const double beyond = *gap_ - clearance;
  if (number == kGap && beyond > 0)
    return within(question.from == 0 && beyond < kSmallGap * tolerance ? kOfSmallGap : kOfGap,
                  beyond, clearance);
  number = kLast;
  // While they separate, bodies may overlap by the tolerance, but bodies that are not in contact
  // must not get into contact.
  constexpr double kLess = 0.9;
  ToiOptions options{.tolerance = tolerance, .clearance = clearance};
  if (beyond > 0)
    options.tolerance = beyond;
  else if (*gap_ > 0)
    options.tolerance = std::min(tolerance, kLess * clearance);
  options.may_separate = true;
  return options;
}

bool Stages::is_passed(ToiStatus status, const PairQuestion& question, double apart,
                       Workspace& workspace, QueryStats& stats) const {
  if (from_ > 0) return false;
  if (status == ToiStatus::initially_touching) return !is_last();
  if (status != ToiStatus::contact || number >= kBands || apart > band_end_) return false;
  return is_near(question.a, question.motion_a.pose(0), question.b, question.motion_b.pose(0),
                 band_end_, question.budget, workspace, stats) == query::IsNear::yes;
}

bool Stages::widen(const ToiResult& met, const PairQuestion& question, Workspace& workspace,
                   QueryStats& stats) {
  if (from_ > 0 || number == 0 || is_last() || met.status != ToiStatus::contact) return false;
  const double far = question.clearance + kFarApart * question.tolerance;
  // They begin within the tolerance, so they get no farther apart than this bound.
  const double way = displacement(question.a, question.motion_a.pose(0), question.motion_a) +
                     displacement(question.b, question.motion_b.pose(0), question.motion_b);
  if (!(question.clearance + question.tolerance + way > far)) return false;
  for (const double share : kInBetween) {
    const double t = share * met.time.lower;
    const DistanceResult apart = distance_at(question, t, 2 * far, workspace);
    stats += apart.stats;
    if (!(apart.distance.lower > far)) continue;
    number = 0;
    from_ = t;
    return from_ > 0;
  }
  return false;
}

ToiOptions Stages::for_hulls(const ToiOptions& entered) const {
  ToiOptions part = entered;
  if (number < kBands) {
    part.clearance += kUpperPart * entered.tolerance;
    part.tolerance -= kUpperPart * entered.tolerance;
  }
  return part;
}

void Stages::pass(const PairQuestion& question, double apart) {
  for (++number; number < kBands; ++number) {
    const double end = end_of(within(kOfTolerance[number], question.tolerance, question.clearance));
    if (apart > end) break;
    band_end_ = end;
  }
}

// For two objects that are the surfaces of their hulls, the hulls give the whole answer. For others
// they only prove that a pair is free, and only beyond the band's end, where faces never count as
// touching: so the answer is that of the faces, to the last bit. Starting the search among faces
// where the hulls begin to touch would change time and point of contact arbitrarily within the
// tolerance: symmetric scenes did not stay symmetric.
AnswerOfHulls answer_of_hulls(const PairQuestion& question, const Stages& stages,
                              const ToiOptions& entered) {
  AnswerOfHulls answer;
  if (entered.may_separate || question.budget.max_work == 0 || question.budget.expired() ||
      !are_soups(question.a, question.b))
    return answer;
  const Object &a = question.a.object(), &b = question.b.object();
  if (shape::is_hull_surface(a) && shape::is_hull_surface(b)) {
    answer.result = shape::impact_by_hulls(a, question.motion_a, b, question.motion_b,
                                           stages.for_hulls(entered), question.confirmed,
                                           &answer.apart_at_start);
    if (answer.result && answer.result->status == ToiStatus::initially_touching)
      answer.apart = answer.result->contact->distance;
    return answer;
  }
  ToiOptions hulls;
  hulls.clearance = end_of(entered);
  hulls.tolerance = kOfHulls * entered.tolerance;
  hulls.t_start = entered.t_start;
  if (shape::hulls_stay_apart(a, question.motion_a, b, question.motion_b, hulls)) {
    answer.result.emplace();
    answer.result->status = ToiStatus::free;
    answer.result->time.lower = 1;
  }
  return answer;
}

double time_to_stop(const PairQuestion& question, const ToiResult& meet, Workspace& workspace) {
  const double enough = question.clearance + kLeastGap * question.tolerance;
  for (const double back : {1e-3, 0.03, 0.25}) {
    const double t = meet.time.lower - back * (meet.time.lower - meet.separated_at);
    if (!(t > meet.separated_at)) break;
    const DistanceResult left =
        distance(question.a, question.motion_a.pose(t), question.b, question.motion_b.pose(t),
                 {.max_distance = 2 * enough, .budget = question.budget, .workspace = &workspace});
    if (left.distance.lower > enough) return t;
  }
  return 0;
}

bool hardly_move(const PairQuestion& question, Workspace& workspace, QueryStats& stats) {
  if (!are_hull_surfaces(question)) return false;
  const DistanceResult start =
      distance_at(question, 0, question.clearance + question.tolerance, workspace);
  stats += start.stats;
  const double beyond = start.distance.lower - question.clearance,
               way = displacement(question.a, question.motion_a.pose(0), question.motion_a) +
                     displacement(question.b, question.motion_b.pose(0), question.motion_b);
  return beyond > 0 && way <= kHardly * beyond;
}

PairAnswer ask_pair(const PairQuestion& question, Workspace& workspace, std::size_t first_stage) {
  PairAnswer answer;
  answer.time.lower = question.from;
  WorkspaceAccess::memory(workspace).queue.set_often_asked();  // queried step by step
  Stages stages;
  stages.number = first_stage;
  for (;;) {
    std::optional<ToiOptions> options = stages.enter(question, workspace, answer.stats);
    answer.stage = stages.number;
    if (!options) {
      answer.status = ToiStatus::undecided;
      return answer;
    }
    options->budget = question.budget;
    options->workspace = &workspace;
    const AnswerOfHulls hulls = answer_of_hulls(question, stages, *options);
    ToiResult result = hulls.result ? *hulls.result
                                    : time_of_impact(question.a, question.motion_a, question.b,
                                                     question.motion_b, *options);
    answer.stats += result.stats;
    if (stages.is_passed(result.status, question, hulls.apart_at_start, workspace, answer.stats)) {
      stages.pass(question, hulls.apart);
      continue;
    }
    if (stages.widen(result, question, workspace, answer.stats)) continue;
    answer.status = result.status;
    answer.contact = result.contact;
    if (stages.is_last() && result.status != ToiStatus::free)
      result.time.lower = time_to_stop(question, result, workspace);
    const auto in_step = [&](double t) { return question.from + t * (1 - question.from); };
    answer.time = {in_step(result.time.lower), in_step(result.time.upper)};
    return answer;
  }
}

void PairQuestioner::ask_all(std::size_t count, int threads,
                             const std::function<void(std::size_t, Workspace&)>& ask) {
  if (workspaces_.empty()) workspaces_.emplace_back();
  if (threads_for(count, threads) <= 1) {
    for (std::size_t i = 0; i < count; ++i) ask(i, workspaces_.front());
    return;
  }
  base::with_threads(threads, [&] {
    const auto most = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    while (workspaces_.size() < most) workspaces_.emplace_back();
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
      ask(i, workspaces_[static_cast<std::size_t>(tbb::this_task_arena::current_thread_index())]);
    });
  });
}

}  // namespace touche::world
