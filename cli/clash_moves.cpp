// SPDX-License-Identifier: Apache-2.0
#include "clash_moves.h"

#include <algorithm>
#include <map>

#include "touche/separation.h"

namespace touche::cli {
namespace {

// The search takes much longer than the check of a pair, so it is limited.
constexpr std::size_t kMostMoves = 30;
constexpr std::uint64_t kPositions = 200;  // tested for each of them
constexpr double kShareOfSize = 1e-4;      // relative to the smaller part's size

/// Whether separation() takes it: its faces enclose a volume without any gap.
bool has_separation(const Interior& body) { return body.closed() && !body.is_open(); }

class Moves {
 public:
  Moves(ClashResult& result, const Budget& budget) : result_(result), budget_(budget) {
    budget_.max_work = Budget().max_work;
    budget_.progress = {};
  }

  void find(ClashPair& pair) {
    const ClashPart &a = part(pair.part_a), &b = part(pair.part_b);
    const Interior &inside_a = inside(a), &inside_b = inside(b);
    if (!has_separation(inside_a) || !has_separation(inside_b)) return;
    const double size_a = size(a), size_b = size(b), size = std::min(size_a, size_b);
    if (!(size > 0)) return;
    const Separation found = separation(inside_a, a.pose, inside_b, b.pose,
                                        {.tolerance = std::max(kShareOfSize * size, pair.tolerance),
                                         .relative_error = result_.options.relative_error,
                                         .max_positions = kPositions,
                                         .budget = budget_});
    if (found.status != SeparationStatus::overlapping || !found.shift.allFinite() ||
        found.shift.isZero())
      return;
    const bool moves_a = size_a < size_b;
    pair.move =
        ClashMove{moves_a ? pair.part_a : pair.part_b, moves_a ? Vec3(-found.shift) : found.shift,
                  std::max(0.0, -found.distance.upper - mesh_error(pair))};
  }

 private:
  const ClashPart& part(std::size_t p) const { return result_.parts.parts[p]; }
  double size(const ClashPart& p) const {
    return result_.parts.objects[p.object].bounds().diagonal();
  }
  const Interior& inside(const ClashPart& p) {
    return insides_.try_emplace(p.object, result_.parts.objects[p.object]).first->second;
  }
  // Polyhedra around round shapes are larger by that, and so may be their overlap.
  double mesh_error(const ClashPair& pair) const {
    const std::vector<double>& errors = result_.parts.mesh_errors;
    if (errors.empty()) return 0;
    return 2 * std::max(errors[part(pair.part_a).object], errors[part(pair.part_b).object]);
  }

  ClashResult& result_;
  Budget budget_;
  std::map<std::size_t, Interior> insides_;  // by object
};

}  // namespace

void find_moves(ClashResult& result, const Budget& budget) {
  Moves moves(result, budget);
  std::size_t count = 0;
  for (const std::size_t i : worst_first(result)) {
    ClashPair& pair = result.pairs[i];
    if (pair.accepted || !pair.closed || pair.verdict < ClashPairVerdict::contains) continue;
    if (++count > kMostMoves || budget.expired()) break;
    moves.find(pair);
  }
}

}  // namespace touche::cli
