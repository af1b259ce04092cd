// SPDX-License-Identifier: Apache-2.0
// An assembly, grown node by node while a file is read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
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

/// The meshes of a file by what the file calls them; each is read when it is first placed, and an
/// error of it comes back each time.
template <class Key>
class ReadMeshes {
 public:
  template <class Read>
  Index of(const Key& key, const Read& read) {
    auto found = known_.find(key);
    if (found == known_.end()) {
      try {
        found = known_.emplace(key, read()).first;
      } catch (const UnfoldsTooFar&) {
        throw;
      } catch (const LoadError& fault) {
        found = known_.emplace(key, fault).first;
      }
    }
    if (const auto* fault = std::get_if<LoadError>(&found->second)) throw LoadError(*fault);
    return std::get<Index>(found->second);
  }

 private:
  std::map<Key, std::variant<Index, LoadError>> known_;
};

/// A name as a step of a path: '/', '#', '%' and control characters are written as in a URL.
/// Without a name it is "unnamed".
std::string step_of(std::string_view name);

/// Does work; returns its LoadError, if it throws one that need not end the reading of the file.
template <class Work>
std::optional<LoadError> fault_of(const Work& work) {
  try {
    work();
  } catch (const UnfoldsTooFar&) {
    throw;
  } catch (const LoadError& fault) {
    return fault;
  }
  return std::nullopt;
}

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
  /// Does work for a node; if it throws LoadError, the node is left out.
  template <class Work>
  void or_leave_out(Index node, const Work& work) {
    if (const auto fault = fault_of(work)) leave_out(node, *fault);
  }
  /// The nodes below one whose transform cannot be read are left out with it: do not add them.
  void leave_out(Index node, const LoadError& fault);
  /// Adds the mesh whose number `read` returns to a node, or leaves the node out.
  template <class Read>
  void place_mesh(Index node, const Read& read) {
    or_leave_out(node, [&] { assembly_.nodes[node].meshes.push_back(read()); });
  }
  /// The transform of roots from a file's coordinates, with `up` and lengths that are `unit` of
  /// ours, to coordinates as the options say. Then finish() joins the vertices of meshes as the
  /// options say; else it joins none.
  Transform from_file(UpAxis up, double unit, const LoadOptions& options);

  void remark(std::string text) { assembly_.remarks.push_back(std::move(text)); }

  Allowance& allowance() { return allowance_; }
  const FileFrame& frame() const { return assembly_.frame; }
  Assembly finish();

 private:
  void name_nodes();
  void weld_meshes();

  Allowance allowance_;
  const std::string& file_;
  Assembly assembly_;
  std::vector<Index> depths_;
  std::vector<int> digits_;  // of the coordinates of meshes, see MeshData::digits
  bool welds_ = false;
  std::optional<double> weld_;
};

/// The nodes [begin, end) of an assembly as one mesh in world coordinates, a group for each node
/// that has meshes. Throws LoadError when that is out of proportion to the file, and for a node
/// that is left out.
MeshData flattened(const Assembly& assembly, Index begin, Index end);

}  // namespace touche::io
