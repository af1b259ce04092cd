// SPDX-License-Identifier: Apache-2.0
// Measures overlaps closely enough for a comparison.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/budget_meter.h"
#include "base/threads.h"
#include "clash/compare_value.h"
#include "clash/earlier_parts.h"
#include "path/interior.h"
#include "path/shift_apart.h"
#include "touche/clash.h"

namespace touche {
namespace {

// Both brackets together must be narrower than the difference that counts as none, and narrower
// still if the values differ by nearly as much.
constexpr double kShares[] = {0.25, 0.03, 0.004};
constexpr int kMostBisections = 12;

// A pair that both results list with an overlap.
struct Compared {
  ClashPair* now;
  EarlierClashes::Pair* then;
  const EarlierClashes::Part *part_a, *part_b;  // as they were; null if a mesh is not the same
};

class Measure {
 public:
  Measure(const ClashResult& now, double tolerance, const Budget& budget)
      : now_(now), tolerance_(tolerance), budget_(base::with_any_work(budget)) {}

  // Narrows the bracket to this share of the difference that counts as none.
  void narrow(double of_same, Bracket& known, Vec3* centre, const Interior& a, const Pose& pose_a,
              const Interior& b, const Pose& pose_b, double larger_by) const {
    const double relative = of_same * clash::kSameShare, absolute = of_same * tolerance_;
    const Thickness found = overlap_thickness(a, pose_a, b, pose_b,
                                              {.relative_error = relative,
                                               .absolute_error = absolute,
                                               .max_points = now_.options.thickness_points,
                                               .budget = budget_});
    double lower = found.diameter.lower, upper = std::min(known.upper, found.diameter.upper);
    // A shift or a shrinking that separates bodies bounds their overlap, also where it is wide and
    // thin, and the search for a ball takes long.
    const auto allowed = [&] { return std::max(absolute, relative * lower); };
    double apart_not = lower;
    for (int k = 0; lower > 0 && k < kMostBisections; ++k) {
      if (upper - lower <= allowed() || upper - apart_not <= 0.25 * allowed()) break;
      if (budget_.expired()) break;
      const double by = k == 0 ? lower + 0.9 * allowed() : std::sqrt(apart_not * upper);
      if (!(by < upper)) break;
      (paths::come_apart(a, pose_a, b, pose_b, by, budget_) ? upper : apart_not) = by;
    }
    lower = std::max(0.0, lower - larger_by);
    if (lower > known.lower) {
      known.lower = std::min(lower, upper);
      if (centre != nullptr) *centre = found.centre;
    }
    known.upper = std::max(upper, known.lower);
  }

 private:
  const ClashResult& now_;
  const double tolerance_;
  const Budget budget_;
};

// Both brackets hold for the same value.
void share(Bracket& now, Bracket& then) {
  const Bracket both{std::max(now.lower, then.lower), std::min(now.upper, then.upper)};
  if (both.lower <= both.upper) now = then = both;
}

double larger_by(const ClashParts& parts, const ClashPair& pair) {
  if (parts.mesh_errors.empty()) return 0;
  const auto error = [&](std::size_t part) { return parts.mesh_errors[parts.parts[part].object]; };
  return 2 * std::max(error(pair.part_a), error(pair.part_b));
}

std::vector<Compared> compared_pairs(ClashResult& now, EarlierClashes& earlier) {
  const clash::EarlierParts then(now.parts, earlier);
  std::vector<Compared> pairs;
  for (ClashPair& pair : now.pairs) {
    // Nothing is said about the thickness of open parts.
    if (!pair.closed ||
        (pair.verdict != ClashPairVerdict::clash && pair.verdict != ClashPairVerdict::contains))
      continue;
    const std::size_t a = pair.part_a, b = pair.part_b;
    const auto names = std::minmax(now.parts.parts[a].name, now.parts.parts[b].name);
    const auto found = earlier.pairs.find({names.first, names.second});
    if (found == earlier.pairs.end() || found->second.verdict != pair.verdict) continue;
    if (then.unchanged(a) && then.unchanged(b)) {
      if (pair.thickness.diameter.lower >= found->second.thickness.lower)
        share(pair.thickness.diameter, found->second.thickness);
      else  // the ball of the lower bound is not known
        pair.thickness.diameter.upper =
            std::max(pair.thickness.diameter.lower,
                     std::min(pair.thickness.diameter.upper, found->second.thickness.upper));
      continue;
    }
    const bool same = then.same_mesh(a) && then.same_mesh(b);
    pairs.push_back(
        {&pair, &found->second, same ? then.find(a) : nullptr, same ? then.find(b) : nullptr});
  }
  return pairs;
}

}  // namespace

void measure_for_comparison(ClashResult& now, EarlierClashes& earlier, double tolerance,
                            const Budget& budget) {
  if (!(tolerance >= 0 && std::isfinite(tolerance)))
    throw InvalidInput("compare: the tolerance must be a length >= 0");
  earlier.expect_unit(now.parts.unit);
  const std::vector<Compared> pairs = compared_pairs(now, earlier);
  const auto object_of = [&](std::size_t part) { return now.parts.parts[part].object; };
  std::set<std::size_t> wanted;
  for (const Compared& pair : pairs)
    wanted.insert({object_of(pair.now->part_a), object_of(pair.now->part_b)});
  const std::vector<std::size_t> objects(wanted.begin(), wanted.end());
  std::vector<std::optional<Interior>> insides(now.parts.objects.size());
  const Measure measure(now, tolerance, budget);
  base::with_threads(now.options.threads, [&] {
    tbb::parallel_for(std::size_t{0}, objects.size(), [&](std::size_t i) {
      if (!budget.expired()) insides[objects[i]].emplace(now.parts.objects[objects[i]]);
    });
    tbb::parallel_for(std::size_t{0}, pairs.size(), [&](std::size_t i) {
      const Compared& pair = pairs[i];
      const std::optional<Interior>&a = insides[object_of(pair.now->part_a)],
            &b = insides[object_of(pair.now->part_b)];
      if (!a || !b || budget.expired()) return;
      const double larger = larger_by(now.parts, *pair.now);
      Thickness& found = pair.now->thickness;
      for (const double share : kShares) {
        measure.narrow(share, found.diameter, &found.centre, *a,
                       now.parts.parts[pair.now->part_a].pose, *b,
                       now.parts.parts[pair.now->part_b].pose, larger);
        if (pair.part_a != nullptr)
          measure.narrow(share, pair.then->thickness, nullptr, *a, pair.part_a->pose, *b,
                         pair.part_b->pose, larger);
        if (budget.expired() || clash::change_of_value(pair.then->thickness, found.diameter,
                                                       tolerance) != ClashChange::unsure)
          break;
      }
    });
  });
}

}  // namespace touche
