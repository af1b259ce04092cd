// SPDX-License-Identifier: Apache-2.0
// Contacts: forward to the first, on in steps until the bodies are apart, back from there to the
// last; then again. Clearance: between two samples either the motion is so short that the distance
// cannot fall far, or a search with that separation proves it, or finds where it is less: there the
// next sample is taken.
#include "touche/path.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "base/threads.h"
#include "path/contact_depths.h"

namespace touche {
namespace {

// Cutting a motion at t moves t by a few units in the last place of 1.
constexpr double kTimeError = 8 * 0x1p-53;
constexpr double kFarError = 0.5;  // of clearances that are far above the least
// Pairs looked at for one stretch between samples: surfaces that slide along each other closely
// take long, which is worth it only where the clearance decides.
constexpr std::uint64_t kStretchWork = 1'000'000, kStretchWorkInClash = 10'000;
constexpr int kMostSplits = 400;  // of one stretch between samples
constexpr int kEndSplits = 6;     // of one that ends in a contact

class Search {
 public:
  Search(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
         const PathOptions& options)
      : a_(a),
        b_(b),
        motion_a_(motion_a),
        motion_b_(motion_b),
        b_from_a_(Motion::relative(motion_a, motion_b)),
        options_(options),
        tolerance_(options.tolerance),
        depths_(a, motion_a, b, motion_b, options) {}

  PathResult run() {
    find_contacts();
    result_.tolerance = tolerance_;
    if (options_.profile) follow_clearance();
    measure_contacts();
    conclude();
    return std::move(result_);
  }

 private:
  struct Found {
    ToiStatus status;
    Bracket time;  // t of the path
    std::optional<Contact> contact;
  };

  bool stopped() const { return options_.budget.expired(); }

  // The first contact on the way from one time to another, forwards or back.
  Found first_contact(double from, double to, double clearance, QueryStats& stats,
                      std::uint64_t most = ~std::uint64_t{0}) const {
    const double begin = std::min(from, to), end = std::max(from, to);
    Motion part_a = motion_a_.part(begin, end), part_b = motion_b_.part(begin, end);
    const bool back = to < from;
    if (back) part_a = part_a.reversed(), part_b = part_b.reversed();
    Budget budget = options_.budget;
    budget.max_work = std::min(budget.max_work, most);
    const ToiResult r =
        time_of_impact(a_, part_a, b_, part_b,
                       {.tolerance = tolerance_, .clearance = clearance, .budget = budget});
    stats += r.stats;
    const auto at = [&](double t) { return std::clamp(from + t * (to - from), begin, end); };
    Found found{r.status, {to, to}, r.contact};
    if (r.status == ToiStatus::free) return found;
    found.time.upper = r.contact ? at(r.time.upper) : to;
    found.time.lower = at(r.time.lower) + (back ? kTimeError : -kTimeError);
    found.time.lower = std::clamp(found.time.lower, begin, end);
    return found;
  }

  DistanceResult distance_at(double t, const DistanceOptions& options, QueryStats& stats) const {
    DistanceResult r = touche::distance(a_, motion_a_.pose(t), b_, motion_b_.pose(t), options);
    stats += r.stats;
    return r;
  }

  // ---- contacts ----------------------------------------------------------------------------

  // Clearly: a search that starts here does not start in contact. Else the contact lasts until
  // here, as far as is seen.
  bool apart_at(double t, ContactInterval& contact) {
    const double clear = 3 * tolerance_;
    const double found =
        distance_at(t, {.max_distance = 2 * clear, .stop_below = tolerance_}, result_.stats)
            .distance.upper;
    if (found <= tolerance_) contact.end.lower = t;
    return found > clear;
  }

  void find_contacts() {
    // The tolerance may have to be larger than what was asked for, by rounding; ask once.
    result_.decided_until = 1;  // unless a search is given up
    tolerance_ =
        std::max(tolerance_, time_of_impact(a_, motion_a_, b_, motion_b_,
                                            {.tolerance = tolerance_, .budget = {.max_work = 0}})
                                 .tolerance);
    double from = 0;  // apart here, unless at the very start
    while (from < 1 && !undecided_) {
      if (stopped()) return give_up(from);
      const Found first = first_contact(from, 1, 0, result_.stats);
      if (first.status == ToiStatus::free) return;
      if (first.status == ToiStatus::undecided) return give_up(first.time.lower);
      ContactInterval& contact = result_.contacts.emplace_back();
      contact.start = first.time;
      contact.end = {first.time.upper, 1};
      contact.deepest_at = first.time.upper;
      contact.first = first.contact;
      from = follow(contact);
    }
  }

  // To where the contact ends; returns a time at which the bodies are apart, or 1.
  double follow(ContactInterval& contact) {
    for (double t = contact.start.upper; t < 1;) {
      if (stopped()) return give_up(contact.start.lower), 1.0;
      t = std::min(1.0, t + options_.step);
      // At the end there is no later time to come back from.
      if (t < 1 && !apart_at(t, contact)) continue;
      const Found last = first_contact(t, contact.start.upper, 0, result_.stats);
      if (last.status == ToiStatus::initially_touching) {  // not as far apart as thought
        contact.end.lower = t;
        contact.last = last.contact;
        continue;
      }
      if (last.status == ToiStatus::undecided) {
        give_up(contact.start.lower);
        return 1;
      }
      contact.end = {std::max(contact.start.upper, last.time.upper), last.time.lower};
      contact.last = last.contact;
      if (last.status == ToiStatus::free) contact.last = contact.first;
      return t;
    }
    return 1;
  }

  void give_up(double until) {
    undecided_ = true;
    result_.decided_until = until;
  }

  // ---- clearance ---------------------------------------------------------------------------

  struct Stretch {
    double begin, end;
    bool contact;
    std::vector<ClearanceSample> samples;  // from begin on, without end
    QueryStats stats;
  };

  std::vector<Stretch> stretches() const {
    std::vector<std::pair<double, bool>> ends;  // where a stretch begins, and of what
    double from = 0;
    const auto add = [&](double to, bool contact) {
      if (!(to > from)) return;
      const int parts = std::max(1, static_cast<int>(std::ceil((to - from) / options_.step)));
      for (int k = 0; k < parts; ++k) ends.emplace_back(from + (to - from) * k / parts, contact);
      from = to;
    };
    for (const ContactInterval& c : result_.contacts) {
      add(c.start.lower, false);
      add(c.end.upper, true);
    }
    add(result_.decided_until, false);
    std::vector<Stretch> result;
    for (std::size_t i = 0; i < ends.size(); ++i)
      result.push_back(
          {ends[i].first, i + 1 < ends.size() ? ends[i + 1].first : from, ends[i].second, {}, {}});
    return result;
  }

  void follow_clearance() {
    std::vector<Stretch> all = stretches();
    if (all.empty()) return;
    std::vector<double> distances(all.size() + 1);
    std::vector<QueryStats> stats(distances.size());
    with_threads(options_.threads, [&] {
      tbb::parallel_for(std::size_t{0}, distances.size(), [&](std::size_t i) {
        if (stopped()) return;
        const double t = i < all.size() ? all[i].begin : all.back().end;
        distances[i] = distance_at(t, {}, stats[i]).distance.upper;
      });
      near_ =
          2 * std::max(*std::min_element(distances.begin(), distances.end()), options_.clearance);
      tbb::parallel_for(std::size_t{0}, all.size(), [&](std::size_t i) {
        Stretch& s = all[i];
        s.samples.push_back({s.begin, {0, distances[i]}});
        if (!s.contact && !stopped()) prove(s, s.end, distances[i + 1]);
      });
    });
    if (stopped()) return;  // what was left out says nothing
    for (std::size_t i = 0; i < all.size(); ++i) {
      result_.samples.insert(result_.samples.end(), all[i].samples.begin(), all[i].samples.end());
      result_.stats += all[i].stats;
    }
    for (const QueryStats& s : stats) result_.stats += s;
    result_.samples.push_back({all.back().end, {0, distances.back()}});
    result_.min_clearance.lower = kInfinity;
    for (std::size_t i = 0; i < result_.samples.size(); ++i) {
      const ClearanceSample& sample = result_.samples[i];
      if (i + 1 < result_.samples.size())
        result_.min_clearance.lower = std::min(result_.min_clearance.lower, sample.clearance.lower);
      if (sample.clearance.upper >= result_.min_clearance.upper) continue;
      result_.min_clearance.upper = sample.clearance.upper;
      result_.min_clearance_at = sample.t;
    }
    // Nothing lies between a sample at the end and the end.
    ClearanceSample& last = result_.samples.back();
    last.clearance.lower = last.clearance.upper;
  }

  // From the last sample of a stretch to `end`.
  void prove(Stretch& s, double end, double distance_at_end) const {
    std::vector<std::pair<double, double>> ends = {{end, distance_at_end}};
    int end_splits = 0;
    for (int round = 0; !ends.empty() && round < kMostSplits; ++round) {
      const ClearanceSample from = s.samples.back();
      const double to = ends.back().first, distance_to = ends.back().second;
      const auto sample = [&](double t) { return distance_at(t, {}, s.stats).distance.upper; };
      const auto next = [&](double proved) {
        s.samples.back().clearance.lower = proved;
        ends.pop_back();
        if (!ends.empty()) s.samples.push_back({to, {0, distance_to}});
      };
      const double least = std::min(from.clearance.upper, distance_to);
      const double most = std::max(from.clearance.upper, distance_to);
      const double error =
          least < near_ ? options_.relative_error : std::max(options_.relative_error, kFarError);
      const double wanted = std::min((1 - error) * least, (1 - 1e-9) * least - 2 * tolerance_);
      if (!(wanted > 0)) {
        const double middle = 0.5 * (from.t + to);
        if (most < 8 * tolerance_ || end_splits++ >= kEndSplits || !(middle > from.t))
          next(0);
        else
          ends.emplace_back(middle, sample(middle));
        continue;
      }
      if (const double kept = kept_by_speed(from, to, distance_to); kept >= wanted) {
        next(std::min(kept, least));
        continue;
      }
      const Found found =
          first_contact(from.t, to, wanted, s.stats,
                        result_.contacts.empty() ? kStretchWork : kStretchWorkInClash);
      if (found.status == ToiStatus::free) {
        next(wanted);
      } else if (found.status == ToiStatus::contact && found.time.upper > from.t &&
                 found.time.upper < to) {
        s.samples.back().clearance.lower = wanted;
        s.samples.push_back({found.time.upper, {0, sample(found.time.upper)}});
      } else {
        next(std::max(0.0, kept_by_speed(from, to, distance_to)));
      }
    }
  }

  // The distance cannot have fallen farther than the bodies moved since, or until, a sample.
  double kept_by_speed(const ClearanceSample& from, double to, double distance_to) const {
    const double middle = 0.5 * (from.t + to);
    const Aabb& box = b_.bounds();
    const double least =
        std::min(from.clearance.upper - b_from_a_.displacement_bound(box, from.t, from.t, middle),
                 distance_to - b_from_a_.displacement_bound(box, to, middle, to));
    return least - tolerance_;  // rounding, generously
  }

  // ---- contacts, how deep ------------------------------------------------------------------

  void measure_contacts() {
    auto& contacts = result_.contacts;
    if (contacts.empty() || contacts[0].start.lower > 0)
      result_.before = depths_.containment(
          0, contacts.empty() ? result_.decided_until : contacts[0].start.lower);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (stopped()) return;
      if (options_.thickness_work > 0) depths_.measure(contacts[i], tolerance_);
      const double end =
          i + 1 < contacts.size() ? contacts[i + 1].start.lower : result_.decided_until;
      if (contacts[i].end.upper < end)
        contacts[i].after = depths_.containment(contacts[i].end.upper, end);
    }
  }

  // ---- verdict -----------------------------------------------------------------------------

  void conclude() {
    if (stopped() || depths_.undecided()) undecided_ = true;
    const bool inside = result_.before != Containment::none ||
                        std::any_of(result_.contacts.begin(), result_.contacts.end(),
                                    [](const auto& c) { return c.after != Containment::none; });
    if (inside) {
      result_.min_clearance = {0, 0};
      result_.min_clearance_at =
          result_.before != Containment::none ? 0 : result_.contacts[0].start.upper;
      result_.verdict = PathClass::clash;
      return;
    }
    if (!result_.contacts.empty()) {
      result_.min_clearance = {0, 0};
      result_.min_clearance_at = result_.contacts[0].start.upper;
      const double touching = std::max(options_.max_touching_thickness, tolerance_);
      const bool measured = options_.thickness_work > 0 && depths_.closed();
      const bool thin = std::all_of(
          result_.contacts.begin(), result_.contacts.end(),
          [&](const ContactInterval& c) { return measured && c.max_thickness <= touching; });
      result_.verdict =
          thin ? undecided_ ? PathClass::undecided : PathClass::touching : PathClass::clash;
      return;
    }
    if (undecided_) {
      result_.verdict = PathClass::undecided;
      result_.min_clearance.lower = 0;
    } else if (result_.min_clearance.lower >= options_.clearance) {
      result_.verdict = PathClass::free;
    } else if (result_.min_clearance.upper < options_.clearance) {
      result_.verdict = PathClass::near;
    } else {
      const Found found = first_contact(0, 1, options_.clearance, result_.stats);
      result_.verdict = found.status == ToiStatus::free        ? PathClass::free
                        : found.status == ToiStatus::undecided ? PathClass::undecided
                                                               : PathClass::near;
      if (found.status == ToiStatus::free)
        result_.min_clearance.lower = std::max(result_.min_clearance.lower, options_.clearance);
    }
  }

  const Object& a_;
  const Object& b_;
  const Motion &motion_a_, &motion_b_;
  const Motion b_from_a_;
  const PathOptions& options_;
  double tolerance_;
  double near_ = 0;  // clearances below it are followed closely
  PathResult result_;
  bool undecided_ = false;
  ContactDepths depths_;
};

void check(const PathOptions& options) {
  const auto length = [](double x) { return x >= 0 && std::isfinite(x); };
  if (!(options.tolerance > 0) || !std::isfinite(options.tolerance))
    throw InvalidInput("path: the tolerance must be a length > 0");
  if (!length(options.clearance)) throw InvalidInput("path: the clearance must be a length >= 0");
  if (!length(options.max_touching_thickness))
    throw InvalidInput("path: `max_touching_thickness` must be a length >= 0");
  if (!(options.step > 0 && options.step <= 1))
    throw InvalidInput("path: the step must lie in (0, 1]");
  if (!(options.relative_error > 0 && options.relative_error < 1))
    throw InvalidInput("path: the relative error must lie in (0, 1)");
}

}  // namespace

PathResult path(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                const PathOptions& options) {
  check(options);
  return Search(a, motion_a, b, motion_b, options).run();
}

}  // namespace touche
