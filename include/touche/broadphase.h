// SPDX-License-Identifier: Apache-2.0
// Which of many boxes overlap: the first question about a world of bodies. Boxes come, move and go;
// after each round of changes all pairs that overlap are listed, and those that changed.
// Link target touche::world.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "touche/names.h"
#include "touche/types.h"

namespace touche {

/// A closed box of single-precision numbers. A broad phase rounds what it is given outwards to such
/// boxes, and its answers are exact for these: nothing that overlaps is missing, and what is
/// listed overlaps up to rounding of coordinates (2^-23 of them).
struct RoundedBox {
  std::array<float, 3> lo{}, hi{};

  RoundedBox() = default;
  explicit RoundedBox(const Aabb& box);  ///< the smallest that contains it

  [[nodiscard]] bool overlaps(const RoundedBox& other) const {
    for (std::size_t k = 0; k < 3; ++k)
      if (!(lo[k] <= other.hi[k] && other.lo[k] <= hi[k])) return false;
    return true;
  }
  friend bool operator==(const RoundedBox&, const RoundedBox&) = default;
};

/// Two boxes by their numbers, a < b.
struct BoxPair {
  Index a = kNone, b = kNone;
  friend auto operator<=>(const BoxPair&, const BoxPair&) = default;
};

/// Tells what became of the pairs since this was last asked for; both are in ascending order.
struct PairChanges {
  std::vector<BoxPair> began, ended;
};

/// The points origin + t · direction for t in [0, length].
struct RayPiece {
  Vec3 origin = Vec3::Zero(), direction = Vec3::UnitX();
  double length = kInfinity;  ///< in lengths of `direction`
};

/// The interface of all broad phases; see make_broad_phase.
///
/// Boxes have numbers: the smallest that is free, from 0. Answers do not depend on the method, and
/// the order of lists depends on the method and the calls alone. Several threads may ask a const
/// object; all else is for one at a time.
class BroadPhase {
 public:
  BroadPhase() = default;
  virtual ~BroadPhase();
  BroadPhase(const BroadPhase&) = delete;
  BroadPhase& operator=(const BroadPhase&) = delete;

  /// Throws InvalidInput for a box that is empty, or has coordinates that are not numbers or larger
  /// than kMaxCoordinate.
  Index insert(const Aabb& box);
  /// These throw InvalidInput for a number that no box has, too.
  void move(Index number, const Aabb& box);
  void remove(Index number);
  /// Moves several, in their order; faster than one by one. When one of the boxes throws, those
  /// before it have been moved.
  void move(std::span<const Index> numbers, std::span<const Aabb> boxes);
  void move(std::span<const Index> numbers, std::span<const RoundedBox> boxes);

  [[nodiscard]] Index size() const { return size_; }  ///< boxes
  [[nodiscard]] bool has(Index number) const { return number < taken_.size() && taken_[number]; }
  [[nodiscard]] RoundedBox box(Index number) const;

  /// All pairs that overlap, each once. Valid until a call that is not const.
  [[nodiscard]] std::span<const BoxPair> pairs() { return list_pairs(); }

  /// The pairs that overlap now and did not when this was last called, and the other way round. A
  /// box that was removed ends its pairs; another one that has its number now begins new ones.
  [[nodiscard]] PairChanges changes();

  /// The numbers of all boxes that overlap the given one, in any order, until `visit` returns
  /// false.
  using Visit = std::function<bool(Index)>;
  void in_box(const Aabb& box, const Visit& visit) const;

  /// The numbers of all boxes that a ray meets, those first that it enters first, roughly; a few
  /// that it misses by rounding may be among them. `visit` returns the length of the ray from then
  /// on, a negative one to end the search. Throws InvalidInput for what is not finite and for a
  /// direction of length 0; `length` may be infinite.
  using VisitAlong = std::function<double(Index)>;
  void along_ray(const RayPiece& ray, const VisitAlong& visit) const;

  struct Memory {
    std::size_t bytes = 0;       ///< all there is
    std::size_t pair_bytes = 0;  ///< of these, what grows with the number of pairs
  };
  [[nodiscard]] Memory memory() const;

  /// Throws Error when what is held contradicts itself.
  virtual void validate() const = 0;

  static constexpr double kMaxCoordinate = 1e30;

 protected:
  // Each method implements these functions. Numbers and boxes are valid; `add` gets numbers without
  // gaps, or those that were free.
  virtual void add(Index number, const RoundedBox& box) = 0;
  virtual void change(Index number, const RoundedBox& box) = 0;
  virtual void change_all(std::span<const Index> numbers, std::span<const RoundedBox> boxes);
  virtual void drop(Index number) = 0;
  virtual RoundedBox box_of(Index number) const = 0;
  virtual std::span<const BoxPair> list_pairs() = 0;
  virtual void search(const RoundedBox& box, const Visit& visit) const = 0;
  virtual void search(const RayPiece& ray, const VisitAlong& visit) const = 0;
  virtual Memory memory_of_method() const = 0;
  // The difference of two lists of all pairs, unless a method knows better.
  virtual PairChanges list_changes();

  // Whether changes are asked for at all: they were at least once.
  bool tells_changes() const { return tells_changes_; }
  // In list_changes: whether one of these boxes was removed since the last time, so that a pair of
  // the same numbers now is another one.
  bool is_another(const BoxPair& pair) const;

 private:
  void check(Index number) const;
  template <class Box, class Round>
  void move_all(std::span<const Index> numbers, std::span<const Box> boxes, const Round& rounded);

  Index size_ = 0;
  std::vector<bool> taken_;  // of each number
  std::vector<Index> free_;  // a heap, the smallest number first
  bool tells_changes_ = false;
  std::vector<BoxPair> known_;  // at the last call of list_changes, in ascending order
  std::vector<Index> removed_;  // since then
};

enum class BroadPhaseMethod : std::uint8_t {
  neighbour_lists,     ///< the default: see docs/decisions/0011-broad-phase.md
  sweep_and_prune,     ///< sorted ends on three axes: for worlds where little moves
  sweep_and_prune_2d,  ///< a line that sweeps over an interval tree
  grid,                ///< cells of several sizes in a hash table
  aabb_tree,           ///< the general tree, refitted when many boxes move
  octree,              ///< a loose one: each box in one cell, by its size
  kd_tree,             ///< planes across the axes; each box in all leaves it reaches into
  bsp,                 ///< the same with planes across thirteen directions
  brute_force,         ///< every pair: the twin of all others
};
template <>
inline constexpr std::array<std::string_view, 9> kNames<BroadPhaseMethod> = {"neighbour_lists",
                                                                             "sweep_and_prune",
                                                                             "sweep_and_prune_2d",
                                                                             "grid",
                                                                             "aabb_tree",
                                                                             "octree",
                                                                             "kd_tree",
                                                                             "bsp",
                                                                             "brute_force"};

[[nodiscard]] std::unique_ptr<BroadPhase> make_broad_phase(
    BroadPhaseMethod method = BroadPhaseMethod::neighbour_lists);

}  // namespace touche
