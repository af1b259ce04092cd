// SPDX-License-Identifier: Apache-2.0
// A block was put into a bracket by mistake. How deep is the overlap, in which direction does the
// block come out, and is it out then? With --picture it draws the answer:
//     `way_out --picture > docs/images/way-out.svg`
#include <touche/separation.h>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using touche::Index;
using touche::Pose;
using touche::Vec3;

constexpr double kDepth = 1;

struct Outline {
  std::vector<Vec3> corners;  // counterclockwise as seen from above; convex pieces make the faces
  std::vector<std::vector<Index>> pieces;
};

// A closed body between z = 0 and z = 1.
touche::Object body(const Outline& outline, const char* name) {
  const auto n = static_cast<Index>(outline.corners.size());
  std::vector<double> coordinates;
  for (const double z : {0.0, kDepth})
    for (const Vec3& c : outline.corners) coordinates.insert(coordinates.end(), {c.x(), c.y(), z});
  std::vector<Index> corners, sizes;
  for (const std::vector<Index>& piece : outline.pieces) {
    corners.insert(corners.end(), piece.rbegin(), piece.rend());
    for (const Index i : piece) corners.push_back(n + i);
    sizes.insert(sizes.end(), 2, static_cast<Index>(piece.size()));
  }
  for (Index i = 0; i < n; ++i) {
    const Index next = (i + 1) % n;
    corners.insert(corners.end(), {i, next, n + next, n + i});
    sizes.push_back(4);
  }
  return touche::Object(touche::PolygonSoup(coordinates, corners, sizes), name);
}

// y points up in the world, down in SVG.
void draw(const Outline& outline, const Pose& pose, const char* style) {
  std::printf("<polygon %s points=\"", style);
  for (const Vec3& c : outline.corners) {
    const Vec3 at = pose * c;
    std::printf("%.3f,%.3f ", at.x(), -at.y());
  }
  std::puts("\"/>");
}

void draw_arrow(const Vec3& from, const Vec3& to) {
  const Vec3 way = (to - from).normalized(), aside(-way.y(), way.x(), 0);
  const Vec3 neck = to - 0.16 * way, left = neck + 0.08 * aside, right = neck - 0.08 * aside;
  std::printf("<path d=\"M%.3f,%.3f L%.3f,%.3f\" stroke=\"#222\" stroke-width=\"0.04\"/>\n",
              from.x(), -from.y(), neck.x(), -neck.y());
  std::printf("<polygon fill=\"#222\" points=\"%.3f,%.3f %.3f,%.3f %.3f,%.3f\"/>\n", to.x(),
              -to.y(), left.x(), -left.y(), right.x(), -right.y());
}

}  // namespace

int main(int argc, char** argv) {
  const Outline angle = {{{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}},
                         {{0, 1, 2, 3}, {0, 3, 4, 5}}};
  const Outline square = {{{-0.6, -0.6, 0}, {0.6, -0.6, 0}, {0.6, 0.6, 0}, {-0.6, 0.6, 0}},
                          {{0, 1, 2, 3}}};
  const touche::Interior bracket(body(angle, "bracket")), block(body(square, "block"));
  const Pose start = Pose::from_axis_angle(Vec3::UnitZ(), 0.3, {1.35, 1.35, 0});

  const touche::Separation s =
      touche::separation(bracket, {}, block, start, {.tolerance = 1e-4, .clearance = 0.01});
  const Pose out = touche::resolved_pose(s, start);
  const bool before = touche::intersects(bracket.object(), {}, block.object(), start).intersects;
  const bool after = touche::intersects(bracket.object(), {}, block.object(), out).intersects;
  if (argc > 1 && std::strcmp(argv[1], "--picture") == 0) {
    std::puts(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-0.3 -3.3 4.6 3.6\" "
        "width=\"460\">");
    std::puts("<rect x=\"-0.3\" y=\"-3.3\" width=\"4.6\" height=\"3.6\" fill=\"white\"/>");
    draw(angle, {}, "fill=\"#d6dbe0\" stroke=\"#333\" stroke-width=\"0.03\"");
    draw(square, start,
         "fill=\"#e8837a\" fill-opacity=\"0.6\" stroke=\"#a33\" stroke-width=\"0.03\"");
    draw(square, out,
         "fill=\"#9fd0b0\" fill-opacity=\"0.6\" stroke=\"#263\" stroke-width=\"0.03\"");
    draw_arrow(start.translation(), out.translation());
    std::puts("</svg>");
  } else {
    std::printf("%s: at least %.4f deep\n", name(s.status).data(), -s.distance.upper);
    std::printf("out by %.4f along (%.3f, %.3f, %.3f)\n", -s.distance.lower, s.direction.x(),
                s.direction.y(), s.direction.z());
    std::printf("before: %s, after: %s\n", before ? "contact" : "free", after ? "contact" : "free");
  }
  return before && !after ? 0 : 1;
}
