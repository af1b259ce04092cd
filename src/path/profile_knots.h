// SPDX-License-Identifier: Apache-2.0
// The times at which the clearance along a motion is measured.
#pragma once

#include <tbb/parallel_for.h>

#include <span>
#include <vector>

#include "base/threads.h"
#include "path/moving_pair.h"

namespace touche {

/// An interval of time in which two objects are known to be apart, or in contact.
struct PathInterval {
  double begin, end;
  bool contact;
};

/// One sample, and the stretch from it to the next one.
struct Knot {
  double t = 0;
  bool contact = false;
  double distance = 0;
  double proved = 0;
};

/// The share of a clearance that is proved where it is far above the least one.
inline constexpr double kFarShare = 0.5;

inline double work_taken(const QueryStats& stats) { return static_cast<double>(stats.work()); }

/// Whether a distance tells that the objects may be in contact.
inline bool is_contact(const MovingPair& pair, double distance) {
  return !(distance > 4 * pair.tolerance());
}

/// Calls work(i, stats) for i in [0, count) on all threads, unless someone asks to stop.
template <class Work>
void for_each_task(const MovingPair& pair, int threads, std::size_t count, QueryStats& total,
                   const Work& work) {
  std::vector<QueryStats> stats(count);
  with_threads(threads, [&] {
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
      if (!pair.stopped()) work(i, stats[i]);
    });
  });
  for (const QueryStats& s : stats) total += s;
}

/// Places knots, no farther apart than `step`, and one at the end. The intervals follow each other
/// without gaps.
std::vector<Knot> place_knots(std::span<const PathInterval> intervals, double step);

/// Measures the distance at all knots, and returns at how many it took a search. Distances may be
/// missing when someone asks to stop.
std::size_t measure(const MovingPair& pair, int threads, std::vector<Knot>& knots,
                    QueryStats& stats);

/// The same where the objects are not known to be apart: begins with few knots, and returns 0 when
/// some are found in contact. Drops those between which speeds prove more than the length `far`,
/// than the least distance of all and than kFarShare of their own, so that none of what is dropped
/// is the least or below `far`.
std::size_t measure_to_contact(const MovingPair& pair, int threads, double far,
                               std::vector<Knot>& knots, QueryStats& stats);

/// Lower bound of the distance from one knot to the next: it cannot have fallen farther than the
/// bodies moved since, or until, a knot.
double kept_by_speed(const MovingPair& pair, const Knot& knot, const Knot& next);

}  // namespace touche
