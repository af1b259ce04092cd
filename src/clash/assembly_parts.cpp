// SPDX-License-Identifier: Apache-2.0
// Turns the nodes of an assembly into parts. A node's transform is split into a stretch, negative
// for a mirror image, and a pose. The stretch, mostly a uniform scale, is applied to a copy of the
// mesh, once for all nodes that share it.
#include "clash/assembly_parts.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <optional>

#include "io/allowance.h"
#include "io/mesh_data.h"
#include "math/coordinates.h"

namespace touche::clash {
namespace {

// Relative distance of a matrix from a scaled rotation. Single precision and products of such
// matrices cause up to kRounding. Up to kMostSkew the matrix is still taken as a scaled rotation,
// with a remark.
constexpr double kRounding = 1e-6, kMostSkew = 1e-4;

struct StretchedPose {
  Mat3 stretch = Mat3::Identity();  // symmetric; of negative determinant: a mirror image
  Pose pose;
  double skew = 0;  // relative distance of a matrix that is taken as a scaled rotation from one
};

std::string place_of(const Assembly& assembly, Index node) {
  return fmt::format("node \"{}\"", assembly.path(node));
}

// Rounds a scale to six digits if it equals that value up to rounding, so that similar nodes have
// equal scales.
double without_rounding(double scale) {
  const double unit = std::pow(10, std::floor(std::log10(scale)) - 5);
  const double rounded =
      unit < 1 ? std::round(scale / unit) / std::round(1 / unit) : std::round(scale / unit) * unit;
  return std::abs(rounded - scale) <= kRounding * scale ? rounded : scale;
}

// Why a part cannot be placed; empty if it can.
std::string why_not_placed(const AssemblyNode& node) {
  const double det = node.linear.determinant(), size = node.linear.norm() / std::sqrt(3.0);
  if (!std::isfinite(det) || !math::all_within(node.translation, io::kMaxCoordinate))
    return "its transform is not finite, or moves it beyond 1e90";
  if (node.linear.isZero(0)) return "scaled by 0";
  if (!(std::abs(det) > 1e-9 * size * size * size))
    return "its transform is singular: it makes the part flat, or a line";
  return "";
}

// The stretch of a matrix that scales unevenly or shears, before a rotation.
Mat3 stretch_of(const Mat3& linear) {
  const Vec3 lengths = linear.colwise().norm();
  const Mat3 turned = linear * lengths.cwiseInverse().asDiagonal();
  Mat3 angles = turned.transpose() * turned;
  angles.diagonal().setZero();
  const double sign = std::copysign(1.0, linear.determinant());
  if (angles.cwiseAbs().maxCoeff() <= 4 * kRounding)  // it scales along the part's axes
    return Mat3((sign * lengths.unaryExpr(&without_rounding)).asDiagonal());
  const Eigen::JacobiSVD<Mat3> svd(linear, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return sign * svd.matrixV() * svd.singularValues().asDiagonal() * svd.matrixV().transpose();
}

StretchedPose placement_of(const AssemblyNode& node) {
  const double det = node.linear.determinant();
  const double scale = std::copysign(std::cbrt(std::abs(det)), det);
  const Mat3 turn = node.linear / scale;
  const Mat3 squared = turn.transpose() * turn;
  const double skew = (squared - Mat3::Identity()).cwiseAbs().maxCoeff();
  if (skew > kMostSkew) {
    const Mat3 stretch = stretch_of(node.linear);
    return {stretch, Pose::from_matrix(node.linear * stretch.inverse(), node.translation), 0};
  }
  return {std::copysign(without_rounding(std::abs(scale)), scale) * Mat3::Identity(),
          Pose::from_matrix(turn, node.translation), skew};
}

// Returns the meshes of a node as one soup, stretched.
PolygonSoup stretched(const Assembly& assembly, const std::vector<Index>& meshes,
                      const Mat3& stretch) {
  const bool mirrored = stretch.determinant() < 0;
  std::vector<double> coordinates;
  std::vector<Index> corners, sizes;
  const bool polygons = std::any_of(meshes.begin(), meshes.end(), [&](Index m) {
    return !assembly.meshes[m].face_sizes.empty();
  });
  for (const Index m : meshes) {
    const AssemblyMesh& mesh = assembly.meshes[m];
    const auto first = static_cast<Index>(coordinates.size() / 3);
    coordinates.reserve(coordinates.size() + mesh.coordinates.size());
    for (std::size_t v = 0; v < mesh.coordinates.size() / 3; ++v) {
      const Vec3 x = stretch * Eigen::Map<const Vec3>(&mesh.coordinates[3 * v]);
      coordinates.insert(coordinates.end(), x.begin(), x.end());
    }
    corners.reserve(corners.size() + mesh.corners.size());
    const std::size_t faces =
        mesh.face_sizes.empty() ? mesh.corners.size() / 3 : mesh.face_sizes.size();
    std::size_t begin = 0;
    for (std::size_t f = 0; f < faces; ++f) {
      const std::size_t size = mesh.face_sizes.empty() ? 3 : mesh.face_sizes[f];
      // Reverse the faces of a mirror image, which would otherwise be inside out.
      for (std::size_t k = 0; k < size; ++k)
        corners.push_back(first + mesh.corners[begin + (mirrored ? size - 1 - k : k)]);
      if (polygons) sizes.push_back(static_cast<Index>(size));
      begin += size;
    }
  }
  return PolygonSoup(coordinates, corners, sizes);
}

// Shares objects: nodes with the same meshes whose stretches differ only by rounding use the same
// one.
class Shared {
 public:
  Shared(const Assembly& assembly, std::size_t first)
      : assembly_(assembly), allowance_(assembly.file_bytes, assembly.file), next_(first) {}

  struct Wanted {
    Index node;
    Mat3 stretch;
  };
  std::size_t object_of(Index node, const Mat3& stretch) {
    auto& stretches = by_meshes_[assembly_.nodes[node].meshes];
    for (const auto& [known, object] : stretches)
      if ((known - stretch).cwiseAbs().maxCoeff() <= kRounding * stretch.cwiseAbs().maxCoeff())
        return object;
    // The bytes of a PolygonSoup and of the arrays it is made from, which are there at once.
    for (const Index m : assembly_.nodes[node].meshes) {
      const AssemblyMesh& mesh = assembly_.meshes[m];
      allowance_.take(
          16 * mesh.coordinates.size() + 24 * mesh.corners.size() + 24 * mesh.face_sizes.size(),
          place_of(assembly_, node));
    }
    stretches.emplace_back(stretch, next_);
    wanted.push_back({node, stretch});
    return next_++;
  }

  std::vector<Wanted> wanted;  // the objects to make

 private:
  const Assembly& assembly_;
  io::Allowance allowance_;
  std::map<std::vector<Index>, std::vector<std::pair<Mat3, std::size_t>>> by_meshes_;
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

// The nodes in a range that are left out, once each and in their order, by the reader or because
// they cannot be placed. Throws for the first one if nothing else has faces.
std::vector<LeftOutNode> nodes_left_out(const Assembly& assembly, Index begin, Index end) {
  std::vector<LeftOutNode> left_out;
  bool part_found = false;
  auto next = assembly.left_out.begin();
  for (Index n = begin; n < end; ++n) {
    while (next != assembly.left_out.end() && next->node < n) ++next;
    if (next != assembly.left_out.end() && next->node == n) {
      left_out.push_back(*next);
    } else if (has_faces(assembly, n)) {
      if (std::string reason = why_not_placed(assembly.nodes[n]); !reason.empty())
        left_out.push_back({n, place_of(assembly, n), std::move(reason)});
      else
        part_found = true;
    }
  }
  if (!part_found && !left_out.empty())
    throw LoadError(assembly.file, left_out[0].place, left_out[0].reason);
  return left_out;
}

}  // namespace

std::string group_of(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? std::string() : name.substr(0, slash);
}

void add_assembly(const Assembly& assembly, Index begin, Index end, const std::string& prefix,
                  ClashParts& parts) {
  Shared shared(assembly, parts.objects.size());
  const std::vector<LeftOutNode> left_out = nodes_left_out(assembly, begin, end);
  auto next_left_out = left_out.begin();
  Remark no_faces, no_name, same_name, skewed;
  double skew = 0;
  for (Index n = begin; n < end; ++n) {
    const AssemblyNode& node = assembly.nodes[n];
    if (node.step.find('#') != std::string::npos) same_name.add(assembly, n);
    if (next_left_out != left_out.end() && next_left_out->node == n) {
      parts.left_out.push_back({prefix + assembly.path(n), (next_left_out++)->reason});
      continue;
    }
    if (node.meshes.empty()) continue;
    if (!has_faces(assembly, n)) {
      no_faces.add(assembly, n);
      continue;
    }
    if (node.name.empty()) no_name.add(assembly, n);
    const StretchedPose placement = placement_of(node);
    if (placement.skew > 4 * kRounding) skewed.add(assembly, n);
    skew = std::max(skew, placement.skew);
    ClashPart part;
    part.name = prefix + assembly.path(n);
    part.group = group_of(part.name);
    part.object = shared.object_of(n, placement.stretch);
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
    const auto& [node, stretch] = shared.wanted[i];
    try {
      made[i].emplace(stretched(assembly, assembly.nodes[node].meshes, stretch),
                      assembly.nodes[node].name);
    } catch (const InvalidInput& e) {
      throw LoadError(assembly.file, place_of(assembly, node), e.what());
    }
  });
  for (std::optional<Object>& object : made) parts.objects.push_back(std::move(*object));
}

}  // namespace touche::clash
