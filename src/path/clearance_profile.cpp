// SPDX-License-Identifier: Apache-2.0
// Between two samples either the motion is so short that the distance cannot fall far, or a search
// for a contact at a somewhat lesser distance proves that distance, or finds where the bodies are
// nearer: there the next sample is taken, and a lesser distance is to be proved. The greater the
// share of the distance that is to be proved, the higher the price, which is tried out on short
// pieces of the motion first.
#include "path/clearance_profile.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "base/threads.h"
#include "math/rounding.h"

namespace touche {
namespace {

// The share of a clearance that is proved where it is far above the least one.
constexpr double kFarShare = 0.5;

// Shares of the least clearance. The largest that is not too dear is proved: for bodies that slide
// along each other closely, a larger share costs more.
constexpr double kShares[] = {0.25, 0.5, 0.75};

// A share is too dear when it costs more than so many times as much as to prove that there is no
// contact, and more than kCheap pairs of nodes and triangles. On short pieces it costs more than on
// the whole motion: with what is measured and tried out, the path takes about twice that proof.
constexpr double kMaxPrice = 1.8;
constexpr double kCheap = 100'000;

// The price is tried out on so many pieces, which together are this share of the motion, or less
// where the proof of a piece takes more work than this. Each piece is searched from the roots, so
// shorter ones would tell little about the rest.
constexpr int kPieces = 2;
constexpr double kPiecesShare = 1.0 / 32;
constexpr double kMaxPieceWork = 1e5;

// A search for stretches between samples may take so many times as much as was tried out.
constexpr double kMaxSearch = 8;

// At most so many stretches between samples are proved together, so that there is work for many
// threads. Their clearances differ by no more than a factor.
constexpr std::size_t kMaxTogether = 32;
constexpr double kAlike = 1.5;

// So many samples lie close to either end of a contact, where the clearance falls to nothing.
constexpr int kEndSamples = 6;

/// One sample, and the stretch from it to the next one.
struct Knot {
  double t = 0;
  bool contact = false;
  double distance = 0;
  double proved = 0;
};

double work(const QueryStats& stats) {
  return static_cast<double>(stats.node_pairs + stats.primitive_tests);
}

class Profile {
 public:
  Profile(const MovingPair& pair, const PathOptions& options) : pair_(pair), options_(options) {}

  void follow(std::span<const PathInterval> intervals, PathResult& result) {
    place_knots(intervals);
    if (knots_.size() < 2) return;
    measure(result.stats);
    if (pair_.stopped()) return;  // distances may be missing
    find_near(intervals);
    prove(result);
  }

  double follow_to_contact(PathResult& result) {
    const PathInterval whole[] = {{0, 1, false}};
    place_knots(whole);
    measure(result.stats);
    find_near(whole);
    stop_at_contact_ = true;
    if (is_contact(least_)) return 0;
    prove(result);
    if (met_contact_) return 0;  // where depends on the threads
    const auto open = std::find_if(knots_.begin(), knots_.end() - 1, [&](const Knot& knot) {
      return !(knot.proved > pair_.tolerance());
    });
    return open->t;
  }

 private:
  // A piece of the motion, and the work of the proof that there is no contact in it.
  struct Piece {
    double begin, end, work;
  };

  // ---- samples -------------------------------------------------------------------------------

  void place_knots(std::span<const PathInterval> intervals) {
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      const auto [begin, end, contact] = intervals[i];
      if (!(end > begin)) continue;
      // Divide the interval evenly, and ever more finely towards contacts at its ends.
      const double parts = std::max(1.0, std::ceil((end - begin) / options_.step));
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
        if (t < end) knots_.push_back({.t = t, .contact = contact});
    }
    if (!knots_.empty()) knots_.push_back({.t = intervals.back().end});
  }

  double measured_at(double t, QueryStats& stats) const {
    return pair_.distance_at(t, {}, stats).distance.upper;
  }

  // Calls work(i, stats) for i in [0, count) on all threads.
  template <class Work>
  void for_each(std::size_t count, QueryStats& total, const Work& work) const {
    std::vector<QueryStats> stats(count);
    with_threads(options_.threads, [&] {
      tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
        if (!pair_.stopped()) work(i, stats[i]);
      });
    });
    for (const QueryStats& s : stats) total += s;
  }

  // Parts of a study are at rest most of the time: then the distance is that of the sample before.
  void measure(QueryStats& stats) {
    std::vector<std::size_t> moved;
    for (std::size_t i = 0; i < knots_.size(); ++i)
      if (i == 0 || !pair_.same_place(knots_[i - 1].t, knots_[i].t)) moved.push_back(i);
    for_each(moved.size(), stats, [&](std::size_t k, QueryStats& s) {
      const std::size_t next = k + 1 < moved.size() ? moved[k + 1] : knots_.size();
      const double distance = measured_at(knots_[moved[k]].t, s);
      for (std::size_t i = moved[k]; i < next; ++i) knots_[i].distance = distance;
    });
  }

  // ---- how much is to be proved --------------------------------------------------------------

  // Without contacts, the least clearance decides about the path. With contacts, the profile only
  // serves to be looked at.
  void find_near(std::span<const PathInterval> intervals) {
    if (std::any_of(intervals.begin(), intervals.end(), [](const auto& i) { return i.contact; }))
      return;
    least_ = kInfinity;
    for (const Knot& knot : knots_) least_ = std::min(least_, knot.distance);
  }

  // The share of the least clearance, or the clearance that must be kept where that is more and may
  // be proved.
  double wanted_near(double share) const {
    const double kept = options_.clearance;
    const double wanted = share * least_;
    return wanted < kept && kept < (1 - 1e-3) * least_ - 4 * pair_.tolerance() ? kept : wanted;
  }

  double wanted(std::size_t i) const {
    const double least = std::min(knots_[i].distance, knots_[i + 1].distance);
    const double much = std::max(wanted_near(share_), std::min(share_, kFarShare) * least);
    return std::min(much, kRoundFarDown * least - 2 * pair_.tolerance());
  }

  bool open(std::size_t i) const {
    return i + 1 < knots_.size() && !knots_[i].contact && wanted(i) > 0 &&
           knots_[i].proved < wanted(i);
  }

  // Chooses the largest share that costs no more than allowed on pieces of the motion where the
  // least clearance has to be proved.
  void choose_share(QueryStats& stats) {
    // Collect the stretches near the least clearance that still have to be proved.
    std::vector<std::size_t> near;
    double length = 0;
    for (std::size_t i = 0; i + 1 < knots_.size(); ++i)
      if (open(i) && std::min(knots_[i].distance, knots_[i + 1].distance) < 2 * least_) {
        near.push_back(i);
        length += knots_[i + 1].t - knots_[i].t;
      }
    if (near.empty()) return;
    // Prove pieces of these stretches apart, each as far as its work goes.
    const double length_of_piece = kPiecesShare / kPieces * length;
    Piece pieces[kPieces];
    QueryStats cost;
    for_each(kPieces, cost, [&](std::size_t k, QueryStats& s) {
      const std::size_t i = near[(2 * k + 1) * near.size() / (2 * kPieces)];
      const double middle = 0.5 * (knots_[i].t + knots_[i + 1].t);
      const double begin = std::max(middle - 0.5 * length_of_piece, 0.0);
      const double end = std::min(middle + 0.5 * length_of_piece, 1.0);
      const MovingPair::Found found =
          pair_.first_contact(begin, end, 0, s, static_cast<std::uint64_t>(kMaxPieceWork));
      pieces[k] = {begin, found.status == ToiStatus::undecided ? found.time.lower : end, work(s)};
    });
    stats += cost;
    double tried = 0;
    for (const Piece& piece : pieces) tried += piece.end - piece.begin;
    const double plain = work(cost);
    work_per_time_ = plain / std::max(tried, kPiecesShare * kPiecesShare * length);
    // Find the largest share for which the same pieces cost no more than allowed.
    const double allowed = std::max(kMaxPrice * plain, kPiecesShare * kCheap);
    const auto is_cheap = [&](double share) {
      std::atomic<bool> used_up = false;
      QueryStats price;
      for_each(kPieces, price, [&](std::size_t k, QueryStats& s) {
        const auto& [begin, end, work] = pieces[k];
        // A budget counts up to twice as much as pairs of nodes and triangles.
        const double most = 2 * std::max(kMaxPrice * work, kPiecesShare * kCheap);
        const MovingPair::Found found = pair_.first_contact(begin, end, wanted_near(share), s,
                                                            static_cast<std::uint64_t>(most));
        if (found.status == ToiStatus::undecided) used_up = true;
      });
      stats += price;
      return !used_up && work(price) <= allowed;
    };
    std::vector<double> shares;
    for (const double share : kShares)
      if (share < share_) shares.push_back(share);
    shares.push_back(share_);
    std::size_t cheap = 0, dear = shares.size();  // the least share is taken at any price
    while (cheap + 1 < dear) {
      const std::size_t middle = (cheap + dear) / 2;
      (is_cheap(shares[middle]) ? cheap : dear) = middle;
    }
    share_ = shares[cheap];
  }

  // ---- proofs --------------------------------------------------------------------------------

  void prove(PathResult& result) {
    prove_by_speed();
    choose_share(result.stats);
    prove_by_search(result.stats);
    if (pair_.stopped() || met_contact_) return;  // samples may be missing
    tell(result);
  }

  bool is_contact(double distance) const { return !(distance > 4 * pair_.tolerance()); }

  // The distance cannot have fallen farther than the bodies moved since, or until, a sample.
  void prove_by_speed() {
    for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
      Knot& knot = knots_[i];
      const Knot& next = knots_[i + 1];
      if (knot.contact) continue;
      const double middle = 0.5 * (knot.t + next.t);
      const double kept = std::min(knot.distance - pair_.displacement(knot.t, knot.t, middle),
                                   next.distance - pair_.displacement(next.t, middle, next.t)) -
                          pair_.tolerance();  // rounding, generously
      knot.proved = std::clamp(kept, 0.0, std::min(knot.distance, next.distance));
    }
  }

  // Consecutive stretches that are proved together, and knots that were found on the way.
  struct JoinedStretches {
    std::size_t first = 0, last = 0;  // stretches
    double wanted = 0;
    std::vector<Knot> knots;  // with the end of the last
  };

  std::vector<JoinedStretches> join_stretches() const {
    std::vector<JoinedStretches> all;
    double most = 0;  // the most that is wanted of a stretch in the last of them
    for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
      if (!open(i)) continue;
      const double w = wanted(i);
      if (!all.empty()) {
        JoinedStretches& joined = all.back();
        const bool alike = std::max(most, w) <= kAlike * std::min(joined.wanted, w);
        if (joined.last + 1 == i && alike && i - joined.first < kMaxTogether) {
          joined.last = i;
          joined.wanted = std::min(joined.wanted, w);
          most = std::max(most, w);
          continue;
        }
      }
      all.push_back({i, i, w, {}});
      most = w;
    }
    return all;
  }

  void prove_by_search(QueryStats& stats) {
    std::vector<JoinedStretches> all = join_stretches();
    for_each(all.size(), stats, [&](std::size_t i, QueryStats& s) { prove(all[i], s); });
    // Put their knots in the place of those that were there.
    std::vector<Knot> merged;
    std::size_t next = 0;
    for (const JoinedStretches& joined : all) {
      if (joined.knots.empty()) continue;
      merged.insert(merged.end(), knots_.begin() + static_cast<std::ptrdiff_t>(next),
                    knots_.begin() + static_cast<std::ptrdiff_t>(joined.first));
      merged.insert(merged.end(), joined.knots.begin(), joined.knots.end() - 1);
      next = joined.last + 1;
    }
    merged.insert(merged.end(), knots_.begin() + static_cast<std::ptrdiff_t>(next), knots_.end());
    knots_ = std::move(merged);
  }

  void prove(JoinedStretches& joined, QueryStats& stats) const {
    joined.knots.assign(knots_.begin() + static_cast<std::ptrdiff_t>(joined.first),
                        knots_.begin() + static_cast<std::ptrdiff_t>(joined.last + 2));
    std::vector<Knot>& knots = joined.knots;
    const double end = knots.back().t;
    const double limit = kCheap + kMaxSearch * work_per_time_ * (end - knots.front().t);
    double wanted = joined.wanted;
    // Search on from knot to knot until all stretches are proved, or the search is too dear.
    for (std::size_t i = 0; i + 1 < knots.size() && !pair_.stopped() && !met_contact_;) {
      if (work(stats) > 8 * limit) return;
      const MovingPair::Found found =
          pair_.first_contact(knots[i].t, end, wanted, stats, static_cast<std::uint64_t>(limit));
      if (found.status == ToiStatus::free) {
        for (; i + 1 < knots.size(); ++i) knots[i].proved = std::max(knots[i].proved, wanted);
        return;
      }
      // Keep what is proved, up to a new sample where the search ended.
      while (knots[i + 1].t <= found.time.lower && i + 2 < knots.size()) {
        knots[i].proved = std::max(knots[i].proved, wanted);
        ++i;
      }
      const bool touched = found.status != ToiStatus::undecided;
      const double at = touched ? found.time.upper : found.time.lower;
      const double begin = knots[i].t;
      if (at > begin && at < knots[i + 1].t) {
        Knot knot{.t = at, .contact = false, .distance = measured_at(at, stats)};
        if (stop_at_contact_ && is_contact(knot.distance)) met_contact_ = true;
        const double unproved = std::max(begin, found.time.lower);
        const double kept =
            knot.distance - pair_.displacement(at, unproved, at) - pair_.tolerance();
        knots[i].proved = std::max(knots[i].proved, std::min(wanted, kept));
        knots.insert(knots.begin() + static_cast<std::ptrdiff_t>(++i), knot);
      }
      // Ask for less in the rest; where there is next to no clearance, prove nothing.
      const double least = std::min(knots[i].distance, knots[i + 1].distance);
      const double less = touched ? share_ * least : 0.5 * wanted;
      wanted = std::min(less, at > begin && touched ? wanted : 0.75 * wanted);
      if (wanted > 4 * pair_.tolerance()) continue;
      wanted = joined.wanted;
      ++i;
    }
  }

  // ---- result --------------------------------------------------------------------------------

  void tell(PathResult& result) const {
    result.min_clearance = {kInfinity, kInfinity};
    for (std::size_t i = 0; i < knots_.size(); ++i) {
      const Knot& knot = knots_[i];
      // Nothing lies between a sample at the end and the end.
      const double proved = i + 1 == knots_.size() ? knot.distance : knot.proved;
      result.samples.push_back({knot.t, {proved, knot.distance}});
      result.min_clearance.lower = std::min(result.min_clearance.lower, proved);
      if (knot.distance >= result.min_clearance.upper) continue;
      result.min_clearance.upper = knot.distance;
      result.min_clearance_at = knot.t;
    }
  }

  const MovingPair& pair_;
  const PathOptions& options_;
  std::vector<Knot> knots_;
  double least_ = 0;          // measured clearance, of a path without contacts
  double work_per_time_ = 0;  // of a proof that there is no contact
  double share_ = 1 - options_.relative_error;
  bool stop_at_contact_ = false;
  mutable std::atomic<bool> met_contact_ = false;
};

}  // namespace

void follow_clearance(const MovingPair& pair, std::span<const PathInterval> intervals,
                      const PathOptions& options, PathResult& result) {
  Profile(pair, options).follow(intervals, result);
}

double follow_clearance_to_contact(const MovingPair& pair, const PathOptions& options,
                                   PathResult& result) {
  return Profile(pair, options).follow_to_contact(result);
}

}  // namespace touche
