// SPDX-License-Identifier: Apache-2.0
// Splits a mesh into its objects or shells.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "base/disjoint_sets.h"
#include "geometry/equal_positions.h"
#include "io/assembly_builder.h"
#include "io/part_reader.h"
#include "io/readers.h"

namespace touche {
namespace io {
namespace {

constexpr std::string_view kShell = "shell ";

// The corners of each face.
class Faces {
 public:
  explicit Faces(const MeshData& mesh) : mesh_(mesh) {
    if (mesh.face_sizes.empty()) return;
    begins_.push_back(0);
    for (const Index size : mesh.face_sizes) begins_.push_back(begins_.back() + size);
  }
  std::span<const Index> operator[](std::size_t face) const {
    const std::size_t begin = begins_.empty() ? 3 * face : begins_[face];
    const std::size_t end = begins_.empty() ? begin + 3 : begins_[face + 1];
    return std::span(mesh_.corners).subspan(begin, end - begin);
  }

 private:
  const MeshData& mesh_;
  std::vector<std::size_t> begins_;  // empty: all triangles
};

// The part that each face belongs to.
struct Parts {
  std::vector<Index> of_face;
  std::vector<std::string> names;
};

Parts objects_of(const MeshData& mesh) {
  const std::span<const std::string> names = mesh.objects.names();
  Parts parts{mesh.objects.numbers(mesh.face_count),
              std::vector<std::string>(names.begin(), names.end())};
  const auto nameless = std::find(parts.names.begin(), parts.names.end(), "") - parts.names.begin();
  parts.names.emplace_back();
  std::replace(parts.of_face.begin(), parts.of_face.end(), kNone, static_cast<Index>(nameless));
  return parts;
}

Parts shells_of(const MeshData& mesh, const Faces& faces) {
  std::vector<Vec3> vertices;
  vertices.reserve(mesh.vertex_count());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const double* x = &mesh.coordinates[3 * v];
    vertices.emplace_back(x[0], x[1], x[2]);
  }
  const std::vector<Index> merged = geometry::merge_equal_positions(vertices);
  base::DisjointSets sets(vertices.size());
  for (std::size_t f = 0; f < mesh.face_count; ++f)
    for (const Index v : faces[f]) sets.join(merged[v], merged[faces[f][0]]);

  Parts parts;
  std::vector<Index> numbers(vertices.size(), kNone);  // of the sets, by their first vertices
  for (std::size_t f = 0; f < mesh.face_count; ++f) {
    Index& number = numbers[sets.find(merged[faces[f][0]])];
    if (number == kNone) {
      number = static_cast<Index>(parts.names.size());
      parts.names.push_back(fmt::format("{}{}", kShell, number + 1));
    }
    parts.of_face.push_back(number);
  }
  return parts;
}

// Makes the meshes of parts one after the other, each with the vertices that its faces use.
class Splitter {
 public:
  Splitter(const MeshData& mesh, const Faces& faces)
      : mesh_(mesh), faces_(faces), numbers_(mesh.vertex_count(), kNone) {}

  MeshBuilder part(std::span<const std::size_t> faces) {
    MeshBuilder part;
    for (const std::size_t f : faces) {
      for (const Index v : faces_[f]) part.add_corner(number_of(v, part));
      part.end_face();
    }
    for (const Index v : used_) numbers_[v] = kNone;
    used_.clear();
    return part;
  }

 private:
  Index number_of(Index v, MeshBuilder& part) {
    if (numbers_[v] == kNone) {
      numbers_[v] = static_cast<Index>(used_.size());
      used_.push_back(v);
      const double* x = &mesh_.coordinates[3 * std::size_t{v}];
      part.add_vertex(x[0], x[1], x[2]);
    }
    return numbers_[v];
  }

  const MeshData& mesh_;
  const Faces& faces_;
  std::vector<Index> numbers_;  // of vertices in the part; kNone: not used in it
  std::vector<Index> used_;
};

}  // namespace
}  // namespace io

Split parse_split(std::string_view text) {
  const auto all = names<Split>();
  const auto found = std::find(all.begin(), all.end(), text);
  if (found == all.end())
    throw InvalidInput(
        fmt::format("split into \"{}\"; expected one of: {}", text, fmt::join(all, ", ")));
  return static_cast<Split>(found - all.begin());
}

namespace io {

bool names_shell(const PartName& part, const Assembly& objects) {
  const std::string& node = part.node;
  if (!is_face_list(part.file) || !node.starts_with(kShell) || node.size() == kShell.size() ||
      node.find_first_not_of("0123456789", kShell.size()) != std::string::npos)
    return false;
  return std::none_of(objects.nodes.begin(), objects.nodes.end(),
                      [&](const AssemblyNode& object) { return object.step == node; });
}

Assembly split(const MeshData& mesh, Split how, const std::string& file, std::size_t file_bytes) {
  const Faces faces(mesh);
  const Parts parts = how == Split::shells ? shells_of(mesh, faces) : objects_of(mesh);
  std::vector<std::size_t> order(mesh.face_count);  // by part
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t f, std::size_t g) {
    return parts.of_face[f] < parts.of_face[g];
  });

  AssemblyBuilder builder(file_bytes, file);
  for (const std::string& remark : mesh.remarks) builder.remark(remark);
  Splitter splitter(mesh, faces);
  for (std::size_t i = 0, end; i < order.size(); i = end) {
    const Index part = parts.of_face[order[i]];
    for (end = i + 1; end < order.size() && parts.of_face[order[end]] == part;) ++end;
    MeshBuilder made = splitter.part(std::span(order).subspan(i, end - i));
    const Index node = builder.add_node(parts.names[part], kNone, identity(), "");
    builder.place_mesh(node, [&] { return builder.add_mesh(parts.names[part], made); });
  }
  return builder.finish();
}

}  // namespace io
}  // namespace touche
