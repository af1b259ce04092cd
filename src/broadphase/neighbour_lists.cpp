// SPDX-License-Identifier: Apache-2.0
#include "broadphase/neighbour_lists.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "base/fetch.h"
#include "broadphase/box_kernels.h"
#include "broadphase/ray_queue.h"

namespace touche::broadphase {
namespace {

// A list that is reused by the searches of a thread; nested searches have their own.
class SpareList {
 public:
  SpareList() : list_(std::move(spare())) { list_.clear(); }
  ~SpareList() { spare() = std::move(list_); }
  SpareList(const SpareList&) = delete;
  SpareList& operator=(const SpareList&) = delete;
  std::vector<Index>& operator*() { return list_; }

 private:
  static std::vector<Index>& spare() {
    thread_local std::vector<Index> list;
    return list;
  }
  std::vector<Index> list_;
};

}  // namespace

// ---- inserting, moving and removing boxes
// --------------------------------------------------------

void NeighbourLists::add(Index number, const RoundedBox& box) {
  Index slot = 0;
  if (free_slots_.empty()) {
    slot = static_cast<Index>(slots_.size());
    slots_.emplace_back();
    boxes_.resize(slots_.size() + 1);
    fats_.emplace_back();
    ranges_.emplace_back();
    is_near_.push_back(0);
    moved_.resize(slot / 64 + 1);
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  if (number >= slot_of_.size()) slot_of_.resize(number + 1);
  slot_of_[number] = slot;
  boxes_[slot] = fats_[slot] = PackedBox(box);
  const bool is_listed = slots_[slot].outside;  // the slot of a dropped box may still be listed
  slots_[slot] = {.number = number,
                  .margin = first_margin(boxes_[slot]),
                  .fat_since = round_ & kRounds,
                  .outside = 1};
  if (is_listed)
    --dropped_outside_;
  else
    outside_.push_back(slot);
  mark_moved(slot);
  ++in_use_;
}

// Sets a box. If few boxes move (`kFew`), boxes close to an end of their fat boxes are recorded.
template <bool kFew>
void NeighbourLists::place(Index slot, const RoundedBox& box) {
  boxes_[slot] = PackedBox(box);
  mark_moved(slot);
  if (kFew && slot == meeting_.slot && !meeting_.old_fat.contains(box)) meeting_.hurries = true;
  if (kFew ? fats_[slot].contains_well(box) : fats_[slot].contains(box)) [[likely]]
    return;
  if (slots_[slot].outside) return;
  if (!kFew || !fats_[slot].contains(box)) {
    slots_[slot].outside = 1;
    outside_.push_back(slot);
  } else if (slots_[slot].close == 0) {
    slots_[slot].close = 1;
    close_.push_back({slot, 0.5f});
  }
}

void NeighbourLists::change(Index number, const RoundedBox& box) {
  change_all({&number, 1}, {&box, 1});
}

template <bool kFew>
void NeighbourLists::place_all(std::span<const Index> numbers, std::span<const RoundedBox> boxes) {
  constexpr std::size_t kAhead = 16;  // boxes are scattered in memory: prefetch them
  // One box in three spans two cache lines, which is worth a second prefetch if they are far away.
  constexpr std::size_t kFar = 1 << 15;
  const bool far = slots_.size() > kFar;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i + kAhead < numbers.size()) {
      const Index slot = slot_of_[numbers[i + kAhead]];
      base::fetch(&boxes_[slot]);
      base::fetch(&fats_[slot]);
      if (far) {
        base::fetch(&boxes_[slot].ends[5]);
        base::fetch(&fats_[slot].ends[5]);
      }
    }
    place<kFew>(slot_of_[numbers[i]], boxes[i]);
  }
}

void NeighbourLists::change_all(std::span<const Index> numbers, std::span<const RoundedBox> boxes) {
  if (few_moved_ && few_move())
    place_all<true>(numbers, boxes);
  else
    place_all<false>(numbers, boxes);
}

void NeighbourLists::drop(Index number) {
  const Index slot = slot_of_[number];
  while (ranges_[slot].count > 0) part(slot, ranges_[slot].count - 1);
  if (slots_[slot].in_tree) tree_.remove(slot);
  if (slot == meeting_.slot) forget_meeting();
  moved_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
  const Index outside = slots_[slot].outside;
  slots_[slot] = {};
  slots_[slot].outside = outside & 1;
  free_slots_.push_back(slot);
  --in_use_;
  dropped_outside_ += outside;
  if (2 * dropped_outside_ > outside_.size()) forget_dropped();
}

// Slots of dropped boxes stay in the list until they are half of it, because removing a single one
// takes time proportional to the list.
void NeighbourLists::forget_dropped() {
  if (dropped_outside_ == 0) return;
  std::erase_if(outside_, [&](Index slot) {
    if (slots_[slot].number != kNone) return false;
    slots_[slot].outside = 0;
    return true;
  });
  dropped_outside_ = 0;
}

RoundedBox NeighbourLists::box_of(Index number) const {
  return boxes_[slot_of_[number]].unpacked();
}

// Whether so few boxes moved since the last update that rounds are evened out box by box.
bool NeighbourLists::few_move() const {
  constexpr std::size_t kFew = 8;  // at most one box in `kFew`
  return moves_ <= in_use_ / kFew;
}

// ---- a round ------------------------------------------------------------------------------------

void NeighbourLists::update() {
  ++round_;
  forget_dropped();
  constexpr std::size_t kMany = 3;  // if more than one box in `kMany` left its fat box, rebuild all
  if (outside_.size() > in_use_ / kMany && outside_.size() > 16) {
    fattened_ = outside_.size();
    rebuild();
  } else {
    const bool few = few_move();
    few_moved_ = few;
    meet(few && !meeting_.hurries ? 16 : to_meet_.size());
    if (few) {
      let_leave_early();
      // Each of several equally long rounds does a part of the remaining work.
      tidy(4 + with_old_.size());
    } else {
      tidy(~std::size_t{0});
      break_wave();
    }
    bring_in_all(few);
  }
  flips_.clear();
  if (moves_ > in_use_ / 2)
    box_kernels().find_all_flips(boxes_.data(), ranges_, neighbours_, flips_);
  else
    box_kernels().find_flips(boxes_.data(), ranges_.data(), neighbours_, moved_, flips_);
  apply_flips();
  close_gaps();
  std::fill(moved_.begin(), moved_.end(), 0);
  moves_ = 0;
}

// Rebuilds the tree, the slots in the order of its leaves, the lists and the pairs.
void NeighbourLists::rebuild() {
  std::vector<PackedBox> boxes, fats;
  std::vector<Slot> slots;
  boxes.reserve(in_use_);
  fats.reserve(in_use_);
  slots.reserve(in_use_);
  const std::array<float, 3> way = way_of_new();
  for (Index slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].number == kNone) continue;
    if (slots_[slot].outside) {
      std::array<float, 3> ahead{};
      if (slots_[slot].in_tree) {
        ahead = way_ahead(slot);
        adapt_margin(slot);
      } else {
        ahead = first_way_ahead(slot, way);
      }
      fatten(slot, ahead);
    }
    slots_[slot].in_tree = 1;
    boxes.push_back(boxes_[slot]);
    fats.push_back(fats_[slot]);
    slots_[slot].close = 0;
    slots.push_back(slots_[slot]);
  }
  const std::vector<Index> order = tree_.build(fats);
  // Without the spare room left over from growing.
  const auto in_order = [&](auto& from, auto& to) {
    to.clear();
    to.shrink_to_fit();
    to.reserve(order.size() + 1);
    for (const Index i : order) to.push_back(from[i]);
  };
  in_order(slots, slots_);
  in_order(boxes, boxes_);
  boxes_.emplace_back();
  in_order(fats, fats_);
  for (Index slot = 0; slot < slots_.size(); ++slot) slot_of_[slots_[slot].number] = slot;
  slot_of_.shrink_to_fit();
  free_slots_.clear();
  with_old_.clear();
  close_.clear();
  forget_meeting();
  outside_.clear();
  outside_.shrink_to_fit();
  moved_.assign(order.size() / 64 + 1, 0);
  is_near_.assign(order.size(), 0);
  is_near_.shrink_to_fit();

  for (const BoxPair& pair : pairs_)
    if (pair.a != kNone) note(pair, false);
  pairs_.clear();
  pair_places_.clear();
  gaps_.clear();
  std::vector<BoxPair> near;
  tree_.find_pairs(near);
  ranges_.assign(order.size(), {});
  ranges_.shrink_to_fit();
  for (auto& lists : free_lists_) lists.clear();
  for (const auto& [a, b] : near) {
    ++ranges_[a].count;
    ++ranges_[b].count;
  }
  Index end = 0;
  for (NeighbourRange& range : ranges_) {
    range.begin = end;
    const Index capacity = std::bit_ceil(std::max<Index>(NeighbourRange::kTogether, range.count));
    range.size_class = static_cast<Index>(std::countr_zero(capacity)) & NeighbourRange::kMostClass;
    range.above = range.count = 0;
    end += capacity;
  }
  lists_end_ = end;
  // Lists that outgrow their room move to the end. That memory is written now, so that no later
  // round has to wait for it.
  const Index spare = end / 8;
  neighbours_.clear();
  neighbours_.add(end + spare);
  std::fill_n(neighbours_.at(0) + end, spare, Neighbour(0, false));
  links_.clear();
  links_.add(end + spare);
  std::fill_n(links_.at(0) + end, spare, NeighbourLink{});
  for (Index slot = 0; slot < slots_.size(); ++slot)
    std::fill_n(list(slot), ranges_[slot].capacity(), Neighbour::nobody(slot));
  for (const auto& [a, b] : near) make_neighbours(a, b);
  for (Index slot = 0; slot < slots_.size(); ++slot)
    for (Index place = 0; place < ranges_[slot].count; ++place) {
      const Index other = list(slot)[place].other();
      if (other > slot && boxes_[slot].overlaps(boxes_[other])) begin_pair(slot, place);
    }
  // Reserve room for more, so that no round copies all of them.
  pairs_.reserve(pairs_.size() + pairs_.size() / 4);
  pair_places_.reserve(pairs_.capacity());
  findings_.reserve();
}

std::span<const BoxPair> NeighbourLists::list_pairs() {
  update();
  return pairs_;
}

PairChanges NeighbourLists::list_changes() {
  update();
  PairChanges changes;
  if (!tells_changes()) {
    changes.began.assign(pairs_.begin(), pairs_.end());
    std::sort(changes.began.begin(), changes.began.end());
    return changes;
  }
  std::stable_sort(events_.begin(), events_.end(),
                   [](const PairEvent& x, const PairEvent& y) { return x.pair < y.pair; });
  for (std::size_t i = 0, next = 0; i < events_.size(); i = next) {
    const BoxPair pair = events_[i].pair;
    for (next = i; next < events_.size() && events_[next].pair == pair;) ++next;
    const bool before = !events_[i].began, now = events_[next - 1].began;
    if (before && (!now || is_another(pair))) changes.ended.push_back(pair);
    if (now && (!before || is_another(pair))) changes.began.push_back(pair);
  }
  events_.clear();
  return changes;
}

// ---- searches -----------------------------------------------------------------------------------

void NeighbourLists::search(const RoundedBox& box, const Visit& visit) const {
  const PackedBox packed(box);
  SpareList found;
  tree_.find(packed, *found);
  for (const Index slot : *found)
    if (!slots_[slot].outside && packed.overlaps(boxes_[slot]) && !visit(slots_[slot].number))
      return;
  for (const Index slot : outside_)
    if (slots_[slot].number != kNone && packed.overlaps(boxes_[slot]) &&
        !visit(slots_[slot].number))
      return;
}

void NeighbourLists::search(const RayPiece& ray, const VisitAlong& visit) const {
  RayQueue queue(ray);
  for (const Index slot : outside_)
    if (slots_[slot].number != kNone) queue.add_box(slots_[slot].number, boxes_[slot].unpacked());
  if (!tree_.empty()) queue.add_root(tree_.root());
  queue.run(visit, [&](Index at) {
    const WideTree::Node& node = tree_.nodes()[at];
    for (unsigned left = node.used; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const Index child = node.child[lane];
      if (node.level > 0)
        queue.add_node(child, WideTree::box_of(node, lane));
      else if (!slots_[child].outside)
        queue.add_box(slots_[child].number, boxes_[child].unpacked());
    }
  });
}

BroadPhase::Memory NeighbourLists::memory_of_method() const {
  const auto bytes_of = [](const auto& vector) {
    return vector.capacity() * sizeof(*vector.data());
  };
  Memory memory;
  memory.pair_bytes = neighbours_.bytes() + links_.bytes() + bytes_of(pairs_) +
                      bytes_of(pair_places_) + bytes_of(gaps_) + bytes_of(events_) +
                      bytes_of(flips_);
  for (const auto& lists : free_lists_) memory.pair_bytes += bytes_of(lists);
  memory.bytes = memory.pair_bytes + bytes_of(slot_of_) + bytes_of(slots_) + bytes_of(free_slots_) +
                 bytes_of(boxes_) + bytes_of(fats_) + bytes_of(moved_) + bytes_of(outside_) +
                 bytes_of(with_old_) + bytes_of(to_meet_) + bytes_of(ranges_) + bytes_of(close_) +
                 bytes_of(changing_) + bytes_of(findings_.items) + bytes_of(findings_.ends) +
                 bytes_of(findings_.level) + bytes_of(findings_.below) + bytes_of(is_near_) +
                 tree_.bytes();
  return memory;
}

void NeighbourLists::validate() const {
  const auto require = [](bool holds, const char* what, Index slot) {
    if (!holds) throw Error(std::string("neighbour lists: ") + what + " " + std::to_string(slot));
  };
  tree_.validate(fats_);
  for (Index slot = 0; slot < slots_.size(); ++slot) {
    const Slot& s = slots_[slot];
    if (s.number == kNone) {
      require(ranges_[slot].count == 0, "neighbours of the empty slot", slot);
      continue;
    }
    require(slot_of_[s.number] == slot, "a lost number in slot", slot);
    require(s.outside || (s.in_tree && fats_[slot].contains(boxes_[slot])),
            "a box outside its fat one in slot", slot);
    for (Index place = 0; place < ranges_[slot].count; ++place) {
      const Neighbour here = *neighbours_.at(ranges_[slot].begin + place);
      const NeighbourLink link = *links_.at(ranges_[slot].begin + place);
      const Index other = here.other(), twin = ranges_[other].begin + link.twin;
      require((other > slot) == (place < ranges_[slot].above),
              "a neighbour on the wrong side, in slot", slot);
      require(neighbours_.at(twin)->other() == slot && links_.at(twin)->twin == place &&
                  neighbours_.at(twin)->overlaps() == here.overlaps(),
              "an entry without its counterpart in slot", slot);
      if (!here.overlaps()) continue;
      const auto [a, b] = std::minmax(s.number, slots_[other].number);
      require(links_.at(twin)->pair == link.pair && pairs_[link.pair] == BoxPair{a, b},
              "another pair in slot", slot);
    }
  }
}

}  // namespace touche::broadphase
