// SPDX-License-Identifier: Apache-2.0
// Volume trees on disk: as good as built ones, or refused.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <limits>
#include <random>

#include "methods/tree/tree_file.h"
#include "methods/tree/with_volume.h"
#include "shapes.h"
#include "study_files.h"
#include "temporary_folder.h"
#include "test_scale.h"
#include "touche/query.h"
#include "tree_cases.h"

namespace touche {
namespace {

namespace fs = std::filesystem;
using test::read_text;
using test::TreeCases;
using tree_file::Header;

class TreeFile : public testing::TestWithParam<std::string_view> {
 protected:
  static VolumeTree made(const PolygonSoup& soup) {
    TreeOptions options;
    options.volume = GetParam();
    options.degree = 3;
    options.leaf_faces = 2;
    options.combine = Combine::maximum;
    return VolumeTree(soup, options);
  }
  std::string saved(const VolumeTree& tree) const {
    save_tree(tree, folder_ / "saved.tree");
    return read_text(folder_ / "saved.tree");
  }
  fs::path written(const std::string& bytes) const {
    fs::remove(folder_ / "file.tree");
    std::ofstream(folder_ / "file.tree", std::ios::binary) << bytes;
    return folder_ / "file.tree";
  }
  // The error message for the file with this mesh, without the file name.
  std::string error(const PolygonSoup& soup, const std::string& bytes) const {
    const fs::path file = written(bytes);
    try {
      (void)load_tree(soup, file);
    } catch (const LoadError& error) {
      EXPECT_EQ(error.file(), file.string());
      return std::string(error.what()).substr(file.string().size());
    }
    return "loaded";
  }

  const test::TemporaryFolder made_;
  const fs::path folder_ = made_.path();
};
INSTANTIATE_TEST_SUITE_P(Volumes, TreeFile, testing::ValuesIn(volume_names()),
                         [](const auto& test) { return std::string(test.param); });

void forge_checksum(std::string& bytes) {
  const auto all = std::as_bytes(std::span(bytes));
  const std::uint64_t sum =
      base::checked_file::checksum(all.subspan(sizeof(base::checked_file::Prefix)));
  std::memcpy(bytes.data() + offsetof(base::checked_file::Prefix, checksum), &sum, sizeof sum);
}

template <typename T>
std::string forged(std::string bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  forge_checksum(bytes);
  return bytes;
}

std::size_t node_size(std::string_view volume) {
  std::size_t size = 0;
  tree::with_volume(volume, [&]<typename V>(std::type_identity<V>) {
    size = std::same_as<V, bounds::AnyVolume> ? sizeof(tree_file::StoredNode)
                                              : sizeof(tree::TreeNode<V>);
  });
  return size;
}

TEST_P(TreeFile, IsAsGoodAsWhatWasSaved) {
  TreeCases cases(21);
  const PolygonSoup soup = cases.cloud(150), other = cases.cloud(80);
  const VolumeTree tree = made(soup), against = made(other);
  const std::string bytes = saved(tree);
  const VolumeTree loaded = load_tree(soup, folder_ / "saved.tree");
  loaded.validate();
  EXPECT_EQ(loaded.volume(), tree.volume());
  EXPECT_EQ(loaded.shape().quality, tree.shape().quality);
  EXPECT_EQ(loaded.shape().bytes, tree.shape().bytes);
  for (int i = 0; i < 20; ++i) {
    const Pose pose = cases.near(0.7);
    const TraversalOptions how = {static_cast<Expansion>(i % 4), static_cast<QueueOrder>(i / 4 % 4),
                                  i % 2 == 0};
    const TreeResult built = intersects(tree, {}, against, pose, how);
    const TreeResult mapped = intersects(loaded, {}, against, pose, how);
    EXPECT_EQ(mapped.pairs, built.pairs);
    EXPECT_EQ(mapped.stats.volume_tests, built.stats.volume_tests);
    EXPECT_EQ(mapped.stats.front, built.stats.front);
  }
  // The file may go; what is saved or refitted again is the same.
  fs::remove(folder_ / "saved.tree");
  EXPECT_EQ(saved(loaded), bytes);
  std::vector<double> coordinates;
  for (const Vec3& p : soup.vertices())
    coordinates.insert(coordinates.end(), {2 * p.x(), p.y(), p.z()});
  const std::string refitted = saved(tree.refitted(coordinates));
  EXPECT_EQ(saved(loaded.refitted(coordinates)), refitted);
}

TEST_P(TreeFile, IsRefusedWhenAnyByteChanged) {
  const PolygonSoup soup = TreeCases(22).cloud(7);
  const std::string bytes = saved(made(soup));
  EXPECT_EQ(error(soup, bytes), "loaded");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    ASSERT_NE(error(soup, changed), "loaded") << "byte " << i;
  }
}

TEST_P(TreeFile, IsRefusedWhenCutOrLengthened) {
  const PolygonSoup soup = TreeCases(23).cloud(7);
  const std::string bytes = saved(made(soup));
  for (std::size_t size = 0; size < bytes.size(); size += size < 200 ? 1 : 7)
    ASSERT_NE(error(soup, bytes.substr(0, size)), "loaded") << size;
  EXPECT_NE(error(soup, bytes + '\0'), "loaded");
}

TEST_P(TreeFile, SaysWhatIsWrong) {
  const PolygonSoup soup = TreeCases(24).cloud(7);
  const std::string bytes = saved(made(soup));
  const auto says = [&](const std::string& changed, const std::string& what) {
    const std::string text = error(soup, changed);
    EXPECT_NE(text.find(what), std::string::npos) << text << "\n  not: " << what;
  };
  says("", "the file is empty");
  says("OFF\n3 1 0\n", "not a tree file");
  says(bytes.substr(0, 100), "ends inside its header");
  says(forged(bytes, offsetof(base::checked_file::Prefix, byte_order), 0x04030201),
       "order of bytes");
  says(forged(bytes, offsetof(base::checked_file::Prefix, version), 99), "version 99");
  says(forged(bytes, offsetof(base::checked_file::Prefix, layout), std::uint64_t{1}), "layout");
  says(bytes.substr(0, bytes.size() - 1), "bytes, expected");
  says(bytes.substr(0, bytes.size() - 1) + '\x55', "checksum");
  says(forged(bytes, offsetof(Header, mesh), std::uint64_t{1}), "another mesh");
  says(forged(bytes, offsetof(Header, volume), std::uint64_t{0x71717171}), "no such volume");
  says(forged(bytes, offsetof(Header, quality), 77), "rating");
  says(forged(bytes, offsetof(Header, gap), std::nan("")), "rating");
  EXPECT_NE(error(TreeCases(25).cloud(7), bytes), "loaded");
  EXPECT_THROW((void)load_tree(soup, folder_ / "none.tree"), LoadError);
  EXPECT_THROW(save_tree(made(soup), folder_ / "none" / "file.tree"), LoadError);

  // Forge the tree itself.
  const std::size_t root = sizeof(Header), size = node_size(GetParam());
  const std::size_t node = size - sizeof(tree::Node);
  const std::size_t order = bytes.size() - 7 * sizeof(Index);
  says(forged(bytes, root + node + offsetof(tree::Node, end), Index{6}), "all faces");
  says(forged(bytes, root + node + offsetof(tree::Node, degree), Index{1}), "number of children");
  says(forged(bytes, root + node + offsetof(tree::Node, degree), Index{9}), "number of children");
  says(forged(bytes, root + node + offsetof(tree::Node, first_child), Index{0}), "do not exist");
  says(forged(bytes, root + node + offsetof(tree::Node, first_child), Index{2}), "not its own");
  says(forged(bytes, root + node + offsetof(tree::Node, first_child), ~Index{0}), "do not exist");
  says(forged(bytes, root + size + node + offsetof(tree::Node, begin), Index{1}), "not its own");
  says(forged(bytes, order, Index{7}), "names a face");
  Index second = 0;
  std::memcpy(&second, bytes.data() + order + sizeof(Index), sizeof second);
  says(forged(bytes, order, second), "names it twice");
  says(forged(bytes, root, std::nan("")), "numbers");
  says(forged(bytes, root + size - sizeof(tree::Node) - sizeof(double),
              std::numeric_limits<double>::infinity()),
       "numbers");
  if (GetParam() == "mixed") says(forged(bytes, root, std::uint64_t{3}), "numbers");
}

// Whatever is in a file whose checksum is right: it is refused, or every search ends, in bounds.
TEST_P(TreeFile, IsSafeToSearchWhateverItHolds) {
  TreeCases cases(26);
  const PolygonSoup soup = cases.cloud(20);
  const VolumeTree tree = made(soup);
  const std::string good = saved(tree);
  const std::size_t node = node_size(GetParam());
  std::mt19937_64 random(5);
  const double nasty[] = {
      0.0, -1.0, 1e300, 1e-300, 1e99, -1e99, 0.5, 3.0, std::numeric_limits<double>::quiet_NaN()};
  int loaded = 0;
  const int n = test::shares_code(GetParam()) ? test::scaled(400, 100) : test::scaled(1500, 300);
  for (int i = 0; i < n; ++i) {
    std::string bytes = good;
    for (std::uint64_t changes = random() % 3 + 1; changes > 0; --changes) {
      if (random() % 4 != 0) {  // a number of a volume
        const std::size_t at =
            sizeof(Header) + random() % (tree.shape().nodes) * node + random() % (node / 8) * 8;
        std::memcpy(bytes.data() + at, &nasty[random() % std::size(nasty)], 8);
      } else {
        const std::size_t from = sizeof(base::checked_file::Prefix);
        const auto value = static_cast<std::uint32_t>(random() % 2 == 0 ? random() % 40 : random());
        std::memcpy(bytes.data() + from + random() % ((bytes.size() - from) / 4) * 4, &value, 4);
      }
    }
    forge_checksum(bytes);
    alignas(64) static std::byte room[1 << 15];
    ASSERT_LE(bytes.size(), sizeof room);
    std::memcpy(room, bytes.data(), bytes.size());
    try {
      const auto forged = tree_file::read({room, bytes.size()}, nullptr, soup, "forged");
      ++loaded;
      const query::RelativePose pose({}, cases.near(0.3));
      for (int k = 0; k < 4; ++k)
        (void)forged->tree->intersects(
            soup, *base::data_of(tree).tree, soup, pose,
            {static_cast<Expansion>(k), static_cast<QueueOrder>(k), true});
      forged->tree->shape();
      forged->tree->refitted(soup, 1)->validate(soup);
    } catch (const LoadError&) {
    }
  }
  EXPECT_GT(loaded, n / 50);
  EXPECT_LT(loaded, n * 49 / 50);
}

}  // namespace
}  // namespace touche
