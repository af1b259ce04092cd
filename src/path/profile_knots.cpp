// SPDX-License-Identifier: Apache-2.0
#include "path/profile_knots.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace touche::paths {
namespace {

// Number of samples close to each end of a contact, where the clearance falls to zero.
constexpr int kEndSamples = 6;

// Whether there is a contact at all is tested at every knot of this stride first, then at the knots
// halfway between, and so on.
constexpr std::size_t kFirstStride = 32;

// Measures knots of a motion. Parts of a study are at rest most of the time; then the distance of
// the previous knot is reused.
class Measuring {
 public:
  Measuring(const MovingPair& pair, int threads, std::vector<Knot>& knots, QueryStats& stats)
      : pair_(pair), threads_(threads), knots_(knots), stats_(stats) {
    query::RelativePose last;
    for (std::size_t i = 0; i < knots.size(); ++i) {
      const query::RelativePose place = pair.place_at(knots[i].t);
      const bool same = place.rotation == last.rotation && place.translation == last.translation;
      if (i == 0 || !same) moved_.push_back(i);
      last = place;
    }
    state_.assign(moved_.size(), State::open);
  }

  std::size_t size() const { return moved_.size(); }
  bool is_open(std::size_t k) const { return state_[k] == State::open; }

  // Measures the chosen ones of `moved_`.
  void measure(std::span<const std::size_t> chosen) {
    for_each_task(pair_, threads_, chosen.size(), stats_, [&](std::size_t c, QueryStats& s) {
      const std::size_t k = chosen[c];
      const DistanceResult found = pair_.distance_at(knots_[moved_[k]].t, {}, s);
      const double least = pair_.proved(found);
      for (std::size_t i = moved_[k]; i < end_of(k); ++i) {
        knots_[i].distance = found.distance.upper;
        knots_[i].least = least;
      }
    });
    for (const std::size_t k : chosen) {
      state_[k] = State::measured;
      least_ = std::min(least_, knots_[moved_[k]].distance);
    }
  }

  bool met_contact() const { return is_contact(pair_, least_); }

  // Leaves out unmeasured knots between two measured ones if these prove enough.
  void leave_out_above(double far) {
    std::size_t last = 0;
    for (std::size_t k = 1; k < size(); ++k) {
      if (state_[k] != State::measured) continue;
      if (last + 1 < k && is_open(last + 1) &&
          is_enough(knots_[end_of(last) - 1], knots_[moved_[k]], far))
        std::fill(state_.begin() + last + 1, state_.begin() + k, State::left_out);
      last = k;
    }
  }

  // Removes the knots that were left out; returns how many are measured.
  std::size_t remove_left_out() {
    std::vector<Knot> kept;
    std::size_t measured = 0;
    for (std::size_t k = 0; k < size(); ++k) {
      if (state_[k] != State::measured) continue;
      ++measured;
      kept.insert(kept.end(), knots_.begin() + moved_[k], knots_.begin() + end_of(k));
    }
    knots_ = std::move(kept);
    return measured;
  }

 private:
  enum class State : char { open, measured, left_out };

  std::size_t end_of(std::size_t k) const { return k + 1 < size() ? moved_[k + 1] : knots_.size(); }

  bool is_enough(const Knot& knot, const Knot& next, double far) const {
    const double lesser = std::min(knot.distance, next.distance);
    const double enough = std::max({far, least_, kFarShare * lesser});
    return lesser > enough && kept_by_speed(pair_, knot, next) > enough;
  }

  const MovingPair& pair_;
  const int threads_;
  std::vector<Knot>& knots_;
  QueryStats& stats_;
  // knots at which the relative pose differs from that of the knot before
  std::vector<std::size_t> moved_;
  std::vector<State> state_;  // of each element of `moved_`
  double least_ = kInfinity;  // least distance so far
};

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

std::size_t measure(const MovingPair& pair, int threads, std::vector<Knot>& knots,
                    QueryStats& stats) {
  Measuring measuring(pair, threads, knots, stats);
  std::vector<std::size_t> all(measuring.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  measuring.measure(all);
  return measuring.size();
}

std::size_t measure_sparsely(const MovingPair& pair, int threads, double far, bool until_contact,
                             std::vector<Knot>& knots, QueryStats& stats) {
  Measuring measuring(pair, threads, knots, stats);
  for (std::size_t stride = kFirstStride; stride > 0; stride /= 2) {
    std::vector<std::size_t> chosen;
    for (std::size_t k = 0; k < measuring.size(); k += stride)
      if (measuring.is_open(k)) chosen.push_back(k);
    const std::size_t last = measuring.size() - 1;
    if (stride == kFirstStride && chosen.back() != last) chosen.push_back(last);
    measuring.measure(chosen);
    if (until_contact && measuring.met_contact()) return 0;
    measuring.leave_out_above(far);
  }
  return pair.stopped() ? measuring.size() : measuring.remove_left_out();
}

double kept_by_speed(const MovingPair& pair, const Knot& knot, const Knot& next) {
  const double middle = 0.5 * (knot.t + next.t);
  const double kept = std::min(knot.least - pair.displacement(knot.t, knot.t, middle),
                               next.least - pair.displacement(next.t, middle, next.t)) -
                      pair.tolerance();  // a generous allowance for rounding
  return std::clamp(kept, 0.0, std::min(knot.least, next.least));
}

}  // namespace touche::paths
