// SPDX-License-Identifier: Apache-2.0
// Readers and writers of all formats have these properties in common.
#include <fmt/core.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <random>

#include "io_files.h"
#include "small_child.h"
#include "study_files.h"

namespace touche::io_test {
namespace {

using test::face;
using test::facet;
using test::Io;
using test::kTriangle;

namespace fs = std::filesystem;

TEST_F(Io, RefusesWhatIsNoReadableFile) {
  EXPECT_EQ(error_of(folder_ / "missing.obj"), ": the file does not exist");
  fs::create_directories(folder_ / "folder.stl");
  EXPECT_EQ(error_of(folder_ / "folder.stl"), ": this is a directory");
  EXPECT_EQ(error_of("/dev/null/x.obj").substr(0, 2), ": ");
  EXPECT_EQ(error("a.step", "x").substr(0, 25), ": not read, it is a STEP ");
  EXPECT_EQ(error("a", "x").substr(0, 20), ": unknown ending '';");
  for (const char* name :
       {"a.obj", "a.stl", "a.ply", "a.off", "a.glb", "a.gltf", "a.3mf", "a.dae"}) {
    EXPECT_EQ(error(name, ""), ": the file is empty") << name;
    EXPECT_NE(error(name, "\x01\x02garbage\xFF"), "loaded") << name;
  }
  // The content must be what the ending says.
  EXPECT_NE(error("a.glb", kTriangle + "f 1 2 3\n"), "loaded");
  EXPECT_NE(error("a.dae", "solid a\n" + facet("0 1 0") + "endsolid a\n"), "loaded");
  EXPECT_NE(error("a.ply", kTriangle + "f 1 2 3\n"), "loaded");
}

TEST_F(Io, ScaleMultipliesCoordinates) {
  const fs::path path = write("a.obj", kTriangle + "f 1 2 3\n");
  EXPECT_EQ(load_soup(path, {.scale = 0.001}).vertex(1), Vec3(0.001, 0, 0));
  EXPECT_NE(error_of(path, {.scale = 1e100}), "loaded");
  for (const double scale : {0., -1., kInfinity, std::nan("")}) {
    EXPECT_THROW((void)load_soup(path, {.scale = scale}), InvalidInput);
  }
}

// Random polygons with coordinates of all exponents.
PolygonSoup random_soup(std::mt19937_64& random) {
  std::uniform_real_distribution<double> digits(-1, 1), exponent(-89, 80);
  std::vector<double> coordinates;
  for (int i = 0; i < 300; ++i)
    coordinates.push_back(digits(random) * std::pow(10, exponent(random)));
  std::vector<Index> corners, sizes, groups;
  for (int f = 0; f < 50; ++f) {
    sizes.push_back(static_cast<Index>(3 + random() % (f == 0 ? 1 : 4)));
    groups.push_back(static_cast<Index>(random() % 3));
    for (Index k = 0; k < sizes.back(); ++k) corners.push_back(static_cast<Index>(random() % 100));
  }
  return {coordinates, corners, sizes, groups, {"", "two words", "b"}};
}

TEST_F(Io, SavedSoupsComeBackBitForBit) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 10; ++round) {
    const PolygonSoup before = random_soup(random);
    for (const char* name : {"a.obj", "a.off", "a.ply"}) {
      save(before, folder_ / name);
      const PolygonSoup after = load_soup(folder_ / name, {.weld = 0});
      ASSERT_EQ(after.vertex_count(), before.vertex_count()) << name;
      ASSERT_EQ(after.face_count(), before.face_count()) << name;
      for (Index v = 0; v < before.vertex_count(); ++v) {
        EXPECT_EQ(after.vertex(v), before.vertex(v)) << name;
      }
      for (Index f = 0; f < before.face_count(); ++f) {
        EXPECT_EQ(face(after, f), face(before, f)) << name;
        if (std::string(name) == "a.obj") {
          EXPECT_EQ(after.face_group(f), before.face_group(f));
        }
      }
    }
  }
}

// Half a mesh would be read as a complete one: most formats cannot detect it.
TEST_F(Io, SavesAWholeFileOrNone) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (Index v = 0; v < 30000; ++v) {
    coordinates.insert(coordinates.end(), {1.0 * v, 0.5 * (v % 7), 0.25 * (v % 5)});
    corners.push_back(v);
  }
  const PolygonSoup large(coordinates, corners, std::vector<Index>(10000, 3));
  for (const char* name : {"a.obj", "a.off", "a.ply", "a.stl"}) {
    const fs::path old = write(name, "what was there"), fresh = folder_ / "new" / name;
    fs::create_directory(fresh.parent_path());
    const std::string said = test::in_a_child([&]() -> std::string {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit bytes{100'000, 100'000};
      setrlimit(RLIMIT_FSIZE, &bytes);
      std::string both;
      for (const fs::path& file : {old, fresh}) try {
          save(large, file);
        } catch (const LoadError& e) {
          both += e.what();
        }
      return both;
    });
    EXPECT_NE(said.find(old.string() + ": cannot be written"), std::string::npos) << said;
    EXPECT_NE(said.find(fresh.string() + ": cannot be written"), std::string::npos) << said;
    EXPECT_EQ(test::read_text(old), "what was there") << name;
    EXPECT_TRUE(fs::is_empty(fresh.parent_path())) << name;
    save(large, old);
    EXPECT_EQ(load_soup(old).face_count(), 10000) << name;
  }
}

// Files, and links, with names like the ones of temporary files.
TEST_F(Io, WritesNoOtherFileThanItIsTold) {
  const PolygonSoup soup = load_soup(write("soup.obj", kTriangle + "f 1 2 3\n"));
  const fs::path victim = write("victim", "mine");
  for (const char* ending : {".obj", ".off", ".ply", ".stl"}) {
    const fs::path to = folder_ / fmt::format("first{}", ending),
                   linked = folder_ / fmt::format("second{}", ending);
    std::ofstream(to.string() + ".part") << "mine";
    fs::create_symlink(victim, linked.string() + ".part");
    save(soup, to);
    save(soup, linked);
    EXPECT_EQ(test::read_text(to.string() + ".part"), "mine") << ending;
    EXPECT_EQ(test::read_text(victim), "mine") << ending;
    EXPECT_EQ(load_soup(to).face_count(), 1) << ending;
    EXPECT_FALSE(fs::is_symlink(linked)) << ending;
  }
}

}  // namespace
}  // namespace touche::io_test
