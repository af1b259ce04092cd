// SPDX-License-Identifier: Apache-2.0
// A packed engine bay whose clashes are known: brackets with screws and nuts, control units on
// them, pipes in clamps, harnesses on clips. Metres. Meshes are shared by many nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "touche/io.h"

namespace touche::scenes {

struct EngineBayOptions {
  Index parts = 1000;                    ///< exactly; at least 11
  std::uint64_t triangles = 10'000'000;  ///< about, each placed mesh counts; at least 400 per part
  Index variants = 16;                   ///< how many slightly different meshes there are of a kind
};

enum class BayRelation : std::uint8_t { near, touching, contains, clash };

/// A pair of parts, by the paths of their nodes. All other pairs are farther apart than the
/// clearance, and none lies inside the other.
struct KnownPair {
  std::string part_a, part_b;  ///< of `contains`: b is inside a
  BayRelation relation = BayRelation::near;
  Bracket value;  ///< of the distance of a near pair, of the thickness of a clash
};

struct EngineBay {
  Assembly assembly;
  std::vector<KnownPair> pairs;
  double clearance = 0;       ///< below this, parts are near
  std::size_t parts = 0;      ///< nodes that have a mesh
  std::size_t triangles = 0;  ///< of all of them
};
EngineBay engine_bay(const EngineBayOptions& options = {});

/// "near", "touching", "contains" or "clash".
std::string_view relation_name(BayRelation relation);

/// The known pairs as JSON.
std::string truth_json(const EngineBay& bay);

}  // namespace touche::scenes
