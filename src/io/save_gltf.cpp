// SPDX-License-Identifier: Apache-2.0
// Assemblies to binary glTF 2.0. A node with several meshes becomes a mesh of several primitives.
#include <fmt/core.h>

#include <Eigen/LU>
#include <map>
#include <nlohmann/json.hpp>

#include "io/gltf_file.h"
#include "touche/io.h"

namespace touche {
namespace {

using Json = nlohmann::ordered_json;

class GltfWriter {
 public:
  GltfWriter(const Assembly& assembly, const std::filesystem::path& path)
      : assembly_(assembly), out_(path, "an assembly") {}

  void write() {
    for (std::size_t n = 0; n < assembly_.nodes.size(); ++n) add_node(static_cast<Index>(n));
    Json gltf = {
        {"scene", 0}, {"scenes", Json::array({Json{{"nodes", roots_}}})}, {"nodes", nodes_}};
    if (roots_.empty()) gltf["scenes"] = Json::array({Json::object()});
    if (nodes_.empty()) gltf.erase("nodes");
    if (!meshes_.empty()) gltf["meshes"] = meshes_;
    out_.finish(std::move(gltf));
  }

 private:
  [[noreturn]] void fail(Index node, const std::string& reason) const {
    out_.fail(fmt::format("node \"{}\": {}", assembly_.path(node), reason));
  }

  void add_node(Index n) {
    const AssemblyNode& node = assembly_.nodes[n];
    Json json = Json::object();
    if (!node.name.empty()) json["name"] = node.name;
    add_transform(n, json);
    if (const auto mesh = mesh_of(node.meshes)) json["mesh"] = *mesh;
    nodes_.push_back(std::move(json));
    if (node.parent == kNone)
      roots_.push_back(n);
    else
      nodes_[node.parent]["children"].push_back(n);
  }

  // Adds what brings the node's frame into that of its parent.
  void add_transform(Index n, Json& json) const {
    const AssemblyNode& node = assembly_.nodes[n];
    Mat3 linear = node.linear;
    Vec3 translation = node.translation;
    if (node.parent != kNone) {
      const AssemblyNode& parent = assembly_.nodes[node.parent];
      if (!parent.linear.isIdentity(0)) {
        const Mat3 inverse = parent.linear.inverse();
        if (!inverse.allFinite()) fail(node.parent, "its transform is singular");
        linear = inverse * linear;
        translation = inverse * (translation - parent.translation);
      } else {
        translation -= parent.translation;
      }
    } else {
      const Mat3 lying = upright(UpAxis::y).transpose();
      linear = lying * linear;
      translation = lying * translation;
    }
    if (!linear.allFinite() || !translation.allFinite()) fail(n, "its transform is not finite");
    if (linear.isIdentity(0)) {
      if (!translation.isZero(0))
        json["translation"] = {translation.x(), translation.y(), translation.z()};
      return;
    }
    Json matrix = Json::array();
    for (int column = 0; column < 3; ++column) {
      for (int row = 0; row < 3; ++row) matrix.push_back(linear(row, column));
      matrix.push_back(0);
    }
    for (const double x : translation) matrix.push_back(x);
    matrix.push_back(1);
    json["matrix"] = std::move(matrix);
  }

  // The number of the file's mesh that has these as its primitives.
  std::optional<std::size_t> mesh_of(const std::vector<Index>& meshes) {
    std::vector<Index> filled;
    for (const Index m : meshes)
      if (!assembly_.meshes[m].corners.empty()) filled.push_back(m);
    if (filled.empty()) return std::nullopt;
    const auto [entry, is_new] = mesh_numbers_.try_emplace(filled, meshes_.size());
    if (is_new) {
      Json primitives = Json::array();
      for (const Index m : filled) primitives.push_back(primitive(m));
      Json mesh = Json::object();
      if (const std::string& name = assembly_.meshes[filled[0]].name; !name.empty())
        mesh["name"] = name;
      mesh["primitives"] = std::move(primitives);
      meshes_.push_back(std::move(mesh));
    }
    return entry->second;
  }

  const Json& primitive(Index mesh) {
    const auto [entry, is_new] = primitives_.try_emplace(mesh);
    if (is_new) entry->second = out_.primitive(assembly_.meshes[mesh], mesh);
    return entry->second;
  }

  const Assembly& assembly_;
  io::GltfFile out_;
  Json nodes_ = Json::array(), roots_ = Json::array(), meshes_ = Json::array();
  std::map<std::vector<Index>, std::size_t> mesh_numbers_;
  std::map<Index, Json> primitives_;
};

}  // namespace

void save_assembly(const Assembly& assembly, const std::filesystem::path& file) {
  GltfWriter(assembly, file).write();
}

}  // namespace touche
