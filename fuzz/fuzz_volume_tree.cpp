// SPDX-License-Identifier: Apache-2.0
// libFuzzer: a file of a volume tree that was altered and given the right checksum is refused with
// a LoadError, or every search over it ends and stays in bounds, and refitting mends it. The input
// is the number of a volume, then a list of changes to a good file, 6 bytes each: which four bytes
// (2), and what they become (4). Needs no seeds.
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "methods/tree/tree_file.h"

namespace {

using namespace touche;

// Triangles on a spiral.
PolygonSoup spiral() {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (Index i = 0; i < 32; ++i) {
    const double x = i;
    coordinates.insert(coordinates.end(), {std::cos(x), 0.1 * x, std::sin(x)});
    if (i >= 2) corners.insert(corners.end(), {i - 2, i - 1, i});
  }
  return {coordinates, corners};
}

// Room for a file at a multiple of 64.
struct alignas(64) File {
  std::byte bytes[1 << 15];
  std::size_t size;
};

struct Good {
  VolumeTree tree;
  File file;
};

Good good_file(std::string_view volume) {
  TreeOptions options;
  options.volume = volume;
  options.degree = 3;
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("touche-fuzz-" + std::to_string(::getpid()) + ".tree");
  Good good = {VolumeTree(spiral(), options), {}};
  save_tree(good.tree, path);
  const base::checked_file::Mapping mapping = base::checked_file::map(path);
  good.file.size = mapping.bytes.size();
  std::memcpy(good.file.bytes, mapping.bytes.data(), good.file.size);
  std::filesystem::remove(path);
  return good;
}

void forge_checksum(File& file) {
  const std::span<const std::byte> bytes(file.bytes, file.size);
  const std::uint64_t sum =
      base::checked_file::checksum(bytes.subspan(sizeof(base::checked_file::Prefix)));
  std::memcpy(file.bytes + offsetof(base::checked_file::Prefix, checksum), &sum, sizeof sum);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Good> goods = [] {
    std::vector<Good> all;
    for (const std::string_view volume : volume_names()) all.push_back(good_file(volume));
    return all;
  }();
  if (size == 0) return 0;
  const Good& good = goods[data[0] % goods.size()];
  const PolygonSoup& soup = good.tree.soup();
  File file = good.file;
  for (++data, --size; size >= 6; data += 6, size -= 6) {
    std::uint16_t word;
    std::memcpy(&word, data, sizeof word);
    std::memcpy(file.bytes + 4 * (word % (file.size / 4)), data + 2, 4);
  }
  forge_checksum(file);
  try {
    const auto forged = tree_file::read({file.bytes, file.size}, nullptr, soup, "f");
    const query::RelativePose pose({}, Pose::from_axis_angle({1, 2, 3}, 0.5, {0.2, 0.3, 0.1}));
    for (std::size_t i = 0; i < names<Expansion>().size(); ++i)
      (void)forged->tree->intersects(soup, *base::data_of(good.tree).tree, soup, pose,
                                     {static_cast<Expansion>(i), static_cast<QueueOrder>(i), true});
    forged->tree->shape();
    forged->tree->refitted(soup, 1)->validate(soup);
  } catch (const LoadError&) {
  }
  return 0;
}
