// SPDX-License-Identifier: Apache-2.0
// Which pairs are in contact, and which are near, from step to step. Pairs of which neither body
// changed are as they were; of the others, those whose boxes are near are measured.
#pragma once

#include <utility>
#include <vector>

#include "touche/step.h"
#include "world/pair_questions.h"
#include "world/world_data.h"

namespace touche {

class EventMemory {
 public:
  /// The largest distances of pairs in contact, and of those that are near.
  struct Reach {
    double contact = 0, near = 0;  // contact <= near
    bool asks_near = false;
    friend bool operator==(const Reach&, const Reach&) = default;
  };

  /// To be called before a step moves anybody, with poses that are up to date.
  void begin(const World::Data& world, const Reach& reach);

  /// Tells what a step has done.
  struct Moves {
    World::Data& world;
    /// Gives for each node the group that it moved with, as one; kNone: none.
    const std::vector<Index>& group;
    const std::vector<std::pair<Index, Index>>& stopped;  // by each other, a < b
    const StepOptions& options;
  };
  /// To be called afterwards. All boxes in the broad phase must hold their bodies.
  void update(const Moves& moves, PairQuestioner& questioner, StepResult& result);

 private:
  struct Known {
    NodeId a, b;
    std::uint64_t contact = 0, near = 0;  // their numbers; 0: not so
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
  std::uint64_t count_ = 0;          // of numbers given
  std::uint64_t since_ = 0;          // the revision of the world that they are of; 0: measure all

  // These belong to one step.
  const Moves* moves_ = nullptr;
  std::uint64_t begun_ = 0;                // the revision before anybody moved
  std::vector<bool> by_others_, changed_;  // nodes that changed: between steps, at all
  std::vector<Measured> measured_;
  std::vector<Index> found_;
  bool undecided_ = false;
};

}  // namespace touche
