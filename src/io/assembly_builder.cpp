// SPDX-License-Identifier: Apache-2.0
#include "io/assembly_builder.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "io/tally.h"
#include "io/text_scanner.h"
#include "io/weld.h"

namespace touche::io {

Transform identity() { return scaling(1); }

Transform scaling(double factor) {
  Transform t = Transform::Zero();
  t.leftCols<3>() = factor * Mat3::Identity();
  return t;
}

Transform compose(const Transform& outer, const Transform& inner) {
  Transform both = outer.leftCols<3>() * inner;
  both.col(3) += outer.col(3);
  return both;
}

Index AssemblyBuilder::add_node(std::string name, Index parent, const Transform& world,
                                const std::string& place) {
  const Index depth = parent == kNone ? 0 : depths_[parent] + 1;
  if (depth >= kMaxDepth) {
    throw LoadError(
        file_, place,
        fmt::format("more than {} nodes below each other; do parts contain each other in a cycle?",
                    kMaxDepth));
  }
  // Its name is stored twice, and once more while duplicate names are made unique.
  allowance_.take(sizeof(AssemblyNode) + 100 + 3 * name.size(), place);
  AssemblyNode node;
  node.name = std::move(name);
  node.parent = parent;
  node.linear = world.leftCols<3>();
  node.translation = world.col(3);
  assembly_.nodes.push_back(std::move(node));
  depths_.push_back(depth);
  return static_cast<Index>(assembly_.nodes.size() - 1);
}

Transform AssemblyBuilder::from_file(UpAxis up, double unit, const LoadOptions& options) {
  welds_ = true;
  weld_ = options.weld;
  // The two factors are multiplied first, so that their product can be exactly 1.
  assembly_.frame = {options.up.value_or(up), options.scale * unit, options.stretch};
  Transform t = Transform::Zero();
  t.leftCols<3>() =
      options.stretch.asDiagonal() * Mat3(assembly_.frame.unit * upright(assembly_.frame.up));
  return t;
}

void AssemblyBuilder::leave_out(Index node, const LoadError& fault) {
  const std::string before = LoadError(fault.file(), fault.place(), "").what();
  assembly_.left_out.push_back(
      {node, fault.place(), std::string(fault.what()).substr(before.size())});
}

Index AssemblyBuilder::add_mesh(std::string name, MeshBuilder& mesh) {
  MeshData data = mesh.take();
  digits_.push_back(data.digits);
  assembly_.meshes.push_back({std::move(name),
                              std::move(data.coordinates),
                              std::move(data.corners),
                              std::move(data.face_sizes),
                              {}});
  return static_cast<Index>(assembly_.meshes.size() - 1);
}

std::string step_of(std::string_view name) {
  if (name.empty()) return "unnamed";
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '/' || c == '#' || c == '%' || byte < 0x20 || byte == 0x7F) {
      out += fmt::format("%{:02X}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

void AssemblyBuilder::name_nodes() {
  std::unordered_map<std::string, Index> seen;  // by the parent's number and the name
  for (AssemblyNode& node : assembly_.nodes) {
    if (node.name.empty() && !node.meshes.empty())
      node.name = assembly_.meshes[node.meshes.front()].name;
    node.step = step_of(node.name);
    const Index count = ++seen[fmt::format("{}/{}", node.parent, node.step)];
    if (count > 1) node.step += fmt::format("#{}", count);
  }
}

// A mesh is welded in its own coordinates, in which the precision of the file is known. A length
// that was given holds where a node stretches the mesh most.
void AssemblyBuilder::weld_meshes() {
  std::vector<double> stretch(assembly_.meshes.size(), 0.0);
  for (const AssemblyNode& node : assembly_.nodes) {
    if (node.meshes.empty() || !node.linear.allFinite()) continue;
    const double most = Eigen::JacobiSVD<Mat3>(node.linear).singularValues()[0];
    for (const Index m : node.meshes) stretch[m] = std::max(stretch[m], most);
  }
  constexpr std::size_t kMostNames = 5;
  std::vector<std::string> closed;
  WeldResult sum;
  for (std::size_t m = 0; m < stretch.size(); ++m) {
    AssemblyMesh& mesh = assembly_.meshes[m];
    if (mesh.corners.empty() || !(stretch[m] > 0) || !std::isfinite(stretch[m])) continue;
    weld(mesh, digits_[m], weld_ ? std::optional(*weld_ / stretch[m]) : std::nullopt, stretch[m]);
    if (mesh.weld.closed_shells + mesh.weld.flattened_faces == 0 &&
        !is_noticed(mesh.weld, mesh.coordinates, stretch[m]))
      continue;
    add(sum, mesh.weld);
    if (mesh.weld.closed_shells > 0)
      closed.push_back(mesh.name.empty() ? "unnamed" : shown_name(mesh.name));
  }
  if (const std::size_t count = closed.size(); count > 0) {
    const bool more = count > kMostNames;
    closed.resize(std::min(count, kMostNames));
    remark(fmt::format("{} mesh{} ({}{}) {} closed because {} (--weld 0: they are not)", count,
                       count == 1 ? "" : "es", fmt::join(closed, ", "), more ? ", …" : "",
                       count == 1 ? "is" : "are", joined_text(sum)));
  }
  if (closed.empty() && sum.joined > 0) remark(joined_text(sum));
  if (sum.flattened_faces > 0)
    remark(fmt::format("{} face{} lost {} area because {}", sum.flattened_faces,
                       sum.flattened_faces == 1 ? "" : "s",
                       sum.flattened_faces == 1 ? "its" : "their", joined_text(sum)));
}

Assembly AssemblyBuilder::finish() {
  name_nodes();
  if (welds_) weld_meshes();
  std::stable_sort(assembly_.left_out.begin(), assembly_.left_out.end(),
                   [](const LeftOutNode& a, const LeftOutNode& b) { return a.node < b.node; });
  std::vector<AssemblyNode>& nodes = assembly_.nodes;
  for (auto n = static_cast<Index>(nodes.size()); n-- > 0;) {
    nodes[n].end = std::max(nodes[n].end, n + 1);
    if (nodes[n].parent == kNone) continue;
    AssemblyNode& parent = nodes[nodes[n].parent];
    parent.end = std::max(parent.end, nodes[n].end);
  }
  return std::move(assembly_);
}

namespace {

// Whether a linear map leaves of a surface only a line or a point.
bool has_no_area(const Mat3& linear) {
  for (int i = 0; i < 3; ++i)
    if (!linear.col(i).cross(linear.col((i + 1) % 3)).isZero(0)) return false;
  return true;
}

class Flattener {
 public:
  explicit Flattener(const Assembly& assembly)
      : assembly_(assembly), allowance_(assembly.file_bytes, assembly.file) {}

  MeshData flatten(Index begin, Index end) {
    for (const LeftOutNode& gone : assembly_.left_out)
      if (gone.node >= begin && gone.node < end)
        throw LoadError(assembly_.file, gone.place, gone.reason);
    for (Index n = begin; n < end; ++n) {
      const AssemblyNode& node = assembly_.nodes[n];
      if (node.meshes.empty()) continue;
      if (has_no_area(node.linear)) {
        nothing_.add(node.linear.isZero(0) ? "scaled by 0" : "flattened to a line",
                     assembly_.path(n));
        continue;
      }
      mesh_.begin_group(node.name);
      for (const Index m : node.meshes) add(n, assembly_.meshes[m]);
    }
    if (mesh_.data().face_count == 0 && !(nothing_.empty() && assembly_.remarks.empty()))
      throw LoadError(
          assembly_.file, "",
          fmt::format("no faces: {}",
                      nothing_.empty() ? assembly_.remarks[0] : nothing_.sentence("left out")));
    MeshData flat = mesh_.finish(assembly_.file);
    flat.remarks = assembly_.remarks;
    if (!nothing_.empty()) flat.remarks.push_back(nothing_.sentence("left out"));
    flat.weld = welded_;
    return flat;
  }

 private:
  void add(Index n, const AssemblyMesh& mesh) {
    const std::string where = "node " + io::in_quotes(assembly_.path(n));
    const std::size_t first = mesh_.data().vertex_count(), count = mesh.coordinates.size() / 3;
    // The bytes of a PolygonSoup and of the arrays it is made from, which are there at once.
    allowance_.take(48 * count + 24 * mesh.corners.size() + 24 * mesh.face_sizes.size(), where);
    if (first + count >= kNone) throw LoadError(assembly_.file, where, "too many vertices");
    const AssemblyNode& node = assembly_.nodes[n];
    io::add(welded_, mesh.weld);
    for (std::size_t v = 0; v < count; ++v) {
      const double* x = &mesh.coordinates[3 * v];
      const Vec3 world = node.linear * Vec3(x[0], x[1], x[2]) + node.translation;
      for (const double value : world) {
        if (!(std::abs(value) <= kMaxCoordinate))
          throw LoadError(assembly_.file, where + " vertex " + std::to_string(v),
                          bad_coordinate(value));
      }
      mesh_.add_vertex(world.x(), world.y(), world.z());
    }
    const std::size_t faces =
        mesh.face_sizes.empty() ? mesh.corners.size() / 3 : mesh.face_sizes.size();
    // A mirror image is as solid as the part: its faces are turned round, or inside were outside.
    const bool mirrored = node.linear.determinant() < 0;
    std::size_t begin = 0;
    for (std::size_t f = 0; f < faces; ++f) {
      const std::size_t size = mesh.face_sizes.empty() ? 3 : mesh.face_sizes[f];
      for (std::size_t k = 0; k < size; ++k)
        mesh_.add_corner(
            static_cast<Index>(first + mesh.corners[begin + (mirrored ? size - 1 - k : k)]));
      begin += size;
      mesh_.end_face();
    }
  }

  const Assembly& assembly_;
  Allowance allowance_;
  MeshBuilder mesh_;
  WeldResult welded_;
  Tally nothing_{"node", "nodes"};
};

}  // namespace

MeshData flattened(const Assembly& assembly, Index begin, Index end) {
  return Flattener(assembly).flatten(begin, end);
}

}  // namespace touche::io
