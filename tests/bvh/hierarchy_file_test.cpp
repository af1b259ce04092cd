// SPDX-License-Identifier: Apache-2.0
// Hierarchies on disk: as good as built ones, or refused.
#include "touche/hierarchy_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

#include "all_answers.h"
#include "base/xxhash64.h"
#include "bvh/file_format.h"
#include "shapes.h"
#include "study_files.h"
#include "temporary_folder.h"
#include "test_scale.h"

namespace touche {
namespace {

namespace fs = std::filesystem;
using bvh::file::Header;
using test::answers;
using test::read_text;

// A folder of its own per test, removed at the end.
class HierarchyFile : public testing::Test {
 protected:
  ~HierarchyFile() override {
    std::error_code ignored;
    fs::permissions(folder_, fs::perms::owner_all, ignored);
  }

  // A new file each time: some file systems wait for the disk when one is overwritten, and a mapped
  // one must not be altered.
  void write(const std::string& name, const std::string& bytes) const {
    fs::remove(folder_ / name);
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  std::string saved(const PolygonSoup& soup) const {
    save_hierarchy(Object(soup), folder_ / "saved.bvh");
    return read_text(folder_ / "saved.bvh");
  }
  // Returns the error message for the file with this mesh, without the file's name.
  std::string error_of(const PolygonSoup& soup, const fs::path& file) const {
    try {
      (void)load_hierarchy(soup, file);
    } catch (const LoadError& error) {
      EXPECT_EQ(error.file(), file.string());
      return std::string(error.what()).substr(file.string().size());
    }
    return "loaded";
  }
  std::string error(const PolygonSoup& soup, const std::string& bytes) const {
    write("file.bvh", bytes);
    return error_of(soup, folder_ / "file.bvh");
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  const test::TemporaryFolder made_;
  const fs::path folder_ = made_.path();
};

std::uint64_t hash_of(std::string_view text, std::uint64_t seed = 0) {
  return base::xxhash64(std::as_bytes(std::span(text)), seed);
}

// So that a file that was changed on purpose gets past the checksum.
void forge_checksum(std::string& bytes) {
  const auto summed = std::as_bytes(std::span(bytes)).subspan(bvh::file::kSummed);
  const std::uint64_t sum = bvh::file::checksum(summed);
  std::memcpy(bytes.data() + offsetof(Header, checksum), &sum, sizeof sum);
}

template <class T>
std::string with(std::string bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}
template <class T>
std::string forged(const std::string& bytes, std::size_t at, T value) {
  std::string changed = with(bytes, at, value);
  forge_checksum(changed);
  return changed;
}

// Where bounds keep their count.
constexpr std::size_t kCount = offsetof(bvh::Bounds, box) + 3 * sizeof(float);

std::size_t node_at(std::size_t index) { return sizeof(Header) + index * sizeof(bvh::BvhNode); }

TEST(XxHash64, GivesThePublishedValues) {
  EXPECT_EQ(hash_of(""), 0xef46db3751d8e999u);
  EXPECT_EQ(hash_of("a"), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(hash_of("abc"), 0x44bc2cf5ad770999u);
  EXPECT_EQ(hash_of("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1u);
  EXPECT_NE(hash_of("abc", 1), hash_of("abc"));
}

TEST_F(HierarchyFile, IsAsGoodAsABuiltOne) {
  const Object other(scenes::torus_knot(2, 3, 1800));
  const PolygonSoup soups[] = {
      scenes::box({0, 0, 0}, {1, 1, 1}),     // two leaves
      scenes::random_soup(1, {.faces = 3}),  // a single leaf
      scenes::random_soup(2, {.faces = 700, .max_corners = 6, .slivers = 0.5}),
      scenes::bumpy_sphere(20000, 3)};
  for (const PolygonSoup& soup : soups) {
    const Object built(soup, "part");
    const std::string bytes = saved(soup);
    const Object loaded = load_hierarchy(soup, folder_ / "saved.bvh", "part");
    EXPECT_EQ(loaded.name(), "part");
    EXPECT_NO_THROW(loaded.validate());
    EXPECT_EQ(loaded.memory().hierarchy_bytes, built.memory().hierarchy_bytes);
    EXPECT_EQ(answers(built, other), answers(loaded, other));
    EXPECT_EQ(answers(other, built), answers(other, loaded));
    const std::vector<std::byte> in_memory = hierarchy_bytes(built);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(in_memory.data()), in_memory.size()),
              bytes);
    const Object copy = object_from_bytes(soup, in_memory, "part");
    EXPECT_EQ(copy.name(), "part");
    EXPECT_NO_THROW(copy.validate());
    EXPECT_EQ(answers(built, other), answers(copy, other));
    save_hierarchy(loaded, folder_ / "again.bvh");
    EXPECT_EQ(read_text(folder_ / "again.bvh"), bytes);
    save_hierarchy(Object(soup, "", {.threads = 1}), folder_ / "again.bvh");
    EXPECT_EQ(read_text(folder_ / "again.bvh"), bytes);
  }
  EXPECT_EQ(files(), 2u);  // no other names are left over
}

TEST_F(HierarchyFile, HoldsDegenerateMeshesToo) {
  const std::vector<Index> triangles = {0, 1, 2, 0, 0, 0, 2, 1, 0};
  for (const double size : {0.0, 1e-90, 1e-30, 1.0, 1e90})
    for (const double offset : {0.0, 1.0, -1e90}) {
      const std::vector<double> points = {offset, 0, 0, offset, size, 0, offset + size, size, 0};
      const PolygonSoup soup(points, triangles);
      EXPECT_EQ(error(soup, saved(soup)), "loaded") << size << " " << offset;
    }
  // Twenty points in a row: leaves without area, and a node without any.
  std::vector<double> points;
  std::vector<Index> corners;
  for (Index i = 0; i < 20; ++i) {
    points.insert(points.end(), {0.1 * i, 0, 0});
    corners.insert(corners.end(), {i, i, i});
  }
  const PolygonSoup soup(points, corners);
  EXPECT_EQ(error(soup, saved(soup)), "loaded");
}

TEST_F(HierarchyFile, OutlivesItsName) {
  const PolygonSoup soup = scenes::sphere(1, 2000);
  const Object other(scenes::box({0, 0, 0}, {1, 1, 1}));
  saved(soup);
  const Object loaded = load_hierarchy(soup, folder_ / "saved.bvh");
  const std::string before = answers(loaded, other);
  saved(scenes::torus(1, 0.3, 40, 40));  // replaces the file, does not alter it
  EXPECT_EQ(answers(loaded, other), before);
  fs::remove(folder_ / "saved.bvh");
  EXPECT_EQ(answers(loaded, other), before);
}

TEST_F(HierarchyFile, EveryFlippedBitAndEveryTruncationIsRefused) {
  const PolygonSoup soup = scenes::random_soup(5, {.faces = 11});
  const std::string whole = saved(soup);
  ASSERT_EQ(error(soup, whole), "loaded");
  ASSERT_EQ(whole.size(), sizeof(Header) + 2 * sizeof(bvh::BvhLeaf) + sizeof(bvh::RootOfTwo));
  for (std::size_t length = 0; length < whole.size(); ++length)
    ASSERT_NE(error(soup, whole.substr(0, length)), "loaded") << length;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const int flip : {0x01, 0x80, 0xff})
      ASSERT_NE(error(soup, with(whole, at, static_cast<char>(whole[at] ^ flip))), "loaded") << at;
  const std::vector<std::byte> bytes = hierarchy_bytes(Object(soup));
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW((void)object_from_bytes(soup, std::span(bytes).first(length)), LoadError);
  EXPECT_THROW((void)object_from_bytes(scenes::random_soup(6, {.faces = 11}), bytes), LoadError);
  EXPECT_NE(error(soup, whole + '\0'), "loaded");
  EXPECT_NE(error(soup, whole + whole), "loaded");
}

TEST_F(HierarchyFile, SaysWhatIsWrong) {
  const PolygonSoup soup = scenes::random_soup(5, {.faces = 100});
  const std::string whole = saved(soup);
  EXPECT_EQ(error_of(soup, folder_ / "none.bvh"), ": the file does not exist");
  EXPECT_EQ(error_of(soup, folder_), ": this is a directory");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(error_of(soup, folder_ / "pipe"), ": this is a pipe, not a file");
  EXPECT_EQ(error(soup, ""), ": the file is empty");
  EXPECT_EQ(error(soup, "solid\n"), ": not a hierarchy file");
  EXPECT_EQ(error(soup, std::string(5000, 'x')), ": not a hierarchy file");
  EXPECT_EQ(error(soup, whole.substr(0, 100)), ": the file ends inside its header");
  EXPECT_EQ(error(soup, whole.substr(0, 1000)).substr(0, 25), ": the file has 1000 bytes");
  EXPECT_EQ(error(soup, with(whole, 8, std::uint32_t{0x04030201})).substr(0, 33),
            ": written on a machine with anoth");
  EXPECT_EQ(error(soup, with(whole, 12, std::uint32_t{9})),
            ": version 9 of the format, expected 4");
  EXPECT_EQ(error(soup, with(whole, 16, std::uint64_t{9})).substr(0, 44),
            ": written by a program with another layout o");
  EXPECT_EQ(error(soup, with(whole, 3000, '\x55')),
            ": the checksum is wrong: the file was altered or is damaged");

  const auto child = [](int lane) {
    return node_at(0) + offsetof(bvh::BvhNode, child) +
           sizeof(bvh::NodeRef) * static_cast<std::size_t>(lane);
  };
  const auto node_error = [&](std::size_t at, auto value) {
    return error(soup, forged(whole, at, value));
  };
  EXPECT_EQ(node_error(child(1), bvh::NodeRef{5000}), ":node 5000: does not exist");
  EXPECT_EQ(node_error(child(1), bvh::NodeRef{~5000}), ":leaf 5000: does not exist");
  EXPECT_EQ(node_error(child(1), bvh::NodeRef{0}), ":node 0: is held twice");
  for (const float count : {0.0f, 9.0f, 2.5f, -1.0f, std::nanf("")})
    EXPECT_EQ(node_error(node_at(0) + kCount, count), ":node 0: has a wrong count") << count;
  EXPECT_EQ(node_error(node_at(1), std::nanf("")), ":node 1: has impossible bounds");
  EXPECT_EQ(node_error(node_at(1) + offsetof(bvh::BvhNode, children), 1e30f),
            ":node 1: has impossible boxes");
  EXPECT_EQ(node_error(offsetof(Header, height), 1000000), ": a height of 1000000 is not possible");
  EXPECT_EQ(node_error(offsetof(Header, height), 1), ": the hierarchy is higher than it says");
  EXPECT_EQ(node_error(offsetof(Header, root), bvh::NodeRef{1}),
            ": holds nodes or leaves that do not belong to the hierarchy");
}

// Two leaves come first, then their root, which is shorter than others.
TEST_F(HierarchyFile, SaysWhatIsWrongWithTwoLeaves) {
  const PolygonSoup soup = scenes::box({0, 0, 0}, {1, 1, 1});
  const std::string whole = saved(soup);
  const std::size_t root = sizeof(Header) + 2 * sizeof(bvh::BvhLeaf);
  ASSERT_EQ(whole.size(), root + sizeof(bvh::RootOfTwo));
  const auto error_with = [&](std::size_t at, auto value) {
    return error(soup, forged(whole, at, value));
  };
  for (const std::uint32_t nodes : {0u, 2u, 0xffffffffu})
    EXPECT_EQ(error_with(offsetof(Header, nodes), nodes), ": two leaves have one root");
  for (const float count : {1.0f, 3.0f, std::nanf("")})
    EXPECT_EQ(error_with(root + kCount, count), ":node 0: has a wrong count");
  EXPECT_EQ(error_with(root, std::nanf("")), ":node 0: has impossible bounds");
  EXPECT_EQ(error_with(root + offsetof(bvh::RootOfTwo, centre), 5.0f),
            ":node 0: has impossible boxes");
  EXPECT_EQ(error_with(root + offsetof(bvh::RootOfTwo, half), -0.1f),
            ":node 0: has impossible boxes");
  EXPECT_EQ(error_with(offsetof(Header, root), ~bvh::NodeRef{1}),
            ": holds nodes or leaves that do not belong to the hierarchy");
  EXPECT_EQ(error_with(offsetof(Header, root), bvh::NodeRef{1}), ":node 1: does not exist");
  EXPECT_EQ(error_with(offsetof(Header, height), 0), ": the hierarchy is higher than it says");
}

TEST_F(HierarchyFile, BelongsToItsMeshAlone) {
  const PolygonSoup soup = scenes::sphere(1, 500);
  const std::string bytes = saved(soup);
  const auto variant =
      [&](const std::function<void(std::vector<double>&, std::vector<Index>&)>& change) {
        std::vector<double> coordinates;
        std::vector<Index> corners;
        for (const Vec3& v : soup.vertices())
          coordinates.insert(coordinates.end(), v.begin(), v.end());
        for (const auto& t : soup.triangles()) corners.insert(corners.end(), t.begin(), t.end());
        change(coordinates, corners);
        return PolygonSoup(coordinates, corners);
      };
  EXPECT_EQ(error(variant([](auto&, auto&) {}), bytes), "loaded");
  const std::string other = ": made for another mesh";
  EXPECT_EQ(error(variant([](auto& x, auto&) { x[7] += 1e-12; }), bytes), other);
  EXPECT_EQ(error(variant([](auto&, auto& c) { std::swap(c[3], c[4]); }), bytes), other);
  EXPECT_EQ(error(variant([](auto&, auto& c) { c.resize(c.size() - 3); }), bytes), other);
  EXPECT_EQ(error(scenes::box({0, 0, 0}, {1, 1, 1}), bytes), other);
  EXPECT_EQ(error(PolygonSoup(), bytes), other);
}

// Forged files with the right checksum: refused, or every search over them ends, in bounds.
TEST_F(HierarchyFile, ForgedFilesDoNoHarm) {
  const Object other(scenes::sphere(1, 300));
  for (const Index faces : {150u, 12u}) {  // of some leaves, and of two
    const PolygonSoup soup = scenes::random_soup(6, {.faces = faces});
    const std::span<const double> coordinates(soup.vertices()[0].data(), 3 * soup.vertex_count());
    const std::string whole = saved(soup);
    std::mt19937_64 random(11);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const std::uint32_t nasty[] = {0,          1,          2,          7,
                                   8,          9,          0x7fffffff, 0x80000000,
                                   0xffffffff, 0xfffffffe, 0x7fc00000, 0x7f800000,
                                   0x3f800000, 0xbf800000, 0x40800000, 20};
    const int rounds = test::scaled(4000, 400);
    int loaded = 0;
    for (int i = 0; i < rounds; ++i) {
      std::string bytes = whole;
      for (std::size_t k = below(3) + 1; k > 0; --k) {
        // Beyond what is compared exactly; rarely in the header.
        const std::size_t from = below(8) == 0 ? bvh::file::kSummed : sizeof(Header);
        const std::size_t at = from + 4 * below((bytes.size() - from) / 4);
        const std::size_t source = from + 4 * below((bytes.size() - from) / 4);
        switch (below(4)) {
          case 0:
            bytes = with(bytes, at, nasty[below(std::size(nasty))]);
            break;
          case 1:
            bytes = with(bytes, at, static_cast<std::uint32_t>(random()));
            break;
          case 2:
            bytes[at + below(4)] ^= static_cast<char>(1 << below(8));
            break;
          default:
            std::memcpy(bytes.data() + at, whole.data() + source, 4);
        }
      }
      forge_checksum(bytes);
      if (error(soup, bytes) != "loaded") continue;
      ++loaded;
      const Object object = load_hierarchy(soup, folder_ / "file.bvh");
      answers(object, other);
      answers(other, object);
      EXPECT_NO_THROW(object.refitted(coordinates).validate());  // refitting mends it
    }
    EXPECT_GT(loaded, rounds / 20);       // or nothing gets as far as a search
    EXPECT_LT(loaded, rounds * 19 / 20);  // or nothing is refused
  }
}

TEST_F(HierarchyFile, AFailedSaveLeavesNothingBehind) {
  const Object object(scenes::box({0, 0, 0}, {1, 1, 1}));
  EXPECT_THROW(save_hierarchy(object, folder_ / "none" / "a.bvh"), LoadError);
  fs::create_directory(folder_ / "taken.bvh");
  EXPECT_THROW(save_hierarchy(object, folder_ / "taken.bvh"), LoadError);
  EXPECT_EQ(files(), 1u);
}

TEST_F(HierarchyFile, TheCacheSavesBuilding) {
  const PolygonSoup soup = scenes::sphere(1, 2000);
  const Object other(scenes::box({0, 0, 0}, {1, 1, 1}));
  const fs::path cache = folder_ / "deep" / "cache";
  const CachedObject first = cached_object(soup, cache, "ball");
  EXPECT_EQ(first.use, CacheUse::stored);
  EXPECT_EQ(first.remark, "");
  const CachedObject second = cached_object(soup, cache, "ball");
  EXPECT_EQ(second.use, CacheUse::loaded);
  EXPECT_EQ(second.remark, "");
  EXPECT_EQ(second.object.name(), "ball");
  EXPECT_EQ(answers(second.object, other), answers(first.object, other));
  EXPECT_EQ(cached_object(other.soup(), cache).use, CacheUse::stored);
  EXPECT_EQ(cached_object(soup, cache).use, CacheUse::loaded);
}

TEST_F(HierarchyFile, ABrokenCacheIsMended) {
  const PolygonSoup soup = scenes::sphere(1, 2000);
  (void)cached_object(soup, folder_);
  const fs::path file = fs::directory_iterator(folder_)->path();
  const std::string whole = read_text(file);
  for (const std::string& broken :
       {whole.substr(0, 5000), with(whole, 4000, '\x55'), std::string(), std::string("text")}) {
    write(file.filename().string(), broken);
    const CachedObject mended = cached_object(soup, folder_);
    EXPECT_EQ(mended.use, CacheUse::replaced);
    EXPECT_TRUE(mended.remark.starts_with(file.string() + ": ")) << mended.remark;
    EXPECT_EQ(read_text(file), whole);
    EXPECT_EQ(cached_object(soup, folder_).use, CacheUse::loaded);
  }
}

TEST_F(HierarchyFile, ACacheThatCannotBeWrittenIsNoError) {
  const PolygonSoup soup = scenes::sphere(1, 2000);
  write("file", "");
  for (const fs::path& cache : {folder_ / "file", folder_ / "file" / "inside", fs::path("/proc")}) {
    const CachedObject built = cached_object(soup, cache);
    EXPECT_EQ(built.use, CacheUse::unstored) << cache;
    EXPECT_NE(built.remark, "");
    EXPECT_NO_THROW(built.object.validate());
  }
  // Neither readable nor replaceable.
  (void)cached_object(soup, folder_ / "cache");
  const fs::path file = fs::directory_iterator(folder_ / "cache")->path();
  fs::remove(file);
  fs::create_directory(file);
  const CachedObject built = cached_object(soup, folder_ / "cache");
  EXPECT_EQ(built.use, CacheUse::unstored);
  EXPECT_NE(built.remark.find("this is a directory; "), std::string::npos) << built.remark;
}

TEST_F(HierarchyFile, ManyMayUseACacheAtOnce) {
  const PolygonSoup soup = scenes::sphere(1, 5000);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        const CachedObject got = cached_object(soup, folder_);
        EXPECT_TRUE(got.use == CacheUse::loaded || got.use == CacheUse::stored) << got.remark;
        EXPECT_EQ(got.object.soup().triangle_count(), soup.triangle_count());
        save_hierarchy(got.object, folder_ / "same.bvh");
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(files(), 2u);
  EXPECT_EQ(error_of(soup, folder_ / "same.bvh"), "loaded");
}

}  // namespace
}  // namespace touche
