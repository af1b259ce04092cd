// SPDX-License-Identifier: Apache-2.0
// Makes fat boxes as wide as pays, and longer where a box is headed.
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

// It costs this to find neighbours anew, and each of them that, in looks at a neighbour (measured).
constexpr float kSearch = 150, kEntry = 45;

// A box may leave early by so many rounds.
constexpr float kTurns = 7;

// Between 0.75 and 1.25: boxes that were fattened together do not leave together.
float jitter(Index number, Index round) {
  std::uint32_t x = number * 0x9e3779b9u ^ round * 0x85ebca6bu;
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  x ^= x >> 12;
  return 0.75f + 0.5f * static_cast<float>(x >> 8) / (1 << 24);
}

// How much longer a fat box is because its box goes so far in a round, up to jitter.
float longer_by(float step, float mean_edge) {
  const float most = kMostAhead * mean_edge;
  return std::clamp(kRoundsAhead * step, -most, most);
}

}  // namespace

// Looks at those of the boxes whose turn it is that moved.
template <class Look>
void NeighbourLists::each_in_turn(const Look& look) const {
  for (std::size_t word = turn_; word < next_word_; ++word)
    for (std::uint64_t left = moved_[word]; left != 0; left &= left - 1)
      look(static_cast<Index>(64 * word + static_cast<unsigned>(std::countr_zero(left))));
}

float NeighbourLists::first_margin(const PackedBox& box) { return kFirstMargin * box.mean_edge(); }

// Returns what a box costs when it leaves its fat one, in looks at a neighbour.
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

// How far the box went along each axis since its fat box was made: that was larger by the margin on
// each side, and longer where its heading says.
std::array<float, 3> NeighbourLists::gone(Index slot) const {
  const Slot& s = slots_[slot];
  const PackedBox &box = boxes_[slot], &fat = fats_[slot];
  std::array<float, 3> below{}, above{}, gone{};
  for (std::size_t k = 0; k < 3; ++k) {
    below[k] = box.ends[k] - fat.ends[k];
    above[k] = box.ends[3 + k] - fat.ends[3 + k];
    gone[k] = 0.5f * (below[k] - above[k]);  // both sides had the margin when it began
  }
  if (!s.headed) return gone;
  const float margin = s.margin * jitter(s.number, s.fat_since);
  for (std::size_t k = 0; k < 3; ++k) {
    const float longer = std::max(0.0f, below[k] + above[k] - 2 * margin);
    gone[k] += 0.5f * ((s.upwards >> k & 1) != 0 ? longer : -longer);
  }
  return gone;
}

// Where the box will be after some rounds if it goes on as it did since its fat box was made. If
// it went no farther than its margin takes it, nobody can tell whether it is headed anywhere.
std::array<float, 3> NeighbourLists::way_ahead(Index slot) const {
  const Slot& s = slots_[slot];
  const float margin = s.margin * jitter(s.number, s.fat_since);
  const auto rounds = static_cast<float>(std::max<Index>(1, (round_ - s.fat_since) & kRounds));
  // Between 0.5 and 1.5: boxes that go the same way together do not leave together.
  const float share = 2 * jitter(s.number, round_ & kRounds) - 1;
  std::array<float, 3> ahead = gone(slot);
  for (float& way : ahead) {
    way = share * longer_by(way / rounds, boxes_[slot].mean_edge());
    if (std::abs(way) <= margin) way = 0;
  }
  return ahead;
}

// Tells what several boxes that were put in since all was made anew did before they were listed
// for the first time, if they did the same: one step alone does not tell who is headed somewhere
// from who walks about, but where nearly all go one way, as what falls, they are.
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

// Where a box that is new will be if it goes on as it began, along the axes along which many do.
// Between 0 and 1.5 times as far as later, as if it had been on its way for some while: boxes that
// begin together do not leave together.
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

// Tells how many rounds the box stays in its fat one if it goes on as it did. One that went only a
// small part of its margin may turn back.
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

// How near the box is to leaving its fat one: 0 at an end of it, below 1 where a step or a few may
// take it there. A fat box that was made longer has less room for each round.
float NeighbourLists::room_left(Index slot) const {
  constexpr float kPart = 0.25f, kRoundsLeft = 7;
  const Slot& s = slots_[slot];
  const PackedBox &box = boxes_[slot], &fat = fats_[slot];
  float room = kMostAhead * box.mean_edge();
  for (std::size_t k = 0; k < 6; ++k) room = std::min(room, box.ends[k] - fat.ends[k]);
  room /= kPart * s.margin;
  return s.headed ? std::min(room, rounds_left(slot) / kRoundsLeft) : room;
}

// How many boxes leave their fat ones differs from round to round, and one that leaves costs as
// much as dozens that stay. So some leave early, in rounds in which few others do.
//
// Boxes that begin to move together would leave together, one in six of all in the worst round. In
// a wave, when a good share of them is going to leave within the next turns, each round takes the
// same share of these. Boxes that walk about do not leave in waves, and to leave early would cost
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

// Where few boxes move, chance alone makes rounds unlike. Those boxes that are closest to an end of
// their fat ones leave, one in most rounds, unless others had to.
void NeighbourLists::let_leave_early() {
  constexpr std::size_t kPace = 7, kLooks = 8;
  const auto is_left = [&](const Close& close) {
    return slots_[close.slot].close != 0 && !slots_[close.slot].outside && close.room < 1;
  };
  // How close they are is not asked of all in each round.
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
    // A slot that was empty meanwhile may be there twice.
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

// In each of some rounds a part of the boxes has its turn. Counts how many of a sample of these are
// going to leave before their next turn: a sample is enough to see a wave.
void NeighbourLists::next_turn() {
  constexpr std::size_t kStride = 8;
  turn_ = next_word_ < moved_.size() ? next_word_ : 0;
  next_word_ =
      std::min(moved_.size(), turn_ + moved_.size() / static_cast<std::size_t>(kTurns) + 1);
  std::size_t moved = 0;
  leaving_ = asked_ = 0;
  each_in_turn([&](Index slot) {
    const Index lasted = (round_ - slots_[slot].fat_since) & kRounds;
    if (lasted < 2 || moved++ % kStride != 0) return;  // a single round says little
    asked_ += 1;
    if (leaves_within(slot, kTurns)) leaving_ += 1;
  });
}

}  // namespace touche
