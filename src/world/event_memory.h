// SPDX-License-Identifier: Apache-2.0
// Tracks from step to step which pairs are in contact and which are near. A pair of which neither
// body changed keeps its state; of the others, the pairs with near boxes are measured.
#pragma once

#include <utility>
#include <vector>

#include "touche/step.h"
#include "world/pair_questions.h"
#include "world/world_data.h"

namespace touche::world {

class EventMemory {
 public:
  /// The largest distances at which pairs count as in contact, and as near.
  struct Reach {
    double contact = 0, near = 0;  // contact <= near
    bool asks_near = false;
    friend bool operator==(const Reach&, const Reach&) = default;
  };

  /// Call before a step moves any body, with poses that are up to date.
  void begin(const World::Data& world, const Reach& reach);

  /// The movements that a step made.
  struct Moves {
    World::Data& world;
    /// For each node the group with which it moved as one body; kNone: none.
    const std::vector<Index>& group;
    const std::vector<std::pair<Index, Index>>& stopped;  // pairs that stopped each other, a < b
    const StepOptions& options;
  };
  /// Call after the step. All boxes in the broad phase must contain their bodies.
  void update(const Moves& moves, PairQuestioner& questioner, StepResult& result);

 private:
  struct Known {
    NodeId a, b;
    std::uint64_t contact = 0, near = 0;  // event numbers; 0: not in contact, not near
  };
  struct Measured {
    Index a = kNone, b = kNone;
    bool stopped = false;
    Bracket distance = {};
    bool complete = false;
    QueryStats stats = {};
    std::pair<Index, Index> key() const { return {a, b}; }
  };

  bool may_have_changed(Index a, Index b) const;
  void find_pairs();
  void find_pairs_of(Index node);
  void measure(PairQuestioner& questioner);
  void tell(StepResult& result);
  void tell_pair(Known pair, const Measured* measured, StepResult& result);
  void end_pair(const Known& pair, StepResult& result);
  void count(std::uint64_t& number, bool now, const Known& pair, PairEvents& events);

  Reach reach_;
  std::vector<Known> known_, next_;  // in ascending order
  std::uint64_t count_ = 0;          // of event numbers given
  std::uint64_t since_ = 0;          // the world's revision of the known pairs; 0: measure all

  // These belong to one step.
  const Moves* moves_ = nullptr;
  std::uint64_t begun_ = 0;                // the revision before the step moved any body
  std::vector<bool> by_others_, changed_;  // nodes that changed: between steps, at all
  std::vector<Measured> measured_;
  std::vector<Index> found_;
  bool undecided_ = false;
};

}  // namespace touche::world
