// SPDX-License-Identifier: Apache-2.0
#include "engine_bay_parts.h"

#include <array>
#include <vector>

#include "shapes.h"

namespace touche::scenes::bay {
namespace {

// Moves x to y, y to z and z to x: what was made about the z axis lies about the x axis.
PolygonSoup lying(const PolygonSoup& soup) {
  std::vector<double> coordinates;
  for (const Vec3& v : soup.vertices())
    coordinates.insert(coordinates.end(), {v.z(), v.x(), v.y()});
  PolygonSoup result = soup;
  result.move_vertices(coordinates);
  return result;
}

// From one point of a profile to the next in equal steps.
void climb(std::vector<Vec2>& profile, const Vec2& to, Index steps) {
  const Vec2 from = profile.back();
  for (Index i = 1; i <= steps; ++i)
    profile.push_back(i == steps ? to : Vec2(from + (to - from) * i / steps));
}

// A row of square tiles in the plane, from z = 0 to `height`, some with a bore in the middle.
PolygonSoup tiles(const std::vector<bool>& bored, double side, double height, double bore, Index n,
                  Index stations, double margin) {
  MeshBuilder mesh;
  const std::size_t count = bored.size();
  const double half = 0.5 * side + margin;
  // [column][-y below, +y below, -y above, +y above]
  std::vector<std::array<Index, 4>> columns;
  for (std::size_t k = 0; k <= count; ++k) {
    const double x = (static_cast<double>(k) - 0.5) * side;
    columns.push_back({mesh.vertex({x, -half, 0}), mesh.vertex({x, half, 0}),
                       mesh.vertex({x, -half, height}), mesh.vertex({x, half, height})});
  }
  Ring below, above;
  for (std::size_t k = 0; k <= count; ++k) {
    below.push_back(columns[k][0]);
    above.push_back(columns[k][2]);
  }
  for (std::size_t k = count + 1; k-- > 0;) {
    below.push_back(columns[k][1]);
    above.push_back(columns[k][3]);
  }
  mesh.strip(below, above);
  for (std::size_t k = 0; k < count; ++k) {
    const auto& left = columns[k];
    const auto& right = columns[k + 1];
    const Ring top = {right[3], left[3], left[2], right[2]};
    const Ring bottom = {right[1], left[1], left[0], right[0]};
    if (!bored[k]) {
      mesh.cap(top);
      mesh.cap_below(bottom);
      continue;
    }
    Ring last;
    for (Index s = 0; s <= stations; ++s) {
      Ring next = mesh.ring(n, [&](Index i) {
        const Vec2 p = on_circle(2 * i + n / 4, 2 * n) * bore;
        return Vec3(p.x() + static_cast<double>(k) * side, p.y(),
                    height * (stations - s) / stations);
      });
      s == 0 ? mesh.uneven_strip(top, next) : mesh.strip(last, next);
      last = std::move(next);
    }
    mesh.uneven_strip(last, bottom);
  }
  return mesh.soup();
}

}  // namespace

PolygonSoup bracket(const Fineness& f, double more) {
  const Index stations = f.pieces(1.2, 4 * f.around, 4 * f.around);
  return tiles({true, true, false, false}, kTile, kPlate, kBore, f.around, stations, more);
}

PolygonSoup screw(const Fineness& f, double more) {
  std::vector<Vec2> profile = {{kScrew, -30}};
  climb(profile, {kScrew, 0}, f.pieces(1, 2 * f.around, 6 * f.around));
  for (const Vec2& p : {Vec2(7, 0), Vec2(7, 5 + more)}) profile.push_back(p);
  MeshBuilder mesh;
  mesh.lathe(profile, f.around);
  return mesh.soup();
}

PolygonSoup nut(const Fineness& f, double more) {
  std::vector<Vec2> profile = {{kNut, 0}};
  climb(profile, {kNut, -6 - more}, f.pieces(0.7, 2 * f.around, 6 * f.around));
  for (const Vec2& p : {Vec2(7, -6 - more), Vec2(7, 0)}) profile.push_back(p);
  MeshBuilder mesh;
  mesh.lathe(profile, f.around, true);
  return mesh.soup();
}

PolygonSoup control_unit(const Fineness& f, double more) {
  const Index divisions = static_cast<Index>(std::max(1.0, std::sqrt(1.5 * f.budget / 12)));
  return box(Vec3::Zero(), kUnitSize + Vec3(0, 0, more), divisions);
}

PolygonSoup clamp(const Fineness& f, double bore, double more) {
  const Index stations = f.pieces(1.2, 2 * f.around, 2 * f.around);
  return lying(tiles({true}, 40 + more, kClampPlate, bore, f.around, stations, 0));
}

PolygonSoup clip(const Fineness& f, double more) {
  const Index divisions = static_cast<Index>(std::max(1.0, std::sqrt(0.6 * f.budget / 12)));
  return box({-5, -10, -kClipDepth - more}, {5, 10, 0}, divisions);
}

PolygonSoup pipe(const Fineness& f, Index cells) {
  std::vector<Vec2> profile = {{kPipe, 0}};
  climb(profile, {kPipe, kCell * cells}, std::max(cells, f.pieces(3, 2 * f.around)));
  MeshBuilder mesh;
  mesh.lathe(profile, f.around);
  return lying(mesh.soup());
}

PolygonSoup harness(const Fineness& f, Index cells) {
  constexpr double kKnots = 6, kWave = 8;  // in a cell
  std::vector<Vec3> knots;
  for (Index k = 0; k <= cells * 6; ++k)
    knots.emplace_back(kCell / kKnots * k, k % 6 == 4 ? kWave : k % 6 == 5 ? -kWave : 0, 0);
  const Index along = std::max<Index>(4, f.pieces(6, 2 * f.around * 6 * cells));
  MeshBuilder mesh;
  mesh.tube(knots, kHarness, f.around, along * 6 * cells);
  return mesh.soup();
}

}  // namespace touche::scenes::bay
