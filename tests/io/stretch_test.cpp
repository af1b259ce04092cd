// SPDX-License-Identifier: Apache-2.0
// Coordinates that are stretched or mirrored when a file is read.
#include <limits>

#include "collada_files.h"
#include "gltf_files.h"
#include "io_files.h"
#include "touche/io.h"

namespace touche::stretch_test {
namespace {

// Six times the volume; negative where faces look inwards.
double volume(const PolygonSoup& soup) {
  double sum = 0;
  for (Index t = 0; t < soup.triangle_count(); ++t) {
    const auto& [a, b, c] = soup.triangle(t);
    sum += soup.vertex(a).dot(soup.vertex(b).cross(soup.vertex(c)));
  }
  return sum;
}

class Stretch : public test::Io {
 protected:
  // Two tetrahedra, as one file of every format.
  std::vector<std::filesystem::path> files() const {
    const auto obj = write("two.obj",
                           "o one\nv 1 2 3\nv 3 2 3\nv 1 3 3\nv 1 2 4\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
                           "f 2 3 4\no two\nv 6 2 3\nv 8 2 3\nv 6 3 3\nv 6 2 4\nf 5 7 6\nf 5 6 8\n"
                           "f 5 8 7\nf 6 7 8\n");
    std::vector<std::filesystem::path> all = {obj};
    const PolygonSoup soup = load_soup(obj);
    for (const char* name : {"two.stl", "two.ply", "two.off"}) {
      all.push_back(folder_ / name);
      save(soup, all.back());
    }
    all.push_back(folder_ / "two.glb");
    save_assembly(load_assembly(obj), all.back());
    return all;
  }
};

TEST_F(Stretch, WhatIsSolidStaysSolidInEveryFormat) {
  for (const auto& file : files()) {
    const PolygonSoup plain = load_soup(file, {.scale = 0.5});
    EXPECT_NEAR(volume(plain), 0.5, 1e-12) << file;
    for (const Vec3& by : {Vec3(-1, 1, 1), Vec3(1, 1, -1), Vec3(-2, -3, 1), Vec3(-1, -1, -1),
                           Vec3(0.5, 1, 4), Vec3(1, 1, 1)}) {
      const LoadOptions how{.scale = 0.5, .stretch = by};
      const PolygonSoup soup = load_soup(file, how);
      ASSERT_EQ(soup.vertex_count(), plain.vertex_count());
      for (Index v = 0; v < soup.vertex_count(); ++v) {
        EXPECT_EQ(soup.vertex(v), plain.vertex(v).cwiseProduct(by)) << file;
        const Vec3 in_file = file_frame(file, how).in_file(soup.vertex(v));
        EXPECT_EQ(in_file, file_frame(file, {.scale = 0.5}).in_file(plain.vertex(v))) << file;
      }
      EXPECT_NEAR(volume(soup), 0.5 * std::abs(by.prod()), 1e-12) << file;
      EXPECT_TRUE(examine(soup).closed) << file;
      EXPECT_EQ(load_assembly(file, how).frame.stretch, by);
    }
  }
}

TEST_F(Stretch, PartsOfAFileAreStretchedAsTheFile) {
  for (const auto& file : files()) {
    const bool has_names = file.extension() == ".obj" || file.extension() == ".glb";
    const PartName part = parse_part_name(file.string() + (has_names ? "#two" : "#shell 2"));
    if (!has_names && !is_face_list(file)) continue;
    const PolygonSoup plain = load_soup(part), mirrored = load_soup(part, {.stretch = {1, -1, 2}});
    ASSERT_EQ(plain.vertex_count(), 4u);
    EXPECT_EQ(mirrored.vertex(3), plain.vertex(3).cwiseProduct(Vec3(1, -1, 2))) << file;
    EXPECT_NEAR(volume(mirrored), 2 * volume(plain), 1e-12) << file;
    EXPECT_GT(volume(mirrored), 0) << file;
  }
}

// The axis that is up in the file is turned first.
TEST_F(Stretch, IsAlongTheAxesThatTheCoordinatesHaveAtLast) {
  const auto file = write("a.obj", "v 1 2 3\nv 0 0 0\nv 0 1 0\nf 1 2 3\n");
  const LoadOptions how{.scale = 10, .up = UpAxis::y, .stretch = {1, 1, -2}};
  EXPECT_EQ(load_soup(file, how).vertex(0), Vec3(10, -30, -40));
  EXPECT_EQ(file_frame(file, how).in_file({10, -30, -40}), Vec3(1, 2, 3));
}

// A gap of 0.01 is one of 0.04 after stretching, in all formats.
TEST_F(Stretch, VerticesAreJoinedWithinALengthAfterStretching) {
  const std::string text =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1.01 0 0\nf 1 3 2\nf 1 5 4\nf 1 4 3\nf 5 3 4\n";
  const auto obj = write("gap.obj", text), glb = folder_ / "gap.glb";
  save_assembly(load_assembly(obj, {.weld = 0.}), glb);
  for (const auto& file : {obj, glb}) {
    const auto closed = [&](double weld) {
      return examine(load_soup(file, {.weld = weld, .stretch = {4, 1, 1}})).closed;
    };
    EXPECT_FALSE(closed(0.03)) << file;
    EXPECT_TRUE(closed(0.05)) << file;
  }
}

TEST_F(Stretch, FactorsAreFiniteAndNotZero) {
  const auto file = write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const Vec3& by : {Vec3(0, 1, 1), Vec3(1, kNan, 1), Vec3(1, 1, kInfinity)}) {
    EXPECT_THROW((void)load_soup(file, {.stretch = by}), InvalidInput);
    EXPECT_THROW((void)load_assembly(file, {.stretch = by}), InvalidInput);
    EXPECT_THROW((void)file_frame(file, {.stretch = by}), InvalidInput);
  }
}

}  // namespace
}  // namespace touche::stretch_test
