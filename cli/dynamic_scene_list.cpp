// SPDX-License-Identifier: Apache-2.0
#include "scene_list.h"

namespace touche::cli {
namespace {

using scenes::DynamicScene;

DynamicScene standing_bolt(const SceneOptions& options) {
  scenes::StandingBoltOptions bolt;
  replace(bolt.size, options.size);
  replace(bolt.segments, options.segments);
  if (options.friction >= 0) bolt.friction = options.friction;
  return scenes::standing_bolt(bolt);
}

DynamicScene chain(const SceneOptions& options) {
  scenes::ChainOptions chain;
  replace(chain.links, options.bodies);
  if (options.friction >= 0) chain.friction = options.friction;
  return scenes::chain(chain);
}

DynamicScene bin(const SceneOptions& options) {
  scenes::BinOptions bin;
  replace(bin.pieces, options.bodies);
  replace(bin.segments, options.segments);
  return scenes::bin(bin);
}

DynamicScene shot(const SceneOptions& options) {
  scenes::ShotOptions shot;
  replace(shot.bodies, options.bodies);
  replace(shot.speed, options.speed);
  return scenes::shot(shot).scene;
}

DynamicScene tumbling_shapes(const SceneOptions& options) {
  scenes::TumblingShapesOptions shapes;
  replace(shapes.bodies, options.bodies);
  replace(shapes.seed, options.seed);
  return scenes::tumbling_shapes(shapes);
}

Index or_else(Index given, Index value) { return given > 0 ? given : value; }

}  // namespace

const std::vector<SceneEntry>& dynamic_scene_entries() {
  using Options = SceneOptions;
  static const std::vector<SceneEntry> all = {
      {"standing-bolt",
       "a nut spins down its standing bolt, or stays with friction",
       {"--size", "--segments", "--friction"},
       standing_bolt},
      {"chain", "a chain of interlocked tori swings", {"--bodies", "--friction"}, chain},
      {"bin", "nuts and bolts fall into a bin", {"--bodies", "--segments"}, bin},
      {"gears", "gears drive each other", {}, [](const Options&) { return scenes::gears(); }},
      {"stack",
       "boxes that stand on each other",
       {"--bodies"},
       [](const Options& o) { return scenes::stack({.boxes = or_else(o.bodies, 10)}); }},
      {"dominoes",
       "a row of dominoes falls",
       {"--bodies"},
       [](const Options& o) { return scenes::dominoes(or_else(o.bodies, 20)); }},
      {"wrecking-ball",
       "a ball on a chain of hinges swings into a wall; --bodies: links",
       {"--bodies"},
       [](const Options& o) { return scenes::wrecking_ball({.links = or_else(o.bodies, 6)}); }},
      {"arch",
       "a round arch of wedges stands",
       {"--bodies"},
       [](const Options& o) { return scenes::arch(or_else(o.bodies, 11)); }},
      {"pile",
       "balls fall into a box",
       {"--bodies"},
       [](const Options& o) { return scenes::pile({.bodies = or_else(o.bodies, 1000)}); }},
      {"shapes",
       "balls, cans, dice, eggs and other convex shapes roll down stairs",
       {"--bodies", "--seed"},
       tumbling_shapes},
      {"shot", "balls are shot at a thin wall; --speed in m/s", {"--bodies", "--speed"}, shot},
  };
  return all;
}

}  // namespace touche::cli
