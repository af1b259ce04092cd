// SPDX-License-Identifier: Apache-2.0
// Vertices that only rounding keeps apart are joined when a file is read, within a length that
// follows from how the file writes its numbers.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "gltf_files.h"
#include "io/weld.h"
#include "io_files.h"
#include "random.h"
#include "shapes.h"
#include "shared_data.h"

namespace touche::io_weld_test {
namespace {

using test::Io;
using test::raw;

// The corners of a box's triangles, each with noise of its own.
std::vector<Vec3> corners_of(double size, double noise, base::Random& random) {
  const PolygonSoup box = scenes::box({0, 0, 0}, size * Vec3(1, 1, 1));
  std::vector<Vec3> corners;
  for (const auto& t : box.triangles())
    for (const Index v : t) {
      Vec3 x = box.vertex(v);
      for (double& value : x) value += noise * static_cast<double>(random.below(2));
      corners.push_back(x);
    }
  return corners;
}

std::string binary_stl(const std::vector<Vec3>& corners) {
  std::string bytes(80, ' ');
  bytes += raw(static_cast<std::uint32_t>(corners.size() / 3));
  for (std::size_t c = 0; c < corners.size(); c += 3) {
    for (int k = 0; k < 3; ++k) bytes += raw(0.f);
    for (std::size_t k = 0; k < 3; ++k)
      for (const double x : corners[c + k]) bytes += raw(static_cast<float>(x));
    bytes += std::string(2, '\0');
  }
  return bytes;
}

std::string text_stl(const std::vector<Vec3>& corners, int digits) {
  std::string text = "solid a\n";
  for (std::size_t c = 0; c < corners.size(); ++c) {
    const Vec3& x = corners[c];
    if (c % 3 == 0) text += "facet normal 0 0 0\nouter loop\n";
    text += fmt::format("vertex {:.{}e} {:.{}e} {:.{}e}\n", x.x(), digits - 1, x.y(), digits - 1,
                        x.z(), digits - 1);
    if (c % 3 == 2) text += "endloop\nendfacet\n";
  }
  return text + "endsolid a\n";
}

std::string obj(const std::vector<Vec3>& corners, int decimals) {
  std::string text;
  for (const Vec3& x : corners)
    text += fmt::format("v {:.{}f} {:.{}f} {:.{}f}\n", x.x(), decimals, x.y(), decimals, x.z(),
                        decimals);
  for (std::size_t c = 1; c <= corners.size(); c += 3)
    text += fmt::format("f {} {} {}\n", c, c + 1, c + 2);
  return text;
}

class IoWeld : public Io {
 protected:
  void expect_closed(const PolygonSoup& soup, double size) const {
    const Health health = examine(soup);
    EXPECT_TRUE(health.closed && health.oriented);
    EXPECT_NEAR(health.volume, size * size * size, 1e-4 * size * size * size);
    EXPECT_EQ(soup.weld_result().closed_shells, 1u);
    EXPECT_EQ(soup.weld_result().open_edges, 0u);
    ASSERT_EQ(soup.remarks().size(), 1u);
    EXPECT_TRUE(
        soup.remarks()[0].starts_with("its surface is closed because vertices whose "
                                      "coordinates differ by up to "))
        << soup.remarks()[0];
  }
};

TEST_F(IoWeld, SinglePrecisionIsJoined) {
  base::Random random(1);
  for (const double size : {1e-3, 10.0, 4000.0}) {
    // One step of single precision, and the noise of calculations about 0.
    for (const double noise : {size * 0x1p-23, 2.7e-17 * size}) {
      const auto file = write("a.stl", binary_stl(corners_of(size, noise, random)));
      const PolygonSoup soup = load_soup(file);
      expect_closed(soup, size);
      EXPECT_EQ(soup.vertex_count(), 8u);
      const PolygonSoup as_it_is = load_soup(file, {.weld = 0});
      EXPECT_FALSE(examine(as_it_is).closed);
      EXPECT_TRUE(as_it_is.remarks().empty());
      EXPECT_EQ(as_it_is.weld_result().joined, 0u);
    }
    // What is wider is no rounding.
    const auto wide = write("b.stl", binary_stl(corners_of(size, 1e-5 * size, random)));
    EXPECT_FALSE(examine(load_soup(wide)).closed);
    EXPECT_TRUE(load_soup(wide).remarks().empty());
    expect_closed(load_soup(wide, {.weld = 2e-5 * size}), size);
    // The length is in the units that are loaded.
    expect_closed(load_soup(wide, {.scale = 10, .weld = 2e-4 * size}), 10 * size);
    EXPECT_FALSE(examine(load_soup(wide, {.scale = 10, .weld = 2e-5 * size})).closed);
  }
}

TEST_F(IoWeld, WrittenDigitsAreJoined) {
  base::Random random(2);
  for (const int digits : {6, 7, 9, 12, 16}) {
    // One unit of the last digit of 7.3.
    const double unit = std::pow(10, 1 - digits);
    const auto stl = write("a.stl", text_stl(corners_of(7.3, unit, random), digits));
    expect_closed(load_soup(stl), 7.3);
    EXPECT_EQ(load_soup(stl).vertex_count(), 8u);
    const auto file = write("a.obj", obj(corners_of(7.3, unit, random), digits - 1));
    const PolygonSoup soup = load_soup(file);
    expect_closed(soup, 7.3);
    EXPECT_EQ(soup.vertex_count(), 36u);  // numbered as in the file
    EXPECT_EQ(soup.face(1)[0], 3u);
    if (digits < 9) continue;
    const auto wide = write("b.obj", obj(corners_of(7.3, 1e-5, random), digits - 1));
    EXPECT_FALSE(examine(load_soup(wide)).closed);
  }
}

// Files of few digits are designed so: nothing in them is noise.
TEST_F(IoWeld, LengthsOfFormats) {
  const auto length = [](std::vector<double> x, int digits) {
    return io::rounding_length(x, digits);
  };
  EXPECT_EQ(length({0.5, -4, 0, 0, 0, 0}, 0), 4 * 0x1p-21);
  EXPECT_EQ(length({0.5, -4.1, 0, 0, 0, 0}, 0), 4.1 * 0x1p-44);
  EXPECT_EQ(length({0, 4000, 17, 0, 0, 0}, 4), 4000 * 0x1p-21);
  EXPECT_EQ(length({0.1, 4.1, 0, 0, 0, 0}, 2), 4.1 * 0x1p-44);
  EXPECT_DOUBLE_EQ(length({0.1, 4.12345, 0, 0, 0, 0}, 6), 1.5e-5);
  EXPECT_EQ(length({0.1, 4.12345678, 0, 0, 0, 0}, 9), 4.12345678 * 0x1p-21);
  EXPECT_DOUBLE_EQ(length({0.1, 412.3456789012, 0, 0, 0, 0}, 13), 1.5e-10);
  EXPECT_EQ(length({0.1, 4.1, 0, 0, 0, 0}, 17), std::max(4.1 * 0x1p-44, 1.5e-16));
  // Far from the origin no more than a mesh would show.
  EXPECT_DOUBLE_EQ(length({4e6, 0, 0, 4e6, 3, 4}, 0), 5 * 0x1p-20);
  EXPECT_DOUBLE_EQ(length({4e6, 0, 0, 4e6, 3, 4}, 7), 5 * 0x1p-16);
  EXPECT_EQ(length({0, 0, 0}, 1), 0);
  EXPECT_EQ(length({}, 0), 0);
}

// Two sheets side by side are no shell that rounding opened, far from the origin or not.
TEST_F(IoWeld, SheetsSideBySideStayApart) {
  const auto sheets = [](const Vec3& at, double gap, double size) {
    std::vector<Vec3> corners;
    for (const double y : {0.0, gap})
      for (const auto& [x, z] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}})
        corners.emplace_back(at + Vec3(size * x, y, size * z));
    return corners;
  };
  int open = 0;
  for (const double at : {0.0, 10.0, 400000.0})
    for (const double size : {0.5, 8.0, 1024.0})
      for (int steps = 1; steps <= 8; ++steps) {
        // As far apart as a few steps of single precision at the coordinates.
        const double gap = steps * std::ldexp(1, std::ilogb(at + size) - 23);
        const PolygonSoup soup =
            load_soup(write("a.stl", binary_stl(sheets({at, at, 0}, gap, size))));
        const Health health = examine(soup);
        EXPECT_FALSE(health.closed) << at << ' ' << size << ' ' << steps;
        for (Index v = 0; v < soup.vertex_count(); ++v)
          EXPECT_TRUE(soup.vertex(v).y() == at || soup.vertex(v).y() == at + gap);
        EXPECT_EQ(soup.weld_result().joined, 0u);
        ++open;
      }
  EXPECT_EQ(open, 72);
}

// Noise about a box far from the origin that is coarser than what the box shows is not joined, and
// named as open.
TEST_F(IoWeld, CoarseNoiseFarAwayIsLeftAndNamed) {
  base::Random random(3);
  std::vector<Vec3> corners = corners_of(10, 0.03125, random);
  for (Vec3& x : corners) x += Vec3(500000, 0, 0);
  const PolygonSoup soup = load_soup(write("a.stl", binary_stl(corners)));
  EXPECT_FALSE(examine(soup).closed);
  EXPECT_EQ(soup.weld_result().joined, 0u);
  EXPECT_TRUE(examine(load_soup(write("a.stl", binary_stl(corners)), {.weld = 0.07})).closed);
}

// Noise of a box that has a hole is joined, too, and named: else its borders were hundreds.
TEST_F(IoWeld, WhatStaysOpenIsJoinedAndNamed) {
  base::Random random(4);
  std::vector<Vec3> corners = corners_of(10, 10 * 0x1p-23, random);
  corners.resize(corners.size() - 3);
  const PolygonSoup soup = load_soup(write("a.stl", binary_stl(corners)));
  EXPECT_EQ(soup.weld_result().open_edges, 3u);
  ASSERT_EQ(soup.remarks().size(), 1u);
  EXPECT_TRUE(soup.remarks()[0].starts_with("vertices whose coordinates differ by up to 1.2e-06"))
      << soup.remarks()[0];
  // What nobody would notice is not worth a remark.
  corners = corners_of(10, 1e-15, random);
  corners.resize(corners.size() - 3);
  const PolygonSoup calculated = load_soup(write("a.stl", binary_stl(corners)));
  EXPECT_EQ(calculated.weld_result().open_edges, 3u);
  EXPECT_TRUE(calculated.remarks().empty());
}

// A sheet beside another one stays where it is, also if a body hangs on them.
TEST_F(IoWeld, SheetsOnABodyStayApart) {
  base::Random random(5);
  for (int round = 0; round < 50; ++round) {
    const Vec3 at(500000, 500000, 0);
    std::vector<Vec3> corners;
    for (const Vec3& x : corners_of(100, 0, random)) corners.push_back(at + x);
    const double gap = 0.001, wide = random.uniform(50, 150);
    // Two sheets from the corner (100, 100, 100) of the body, each divided differently.
    for (const double z : {0.0, gap})
      for (const int k : {0, 1, 2, 3, 4, 5}) {
        constexpr int kOne[] = {0, 1, 2, 0, 2, 3}, kOther[] = {0, 1, 3, 1, 2, 3};
        const int v = (z > 0 ? kOther : kOne)[k];
        corners.push_back(at + Vec3(100, 100, 100 + z) +
                          wide * Vec3(v == 1 || v == 2 ? 1 : 0, v > 1 ? 1 : 0, 0));
      }
    std::string text;
    for (const Vec3& x : corners)
      text += fmt::format("v {:.3f} {:.3f} {:.3f}\n", x.x(), x.y(), x.z());
    for (std::size_t c = 1; c <= corners.size(); c += 3)
      text += fmt::format("f {} {} {}\n", c, c + 1, c + 2);
    const PolygonSoup soup = load_soup(write("a.obj", text));
    int upper = 0;
    for (const Vec3& v : soup.vertices()) upper += v.z() == 100 + gap ? 1 : 0;
    EXPECT_EQ(upper, 6);
  }
}

TEST_F(IoWeld, RefusesLengthsThatAreNone) {
  const auto file = write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  for (const double weld : {-1.0, kInfinity, std::nan("")}) {
    EXPECT_THROW(static_cast<void>(load_soup(file, {.weld = weld})), InvalidInput);
    EXPECT_THROW(static_cast<void>(load_assembly(file, {.weld = weld})), InvalidInput);
  }
}

// Noise between the shells of a file would make each triangle a shell of its own.
TEST_F(IoWeld, ShellsAreThoseOfJoinedVertices) {
  base::Random random(3);
  const auto file = write("a.stl", binary_stl(corners_of(10, 1e-16, random)));
  EXPECT_EQ(load_assembly(file, {.split = Split::shells}).nodes.size(), 1u);
}

// Meshes are joined in their own coordinates, and lengths that are given hold for the coordinates
// of nodes.
TEST_F(IoWeld, MeshesOfAssembliesAreJoinedByThemselves) {
  base::Random random(4);
  test::GltfFile file;
  std::vector<float> xyz;
  for (const Vec3& x : corners_of(0.01, 0.01 * 0x1p-23, random))
    for (const double value : x) xyz.push_back(static_cast<float>(value));
  const std::string first = file.positions(xyz);
  for (float& x : xyz) x *= 1 + 1e-5f * static_cast<float>(random.below(2));
  const std::string second = file.positions(xyz);
  const auto path = write(
      "a.glb", file.binary(test::nodes({R"("children":[1,2])", R"("name":"fine","mesh":0)",
                                        R"("name":"coarse","mesh":1,"scale":[10,10,10])"}) +
                           R"(,"meshes":[{"name":"m","primitives":[{"attributes":{"POSITION":)" +
                           first + R"(}}]},{"name":"n","primitives":[{"attributes":{"POSITION":)" +
                           second + "}}]}]"));
  const Assembly assembly = load_assembly(path);
  ASSERT_EQ(assembly.remarks.size(), 1u);
  EXPECT_TRUE(assembly.remarks[0].starts_with("1 mesh (m) is closed because vertices "))
      << assembly.remarks[0];
  EXPECT_TRUE(examine(assembly.soup(1)).closed);
  EXPECT_EQ(assembly.soup(1).weld_result().closed_shells, 1u);
  EXPECT_FALSE(examine(assembly.soup(2)).closed);
  // Its coordinates differ by 1e-7, ten times that where it is placed.
  EXPECT_FALSE(examine(load_assembly(path, {.weld = 2e-7}).soup(2)).closed);
  EXPECT_TRUE(examine(load_assembly(path, {.weld = 2e-6}).soup(2)).closed);
  EXPECT_FALSE(examine(load_assembly(path, {.weld = 0}).soup(1)).closed);
}

TEST_F(IoWeld, RealCubeOfACadExporterIsClosed) {
  TOUCHE_NEED_SHARED_DATA();
  const std::filesystem::path file =
      test::shared_data() / "cases" / "weld-solidworks" / "noisy-cube.stl";
  const PolygonSoup soup = load_soup(file);
  expect_closed(soup, 10);
  EXPECT_EQ(soup.vertex_count(), 8u);
  EXPECT_EQ(examine(load_soup(file, {.weld = 0})).boundary_edges, 32u);
}

}  // namespace
}  // namespace touche::io_weld_test
