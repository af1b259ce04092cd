// SPDX-License-Identifier: Apache-2.0
// An assembly, grown node by node while a file is read.
#pragma once

#include <string>
#include <vector>

#include "io/allowance.h"
#include "io/mesh_data.h"
#include "touche/io.h"

namespace touche::io {

/// An affine map: the point x goes to the first three columns times x, plus the fourth.
using Transform = Eigen::Matrix<double, 3, 4>;

Transform identity();
Transform scaling(double factor);
/// First `inner`, then `outer`.
Transform compose(const Transform& outer, const Transform& inner);

class AssemblyBuilder {
 public:
  /// Limit for the depth of nodes. Deeper files are an error: they are unusual, and files in which
  /// parts instantiate each other in a cycle have unlimited depth.
  static constexpr Index kMaxDepth = 1000;

  AssemblyBuilder(std::size_t file_bytes, const std::string& file)
      : allowance_(file_bytes, file), file_(file) {
    assembly_.file = file;
    assembly_.file_bytes = file_bytes;
  }

  /// Nodes come depth first: a node right after the last one below its elder sibling. `place` is
  /// where the file says so. Throws LoadError for too many nodes or too deep ones.
  Index add_node(std::string name, Index parent, const Transform& world, const std::string& place);
  /// A mesh may have no faces at all; `mesh` is empty afterwards.
  Index add_mesh(std::string name, MeshBuilder& mesh);
  void place_mesh(Index node, Index mesh) { assembly_.nodes[node].meshes.push_back(mesh); }

  void remark(std::string text) { assembly_.remarks.push_back(std::move(text)); }

  Allowance& allowance() { return allowance_; }
  Assembly finish();

 private:
  void name_nodes();

  Allowance allowance_;
  const std::string& file_;
  Assembly assembly_;
  std::vector<Index> depths_;
};

/// The nodes [begin, end) of an assembly as one mesh in world coordinates, a group for each node
/// that has meshes. Throws LoadError when that is out of proportion to the file.
MeshData flattened(const Assembly& assembly, Index begin, Index end);

}  // namespace touche::io
