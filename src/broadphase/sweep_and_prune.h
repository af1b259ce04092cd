// SPDX-License-Identifier: Apache-2.0
// The ends of all boxes sorted on each axis. If boxes move little, the order changes little:
// insertion sort exchanges an end with the ends that it overtook, and only then can the overlap of
// two boxes begin or end (Lin 1993; Cohen and others 1995; thesis §6.2). Boxes swept along a motion
// are handled like all others.
#pragma once

#include <array>
#include <vector>

#include "broadphase/pair_table.h"
#include "broadphase/ray_box.h"
#include "touche/broadphase.h"

namespace touche::broadphase {

class SweepAndPrune final : public BroadPhase {
 public:
  void validate() const override;

 protected:
  void add(Index number, const RoundedBox& box) override;
  void change(Index number, const RoundedBox& box) override;
  void drop(Index number) override;
  RoundedBox box_of(Index number) const override { return bodies_[number].box; }
  std::span<const BoxPair> list_pairs() override;
  void search(const RoundedBox& box, const Visit& visit) const override;
  void search(const RayPiece& ray, const VisitAlong& visit) const override;
  Memory memory_of_method() const override;

 private:
  // Touching counts: among equal values lower ends come first, so that an interval opens before an
  // interval that it touches closes.
  struct End {
    float value;
    Index code;  // 2 · number, plus 1 for upper ends

    static End of(const RoundedBox& box, Index number, std::size_t axis, bool is_upper) {
      return {is_upper ? box.hi[axis] : box.lo[axis], number << 1 | Index{is_upper}};
    }
    Index number() const { return code >> 1; }
    bool is_upper() const { return (code & 1) != 0; }
    bool operator<(const End& other) const {
      if (value != other.value) return value < other.value;
      return is_upper() < other.is_upper();
    }
  };
  enum class State : std::uint8_t { absent, fresh, sorted, moved };
  struct Body {
    RoundedBox box;
    std::array<std::array<Index, 2>, 3> places{};  // positions of its ends on each axis
    State state = State::absent;                   // fresh: its ends are not in the lists yet
    bool leaves = false;  // it was removed, but its ends are still in the lists
  };

  struct RayStart;
  RayStart start_on(std::size_t axis, const RayToBoxes& ray) const;
  void forget_removed();
  void rebuild();
  void append(Index number);
  bool pass_ends(Index number);
  bool pass_end(std::size_t axis, Index place);
  void put(std::size_t axis, Index place, const End& end) {
    ends_[axis][place] = end;
    bodies_[end.number()].places[axis][end.code & 1] = place;
  }

  std::vector<Body> bodies_;  // by box number
  std::array<std::vector<End>, 3> ends_;
  PairTable pairs_;  // exactly the pairs that overlap on all three axes
  std::vector<Index> fresh_, moved_, removed_;
  std::size_t may_pass_ = 0;  // number of exchanges before all is sorted again

  std::vector<Index> open_;  // memory that is reused
};

}  // namespace touche::broadphase
