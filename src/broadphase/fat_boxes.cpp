// SPDX-License-Identifier: Apache-2.0
// Chooses the margins of fat boxes by their cost, and extends fat boxes in the direction of motion.
#include <algorithm>
#include <bit>
#include <cmath>

#include "broadphase/neighbour_lists.h"

namespace touche::broadphase {
namespace {

// Margins as shares of a box's mean edge.
constexpr float kFirstMargin = 0.15f, kLeastMargin = 0.01f, kMostMargin = 0.35f;
constexpr float kMostAhead = 1;
constexpr float kRoundsAhead = 48;

// The cost of finding neighbours again, and of each neighbour found, in units of testing one
// neighbour (measured).
constexpr float kSearch = 150, kEntry = 45;

// A box may be taken out of its fat box early by up to this number of rounds.
constexpr float kTurns = 7;

// A factor between 0.75 and 1.25, so that boxes that were fattened together do not leave together.
float jitter(Index number, Index round) {
  std::uint32_t x = number * 0x9e3779b9u ^ round * 0x85ebca6bu;
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  x ^= x >> 12;
  return 0.75f + 0.5f * static_cast<float>(x >> 8) / (1 << 24);
}

// By how much a fat box is extended if its box moves by `step` in a round, up to jitter.
float longer_by(float step, float mean_edge) {
  const float most = kMostAhead * mean_edge;
  return std::clamp(kRoundsAhead * step, -most, most);
}

}  // namespace

// Calls look(slot) for the boxes of the current turn that moved.
template <class Look>
void NeighbourLists::each_in_turn(const Look& look) const {
  for (std::size_t word = turn_; word < next_word_; ++word)
    for (std::uint64_t left = moved_[word]; left != 0; left &= left - 1)
      look(static_cast<Index>(64 * word + static_cast<unsigned>(std::countr_zero(left))));
}

float NeighbourLists::first_margin(const PackedBox& box) { return kFirstMargin * box.mean_edge(); }

// Returns the cost when a box leaves its fat box, in units of testing one neighbour.
float NeighbourLists::cost_of_leaving(Index slot) const {
  return kSearch + kEntry * static_cast<float>(ranges_[slot].count);
}

// A margin m, as a share of the edge, keeps a randomly moving box inside for about m² rounds, and
// it has (1 + 2 m)³ times the neighbours of m = 0. The cost of testing n neighbours in each round
// and of finding them again after leaving is least if the box stays for 2/3 (cost of leaving) (1 +
// 2 m) / (m n) rounds. So the margin is increased if the box left in less than half of that time,
// and reduced if it took more than twice as long.
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

// How far the box moved along each axis since its fat box was made. At that time the fat box was
// larger by the margin on each side, and extended in the direction of motion.
std::array<float, 3> NeighbourLists::gone(Index slot) const {
  const Slot& s = slots_[slot];
  const PackedBox &box = boxes_[slot], &fat = fats_[slot];
  std::array<float, 3> below{}, above{}, gone{};
  for (std::size_t k = 0; k < 3; ++k) {
    below[k] = box.ends[k] - fat.ends[k];
    above[k] = box.ends[3 + k] - fat.ends[3 + k];
    gone[k] = 0.5f * (below[k] - above[k]);  // both sides had the margin at the start
  }
  if (!s.headed) return gone;
  const float margin = s.margin * jitter(s.number, s.fat_since);
  for (std::size_t k = 0; k < 3; ++k) {
    const float longer = std::max(0.0f, below[k] + above[k] - 2 * margin);
    gone[k] += 0.5f * ((s.upwards >> k & 1) != 0 ? longer : -longer);
  }
  return gone;
}

// How far the box will move in some rounds if it continues as since its fat box was made. A move
// within the margin does not indicate a direction.
std::array<float, 3> NeighbourLists::way_ahead(Index slot) const {
  const Slot& s = slots_[slot];
  const float margin = s.margin * jitter(s.number, s.fat_since);
  const auto rounds = static_cast<float>(std::max<Index>(1, (round_ - s.fat_since) & kRounds));
  // Between 0.5 and 1.5, so that boxes that move alike do not leave together.
  const float share = 2 * jitter(s.number, round_ & kRounds) - 1;
  std::array<float, 3> ahead = gone(slot);
  for (float& way : ahead) {
    way = share * longer_by(way / rounds, boxes_[slot].mean_edge());
    if (std::abs(way) <= margin) way = 0;
  }
  return ahead;
}

// Finds the common motion, if any, of boxes that were inserted since the last rebuild and are not
// listed yet: along each axis +1, -1 or 0. A single step does not show whether a box moves steadily
// or randomly; but if nearly all move in one direction, as falling bodies do, they move steadily.
std::array<float, 3> NeighbourLists::way_of_new() const {
  constexpr int kSeveral = 16;
  constexpr double kAlike = 0.75;
  std::array<double, 3> sum{}, most{};
  std::array<int, 3> count{};
  for (const Index slot : outside_) {
    if (slots_[slot].in_tree) continue;
    const std::array<float, 3> way = gone(slot);
    for (std::size_t k = 0; k < 3; ++k) {
      sum[k] += way[k];
      most[k] += std::abs(way[k]);
      count[k] += way[k] != 0;
    }
  }
  std::array<float, 3> common{};
  for (std::size_t k = 0; k < 3; ++k)
    if (count[k] >= kSeveral && std::abs(sum[k]) > kAlike * most[k])
      common[k] = sum[k] > 0 ? 1.0f : -1.0f;
  return common;
}

// How far a new box will move if it continues as it began, along the axes of the common motion.
// Between 0 and 1.5 times as far as later, as if it had been moving for some time, so that boxes
// that begin together do not leave together.
std::array<float, 3> NeighbourLists::first_way_ahead(Index slot,
                                                     const std::array<float, 3>& common) const {
  const float edge = boxes_[slot].mean_edge();
  const float share = 3 * (jitter(slots_[slot].number, round_ & kRounds) - 0.75f);
  std::array<float, 3> ahead = gone(slot);
  for (std::size_t k = 0; k < 3; ++k) {
    const bool goes = ahead[k] * common[k] > 0 && std::abs(ahead[k]) < kMostMargin * edge;
    ahead[k] = goes ? share * longer_by(ahead[k], edge) : 0;
  }
  return ahead;
}

void NeighbourLists::fatten(Index slot, const std::array<float, 3>& ahead) {
  Slot& s = slots_[slot];
  const float margin = s.margin * jitter(s.number, round_ & kRounds);
  const PackedBox& box = boxes_[slot];
  PackedBox& fat = fats_[slot];
  Index upwards = 0;
  bool headed = false;
  for (std::size_t k = 0; k < 3; ++k) {
    fat.ends[k] = box.ends[k] - margin - std::max(0.0f, -ahead[k]);
    fat.ends[3 + k] = box.ends[3 + k] - margin - std::max(0.0f, ahead[k]);
    headed |= ahead[k] != 0;
    upwards |= Index{ahead[k] > 0} << k;
  }
  s.headed = headed ? 1 : 0;
  s.upwards = upwards & 7;
  s.fat_since = round_ & kRounds;
  s.outside = 0;
}

// The number of rounds for which the box stays in its fat box if its motion continues. A box that
// moved only by a small part of its margin may turn back.
float NeighbourLists::rounds_left(Index slot) const {
  constexpr float kPart = 0.25f, kLong = 1000;
  const Slot& s = slots_[slot];
  const auto lasted = static_cast<float>((round_ - s.fat_since) & kRounds);
  const PackedBox &box = boxes_[slot], &fat = fats_[slot];
  const std::array<float, 3> way = gone(slot);
  float rounds = kLong;
  for (std::size_t k = 0; k < 3; ++k) {
    const float room = way[k] < 0 ? box.ends[k] - fat.ends[k] : box.ends[3 + k] - fat.ends[3 + k];
    const float far = std::abs(way[k]);
    if (far > kPart * s.margin) rounds = std::min(rounds, room * lasted / far);
  }
  return rounds;
}

bool NeighbourLists::leaves_within(Index slot, float rounds) const {
  return slots_[slot].in_tree && !slots_[slot].outside && rounds_left(slot) < rounds;
}

// How near the box is to leaving its fat box: 0 at an end of it, below 1 if one or a few steps may
// take it there. If the fat box is extended, the remaining rounds count as well.
float NeighbourLists::room_left(Index slot) const {
  constexpr float kPart = 0.25f, kRoundsLeft = 7;
  const Slot& s = slots_[slot];
  const PackedBox &box = boxes_[slot], &fat = fats_[slot];
  float room = kMostAhead * box.mean_edge();
  for (std::size_t k = 0; k < 6; ++k) room = std::min(room, box.ends[k] - fat.ends[k]);
  room /= kPart * s.margin;
  return s.headed ? std::min(room, rounds_left(slot) / kRoundsLeft) : room;
}

// The number of boxes that leave their fat boxes differs from round to round, and a box that leaves
// costs as much as dozens that stay. To even this out, some boxes are taken out early, in rounds in
// which few others leave.
//
// Boxes that begin to move together would leave together, one in six of all in the worst round. If
// a large share is about to leave within the next turns (a wave), each round takes out the same
// share of them. Randomly moving boxes do not leave in waves, and leaving early would only cost
// them.
void NeighbourLists::break_wave() {
  constexpr float kWave = 0.4f;
  next_turn();
  if (leaving_ < kWave * asked_) return;
  const auto most = static_cast<std::size_t>(leaving_per_round());
  each_in_turn([&](Index slot) {
    if (outside_.size() < most && leaves_within(slot, kTurns)) leave(slot);
  });
}

// If few boxes move, chance alone makes the rounds unequal. The boxes that are closest to an end of
// their fat boxes are taken out, one in most rounds, unless others had to leave.
void NeighbourLists::let_leave_early() {
  constexpr std::size_t kPace = 7, kLooks = 8;
  const auto is_left = [&](const Close& close) {
    return slots_[close.slot].close != 0 && !slots_[close.slot].outside && close.room < 1;
  };
  // Only some of the distances are updated in each round.
  const std::size_t looks = std::min(close_.size(), kLooks + close_.size() / 8);
  for (std::size_t i = 0; i < looks; ++i) {
    next_close_ = next_close_ + 1 < close_.size() ? next_close_ + 1 : 0;
    Close& close = close_[next_close_];
    if (is_left(close)) close.room = room_left(close.slot);
  }
  std::erase_if(close_, [&](const Close& close) {
    if (is_left(close)) return false;
    slots_[close.slot].close = 0;
    return true;
  });
  const std::size_t most = (close_.size() + outside_.size() + kPace - 1) / kPace;
  while (outside_.size() < most && !close_.empty()) {
    const auto first = std::min_element(close_.begin(), close_.end(),
                                        [](auto& x, auto& y) { return x.room < y.room; });
    // A slot that was empty in between may be listed twice.
    if (!slots_[first->slot].outside) {
      if (meeting_.slot == kNone) meeting_ = {.slot = first->slot, .old_fat = fats_[first->slot]};
      leave(first->slot);
    }
    *first = close_.back();
    close_.pop_back();
  }
}

float NeighbourLists::leaving_per_round() const {
  return asked_ > 0 ? leaving_ / asked_ * static_cast<float>(moves_) / kTurns : 0;
}

void NeighbourLists::leave(Index slot) {
  slots_[slot].outside = 1;
  slots_[slot].close = 0;
  outside_.push_back(slot);
}

// In each round a part of the boxes has its turn. Counts how many of a sample of them are about to
// leave before their next turn: a sample is enough to detect a wave.
void NeighbourLists::next_turn() {
  constexpr std::size_t kStride = 8;
  turn_ = next_word_ < moved_.size() ? next_word_ : 0;
  next_word_ =
      std::min(moved_.size(), turn_ + moved_.size() / static_cast<std::size_t>(kTurns) + 1);
  std::size_t moved = 0;
  leaving_ = asked_ = 0;
  each_in_turn([&](Index slot) {
    const Index lasted = (round_ - slots_[slot].fat_since) & kRounds;
    if (lasted < 2 || moved++ % kStride != 0) return;  // a single round is not significant
    asked_ += 1;
    if (leaves_within(slot, kTurns)) leaving_ += 1;
  });
}

}  // namespace touche::broadphase
