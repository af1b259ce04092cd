// SPDX-License-Identifier: Apache-2.0
// The fuzz targets' promise without libFuzzer: every seed, and thousands of damaged copies of it
// (always the same ones), either load or are refused with an Error.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

#include "io/drawing.h"
#include "io/readers.h"
#include "source_folder.h"
#include "test_scale.h"

namespace touche::fuzz_regression_test {
namespace {

namespace fs = std::filesystem;

// The name of a format is its ending. No file may name another.
void read(const std::string& format, const std::string& bytes, const std::string& file) {
  if (format == "svg" || format == "dxf") {
    const std::size_t chains = io::read_outline(bytes, "." + format, file).chain_count();
    for (const Split how : {Split::objects, Split::layers}) {
      std::size_t of_parts = 0;
      for (const OutlinePart& part : io::read_outlines(bytes, "." + format, file, how))
        of_parts += part.outline.chain_count();
      if (format == "svg") {  // where nothing is joined
        EXPECT_EQ(of_parts, chains);
      }
    }
    return;
  }
  const io::ReadBeside nothing = [&](const std::string& name) -> std::string {
    throw LoadError(file, "", name + " is not there");
  };
  io::MeshData mesh = io::read_mesh(bytes, "." + format, file, nothing);
  for (const Split how : {Split::objects, Split::shells}) {
    const Assembly parts = io::split(mesh, how, file, bytes.size());
    std::size_t faces = 0;
    for (const AssemblyMesh& part : parts.meshes)
      faces += part.face_sizes.empty() ? part.corners.size() / 3 : part.face_sizes.size();
    EXPECT_EQ(faces, mesh.face_count);
  }
  io::to_soup(std::move(mesh), file);
  if (format != "gltf" && format != "glb") return;
  const auto nodes_of = format == "glb" ? io::read_glb : io::read_gltf;
  for (const FileAnimation& animation : nodes_of(bytes, file, nothing, {}).animations)
    (void)io::read_mesh(
        bytes, "." + format, file, nothing,
        {.animation = AnimationTime{animation.name, (animation.start + animation.end) / 2}});
}

std::vector<std::string> seeds_of(const std::string& format) {
  std::vector<fs::path> paths;
  const fs::path folder = fs::path(test::kSourceFolder) / "fuzz" / "corpus" / format;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const fs::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return seeds;
}

class Damage {
 public:
  explicit Damage(std::uint64_t seed) : random_(seed) {}

  void apply(std::string& bytes, const std::vector<std::string>& seeds) {
    static const std::vector<std::string> kNasty = {"nan",
                                                    "-inf",
                                                    "1e308",
                                                    "1e999",
                                                    "-1",
                                                    "0",
                                                    "4294967296",
                                                    "99999999999999999999",
                                                    "#",
                                                    "\\\n",
                                                    "\r",
                                                    " ",
                                                    "\n",
                                                    std::string(4, '\xFF'),
                                                    std::string(4, '\0'),
                                                    "end_header\n"};
    const std::size_t at = below(bytes.size() + 1);
    const std::size_t length = std::min(below(20), bytes.size() - at);
    switch (below(7)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        bytes.erase(at, length);
        break;
      case 2:
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 3:
        bytes.insert(at, kNasty[below(kNasty.size())]);
        break;
      case 4:
        replace_word(bytes, at, kNasty[below(kNasty.size())]);
        break;
      case 5:
        bytes = bytes.substr(0, at) + tail(seeds[below(seeds.size())]);
        break;
      default:
        if (at < bytes.size()) bytes[at] = static_cast<char>(below(256));
    }
  }
  std::size_t below(std::size_t n) { return random_() % n; }

 private:
  std::string tail(const std::string& text) { return text.substr(below(text.size() + 1)); }

  static void replace_word(std::string& bytes, std::size_t at, const std::string& by) {
    const std::size_t begin = std::min(bytes.find_last_of(" \n", at) + 1, bytes.size());
    const std::size_t end = std::min(bytes.find_first_of(" \n", begin), bytes.size());
    bytes.replace(begin, end - begin, by);
  }

  std::mt19937_64 random_;
};

// True if it loads. Anything thrown but an Error ends the test.
bool loads(const std::string& format, const std::string& bytes) {
  try {
    read(format, bytes, "damaged");
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("damaged")) << error.what();
    return false;
  }
}

class FuzzRegression : public testing::TestWithParam<std::string> {};

TEST_P(FuzzRegression, SeedsLoad) {
  const auto seeds = seeds_of(GetParam());
  ASSERT_GE(seeds.size(), 2u);
  for (const std::string& seed : seeds) EXPECT_NO_THROW(read(GetParam(), seed, "seed"));
}

TEST_P(FuzzRegression, DamagedSeedsLoadOrAreRefused) {
  const auto seeds = seeds_of(GetParam());
  const int rounds = test::scaled(20000, 2000);
  int loaded = 0;
  Damage damage(7);
  for (int i = 0; i < rounds; ++i) {
    std::string bytes = seeds[damage.below(seeds.size())];
    for (std::size_t k = damage.below(4) + 1; k > 0; --k) damage.apply(bytes, seeds);
    loaded += loads(GetParam(), bytes);
  }
  // Or the damage never leaves anything to read; documents and archives seldom survive it.
  const bool is_document =
      GetParam() == "gltf" || GetParam() == "glb" || GetParam() == "dae" || GetParam() == "3mf";
  EXPECT_GT(loaded, rounds / (is_document ? 200 : 50));
  EXPECT_LT(loaded, rounds * 49 / 50);  // or it never does harm
}

INSTANTIATE_TEST_SUITE_P(Formats, FuzzRegression,
                         testing::Values("obj", "stl", "ply", "off", "gltf", "glb", "dae", "3mf",
                                         "svg", "dxf"),
                         [](const auto& test) { return "f" + test.param; });

}  // namespace
}  // namespace touche::fuzz_regression_test
