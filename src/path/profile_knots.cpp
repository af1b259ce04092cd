// SPDX-License-Identifier: Apache-2.0
#include "path/profile_knots.h"

#include <algorithm>
#include <cmath>

namespace touche {
namespace {

// So many samples lie close to either end of a contact, where the clearance falls to nothing.
constexpr int kEndSamples = 6;

// Whether there is a contact at all is looked for at every so many knots first, then at those
// between them, and so on.
constexpr std::size_t kFirstStride = 32;

}  // namespace

std::vector<Knot> place_knots(std::span<const PathInterval> intervals, double step) {
  std::vector<Knot> knots;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const auto [begin, end, contact] = intervals[i];
    if (!(end > begin)) continue;
    // Divide the interval evenly, and ever more finely towards contacts at its ends.
    const double parts = std::max(1.0, std::ceil((end - begin) / step));
    const double length = (end - begin) / parts;
    std::vector<double> times;
    times.reserve(static_cast<std::size_t>(parts) + 2 * kEndSamples);
    for (int k = 0; k < static_cast<int>(parts); ++k) times.push_back(begin + length * k);
    for (int k = 1; k <= kEndSamples && !contact; ++k) {
      const double near_end = std::ldexp(length, -k);
      if (i > 0) times.push_back(begin + near_end);
      if (i + 1 < intervals.size()) times.push_back(end - near_end);
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    for (const double t : times)
      if (t < end) knots.push_back({.t = t, .contact = contact});
  }
  if (!knots.empty()) knots.push_back({.t = intervals.back().end});
  return knots;
}

// Parts of a study are at rest most of the time: then the distance is that of the sample before.
std::size_t measure(const MovingPair& pair, int threads, bool until_contact,
                    std::vector<Knot>& knots, QueryStats& stats) {
  std::vector<std::size_t> moved;
  RelativePose last;
  for (std::size_t i = 0; i < knots.size(); ++i) {
    const RelativePose place = pair.place_at(knots[i].t);
    const bool same = place.rotation == last.rotation && place.translation == last.translation;
    if (i == 0 || !same) moved.push_back(i);
    last = place;
  }
  for (std::size_t stride = until_contact ? kFirstStride : 1; stride > 0; stride /= 2) {
    // Those that a wider stride has measured are left out.
    std::vector<std::size_t> chosen;
    for (std::size_t k = 0; k < moved.size(); k += stride)
      if (!until_contact || stride == kFirstStride || k % (2 * stride) != 0) chosen.push_back(k);
    for_each_task(pair, threads, chosen.size(), stats, [&](std::size_t c, QueryStats& s) {
      const std::size_t k = chosen[c];
      const std::size_t next = k + 1 < moved.size() ? moved[k + 1] : knots.size();
      const double distance = pair.distance_at(knots[moved[k]].t, {}, s).distance.upper;
      for (std::size_t i = moved[k]; i < next; ++i) knots[i].distance = distance;
    });
    if (until_contact && std::any_of(chosen.begin(), chosen.end(), [&](std::size_t k) {
          return is_contact(pair, knots[moved[k]].distance);
        }))
      return 0;
  }
  return moved.size();
}

double kept_by_speed(const MovingPair& pair, const Knot& knot, const Knot& next) {
  const double middle = 0.5 * (knot.t + next.t);
  const double kept = std::min(knot.distance - pair.displacement(knot.t, knot.t, middle),
                               next.distance - pair.displacement(next.t, middle, next.t)) -
                      pair.tolerance();  // rounding, generously
  return std::clamp(kept, 0.0, std::min(knot.distance, next.distance));
}

}  // namespace touche
