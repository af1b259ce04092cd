// SPDX-License-Identifier: Apache-2.0
// How large fat boxes are: as wide as pays, and longer where a box is headed.
#include <algorithm>
#include <bit>
#include <cmath>

#include "broadphase/neighbour_lists.h"

namespace touche {
namespace {

// Margins as shares of a box's mean edge.
constexpr float kFirstMargin = 0.15f, kLeastMargin = 0.01f, kMostMargin = 0.35f;
constexpr float kMostAhead = 1;
constexpr float kRoundsAhead = 48;

// What it costs to find neighbours anew, and for each of them, in looks at a neighbour (measured).
constexpr float kSearch = 150, kEntry = 45;

// A box that is nearer to the end of its fat one than this share of its margin may leave early.
constexpr float kEarly = 0.25f;

// Between 0.75 and 1.25: boxes that were fattened together do not leave together.
float jitter(Index slot, Index round) {
  std::uint32_t x = slot * 0x9e3779b9u ^ round * 0x85ebca6bu;
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  x ^= x >> 12;
  return 0.75f + 0.5f * static_cast<float>(x >> 8) / (1 << 24);
}

}  // namespace

float NeighbourLists::first_margin(const PackedBox& box) { return kFirstMargin * box.mean_edge(); }

// What a box costs when it leaves its fat one, in looks at a neighbour.
float NeighbourLists::cost_of_leaving(Index slot) const {
  return kSearch + kEntry * static_cast<float>(ranges_[slot].count);
}

// A margin m, as a share of the edge, keeps a box that walks about in for some m² rounds, and it
// has (1 + 2 m)³ times the neighbours that it had without. Looking at n neighbours in each round
// and finding them anew when it leaves together cost least where it stays in for 2/3 (cost of
// leaving) (1 + 2 m) / (m n) rounds: it gets a wider margin when it left in less than half of that
// time, a narrower one when it took twice as long.
void NeighbourLists::adapt_margin(Index slot) {
  Slot& s = slots_[slot];
  const float edge = boxes_[slot].mean_edge();
  const Index lasted = (round_ - s.fat_since) & kRounds;
  const auto neighbours = static_cast<float>(std::max<Index>(1, ranges_[slot].count));
  const float looks = static_cast<float>(lasted) * s.margin * neighbours;
  const float good = 2.0f / 3 * cost_of_leaving(slot) * (edge + 2 * s.margin);
  if (lasted <= 1 && s.margin >= kMostMargin * edge) {
    s.margin = 0;  // so fast that no margin helps
  } else if (2 * looks < good) {
    s.margin *= 1.5f;
  } else if (looks > 2 * good) {
    s.margin *= 0.75f;
  }
  if (s.margin > 0 || lasted > 1)
    s.margin = std::clamp(s.margin, kLeastMargin * edge, kMostMargin * edge);
}

// Where the box will be after some rounds if it goes on as it did since its fat box was made: that
// was larger by the margin on each side, and longer where its heading says. Of what went no farther
// than its margin takes it nobody can tell whether it is headed anywhere.
std::array<float, 3> NeighbourLists::way_ahead(Index slot) const {
  const Slot& s = slots_[slot];
  const PackedBox &box = boxes_[slot], &fat = fats_[slot];
  const float margin = s.margin * jitter(slot, s.fat_since);
  const auto rounds = static_cast<float>(std::max<Index>(1, (round_ - s.fat_since) & kRounds));
  const float most = kMostAhead * box.mean_edge();
  // Between 0.5 and 1.5: boxes that go the same way together do not leave together.
  const float ahead_jitter = 2 * jitter(slot, round_ & kRounds) - 1;
  std::array<float, 3> ahead{};
  for (std::size_t k = 0; k < 3; ++k) {
    const float below = box.ends[k] - fat.ends[k], above = box.ends[3 + k] - fat.ends[3 + k];
    const float longer = std::max(0.0f, below + above - 2 * margin);
    // Both sides had the margin when it began.
    const float gone = 0.5f * (below - above + ((s.heading >> k & 1) != 0 ? longer : -longer));
    const float far = gone / rounds * kRoundsAhead * ahead_jitter;
    if (std::abs(far) > margin) ahead[k] = std::clamp(far, -most, most);
  }
  return ahead;
}

void NeighbourLists::fatten(Index slot, const std::array<float, 3>& ahead) {
  Slot& s = slots_[slot];
  const float margin = s.margin * jitter(slot, round_ & kRounds);
  const PackedBox& box = boxes_[slot];
  PackedBox& fat = fats_[slot];
  s.heading = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    fat.ends[k] = box.ends[k] - margin - std::max(0.0f, -ahead[k]);
    fat.ends[3 + k] = box.ends[3 + k] - margin - std::max(0.0f, ahead[k]);
    if (ahead[k] > 0) s.heading |= 1u << k;
  }
  s.fat_since = round_ & kRounds;
  s.outside = 0;
}

// Where few boxes move, how many of them leave differs much from round to round. Some that are
// about to do so leave early, a few in each round in which fewer leave than usual, so that rounds
// take alike. They are given a little less than the usual cost, which grows to what is needed, and
// at least what it takes if each stays for 128 rounds: boxes that began together leave about
// together.
void NeighbourLists::let_leave_early() {
  constexpr float kShare = 0.9f, kRoundsOfMean = 64, kLongStay = 128;
  float cost = 0;
  for (const Index slot : outside_)
    if (slots_[slot].in_tree) cost += cost_of_leaving(slot);
  const float neighbours = 4 * static_cast<float>(pairs_.size()) / static_cast<float>(in_use_ + 1);
  const float least = static_cast<float>(moves_) / kLongStay * (kSearch + kEntry * neighbours);
  const float given = std::max(kShare * usual_cost_, least);
  credit_ += given - cost;
  if (credit_ > 0 && cost < given) {
    find_about_to_leave();
    for (const auto& [room, slot] : about_to_leave_) {
      if (credit_ <= 0) break;
      credit_ -= cost_of_leaving(slot);
      cost += cost_of_leaving(slot);
      slots_[slot].outside = 1;
      outside_.push_back(slot);
    }
  }
  credit_ = std::clamp(credit_, -2 * given, 2 * given);
  usual_cost_ += (cost - usual_cost_) / kRoundsOfMean;
}

// Those that moved in this round and have little room left, the least first.
void NeighbourLists::find_about_to_leave() {
  about_to_leave_.clear();
  for (std::size_t word = 0; word < moved_.size(); ++word)
    for (std::uint64_t left = moved_[word]; left != 0; left &= left - 1) {
      const auto slot =
          static_cast<Index>(64 * word + static_cast<unsigned>(std::countr_zero(left)));
      const PackedBox &box = boxes_[slot], &fat = fats_[slot];
      float room = box.ends[0] - fat.ends[0];
      for (std::size_t k = 1; k < 6; ++k) room = std::min(room, box.ends[k] - fat.ends[k]);
      const Slot& s = slots_[slot];
      if (!s.outside && room < kEarly * s.margin)
        about_to_leave_.emplace_back(room / s.margin, slot);
    }
  std::sort(about_to_leave_.begin(), about_to_leave_.end());
}

}  // namespace touche
