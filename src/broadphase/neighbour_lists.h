// SPDX-License-Identifier: Apache-2.0
// Broad phase by neighbour lists. Around each box is a fat box; boxes whose fat boxes overlap are
// neighbours. While a box stays inside its fat box, no other box can come near, and only its
// neighbours are tested, which are in a list: no tree is searched. Verlet (1967) used such lists
// for molecules, with one radius for all, rebuilt together; here each box has a margin of its own
// that follows its motion, and boxes that leave their fat boxes find their neighbours again, in a
// tree of the fat boxes. See docs/decisions/0011-broad-phase.md.
#pragma once

#include <utility>
#include <vector>

#include "broadphase/growing_array.h"
#include "broadphase/neighbour.h"
#include "broadphase/wide_tree.h"
#include "touche/broadphase.h"

namespace touche::broadphase {

class NeighbourLists final : public BroadPhase {
 public:
  void validate() const override;
  /// How many boxes got a new fat box when pairs were last listed.
  std::size_t fattened() const { return fattened_; }

 protected:
  void add(Index number, const RoundedBox& box) override;
  void change(Index number, const RoundedBox& box) override;
  void change_all(std::span<const Index> numbers, std::span<const RoundedBox> boxes) override;
  void drop(Index number) override;
  RoundedBox box_of(Index number) const override;
  std::span<const BoxPair> list_pairs() override;
  PairChanges list_changes() override;
  void search(const RoundedBox& box, const Visit& visit) const override;
  void search(const RayPiece& ray, const VisitAlong& visit) const override;
  Memory memory_of_method() const override;

 private:
  // Boxes are stored in slots, which are renumbered in the order of the tree's leaves when it is
  // built, so that near boxes are near in memory.
  struct Slot {
    Index number = kNone;  // kNone: empty slot
    float margin = 0;      // a length: by how much the fat box is larger on each side, up to jitter
    Index fat_since : 25 = 0;  // the round in which its fat box was made
    Index headed : 1 = 0;      // whether its fat box is extended in some direction
    Index upwards : 3 = 0;     // a bit for each axis along which it is extended upwards
    // outside its fat box and not processed yet: then it is in `outside_`, which may also contain
    // empty slots
    Index outside : 1 = 0;
    Index in_tree : 1 = 0;
    Index close : 1 = 0;  // close to an end of its fat box, and in `close_`
  };
  struct Close {
    Index slot;
    float room;  // its remaining room
  };
  // A box that left its fat box early is still inside the old one as well, so not all neighbours
  // near its new one have to be known at once.
  struct Meeting {
    Index slot = kNone;
    bool hurries = false;  // it has left the old fat box as well
    PackedBox old_fat;
  };
  struct PairEvent {
    BoxPair pair;
    bool began;  // otherwise it ended
  };

  // Rounds are counted modulo `kRounds` + 1.
  static constexpr Index kRounds = (Index{1} << 25) - 1;

  void mark_moved(Index slot) {
    moved_[slot / 64] |= std::uint64_t{1} << slot % 64;
    ++moves_;
  }
  void forget_dropped();
  void update();
  void rebuild();
  bool few_move() const;
  template <bool kFew>
  void place(Index slot, const RoundedBox& box);
  template <bool kFew>
  void place_all(std::span<const Index> numbers, std::span<const RoundedBox> boxes);
  void bring_in(Index slot, bool later);
  bool stays(Index slot) const;
  void bring_in_all(bool keep_old);
  void fetch_neighbours(std::span<const Index> group, bool keep_old);
  void find_neighbours(Index slot, std::span<const Index> found, bool keep_old);
  void tidy(std::size_t most);
  void meet(std::size_t most);
  void forget_meeting();
  static float first_margin(const PackedBox& box);
  void fatten(Index slot, const std::array<float, 3>& ahead);
  std::array<float, 3> way_ahead(Index slot) const;
  std::array<float, 3> way_of_new() const;
  std::array<float, 3> first_way_ahead(Index slot, const std::array<float, 3>& common) const;
  float cost_of_leaving(Index slot) const;
  void adapt_margin(Index slot);
  std::array<float, 3> gone(Index slot) const;
  bool leaves_within(Index slot, float rounds) const;
  float rounds_left(Index slot) const;
  float room_left(Index slot) const;
  void leave(Index slot);
  void break_wave();
  void let_leave_early();
  float leaving_per_round() const;
  void next_turn();
  template <class Look>
  void each_in_turn(const Look& look) const;

  Neighbour* list(Index slot) { return neighbours_.at(ranges_[slot].begin); }
  NeighbourLink* links(Index slot) { return links_.at(ranges_[slot].begin); }
  void make_neighbours(Index a, Index b);
  void grow(Index slot);
  void shift(Index slot, Index from, Index to);
  Index append(Index slot, Index other);
  void part(Index slot, Index place);
  void take_out(Index slot, Index place);
  void set_pair(Index slot, Index place, Index pair);
  void begin_pair(Index slot, Index place);
  void end_pair(Index slot, Index place);
  void apply_flips();
  void fetch_link(const NeighbourPlace& at) const;
  void fetch_twin(const NeighbourPlace& at) const;
  void close_gaps();
  void note(const BoxPair& pair, bool began) {
    if (tells_changes()) events_.push_back({pair, began});
  }

  std::vector<Index> slot_of_;  // by box number
  std::vector<Slot> slots_;
  std::vector<Index> free_slots_;
  base::LargeVector<PackedBox> boxes_;  // one more than slots, for vectors of eight numbers
  base::LargeVector<PackedBox> fats_;
  std::vector<std::uint64_t> moved_;  // since the last update; a bit for each slot
  std::size_t moves_ = 0;             // number of moves since then
  bool few_moved_ = false;            // whether few moved before the last update
  std::vector<Index> outside_;
  std::size_t dropped_outside_ = 0;  // number of empty slots in `outside_`
  std::vector<Index> with_old_;      // slots whose lists may have outdated neighbours
  std::size_t in_use_ = 0;           // slots in use
  std::size_t fattened_ = 0;         // number in the last update
  Index round_ = 0;                  // number of updates so far
  // boxes that are or were close to an end of their fat boxes, if few move
  std::vector<Close> close_;
  std::size_t turn_ = 0, next_word_ = 0;  // range of words of `moved_` whose turn it is
  float leaving_ = 0, asked_ = 0;  // of this turn's sample: how many leave soon, and its size
  std::size_t next_close_ = 0;     // index in `close_` that was updated last
  Meeting meeting_;
  std::vector<Index> to_meet_;  // near boxes not linked yet; may be outdated
  WideTree tree_;

  std::vector<NeighbourRange> ranges_;
  GrowingArray<Neighbour> neighbours_;          // lists of 2^k entries, free ones included
  GrowingArray<NeighbourLink> links_;           // one for each entry of `neighbours_`
  Index lists_end_ = 0;                         // entries from here on are not used by any list
  std::vector<std::vector<Index>> free_lists_;  // indexed by k

  std::vector<BoxPair> pairs_;               // overlapping pairs
  std::vector<NeighbourPlace> pair_places_;  // for each pair, one of its two entries
  std::vector<Index> gaps_;                  // positions in `pairs_` of ended pairs

  std::vector<PairEvent> events_;

  // Memory that is reused.
  WideTree::Findings findings_;
  std::vector<Index> changing_;
  // for each slot: whether it is in the current list; otherwise 0
  std::vector<std::uint8_t> is_near_;
  std::vector<Flip> flips_;
};

}  // namespace touche::broadphase
