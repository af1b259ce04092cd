// SPDX-License-Identifier: Apache-2.0
// Broad phases: which of many boxes overlap. Boxes are inserted, moved and removed; after that all
// overlapping pairs are listed, or only the changes. Link target touche::world.
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

/// A closed box with single-precision coordinates. A broad phase rounds its input outwards to such
/// boxes, and its results are exact for these: no overlapping pair is missing, and each listed pair
/// overlaps up to rounding (2^-23 of the coordinates).
struct RoundedBox {
  std::array<float, 3> lo{}, hi{};

  RoundedBox() = default;
  explicit RoundedBox(const Aabb& box);  ///< the smallest rounded box that contains `box`

  [[nodiscard]] bool overlaps(const RoundedBox& other) const {
    for (std::size_t k = 0; k < 3; ++k)
      if (!(lo[k] <= other.hi[k] && other.lo[k] <= hi[k])) return false;
    return true;
  }
  friend bool operator==(const RoundedBox&, const RoundedBox&) = default;
};

/// The numbers of two boxes, a < b.
struct BoxPair {
  Index a = kNone, b = kNone;
  friend auto operator<=>(const BoxPair&, const BoxPair&) = default;
};

/// The changes of pairs since the last call of BroadPhase::changes. Both lists are in ascending
/// order.
struct PairChanges {
  std::vector<BoxPair> began, ended;
};

/// The points origin + t · direction for t in [0, length].
struct RayPiece {
  Vec3 origin = Vec3::Zero(), direction = Vec3::UnitX();
  double length = kInfinity;  ///< largest t, in lengths of `direction`
};

/// The interface of all broad phases; see make_broad_phase.
///
/// Boxes are numbered from 0; a new box gets the smallest free number. The set of results does not
/// depend on the method; the order of lists depends on the method and the calls only. Const
/// functions may be called by several threads at once; all other functions need exclusive access.
///
///     const auto phase = make_broad_phase();
///     const Index a = phase->insert(box_a), b = phase->insert(box_b);
///     for (const BoxPair& pair : phase->pairs()) report(pair.a, pair.b);
class BroadPhase {
 public:
  BroadPhase() = default;
  virtual ~BroadPhase();
  BroadPhase(const BroadPhase&) = delete;
  BroadPhase& operator=(const BroadPhase&) = delete;

  /// Adds a box and returns its number. Throws InvalidInput for a box that is empty, or has a
  /// coordinate that is not a number or larger than kMaxCoordinate in size.
  Index insert(const Aabb& box);
  /// Move or remove a box. They throw InvalidInput also for a number that no box has.
  void move(Index number, const Aabb& box);
  void remove(Index number);
  /// Moves several boxes, in the given order; faster than single calls. When a box is invalid and
  /// this throws, the boxes before it have been moved.
  void move(std::span<const Index> numbers, std::span<const Aabb> boxes);
  void move(std::span<const Index> numbers, std::span<const RoundedBox> boxes);

  [[nodiscard]] Index size() const { return size_; }  ///< number of boxes
  [[nodiscard]] bool has(Index number) const { return number < taken_.size() && taken_[number]; }
  [[nodiscard]] RoundedBox box(Index number) const;

  /// All pairs that overlap, each once. Valid until the next call of a function that is not const.
  [[nodiscard]] std::span<const BoxPair> pairs() { return list_pairs(); }

  /// The pairs that overlap now but did not at the last call, and the ones that did but do not now.
  /// Removing a box ends its pairs; a new box with the same number begins new pairs.
  [[nodiscard]] PairChanges changes();

  /// Calls `visit` with the number of each box that overlaps `box`, in any order, until it returns
  /// false.
  using Visit = std::function<bool(Index)>;
  void in_box(const Aabb& box, const Visit& visit) const;

  /// Calls `visit` with the number of each box that a ray meets, roughly in the order in which the
  /// ray enters them. A few boxes that the ray misses by rounding may be included. `visit` returns
  /// the new length of the ray; a negative value ends the search. Throws InvalidInput for an origin
  /// or direction that is not finite and for a direction of length 0; `length` may be infinite.
  using VisitAlong = std::function<double(Index)>;
  void along_ray(const RayPiece& ray, const VisitAlong& visit) const;

  struct Memory {
    std::size_t bytes = 0;       ///< total
    std::size_t pair_bytes = 0;  ///< the part of `bytes` that grows with the number of pairs
  };
  [[nodiscard]] Memory memory() const;

  /// Checks the data structure. Throws Error when it is inconsistent.
  virtual void validate() const = 0;

  static constexpr double kMaxCoordinate = 1e30;

 protected:
  // Each method implements these functions. Numbers and boxes are valid; `add` gets the next number
  // or a number that was freed.
  virtual void add(Index number, const RoundedBox& box) = 0;
  virtual void change(Index number, const RoundedBox& box) = 0;
  virtual void change_all(std::span<const Index> numbers, std::span<const RoundedBox> boxes);
  virtual void drop(Index number) = 0;
  virtual RoundedBox box_of(Index number) const = 0;
  virtual std::span<const BoxPair> list_pairs() = 0;
  virtual void search(const RoundedBox& box, const Visit& visit) const = 0;
  virtual void search(const RayPiece& ray, const VisitAlong& visit) const = 0;
  virtual Memory memory_of_method() const = 0;
  // By default, the difference of two lists of all pairs. A method may override it with a faster
  // one.
  virtual PairChanges list_changes();

  // Whether changes() has been called at least once, so that changes must be recorded.
  bool tells_changes() const { return tells_changes_; }
  // For list_changes: whether a box with one of these numbers was removed since the last call, so
  // that a pair with the same numbers is a new pair.
  bool is_another(const BoxPair& pair) const;

 private:
  void check(Index number) const;
  template <class Box, class Round>
  void move_all(std::span<const Index> numbers, std::span<const Box> boxes, const Round& rounded);

  Index size_ = 0;
  std::vector<bool> taken_;  // whether a box has this number
  std::vector<Index> free_;  // free numbers: a heap, the smallest first
  bool tells_changes_ = false;
  std::vector<BoxPair> known_;  // at the last call of list_changes, in ascending order
  std::vector<Index> removed_;  // numbers removed since then
};

enum class BroadPhaseMethod : std::uint8_t {
  neighbour_lists,     ///< the default: see docs/decisions/0011-broad-phase.md
  sweep_and_prune,     ///< sorted interval ends on three axes: for worlds where few boxes move
  sweep_and_prune_2d,  ///< a sweep line with an interval tree
  grid,                ///< cells of several sizes in a hash table
  aabb_tree,           ///< a bounding-box tree, refitted when many boxes move
  octree,              ///< a loose octree: each box is in one cell, chosen by its size
  kd_tree,             ///< planes across the axes; each box is in all leaves it overlaps
  bsp,                 ///< as kd_tree, with planes across thirteen directions
  brute_force,         ///< every pair: the reference implementation
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
