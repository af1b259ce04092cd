// SPDX-License-Identifier: Apache-2.0
// Finds all clashes of an assembly. Boxes discard almost all pairs. The surfaces of the remaining
// pairs are tested in parallel; then the required interiors are built, once per object, and the
// undecided pairs are tested with them. Each result has a fixed index, so the order of the threads
// does not affect it.
#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "aabb_tree/aabb_tree.h"
#include "base/progress_report.h"
#include "base/threads.h"
#include "bvh/object_data.h"
#include "clash/describe.h"
#include "clash/duplicates.h"
#include "clash/pair_check.h"
#include "clash/ruling.h"
#include "clash/units.h"
#include "math/moved_box.h"
#include "path/interior.h"
#include "report/words.h"
#include "study/describe.h"
#include "touche/path.h"
#include "touche/plane.h"
#include "touche/reference.h"

namespace touche {
namespace {

using clash::Inside;
using clash::PlacedParts;
using clash::Rulings;

void check_chord_errors(const ClashParts& parts) {
  if (parts.chord_errors.empty()) return;
  if (parts.chord_errors.size() != parts.objects.size())
    throw InvalidInput("clashes: chord errors are expected for all objects, or for none");
  for (std::size_t o = 0; o < parts.objects.size(); ++o) {
    const std::vector<double>& errors = parts.chord_errors[o];
    if (!errors.empty() && errors.size() != parts.objects[o].soup().face_count())
      throw InvalidInput("clashes: an object needs a chord error for each of its faces, or none");
    for (const double error : errors)
      if (!(error >= 0 && std::isfinite(error)))
        throw InvalidInput("clashes: chord errors must be lengths >= 0");
  }
}

void check(const ClashParts& parts, const ClashOptions& options) {
  if (!parts.unit.empty()) (void)clash::length_unit(parts.unit);
  const auto length = [](double x) { return x >= 0 && std::isfinite(x); };
  if (!length(options.clearance))
    throw InvalidInput("clashes: the clearance must be a length >= 0");
  if (!length(options.ignore_thinner))
    throw InvalidInput("clashes: `ignore_thinner` must be a length >= 0");
  if (options.max_touching_thickness && !length(*options.max_touching_thickness))
    throw InvalidInput("clashes: `max_touching_thickness` must be a length >= 0");
  if (options.tolerance && !length(*options.tolerance))
    throw InvalidInput("clashes: the tolerance must be a length >= 0");
  if (!(options.relative_error > 0 && options.relative_error < 1))
    throw InvalidInput("clashes: the relative error must lie in (0, 1)");
  for (const ClashPart& part : parts.parts)
    if (part.object >= parts.objects.size())
      throw InvalidInput("clashes: the part \"" + part.name + "\" has no object");
  check_chord_errors(parts);
  if (!has_drawings(parts)) return;
  for (const ClashPart& part : parts.parts) {
    if (bvh::flat_of(parts.objects[part.object]) == nullptr)
      throw InvalidInput("clashes: the part \"" + part.name + "\" is a mesh, others are drawings");
    (void)plane::Pose::from_space(part.pose);
  }
}

struct PartPair {
  std::size_t a, b;
  auto operator<=>(const PartPair&) const = default;
};

// Returns all pairs whose boxes are no farther apart than a reported pair may be, sorted. A
// BroadPhase, which is made for moving boxes, would save milliseconds for ten thousand parts, at
// the cost of another library.
std::vector<PartPair> near_pairs(const PlacedParts& placed) {
  const std::size_t count = placed.parts.parts.size();
  double reach = placed.selection.largest_clearance();
  for (std::size_t p = 0; p < count; ++p) reach = std::max(reach, placed.tolerance(p, p));
  std::vector<Aabb> boxes;
  for (std::size_t p = 0; p < count; ++p)
    boxes.push_back(
        math::moved_box(placed.object(p).bounds(), placed.pose(p), 0.5 * reach * math::kRoundUp));
  std::vector<PartPair> pairs;
  aabb_tree::AabbTree(boxes).self_pairs([&](Index i, Index j) {
    if (overlap(boxes[i], boxes[j])) pairs.push_back({std::min(i, j), std::max(i, j)});
  });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

class Check {
 public:
  // `result` holds the parts; the check fills in the rest.
  Check(const ClashOptions& options, ClashResult& result)
      : parts_(result.parts),
        options_(options),
        progress_(options.budget.progress),
        placed_(parts_, options),
        rulings_(parts_, options.rules),
        result_(result) {}

  void run() {
    take(near_pairs(placed_));
    base::with_threads(options_.threads, [&] {
      ask_surfaces();
      make_insides();
      ask_insides();
      find_copies();
    });
    progress_.finish();
    conclude();
  }

 private:
  bool stopped() const { return options_.budget.expired(); }
  void add_work(std::size_t count) { progress_.add_total(count); }
  void count_done() { progress_.add_done(); }

  void take(const std::vector<PartPair>& pairs) {
    for (const auto& [a, b] : pairs) {
      if (!placed_.selection.of(a, b).tested) continue;
      const Rulings::Ruling ruling = rulings_.of(a, b);
      if (ruling.what == ClashRuling::ignore) {
        ++result_.ignored;
        continue;
      }
      ClashPair& pair = pairs_.emplace_back();
      pair.part_a = a;
      pair.part_b = b;
      if (ruling.what == ClashRuling::accept) pair.accepted = ruling.reason;
    }
  }

  void ask_surfaces() {
    std::vector<char> open(pairs_.size());
    add_work(pairs_.size());
    tbb::parallel_for(std::size_t{0}, pairs_.size(), [&](std::size_t i) {
      if (!stopped()) open[i] = clash::check_surfaces(placed_, pairs_[i]);
      count_done();
    });
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (open[i]) open_.push_back(i);
  }

  void make_insides() {
    insides_.resize(parts_.objects.size());
    std::vector<std::size_t> wanted;
    for (const std::size_t i : open_)
      for (const std::size_t part : {pairs_[i].part_a, pairs_[i].part_b})
        wanted.push_back(parts_.parts[part].object);
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    add_work(wanted.size() + open_.size());
    tbb::parallel_for(std::size_t{0}, wanted.size(), [&](std::size_t k) {
      const Object& object = parts_.objects[wanted[k]];
      if (!stopped()) insides_[wanted[k]].emplace(object, placed_.chord_errors(wanted[k]));
      count_done();
    });
  }

  void ask_insides() {
    const auto inside_of = [&](std::size_t part) -> const std::optional<Inside>& {
      return insides_[parts_.parts[part].object];
    };
    tbb::parallel_for(std::size_t{0}, open_.size(), [&](std::size_t k) {
      ClashPair& pair = pairs_[open_[k]];
      if (stopped())
        pair.verdict = ClashPairVerdict::undecided;
      else
        clash::check_insides(placed_, inside_of(pair.part_a), inside_of(pair.part_b), pair);
      count_done();
    });
  }

  // Names the part with the widest gap.
  void note_gaps() {
    std::size_t count = 0;
    double widest = 0;
    const ClashPart* worst = nullptr;
    for (const ClashPart& part : parts_.parts) {
      if (part.object >= insides_.size() || !insides_[part.object]) continue;
      const Interior& interior = insides_[part.object]->interior;
      if (!base::data_of(interior).is_capped()) continue;
      ++count;
      if (!(interior.closed_gap() > widest)) continue;
      widest = interior.closed_gap();
      worst = &part;
    }
    if (worst == nullptr) return;
    const std::string width = clash::lengths_of(parts_).text(widest, report::Rounding::up);
    result_.remarks.push_back(
        count == 1 ? fmt::format("{}: its gaps are no wider than {} and count as closed for what "
                                 "lies in it",
                                 worst->name, width)
                   : fmt::format("{} parts have gaps that count as closed for what lies in them; "
                                 "the widest, of {}, is {}",
                                 count, worst->name, width));
  }

  void find_copies() {
    tbb::parallel_for(std::size_t{0}, pairs_.size(), [&](std::size_t i) {
      ClashPair& pair = pairs_[i];
      if (pair.distance.upper > 0 || stopped()) return;
      pair.duplicate =
          clash::are_copies(placed_.object(pair.part_a), placed_.pose(pair.part_a),
                            placed_.object(pair.part_b), placed_.pose(pair.part_b), pair.tolerance);
    });
  }

  // Records which named tests a listed pair fails. A clash that fails none of its tests is
  // accepted.
  void apply_tests(ClashPair& pair, std::size_t index) {
    const std::vector<ClashTest>& tests = options_.rules.tests;
    bool failed = false;
    const clash::Selection::Chosen& chosen = placed_.selection.of(pair.part_a, pair.part_b);
    for (const std::size_t t : chosen.tests) {
      if (!clash::fails(tests[t], placed_.selection.length(t), pair)) continue;
      failed = true;
      result_.tests[t].failed.push_back(index);
    }
    if (!chosen.tests.empty() && !failed && pair.verdict >= ClashPairVerdict::contains &&
        !pair.accepted)
      pair.accepted = "no test of this pair fails";
  }

  void conclude() {
    const std::size_t n = parts_.parts.size();
    result_.examined = pairs_.size();
    result_.outside = placed_.selection.outside();
    result_.remarks = rulings_.remarks();
    if (std::string remark = study::tolerance_remark(
            options_.tolerance.value_or(0), options_.clearance, clash::lengths_of(result_.parts));
        !remark.empty())
      result_.remarks.push_back(std::move(remark));
    for (const std::string& remark : placed_.selection.remarks()) result_.remarks.push_back(remark);
    for (const ClashTest& test : options_.rules.tests)
      result_.tests.push_back({test.name, test.kind, 0, {}});
    for (const ClashPair& pair : pairs_)
      for (const std::size_t t : placed_.selection.of(pair.part_a, pair.part_b).tests)
        ++result_.tests[t].examined;
    for (const ClashPart& part : parts_.parts)
      if (part.object < insides_.size() && insides_[part.object])
        if (const auto fault = base::data_of(insides_[part.object]->interior).fault;
            fault != InsideFault::none)
          result_.remarks.push_back(fmt::format("{}: {}", part.name, remark_of(fault)));
    note_gaps();
    for (ClashPair& pair : pairs_) {
      result_.stats += pair.stats;
      if (pair.may_reach_in) ++result_.may_reach_in;
      if (pair.verdict == ClashPairVerdict::free) continue;
      apply_tests(pair, result_.pairs.size());
      const auto c = static_cast<std::size_t>(pair.verdict);
      ++result_.counts[c];
      if (pair.accepted) ++result_.accepted[c];
      result_.pairs.push_back(std::move(pair));
    }
    result_.counts[static_cast<std::size_t>(ClashPairVerdict::free)] =
        n * (n - std::min<std::size_t>(n, 1)) / 2 - result_.pairs.size() - result_.ignored -
        result_.outside;
    // What reports say of all pairs must hold with the largest clearance.
    result_.options.clearance =
        std::max(result_.options.clearance, placed_.selection.largest_clearance());
    using enum ClashPairVerdict;
    result_.verdict = stopped() && result_.count(undecided) > 0          ? ClashVerdict::interrupted
                      : result_.open(clash) + result_.open(contains) > 0 ? ClashVerdict::clash
                      : result_.open(undecided) > 0                      ? ClashVerdict::undecided
                      : result_.open(ClashPairVerdict::open) > 0         ? ClashVerdict::open
                                                                         : ClashVerdict::free;
  }

  const ClashParts& parts_;
  const ClashOptions& options_;
  base::ProgressReport progress_;
  const PlacedParts placed_;
  const Rulings rulings_;
  std::vector<ClashPair> pairs_;
  std::vector<std::size_t> open_;               // indices into pairs_: the pairs that need
                                                // interiors
  std::vector<std::optional<Inside>> insides_;  // by object; empty if not needed
  ClashResult& result_;

  friend ClashResult brute_force::find_clashes(ClashParts, const ClashOptions&);
};

// A result with its input. The budget's deadline, flag and counters belong to one call, so only its
// work is kept.
ClashResult result_of(ClashParts parts, const ClashOptions& options) {
  ClashResult result;
  result.parts = std::move(parts);
  result.options = options;
  result.options.budget = {.max_work = options.budget.max_work};
  return result;
}

}  // namespace

ClashResult find_clashes(ClashParts parts, const ClashOptions& options) {
  check(parts, options);
  ClashResult result = result_of(std::move(parts), options);
  Check(options, result).run();
  return result;
}

namespace brute_force {

ClashResult find_clashes(ClashParts parts, const ClashOptions& options) {
  check(parts, options);
  ClashResult result = result_of(std::move(parts), options);
  Check all(options, result);
  const std::size_t count = result.parts.parts.size();
  std::vector<PartPair> pairs;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a + 1; b < count; ++b) pairs.push_back({a, b});
  all.take(pairs);
  const PlacedParts& placed = all.placed_;
  for (ClashPair& pair : all.pairs_) {
    if (!clash::check_surfaces(placed, pair)) continue;
    const auto inside = [&](std::size_t part) {
      return std::make_optional<Inside>(placed.object(part),
                                        placed.chord_errors(placed.parts.parts[part].object));
    };
    clash::check_insides(placed, inside(pair.part_a), inside(pair.part_b), pair);
  }
  all.find_copies();
  all.conclude();
  return result;
}

}  // namespace brute_force

std::vector<std::size_t> worst_first(const ClashResult& result) {
  std::vector<std::size_t> order(result.pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    const ClashPair& pair = result.pairs[i];
    return std::make_tuple(pair.accepted.has_value(), -static_cast<int>(pair.verdict),
                           -pair.thickness.diameter.lower, pair.distance.upper, i);
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return key(i) < key(j); });
  return order;
}

}  // namespace touche
