// SPDX-License-Identifier: Apache-2.0
// Boxes that move from frame to frame: the same for every library and on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace touche::bench {

/// Closed, and in single precision, so that every library sees the same box. Coordinates are
/// multiples of one power of two, so that a box that moves keeps its size exactly.
struct Box {
  std::array<float, 3> lo, hi;
};

inline bool meet(const Box& a, const Box& b) {
  return a.lo[0] <= b.hi[0] && b.lo[0] <= a.hi[0] && a.lo[1] <= b.hi[1] && b.lo[1] <= a.hi[1] &&
         a.lo[2] <= b.hi[2] && b.lo[2] <= a.hi[2];
}

struct Moved {
  std::uint32_t body;
  Box box;
};

enum class Scene {
  kSparse,     ///< edges 0.5 to 1.5, evenly in a cube: a box overlaps about one other
  kDense,      ///< the same in a tenth of the space: about ten others
  kClustered,  ///< 100 Gaussian clusters of boxes as large as in kSizes
  kSizes,      ///< the longest edge 0.05 to 5, each order of magnitude as often, evenly in a cube
  kFloor,      ///< edges 0.5 to 1.5, all lie on one floor that never moves
  kFalling,    ///< the same; all but a few are in the air at first and come down as frames go by
  kGiant,      ///< sparse, and one box of half the cube's edge in the middle, which moves
};
inline constexpr std::array kScenes = {Scene::kSparse, Scene::kDense, Scene::kClustered,
                                       Scene::kSizes,  Scene::kFloor, Scene::kFalling,
                                       Scene::kGiant};
std::string name(Scene scene);

struct Setting {
  Scene scene = Scene::kSparse;
  std::uint32_t bodies = 0;
  double share = 1;       ///< of the bodies that move in each frame
  bool rotating = false;  ///< other bodies move in every frame, not always the same
  std::uint64_t seed = 1;
};

/// Random walk: the centre of a body that moves goes up to 2 % of its edges' lengths along each
/// axis, and stays in the region where it began. Bodies that move are chosen at random.
class Frames {
 public:
  explicit Frames(const Setting& setting);

  const std::vector<Box>& boxes() const { return boxes_; }  ///< of the current frame
  /// The next frame: the moved bodies, by number. Valid until the next call.
  std::span<const Moved> next();

 private:
  struct Body {
    std::array<double, 3> centre, edges, lo, hi;  ///< lo, hi: the region its centre stays in
    double fall = 0;                              ///< along z in each frame
  };
  Box box(const Body& body) const;
  void place_evenly(double side);
  void place_clusters();
  void place_on_floor(double air);
  void set_grid();
  bool fixed(std::uint32_t body) const;
  void choose();

  Setting setting_;
  std::vector<Body> bodies_;
  std::vector<Box> boxes_;
  std::vector<std::uint32_t> order_;   // shuffled
  std::vector<std::uint32_t> moving_;  // in the order of their numbers
  std::vector<Moved> moved_;
  double grid_ = 0;  // what all coordinates are multiples of
  std::uint64_t frame_ = 0;
};

}  // namespace touche::bench
