// SPDX-License-Identifier: Apache-2.0
// The times at which the clearance along a motion is measured.
#pragma once

#include <tbb/parallel_for.h>

#include <span>
#include <vector>

#include "base/threads.h"
#include "path/moving_pair.h"

namespace touche::paths {

/// An interval of time in which two objects are known to be apart, or in contact.
struct PathInterval {
  double begin, end;
  bool contact;
};

/// A sample, and the stretch from it to the next one.
struct Knot {
  double t = 0;
  bool contact = false;
  double distance = 0;
  double least = 0;   ///< lower bound of the distance at t
  double proved = 0;  ///< lower bound of the distance from here to the next knot
};

/// The share of a clearance that is proved where it is far above the least one.
inline constexpr double kFarShare = 0.5;

inline double work_taken(const QueryStats& stats) { return static_cast<double>(stats.work()); }

/// Whether the bodies may be in contact at this distance.
inline bool is_contact(const MovingPair& pair, double distance) {
  return !(distance > 4 * pair.tolerance());
}

/// Calls work(i, stats) for i in [0, count) on all threads, unless the path is stopped.
template <class Work>
void for_each_task(const MovingPair& pair, int threads, std::size_t count, QueryStats& total,
                   const Work& work) {
  std::vector<QueryStats> stats(count);
  base::with_threads(threads, [&] {
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
      if (!pair.stopped()) work(i, stats[i]);
    });
  });
  for (const QueryStats& s : stats) total += s;
}

/// Makes knots at most `step` apart, and one at the end. The intervals are consecutive, without
/// gaps.
std::vector<Knot> place_knots(std::span<const PathInterval> intervals, double step);

/// Measures the distance at all knots, and returns the number of distance searches. Distances may
/// be missing if the path is stopped.
std::size_t measure(const MovingPair& pair, int threads, std::vector<Knot>& knots,
                    QueryStats& stats);

/// The same with fewer knots. Begins with few of them and, with `until_contact`, returns 0 if some
/// are found in contact. Drops knots between which the speed bound proves a distance above `far`,
/// above the least of all distances and above the share `kFarShare` of their own, so that no
/// dropped knot is the least or below `far`.
std::size_t measure_sparsely(const MovingPair& pair, int threads, double far, bool until_contact,
                             std::vector<Knot>& knots, QueryStats& stats);

/// Lower bound of the distance from one knot to the next: it cannot fall by more than the bodies
/// move since the first knot, or until the next one.
double kept_by_speed(const MovingPair& pair, const Knot& knot, const Knot& next);

}  // namespace touche::paths
