// SPDX-License-Identifier: Apache-2.0
// The distance between two samples is bounded by one of two methods. Either the motion between them
// is so short that the distance cannot fall far; or a search for a contact at a smaller distance
// proves that distance, or finds a time at which the bodies are nearer. The next sample is taken at
// that time, and a smaller distance is to be proved. The larger the share of the distance that is
// to be proved, the more work it takes; this is estimated on short pieces of the motion first.
#include "path/clearance_profile.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <vector>

#include "math/rounding.h"
#include "path/profile_knots.h"
#include "path/wanted_clearance.h"

namespace touche::paths {
namespace {

// Shares of the least clearance. The largest share that is not too expensive is proved. A larger
// share is more expensive for bodies that slide along each other closely.
constexpr double kShares[] = {0.25, 0.5, 0.75};

// A share is too expensive if its proof costs more than `kMaxPrice` times the plain proof that
// there is no contact, and more than `kCheap` pairs of nodes and triangles. On short pieces the
// ratio is larger than on the whole motion: including the measurements and trials, the path takes
// about twice the work of the plain proof.
constexpr double kMaxPrice = 1.8;
constexpr double kCheap = 100'000;

// The price is estimated on `kPieces` pieces of the motion. Together they cover the share
// `kPiecesShare` of it, or less if the proof of a piece takes more than `kMaxPieceWork`. Each piece
// is searched from the roots of the hierarchies, so the price of shorter pieces would not be
// representative.
constexpr int kPieces = 2;
constexpr double kPiecesShare = 1.0 / 32;
constexpr double kMaxPieceWork = 1e5;

// A search over stretches between samples may take this many times the work that was estimated.
constexpr double kMaxSearch = 8;

// At most `kMaxTogether` consecutive stretches between samples are proved together, so that several
// threads have work. The clearances to be proved of these differ by at most the factor `kAlike`.
constexpr std::size_t kMaxTogether = 32;
constexpr double kAlike = 1.5;

// Stretches that could be proved together are proved by more samples if that is expected to take at
// most this much work.
constexpr double kMaxSampling = kCheap / 8;
constexpr double kMostSamples = 1000;  // in one stretch

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

class Profile {
 public:
  Profile(const MovingPair& pair, const PathOptions& options) : pair_(pair), options_(options) {}

  void follow(std::span<const PathInterval> intervals, PathResult& result) {
    knots_ = place_knots(intervals, options_.step);
    if (knots_.size() < 2) return;
    measured_ = measure(pair_, options_.threads, knots_, stats_);
    sampling_ = work_taken(stats_);
    find_near(intervals);
    prove();
    result.stats += stats_;
    if (!pair_.stopped()) tell(result);  // if stopped, samples may be missing
  }

  // If the bodies are not known to be apart, the end is where a contact is met.
  EarlyClearance follow_whole(double far, bool until_contact) {
    until_contact_ = until_contact;
    const PathInterval all[] = {{0, 1, false}};
    knots_ = place_knots(all, options_.step);
    EarlyClearance early;
    early.tolerance = pair_.tolerance();
    measured_ = measure_sparsely(pair_, options_.threads, far, until_contact, knots_, stats_);
    sampling_ = work_taken(stats_);
    if (measured_ > 0 && !pair_.stopped()) {
      find_near(all);
      prove();
      PathResult told;
      tell(told);
      early.samples = std::move(told.samples);
      early.min_clearance = told.min_clearance;
      early.min_clearance_at = told.min_clearance_at;
      early.whole = !pair_.stopped() && contact_in_ == kNowhere;
    }
    early.stats = stats_;
    return early;
  }

 private:
  // A piece of the motion and the work of the plain proof that it has no contact.
  struct Piece {
    double begin, end, work;
  };

  template <class Work>
  void for_each(std::size_t count, QueryStats& total, const Work& work) const {
    for_each_task(pair_, options_.threads, count, total, work);
  }

  // Sets the least clearance as the goal of the proof if the path has no contacts: then it decides
  // the verdict. With contacts, the profile is only for display.
  void find_near(std::span<const PathInterval> intervals) {
    if (std::any_of(intervals.begin(), intervals.end(), [](const auto& i) { return i.contact; }))
      return;
    wanted_.least = kInfinity;
    for (const Knot& knot : knots_) wanted_.least = std::min(wanted_.least, knot.distance);
  }

  double wanted(std::size_t i) const { return wanted_.between(knots_[i], knots_[i + 1]); }

  bool open(std::size_t i) const {
    return i + 1 < knots_.size() && !knots_[i].contact && wanted(i) > 0 &&
           knots_[i].proved < wanted(i);
  }

  // Chooses the largest share whose price is allowed, measured on pieces of the motion near the
  // least clearance.
  void choose_share(QueryStats& stats) {
    // Collect the unproved stretches near the least clearance.
    std::vector<std::size_t> near;
    double length = 0;
    for (std::size_t i = 0; i + 1 < knots_.size(); ++i)
      if (open(i) && std::min(knots_[i].distance, knots_[i + 1].distance) < 2 * wanted_.least) {
        near.push_back(i);
        length += knots_[i + 1].t - knots_[i].t;
      }
    if (near.empty()) return;
    // Prove that pieces of these stretches have no contact, each as far as its work limit allows.
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
      pieces[k] = {begin, found.status == ToiStatus::undecided ? found.time.lower : end,
                   work_taken(s)};
    });
    stats += cost;
    double tried = 0;
    for (const Piece& piece : pieces) tried += piece.end - piece.begin;
    const double plain = work_taken(cost);
    work_per_time_ = plain / std::max(tried, kPiecesShare * kPiecesShare * length);
    // Find the largest share whose proof on the same pieces is not too expensive.
    const double allowed = std::max(kMaxPrice * plain, kPiecesShare * kCheap);
    const auto is_cheap = [&](double share) {
      std::atomic<bool> used_up = false;
      QueryStats price;
      for_each(kPieces, price, [&](std::size_t k, QueryStats& s) {
        const auto& [begin, end, work] = pieces[k];
        // The budget may count up to twice as much work as there are pairs of nodes and triangles.
        const double most = 2 * std::max(kMaxPrice * work, kPiecesShare * kCheap);
        const MovingPair::Found found = pair_.first_contact(begin, end, wanted_.near(share), s,
                                                            static_cast<std::uint64_t>(most));
        if (found.status == ToiStatus::undecided) used_up = true;
      });
      stats += price;
      return !used_up && work_taken(price) <= allowed;
    };
    std::vector<double> shares;
    for (const double share : kShares)
      if (share < wanted_.share) shares.push_back(share);
    shares.push_back(wanted_.share);
    std::size_t cheap = 0, dear = shares.size();  // the smallest share is accepted at any price
    while (cheap + 1 < dear) {
      const std::size_t middle = (cheap + dear) / 2;
      (is_cheap(shares[middle]) ? cheap : dear) = middle;
    }
    wanted_.share = shares[cheap];
  }

  // ---- proofs --------------------------------------------------------------------------------

  void prove() {
    for (std::size_t i = 0; i + 1 < knots_.size() && !pair_.stopped(); ++i)
      if (!knots_[i].contact) knots_[i].proved = kept_by_speed(pair_, knots_[i], knots_[i + 1]);
    prove_together([&](JoinedStretches& joined) {
      if (sampling_work(joined.knots) <= kMaxSampling) prove_by_samples(joined, 0);
    });
    // The new samples may have smaller distances.
    for (const Knot& knot : knots_) wanted_.least = std::min(wanted_.least, knot.distance);
    if (contact_in_ != kNowhere) return;
    choose_share(stats_);
    prove_together([&](JoinedStretches& joined) { prove_by_search(joined); });
  }

  // Consecutive stretches that are proved together, and the knots found in the process.
  struct JoinedStretches {
    std::size_t first = 0, last = 0;  // indices of stretches
    double wanted = 0;
    std::size_t number = 0;   // index in the list of all
    std::vector<Knot> knots;  // including the end of the last stretch
    QueryStats stats;
  };

  std::vector<JoinedStretches> join_stretches() const {
    std::vector<JoinedStretches> all;
    double most = 0;  // largest clearance wanted of a stretch in the last element
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
      all.push_back({.first = i, .last = i, .wanted = w, .knots = {}, .stats = {}});
      most = w;
    }
    return all;
  }

  // Calls prove(joined) for all unproved stretches, on all threads. Once a contact is met in one of
  // them, the later ones are not needed. How much of that work was done depends on the threads, so
  // it is discarded.
  template <class Prove>
  void prove_together(const Prove& prove) {
    std::vector<JoinedStretches> all = join_stretches();
    const auto at = [&](std::size_t i) { return knots_.begin() + static_cast<std::ptrdiff_t>(i); };
    QueryStats none;
    for_each(all.size(), none, [&](std::size_t i, QueryStats&) {
      JoinedStretches& joined = all[i];
      joined.number = i;
      joined.knots.assign(at(joined.first), at(joined.last + 2));
      if (!is_useless(joined)) prove(joined);
    });
    std::vector<Knot> merged;  // the old knots with the proved stretches replaced
    std::size_t next = 0;
    for (const JoinedStretches& joined : all) {
      if (joined.knots.empty() || is_useless(joined)) continue;
      stats_ += joined.stats;
      merged.insert(merged.end(), at(next), at(joined.first));
      merged.insert(merged.end(), joined.knots.begin(), joined.knots.end() - 1);
      next = joined.last + 1;
    }
    merged.insert(merged.end(), at(next), knots_.end());
    knots_ = std::move(merged);
  }

  // Whether a contact was met in an earlier element.
  bool is_useless(const JoinedStretches& joined) const { return contact_in_ < joined.number; }

  // Measures the distance for a new knot and records contacts; empty if the path was stopped.
  std::optional<Knot> new_knot(double t, JoinedStretches& joined) const {
    const DistanceResult found = pair_.distance_at(t, {}, joined.stats);
    if (!found.complete) return std::nullopt;
    if (until_contact_ && is_contact(pair_, found.distance.upper)) {
      std::size_t seen = contact_in_;
      while (joined.number < seen && !contact_in_.compare_exchange_weak(seen, joined.number)) {
      }
    }
    return Knot{.t = t, .distance = found.distance.upper, .least = pair_.proved(found)};
  }

  // The expected number of pieces into which samples divide a stretch: with n of them the bodies
  // move by an nth of the stretch from or to the nearest sample.
  double pieces(const Knot& knot, const Knot& next) const {
    const double least = std::min(knot.distance, next.distance);
    return std::ceil((least - knot.proved) / (least - wanted_.between(knot, next)));
  }

  // The expected work to prove the stretches between the knots by samples.
  double sampling_work(std::span<const Knot> knots) const {
    double samples = 0;
    for (std::size_t i = 0; i + 1 < knots.size(); ++i)
      samples += std::max(0.0, pieces(knots[i], knots[i + 1]) - 1);
    return samples * sampling_ / static_cast<double>(measured_);
  }

  // Proves the stretches from knot `first` on by measuring more distances. A search must examine
  // all faces that are nearly as near as the distance to be proved; if that distance is large
  // compared with the bodies, these are many.
  void prove_by_samples(JoinedStretches& joined, std::size_t first) const {
    const std::vector<Knot> before(joined.knots.begin() + static_cast<std::ptrdiff_t>(first),
                                   joined.knots.end());
    joined.knots.resize(first);
    for (std::size_t i = 0; i + 1 < before.size(); ++i) {
      int left = static_cast<int>(std::min(2 * pieces(before[i], before[i + 1]), kMostSamples));
      divide(before[i], before[i + 1], joined, left);
    }
    joined.knots.push_back(before.back());
  }

  // Adds `knot` and the knots between it and `next`, until all is proved or no samples are left.
  void divide(Knot knot, const Knot& next, JoinedStretches& joined, int& left) const {
    const double t = 0.5 * (knot.t + next.t);
    std::optional<Knot> middle;
    if (knot.proved < wanted_.between(knot, next) && left > 0 && !is_useless(joined) && t > knot.t)
      middle = new_knot(t, joined);
    if (!middle) return joined.knots.push_back(knot);
    --left;
    middle->proved = std::max(knot.proved, kept_by_speed(pair_, *middle, next));
    knot.proved = std::max(knot.proved, kept_by_speed(pair_, knot, *middle));
    divide(knot, *middle, joined, left);
    divide(*middle, next, joined, left);
  }

  void prove_by_search(JoinedStretches& joined) const {
    std::vector<Knot>& knots = joined.knots;
    QueryStats& stats = joined.stats;
    const double end = knots.back().t;
    const double limit = kCheap + kMaxSearch * work_per_time_ * (end - knots.front().t);
    double wanted = joined.wanted;
    // Switch to samples if a search takes more work than they would.
    const double sampling = sampling_work(knots);
    bool may_sample = sampling < limit / 8;
    // Search on from knot to knot until all stretches are proved or the search becomes too
    // expensive.
    for (std::size_t i = 0;
         i + 1 < knots.size() && !pair_.stopped() && contact_in_ > joined.number;) {
      if (work_taken(stats) > 8 * limit) return;
      const double most = may_sample ? std::max(sampling, kMaxSampling) : limit;
      const MovingPair::Found found =
          pair_.first_contact(knots[i].t, end, wanted, stats, static_cast<std::uint64_t>(most));
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
      if (!touched && may_sample) {
        may_sample = false;
        prove_by_samples(joined, i);
        while (i + 1 < knots.size() && knots[i].proved >= wanted_.between(knots[i], knots[i + 1]))
          ++i;
        continue;
      }
      const double at = touched ? found.time.upper : found.time.lower;
      const double begin = knots[i].t;
      if (at > begin && at < knots[i + 1].t) {
        const std::optional<Knot> knot = new_knot(at, joined);
        if (!knot) return;
        const double unproved = std::max(begin, found.time.lower);
        const double kept = knot->least - pair_.displacement(at, unproved, at) - pair_.tolerance();
        knots[i].proved = std::max(knots[i].proved, std::min(wanted, kept));
        knots.insert(knots.begin() + static_cast<std::ptrdiff_t>(++i), *knot);
      }
      // Prove less in the rest; where the clearance is close to the tolerance, prove nothing.
      const double least = std::min(knots[i].distance, knots[i + 1].distance);
      const double less = touched ? wanted_.share * least : 0.5 * wanted;
      wanted = std::min(less, at > begin && touched ? wanted : 0.75 * wanted);
      if (wanted > 4 * pair_.tolerance()) continue;
      wanted = joined.wanted;
      ++i;
    }
  }

  void tell(PathResult& result) const {
    result.min_clearance = {kInfinity, kInfinity};
    for (std::size_t i = 0; i < knots_.size(); ++i) {
      const Knot& knot = knots_[i];
      // The last sample has no stretch after it.
      const double proved = i + 1 == knots_.size() ? knot.least : knot.proved;
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
  double work_per_time_ = 0;  // of the plain proof that there is no contact
  WantedClearance wanted_{.share = 1 - options_.relative_error,
                          .kept = options_.clearance,
                          .tolerance = pair_.tolerance()};
  QueryStats stats_;
  std::size_t measured_ = 0;  // number of samples measured
  double sampling_ = 0;       // work that these samples took
  bool until_contact_ = false;
  // index of the first joined stretches in which a contact was met
  mutable std::atomic<std::size_t> contact_in_ = kNowhere;
};

}  // namespace

void follow_clearance(const MovingPair& pair, std::span<const PathInterval> intervals,
                      const PathOptions& options, PathResult& result) {
  Profile(pair, options).follow(intervals, result);
}

EarlyClearance follow_clearance_to_contact(const MovingPair& pair, const PathOptions& options,
                                           double far) {
  return Profile(pair, options).follow_whole(far, true);
}

EarlyClearance follow_clearance_apart(const MovingPair& pair, const PathOptions& options,
                                      double far) {
  return Profile(pair, options).follow_whole(far, false);
}

}  // namespace touche::paths
