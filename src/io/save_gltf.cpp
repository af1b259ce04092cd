// SPDX-License-Identifier: Apache-2.0
// Assemblies to binary glTF 2.0: a header, the JSON chunk, then one buffer with the vertices and
// corners of one mesh after the other. A node with several meshes becomes a mesh of several
// primitives.
#include <fmt/core.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "io/file_writer.h"
#include "touche/io.h"

namespace touche {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFloat = 5126, kUnsigned = 5125, kVertices = 34962, kCorners = 34963;

class GltfWriter {
 public:
  GltfWriter(const Assembly& assembly, const std::filesystem::path& path)
      : assembly_(assembly), out_(path) {}

  void write() {
    for (std::size_t n = 0; n < assembly_.nodes.size(); ++n) add_node(static_cast<Index>(n));
    Json gltf = {{"asset", {{"version", "2.0"}, {"generator", "Touché"}}},
                 {"scene", 0},
                 {"scenes", Json::array({Json{{"nodes", roots_}}})},
                 {"nodes", nodes_}};
    if (roots_.empty()) gltf["scenes"] = Json::array({Json::object()});
    if (nodes_.empty()) gltf.erase("nodes");
    if (!meshes_.empty()) {
      gltf["meshes"] = meshes_;
      gltf["accessors"] = accessors_;
      gltf["bufferViews"] = views_;
      gltf["buffers"] = Json::array({Json{{"byteLength", bytes_}}});
    }
    // Names come from files and need not be valid UTF-8; the file must be.
    std::string json = gltf.dump(-1, ' ', false, Json::error_handler_t::replace);
    json.resize((json.size() + 3) / 4 * 4, ' ');

    const std::size_t length = 12 + 8 + json.size() + (meshes_.empty() ? 0 : 8 + bytes_);
    if (length > std::numeric_limits<std::uint32_t>::max())
      out_.fail("the assembly is larger than 4 GiB, which binary glTF cannot hold");
    const auto word = [&](std::size_t x) { out_.raw(static_cast<std::uint32_t>(x)); };
    out_ << "glTF";
    word(2);
    word(length);
    word(json.size());
    out_ << "JSON" << json;
    if (!meshes_.empty()) {
      word(bytes_);
      out_ << std::string_view("BIN\0", 4);
      for (const Index mesh : written_) write_mesh(soup_of(mesh));
    }
    out_.finish();
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

  // What brings the node's frame into that of its parent.
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

  PolygonSoup soup_of(Index mesh) const {
    const AssemblyMesh& m = assembly_.meshes[mesh];
    try {
      return PolygonSoup(m.coordinates, m.corners, m.face_sizes);
    } catch (const InvalidInput& e) {
      out_.fail(fmt::format("mesh {} \"{}\": {}", mesh, m.name, e.what()));
    }
  }

  const Json& primitive(Index mesh) {
    const auto [entry, is_new] = primitives_.try_emplace(mesh);
    if (!is_new) return entry->second;
    const PolygonSoup soup = soup_of(mesh);
    Json lo = Json::array(), hi = Json::array();
    for (int k = 0; k < 3; ++k) {
      const double largest = std::max(std::abs(soup.bounds().lo[k]), std::abs(soup.bounds().hi[k]));
      if (largest > std::numeric_limits<float>::max())
        out_.fail(fmt::format("mesh {} \"{}\": coordinates are too large for single precision",
                              mesh, assembly_.meshes[mesh].name));
      lo.push_back(static_cast<float>(soup.bounds().lo[k]));
      hi.push_back(static_cast<float>(soup.bounds().hi[k]));
    }
    add_view(std::size_t{12} * soup.vertex_count(), kVertices);
    accessors_.push_back({{"bufferView", views_.size() - 1},
                          {"componentType", kFloat},
                          {"count", soup.vertex_count()},
                          {"type", "VEC3"},
                          {"min", lo},
                          {"max", hi}});
    add_view(std::size_t{12} * soup.triangle_count(), kCorners);
    accessors_.push_back({{"bufferView", views_.size() - 1},
                          {"componentType", kUnsigned},
                          {"count", std::size_t{3} * soup.triangle_count()},
                          {"type", "SCALAR"}});
    written_.push_back(mesh);
    entry->second = {{"attributes", {{"POSITION", accessors_.size() - 2}}},
                     {"indices", accessors_.size() - 1}};
    return entry->second;
  }

  void add_view(std::size_t bytes, int target) {
    views_.push_back(
        {{"buffer", 0}, {"byteOffset", bytes_}, {"byteLength", bytes}, {"target", target}});
    bytes_ += bytes;
  }

  void write_mesh(const PolygonSoup& soup) {
    for (const Vec3& v : soup.vertices())
      for (const double x : v) out_.raw(static_cast<float>(x));
    for (const auto& t : soup.triangles())
      for (const Index v : t) out_.raw(v);
  }

  const Assembly& assembly_;
  io::FileWriter out_;
  Json nodes_ = Json::array(), roots_ = Json::array(), meshes_ = Json::array(),
       accessors_ = Json::array(), views_ = Json::array();
  std::map<std::vector<Index>, std::size_t> mesh_numbers_;
  std::map<Index, Json> primitives_;
  std::vector<Index> written_;  // meshes in the order of the buffer
  std::size_t bytes_ = 0;
};

}  // namespace

void save_assembly(const Assembly& assembly, const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (ending != ".glb")
    throw LoadError(file.string(), "", "unknown ending '" + ending + "'; assemblies become .glb");
  GltfWriter(assembly, file).write();
}

}  // namespace touche
