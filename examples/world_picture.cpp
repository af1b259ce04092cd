// SPDX-License-Identifier: Apache-2.0
// Draws a world from above, with the results of its queries:
//     world_picture > docs/images/world.svg
// Bodies that touch are red; short orange lines connect bodies that are near each other, a blue
// line is a ray up to its first hit, and green lines connect a point to the bodies that are nearest
// to it.
#include <touche/world.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace {

using touche::Vec3;

constexpr double kWidth = 16, kDepth = 6.8;

struct Brick {
  touche::NodeId body;
  double length, width;
};

// From (0, 0, 0) to (length, width, 1).
touche::Object brick_object(double length, double width) {
  std::vector<double> coordinates;
  for (const double z : {0.0, 1.0})
    for (const double y : {0.0, width})
      for (const double x : {0.0, length}) coordinates.insert(coordinates.end(), {x, y, z});
  const std::vector<touche::Index> corners{0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                                           2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  return touche::Object(
      touche::PolygonSoup(coordinates, corners, std::vector<touche::Index>(6, 4)));
}

// ---- the picture: y points up in the world, down in SVG ----------------------------------------

void draw(const Brick& brick, const touche::Pose& pose, const char* colour) {
  std::printf("<polygon fill=\"%s\" stroke=\"#333\" stroke-width=\"0.03\" points=\"", colour);
  for (const auto& [x, y] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
    const Vec3 at = pose * Vec3(x * brick.length, y * brick.width, 0);
    std::printf("%.3f,%.3f ", at[0], kDepth - at[1]);
  }
  std::puts("\"/>");
}

void draw_line(const Vec3& from, const Vec3& to, const char* colour) {
  std::printf("<path d=\"M%.3f,%.3f L%.3f,%.3f\" stroke=\"%s\" stroke-width=\"0.06\"/>\n", from[0],
              kDepth - from[1], to[0], kDepth - to[1], colour);
}

void draw_dot(const Vec3& at, const char* colour) {
  std::printf("<circle cx=\"%.3f\" cy=\"%.3f\" r=\"0.09\" fill=\"%s\"/>\n", at[0], kDepth - at[1],
              colour);
}

}  // namespace

int main() {
  touche::World world;
  std::vector<Brick> bricks;
  const auto add = [&](double length, double width, const touche::Pose& pose,
                       std::optional<touche::NodeId> parent) {
    bricks.push_back({world.add(brick_object(length, width), pose, {}, parent), length, width});
  };
  std::mt19937 engine(1);  // the same numbers on every machine
  const auto random = [&](double lo, double hi) {
    return lo + (hi - lo) * static_cast<double>(engine()) / 4294967296.0;
  };
  for (int i = 0; i < 27; ++i) {
    const double length = random(0.6, 2), width = random(0.3, 0.9), angle = random(0, 3.1);
    const double x = 1.4 + 1.6 * (i % 9) + random(-0.4, 0.6);
    const double y = 1.8 + 1.6 * (i / 9) + random(-0.4, 0.4);
    add(length, width, touche::Pose::from_axis_angle(Vec3::UnitZ(), angle, {x, y, 0}), {});
  }
  // Five wagons of a train: they are placed at once.
  const touche::NodeId train = world.add_group();
  for (int i = 0; i < 5; ++i) add(0.8, 0.5, touche::Pose::from_translation({1.0 * i, 0, 0}), train);
  world.set_pose(train, touche::Pose::from_axis_angle(Vec3::UnitZ(), 0.15, {5, 0.3, 0}));

  const touche::TouchingPairs touching = world.touching_pairs();
  const touche::NearPairs near = world.near_pairs(0.25);
  const Vec3 eye(0.2, 2.5, 0.5), point(6.7, 2.9, 0.5);
  const std::optional<touche::BodyHit> hit = world.cast_ray({eye, {1, 0.02, 0}});
  const std::vector<touche::NearestBody> nearest = world.nearest(point, 4);

  std::printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-0.3 -0.3 %g %g\">\n",
              kWidth + 0.3, kDepth + 0.3);
  std::puts("<rect x=\"-0.3\" y=\"-0.3\" width=\"100%\" height=\"100%\" fill=\"white\"/>");
  for (const Brick& brick : bricks) {
    const bool touches =
        std::any_of(touching.pairs.begin(), touching.pairs.end(),
                    [&](const auto& pair) { return pair.a == brick.body || pair.b == brick.body; });
    const bool wagon = world.parent(brick.body) == train;
    draw(brick, world.pose(brick.body), touches ? "#e8837a" : wagon ? "#f3d98b" : "#d6dbe0");
  }
  for (const touche::NearPair& pair : near.pairs)
    if (pair.distance.lower > 0) draw_line(pair.closest->point_a, pair.closest->point_b, "#d07000");
  if (hit) {
    draw_line(eye, hit->hit.point, "#2060c0");
    draw_dot(hit->hit.point, "#2060c0");
  }
  for (const touche::NearestBody& body : nearest) draw_line(point, body.closest.point, "#208040");
  draw_dot(point, "#208040");
  std::puts("</svg>");
  return hit && nearest.size() == 4 && !touching.pairs.empty() ? 0 : 1;
}
