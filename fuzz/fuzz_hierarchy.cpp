// SPDX-License-Identifier: Apache-2.0
// libFuzzer: a hierarchy file that was altered and given the right checksum is refused with a
// LoadError, or every search over it ends and stays in bounds, and refitting mends it. The input is
// a list of changes to a good file, 6 bytes each: which four bytes (2), and what they become (4).
// Needs no seeds.
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "bvh/file_format.h"
#include "bvh/object_data.h"
#include "touche/hierarchy_file.h"
#include "touche/query.h"

namespace {

using namespace touche;

std::vector<double> points(Index count) {
  std::vector<double> coordinates;
  for (Index i = 0; i < count; ++i) {
    const double x = i;
    coordinates.insert(coordinates.end(), {std::cos(x), 0.1 * x, std::sin(x)});
  }
  return coordinates;
}

// Triangles on a spiral.
PolygonSoup spiral(Index points_on_it) {
  std::vector<Index> corners;
  for (Index i = 2; i < points_on_it; ++i) corners.insert(corners.end(), {i - 2, i - 1, i});
  return PolygonSoup(points(points_on_it), corners);
}

// Room for a file at a multiple of 64.
struct alignas(64) File {
  std::byte bytes[1 << 14];
  std::size_t size;
};

File good_file(const Object& object) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("touche-fuzz-" + std::to_string(::getpid()) + ".bvh");
  save_hierarchy(object, path);
  File file = {};
  const base::checked_file::Mapping mapping = base::checked_file::map(path);
  file.size = mapping.bytes.size();
  std::memcpy(file.bytes, mapping.bytes.data(), file.size);
  std::filesystem::remove(path);
  return file;
}

void forge_checksum(File& file) {
  const std::span<const std::byte> bytes(file.bytes, file.size);
  const std::uint64_t sum = bvh::file::checksum(bytes.subspan(bvh::file::kSummed));
  std::memcpy(file.bytes + offsetof(bvh::file::Header, checksum), &sum, sizeof sum);
}

struct Good {
  std::vector<double> coordinates;
  Object object;
  File file;

  explicit Good(Index points_on_it)
      : coordinates(points(points_on_it)), object(spiral(points_on_it)), file(good_file(object)) {}
};

void change_and_ask(const Good& good, const std::uint8_t* data, std::size_t size) {
  const Object& object = good.object;
  File file = good.file;
  for (; size >= 6; data += 6, size -= 6) {
    std::uint16_t word;
    std::memcpy(&word, data, sizeof word);
    std::memcpy(file.bytes + 4 * (word % (file.size / 4)), data + 2, 4);
  }
  forge_checksum(file);
  try {
    const Object forged = bvh::object_of(
        object.soup(), bvh::file::read({file.bytes, file.size}, nullptr, object.soup(), "f"),
        "forged");
    const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.5, {0.2, 0.3, 0.1});
    (void)intersecting_faces(forged, {}, object, pose);
    (void)intersects(object, {}, forged, pose);
    forged.refitted(good.coordinates).validate();
    (void)distance(forged, {}, object, Pose::from_axis_angle({1, 2, 3}, 0.5, {20, 0, 0}));
  } catch (const LoadError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Good three_nodes(100), two_leaves(14);
  change_and_ask(three_nodes, data, size);
  change_and_ask(two_leaves, data, size);
  return 0;
}
