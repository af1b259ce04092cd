// SPDX-License-Identifier: Apache-2.0
// Turns the nodes of an assembly into parts. A node's transform is split into a uniform scale,
// negative for a mirror image, and a pose. The scale is applied to the mesh, once for all nodes
// that share it.
#include "clash/assembly_parts.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

namespace touche::clash {
namespace {

// Relative distance of a matrix from a scaled rotation. Single precision and products of such
// matrices cause up to kRounding. Up to kMostSkew the matrix is still taken as a scaled rotation,
// with a remark.
constexpr double kRounding = 1e-6, kMostSkew = 1e-4;

struct ScaledPose {
  double scale = 1;  // negative: a mirror image
  Pose pose;
  double skew = 0;  // relative distance of the matrix from a scaled rotation
};

[[noreturn]] void fail(const Assembly& assembly, Index node, const std::string& reason) {
  throw LoadError(assembly.file, fmt::format("node \"{}\"", assembly.path(node)), reason);
}

// Rounds a scale to six digits if it equals that value up to rounding, so that similar nodes have
// equal scales.
double without_rounding(double scale) {
  const double unit = std::pow(10, std::floor(std::log10(scale)) - 5);
  const double rounded =
      unit < 1 ? std::round(scale / unit) / std::round(1 / unit) : std::round(scale / unit) * unit;
  return std::abs(rounded - scale) <= kRounding * scale ? rounded : scale;
}

ScaledPose placement_of(const Assembly& assembly, Index n) {
  const AssemblyNode& node = assembly.nodes[n];
  const double det = node.linear.determinant(), size = node.linear.norm() / std::sqrt(3.0);
  if (!std::isfinite(det) || !node.translation.allFinite())
    fail(assembly, n, "its transform is not finite");
  if (!(std::abs(det) > 1e-9 * size * size * size))
    fail(assembly, n, "its transform is singular: it makes the part flat, or a point");
  const double scale = std::copysign(std::cbrt(std::abs(det)), det);
  const Mat3 turn = node.linear / scale;
  const Mat3 squared = turn.transpose() * turn;
  const double skew = (squared - Mat3::Identity()).cwiseAbs().maxCoeff();
  if (skew > kMostSkew) {
    const Vec3 lengths = node.linear.colwise().norm();
    const Mat3 angles = squared - Mat3(squared.diagonal().asDiagonal());
    if (angles.cwiseAbs().maxCoeff() > kMostSkew)
      fail(assembly, n, "its transform shears; only turns, shifts and uniform scales are known");
    fail(assembly, n,
         fmt::format("its transform scales by {:.6g}, {:.6g} and {:.6g}; only uniform scales are "
                     "known",
                     lengths.x(), lengths.y(), lengths.z()));
  }
  return {std::copysign(without_rounding(std::abs(scale)), scale),
          Pose::from_matrix(turn, node.translation), skew};
}

// Returns the meshes of a node as one soup, scaled.
PolygonSoup scaled(const Assembly& assembly, const std::vector<Index>& meshes, double scale) {
  std::vector<double> coordinates;
  std::vector<Index> corners, sizes;
  const bool polygons = std::any_of(meshes.begin(), meshes.end(), [&](Index m) {
    return !assembly.meshes[m].face_sizes.empty();
  });
  for (const Index m : meshes) {
    const AssemblyMesh& mesh = assembly.meshes[m];
    const auto first = static_cast<Index>(coordinates.size() / 3);
    coordinates.reserve(coordinates.size() + mesh.coordinates.size());
    for (const double x : mesh.coordinates) coordinates.push_back(scale * x);
    corners.reserve(corners.size() + mesh.corners.size());
    const std::size_t faces =
        mesh.face_sizes.empty() ? mesh.corners.size() / 3 : mesh.face_sizes.size();
    std::size_t begin = 0;
    for (std::size_t f = 0; f < faces; ++f) {
      const std::size_t size = mesh.face_sizes.empty() ? 3 : mesh.face_sizes[f];
      // Reverse the faces of a mirror image, which would otherwise be inside out.
      for (std::size_t k = 0; k < size; ++k)
        corners.push_back(first + mesh.corners[begin + (scale < 0 ? size - 1 - k : k)]);
      if (polygons) sizes.push_back(static_cast<Index>(size));
      begin += size;
    }
  }
  return PolygonSoup(coordinates, corners, sizes);
}

// Shares objects: nodes with the same meshes whose scales differ only by rounding use the same one.
class Shared {
 public:
  explicit Shared(std::size_t first) : next_(first) {}

  struct Wanted {
    Index node;
    double scale;
  };
  std::size_t object_of(const Assembly& assembly, Index node, double scale) {
    auto& scales = by_meshes_[assembly.nodes[node].meshes];
    for (const auto& [known, object] : scales)
      if (std::abs(known - scale) <= kRounding * std::abs(scale)) return object;
    scales.emplace_back(scale, next_);
    wanted.push_back({node, scale});
    return next_++;
  }

  std::vector<Wanted> wanted;  // the objects to make

 private:
  std::map<std::vector<Index>, std::vector<std::pair<double, std::size_t>>> by_meshes_;
  std::size_t next_;
};

bool has_faces(const Assembly& assembly, Index node) {
  const std::vector<Index>& meshes = assembly.nodes[node].meshes;
  return std::any_of(meshes.begin(), meshes.end(),
                     [&](Index m) { return !assembly.meshes[m].corners.empty(); });
}

// A remark that applies to several nodes; its text names the first of them.
class Remark {
 public:
  void add(const Assembly& assembly, Index node) {
    if (count_++ == 0) first_ = assembly.path(node);
  }
  template <class Text>
  void tell(const Assembly& assembly, ClashParts& parts, const Text& text) const {
    if (count_ > 0)
      parts.remarks.push_back(fmt::format("{}: {} node{} {} (\"{}\"{})", assembly.file, count_,
                                          count_ == 1 ? "" : "s", text(count_ == 1), first_,
                                          count_ == 1 ? "" : " and others"));
  }

 private:
  std::size_t count_ = 0;
  std::string first_;
};

}  // namespace

std::string group_of(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? std::string() : name.substr(0, slash);
}

void add_assembly(const Assembly& assembly, Index begin, Index end, const std::string& prefix,
                  ClashParts& parts) {
  Shared shared(parts.objects.size());
  Remark no_faces, no_name, same_name, skewed;
  double skew = 0;
  for (Index n = begin; n < end; ++n) {
    const AssemblyNode& node = assembly.nodes[n];
    if (node.step.find('#') != std::string::npos) same_name.add(assembly, n);
    if (node.meshes.empty()) continue;
    if (!has_faces(assembly, n)) {
      no_faces.add(assembly, n);
      continue;
    }
    if (node.name.empty()) no_name.add(assembly, n);
    const ScaledPose placement = placement_of(assembly, n);
    if (placement.skew > 4 * kRounding) skewed.add(assembly, n);
    skew = std::max(skew, placement.skew);
    ClashPart part;
    part.name = prefix + assembly.path(n);
    part.group = group_of(part.name);
    part.object = shared.object_of(assembly, n, placement.scale);
    part.pose = placement.pose;
    parts.parts.push_back(std::move(part));
  }
  no_faces.tell(assembly, parts, [](bool one) {
    return one ? "has no faces and is left out" : "have no faces and are left out";
  });
  no_name.tell(assembly, parts, [](bool one) { return one ? "has no name" : "have no name"; });
  same_name.tell(assembly, parts, [](bool one) {
    return one ? "has the name of a sibling and got a number"
               : "have names of siblings and got numbers";
  });
  skewed.tell(assembly, parts, [&](bool one) {
    return fmt::format("{} a transform that is rigid only to {:.1g}; the nearest rotation is taken",
                       one ? "has" : "have", skew);
  });

  // Make the objects.
  std::vector<std::optional<Object>> made(shared.wanted.size());
  tbb::parallel_for(std::size_t{0}, made.size(), [&](std::size_t i) {
    const auto& [node, scale] = shared.wanted[i];
    try {
      made[i].emplace(scaled(assembly, assembly.nodes[node].meshes, scale),
                      assembly.nodes[node].name);
    } catch (const InvalidInput& e) {
      fail(assembly, node, e.what());
    }
  });
  for (std::optional<Object>& object : made) parts.objects.push_back(std::move(*object));
}

}  // namespace touche::clash
