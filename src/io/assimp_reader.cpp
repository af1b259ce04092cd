// SPDX-License-Identifier: Apache-2.0
// glTF and COLLADA through Assimp: scenes of nodes that place meshes.
//
// Assimp keeps coordinates in single precision, as glTF files do themselves. Lengths are metres
// in glTF (by definition) and in COLLADA (Assimp converts), and the y axis points up (Assimp turns
// others).
#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/core.h>

#include <Eigen/Core>
#include <assimp/Importer.hpp>
#include <cmath>

#include "io/readers.h"
#include "io/text_scanner.h"

namespace touche::io {
namespace {

using Transform = Eigen::Matrix<double, 3, 4>;

Transform compose(const Transform& parent, const aiMatrix4x4& m) {
  Eigen::Matrix4d child;
  child << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, 0, 0, 0, 1;
  return parent * child;
}

class SceneReader {
 public:
  SceneReader(const aiScene& scene, const std::string& file) : scene_(scene), file_(file) {}

  // Nodes in the order of the file, without recursion: a file may nest them a million deep.
  MeshData read() {
    struct Visit {
      const aiNode* node;
      Transform parent;
    };
    std::vector<Visit> stack = {{scene_.mRootNode, Transform::Identity()}};
    while (!stack.empty()) {
      const auto [node, parent] = stack.back();
      stack.pop_back();
      const Transform placed = compose(parent, node->mTransformation);
      add_node(*node, placed);
      for (unsigned k = node->mNumChildren; k-- > 0;) {
        stack.push_back({node->mChildren[k], placed});
      }
    }
    return mesh_.finish(file_);
  }

 private:
  void add_node(const aiNode& node, const Transform& placed) {
    if (node.mNumMeshes == 0) return;
    mesh_.begin_group(name_of(node));
    for (unsigned k = 0; k < node.mNumMeshes; ++k) {
      add_mesh(*scene_.mMeshes[node.mMeshes[k]], placed);
    }
  }

  // The node's name, else that of its mesh, else that of the material.
  std::string name_of(const aiNode& node) const {
    if (node.mName.length > 0) return node.mName.C_Str();
    const aiMesh& mesh = *scene_.mMeshes[node.mMeshes[0]];
    if (mesh.mName.length > 0) return mesh.mName.C_Str();
    if (mesh.mMaterialIndex >= scene_.mNumMaterials) return "";
    return scene_.mMaterials[mesh.mMaterialIndex]->GetName().C_Str();
  }

  void add_mesh(const aiMesh& mesh, const Transform& placed) {
    const std::size_t first = mesh_.data().vertex_count();
    if (first + mesh.mNumVertices >= kNone) throw LoadError(file_, "", "too many vertices");
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
      const aiVector3D& p = mesh.mVertices[v];
      const Vec3 world = placed * Eigen::Vector4d(p.x, p.y, p.z, 1);
      for (const double value : world) {
        if (!(std::abs(value) <= kMaxCoordinate)) fail(mesh, "vertex", v, bad_coordinate(value));
      }
      mesh_.add_vertex(world.x(), world.y(), world.z());
    }
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices < 3) continue;  // points and lines
      for (unsigned k = 0; k < face.mNumIndices; ++k) {
        if (face.mIndices[k] >= mesh.mNumVertices) fail(mesh, "face", f, "vertex out of range");
        mesh_.add_corner(static_cast<Index>(first + face.mIndices[k]));
      }
      mesh_.end_face();
    }
  }

  [[noreturn]] void fail(const aiMesh& mesh, const char* what, unsigned number,
                         const std::string& reason) const {
    throw LoadError(
        file_, "mesh " + quoted(mesh.mName.C_Str()) + " " + what + " " + std::to_string(number),
        reason);
  }

  const aiScene& scene_;
  const std::string& file_;
  MeshBuilder mesh_;
};

// Assimp looks at the content when the ending does not fit, and might read an OBJ named .glb.
bool read_as(const Assimp::Importer& importer, const std::string& ending) {
  const int index = importer.GetPropertyInteger("importerIndex", -1);
  if (index < 0) return false;
  const aiImporterDesc* description = importer.GetImporterInfo(static_cast<std::size_t>(index));
  if (description == nullptr) return false;
  const std::string endings = fmt::format(" {} ", description->mFileExtensions);
  return endings.find(fmt::format(" {} ", ending.substr(1))) != std::string::npos;
}

}  // namespace

MeshData read_with_assimp(const std::filesystem::path& path, const std::string& ending) {
  const std::string file = path.string();
  const std::string bytes = read_file(path);  // says best why a file cannot be read
  if (ending == ".dae") check_collada_arrays(bytes, file);
  Assimp::Importer importer;
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
  // No post-processing: every step that repairs a mesh may drop or reorder its faces.
  const aiScene* scene = importer.ReadFile(file, 0);
  if (scene == nullptr) {
    throw LoadError(file, "",
                    fmt::format("not a {} file Assimp can read: {}", ending.substr(1),
                                importer.GetErrorString()));
  }
  if (!read_as(importer, ending)) throw LoadError(file, "", "the content is not " + ending);
  if (scene->mRootNode == nullptr) throw LoadError(file, "", "the file holds no scene");
  return SceneReader(*scene, file).read();
}

}  // namespace touche::io
