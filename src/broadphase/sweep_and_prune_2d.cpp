// SPDX-License-Identifier: Apache-2.0
#include "broadphase/sweep_and_prune_2d.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace touche::broadphase {

// Chooses the two axes on which boxes are spread most; the first one is that of the sweep.
void SweepAndPrune2d::choose_axes() {
  std::array<double, 3> spread{};
  for (std::size_t k = 0; k < 3; ++k) {
    double sum = 0, squares = 0;
    for (Index i = 0; i < boxes().size(); ++i) {
      if (!has(i)) continue;
      const double middle = double{boxes()[i].lo[k]} + boxes()[i].hi[k];
      sum += middle;
      squares += middle * middle;
    }
    spread[k] = squares - sum * sum / size();
  }
  std::array<std::size_t, 3> axes{0, 1, 2};
  std::stable_sort(axes.begin(), axes.end(),
                   [&](std::size_t a, std::size_t b) { return spread[a] > spread[b]; });
  along_ = axes[0];
  across_ = axes[1];
}

// Removes changed and removed boxes from the order; changed ones are sorted and merged with the
// rest.
void SweepAndPrune2d::settle(std::span<const Index> numbers) {
  const std::size_t axis = along_;
  if (2 * numbers.size() > size()) choose_axes();
  changed_.clear();
  if (axis == along_) {
    for (const Index number : numbers) changed_.push_back({boxes()[number].lo[along_], number});
    std::erase_if(starts_, [&](const Start& start) { return waits(start.number); });
  } else {
    for (Index i = 0; i < boxes().size(); ++i)
      if (has(i)) changed_.push_back({boxes()[i].lo[along_], i});
    starts_.clear();
  }
  std::sort(changed_.begin(), changed_.end());
  merged_.resize(starts_.size() + changed_.size());
  std::merge(starts_.begin(), starts_.end(), changed_.begin(), changed_.end(), merged_.begin());
  starts_.swap(merged_);
  reach_.resize(starts_.size());
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const float end = boxes()[starts_[i].number].hi[along_];
    reach_[i] = i == 0 ? end : std::max(reach_[i - 1], end);
  }
}

// Goes backwards from the last box that begins before `box` ends, until none of the boxes before
// reaches it.
void SweepAndPrune2d::find(const RoundedBox& box, std::vector<Index>& found) const {
  const auto end = std::upper_bound(starts_.begin(), starts_.end(), Start{box.hi[along_], kNone});
  for (auto i = static_cast<std::size_t>(end - starts_.begin()); i-- > 0;) {
    if (reach_[i] < box.lo[along_]) return;
    const Index number = starts_[i].number;
    if (is_held(number) && boxes()[number].overlaps(box)) found.push_back(number);
  }
}

// Chooses slots that contain about equal numbers of lower ends, by a sample of the boxes.
void SweepAndPrune2d::choose_slots() {
  const std::size_t n = starts_.size();
  const std::size_t slots =
      std::bit_ceil(static_cast<std::size_t>(std::sqrt(static_cast<double>(n))) + 1);
  constexpr std::size_t kSamples = 8;  // per slot
  const std::size_t step = std::max<std::size_t>(1, n / (kSamples * slots));
  samples_.clear();
  for (std::size_t i = 0; i < n; i += step)
    samples_.push_back(boxes()[starts_[i].number].lo[across_]);
  std::sort(samples_.begin(), samples_.end());
  slots_.resize(slots - 1);
  for (std::size_t s = 1; s < slots; ++s) slots_[s - 1] = samples_[s * samples_.size() / slots];
}

std::size_t SweepAndPrune2d::slot_of(float coordinate) const {
  return static_cast<std::size_t>(std::upper_bound(slots_.begin(), slots_.end(), coordinate) -
                                  slots_.begin());
}

void SweepAndPrune2d::find_pairs(std::vector<BoxPair>& found) {
  if (starts_.empty()) return;
  choose_slots();
  const std::size_t slots = slots_.size() + 1;
  first_.assign(2 * slots, kNone);
  next_.resize(boxes().size());
  for (const auto& [at, number] : starts_) {
    const RoundedBox& box = boxes()[number];
    const std::size_t from = slots + slot_of(box.lo[across_]);
    const std::size_t to = slots + slot_of(box.hi[across_]);

    // Visit every node above or below the interval; boxes that the sweep line has left are removed
    // in passing.
    for (std::size_t a = from, b = to; a > 0; a /= 2, b /= 2)
      for (std::size_t node = a; node <= b; ++node)
        for (Index* link = &first_[node]; *link != kNone;) {
          const Index other = *link;
          if (boxes()[other].hi[along_] < at) {
            *link = next_[other];
            continue;
          }
          if (boxes()[other].overlaps(box)) found.push_back({number, other});
          link = &next_[other];
        }
    Index& head = first_[from >> std::bit_width(from ^ to)];
    next_[number] = head;
    head = number;
  }
}

// A ray traverses the order along the sweep axis, some boxes at a time, as far as it reaches.
void SweepAndPrune2d::start(RayQueue& queue) const {
  using enum RayToBoxes::Heading;
  if (starts_.empty()) return;
  const auto [lo, hi] = queue.ray().origin(along_, largest());
  if (queue.ray().heading(along_) == down) {
    const auto end = std::upper_bound(starts_.begin(), starts_.end(), hi,
                                      [](double x, const Start& start) { return x < start.at; });
    if (end != starts_.begin())
      queue.add_root(static_cast<Index>((end - starts_.begin() - 1) / kTogether));
  } else {
    const auto first = std::lower_bound(reach_.begin(), reach_.end(), lo);
    if (first != reach_.end())
      queue.add_root(static_cast<Index>((first - reach_.begin()) / kTogether));
  }
}

void SweepAndPrune2d::open(Index part, RayQueue& queue) const {
  using enum RayToBoxes::Heading;
  const RayToBoxes& ray = queue.ray();
  const std::size_t first = std::size_t{part} * kTogether;
  const std::size_t end = std::min(starts_.size(), first + kTogether);
  for (std::size_t i = first; i < end; ++i)
    if (is_held(starts_[i].number)) add_ray_box(starts_[i].number, queue);
  const auto heading = ray.heading(along_);
  if (heading == down) {
    if (first > 0) queue.add_node_at(part - 1, ray.reaches(along_, reach_[first - 1], largest()));
  } else if (end < starts_.size()) {
    const float next = starts_[end].at;
    if (heading == up)
      queue.add_node_at(part + 1, ray.reaches(along_, next, largest()));
    else if (next <= ray.origin(along_, largest()).hi)
      queue.add_root(part + 1);
  }
}

// Returns the largest magnitude of all coordinates along the sweep axis.
double SweepAndPrune2d::largest() const {
  return std::max(std::abs(double{starts_.front().at}), std::abs(double{reach_.back()}));
}

std::size_t SweepAndPrune2d::structure_bytes() const {
  return (starts_.capacity() + changed_.capacity() + merged_.capacity()) * sizeof(Start) +
         (reach_.capacity() + slots_.capacity() + samples_.capacity()) * sizeof(float) +
         (first_.capacity() + next_.capacity()) * sizeof(Index);
}

void SweepAndPrune2d::validate() const {
  std::size_t held = 0;
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const auto& [at, number] = starts_[i];
    const auto require = [number = number](bool holds, const char* what) {
      if (!holds) throw Error("sweep and prune: box " + std::to_string(number) + ' ' + what);
    };
    require(i == 0 || starts_[i - 1] < starts_[i], "is at the wrong position or at two");
    if (!is_held(number)) continue;
    ++held;
    if (waits(number)) continue;
    require(at == boxes()[number].lo[along_], "does not begin where it should");
    require(reach_[i] >= boxes()[number].hi[along_], "reaches farther than it should");
  }
  for (Index i = 0; i < boxes().size(); ++i)
    if (is_held(i)) --held;
  if (held != 0) throw Error("sweep and prune: a box is missing");
}

}  // namespace touche::broadphase
