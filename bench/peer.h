// SPDX-License-Identifier: Apache-2.0
// The rivals, each behind the same few questions. One file per rival.
#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "case.h"
#include "touche/query.h"

namespace touche::bench {

enum class Question { intersects, all_pairs, distance, continuous };
inline constexpr Question kQuestions[] = {Question::intersects, Question::all_pairs,
                                          Question::distance, Question::continuous};

/// A rival's claim about a sweep: free before time.lower, in contact at time.upper.
struct Impact {
  bool contact = false;
  Bracket time = {0, 1};
};

/// Two meshes in a rival's own structures. A query that it does not support is never called.
class Rival {
 public:
  virtual ~Rival() = default;
  virtual bool intersects(const PosePair&) { return {}; }
  /// How many pairs of faces intersect; they are listed when `pairs` is given.
  virtual std::size_t all_pairs(const PosePair&, std::vector<FacePair>* /*pairs*/) { return {}; }
  virtual double distance(const PosePair&) { return {}; }
  virtual Impact continuous(const Sweep&, double /*tolerance*/) { return {}; }
  /// Bytes of both hierarchies without the meshes, where the rival lets one know.
  virtual std::optional<std::size_t> hierarchy_bytes() const { return {}; }
};

struct Peer {
  std::string name;
  std::vector<Question> answers;
  std::unique_ptr<Rival> (*load)(const PolygonSoup& a, const PolygonSoup& b);

  bool can(Question question) const {
    for (const Question q : answers)
      if (q == question) return true;
    return false;
  }
};

Peer touche_peer();
Peer fcl_peer();
Peer fcl_advancement_peer();
Peer bullet_peer();
Peer ode_peer();
Peer cgal_peer();
Peer pqp_peer();  // only with TOUCHE_PQP_DIR

/// All of them, Touché first and FCL second.
const std::vector<Peer>& peers();

}  // namespace touche::bench
