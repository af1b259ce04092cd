// SPDX-License-Identifier: Apache-2.0
// How large fat boxes are: as wide as pays, and longer where a box is headed.
#include <algorithm>

#include "broadphase/neighbour_lists.h"

namespace touche {
namespace {

// Margins as shares of a box's mean edge. A wide margin keeps a box in for long, a narrow one keeps
// its list short: measured, anything that lasts for some 30 to 100 rounds is good.
constexpr float kFirstMargin = 0.1f, kLeastMargin = 0.01f, kMostMargin = 0.35f;
constexpr float kMostAhead = 1;
constexpr Index kTooSoon = 24, kLate = 96;  // rounds

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

// A margin that lasts for some rounds: wider when the box left soon, narrower when it took long.
void NeighbourLists::adapt_margin(Index slot) {
  Slot& s = slots_[slot];
  const float edge = boxes_[slot].box.mean_edge();
  const Index lasted = (round_ - s.fat_since) & kRounds;
  if (lasted <= 1 && s.margin >= kMostMargin * edge) {
    s.margin = 0;  // so fast that no margin helps
  } else if (lasted < (ranges_[slot].count < NeighbourRange::kTogether ? kLate : kTooSoon)) {
    s.margin *= 1.5f;
  } else if (lasted > kLate) {
    s.margin *= 0.75f;
  }
  if (s.margin > 0 || lasted > 1)
    s.margin = std::clamp(s.margin, kLeastMargin * edge, kMostMargin * edge);
}

// Where the box will be after some rounds if it goes on as it did since its fat box was made: that
// was larger by the margin on each side, and longer where its heading says.
std::array<float, 3> NeighbourLists::way_ahead(Index slot) const {
  const Slot& s = slots_[slot];
  const auto& [box, fat] = boxes_[slot];
  const float margin = s.margin * jitter(slot, s.fat_since);
  const auto rounds = static_cast<float>(std::max<Index>(1, (round_ - s.fat_since) & kRounds));
  const float most = kMostAhead * box.mean_edge();
  std::array<float, 3> ahead{};
  for (std::size_t k = 0; k < 3; ++k) {
    const float below = box.ends[k] - fat.ends[k], above = box.ends[4 + k] - fat.ends[4 + k];
    const float longer = std::max(0.0f, below + above - 2 * margin);
    // Both sides had the margin when it began.
    const float gone = 0.5f * (below - above + ((s.heading >> k & 1) != 0 ? longer : -longer));
    ahead[k] = std::clamp(gone / rounds * kTooSoon, -most, most);
  }
  return ahead;
}

void NeighbourLists::fatten(Index slot, const std::array<float, 3>& ahead) {
  Slot& s = slots_[slot];
  const float margin = s.margin * jitter(slot, round_ & kRounds);
  auto& [box, fat] = boxes_[slot];
  s.heading = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    fat.ends[k] = box.ends[k] - margin - std::max(0.0f, -ahead[k]);
    fat.ends[4 + k] = box.ends[4 + k] - margin - std::max(0.0f, ahead[k]);
    if (ahead[k] > 0) s.heading |= 1u << k;
  }
  s.fat_since = round_ & kRounds;
  s.outside = 0;
}

}  // namespace touche
