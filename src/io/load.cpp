// SPDX-License-Identifier: Apache-2.0
// From a path to a soup: the file as a whole, its reader by its ending, then the checks all share.
#include <algorithm>
#include <cmath>

#include "io/readers.h"
#include "touche/io.h"

namespace touche {
namespace {

namespace fs = std::filesystem;

std::string lower_ending(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending;
}

io::MeshData read_mesh(const fs::path& path) {
  const std::string ending = lower_ending(path);
  const std::string file = path.string();
  if (ending == ".gltf" || ending == ".glb" || ending == ".dae") {
    return io::read_with_assimp(path, ending);
  }
  const auto reader = ending == ".obj"   ? io::read_obj
                      : ending == ".stl" ? io::read_stl
                      : ending == ".ply" ? io::read_ply
                      : ending == ".off" ? io::read_off
                      : ending == ".3mf" ? io::read_3mf
                                         : nullptr;
  if (reader == nullptr) {
    throw LoadError(
        file, "",
        "unknown ending '" + ending + "'; known are .obj .stl .ply .off .gltf .glb .3mf .dae");
  }
  return reader(io::read_file(path), file);
}

}  // namespace

PolygonSoup load_soup(const fs::path& path, const LoadOptions& options) {
  if (!std::isfinite(options.scale) || options.scale <= 0) {
    throw InvalidInput("the scale of " + path.string() + " must be finite and positive");
  }
  io::MeshData mesh = read_mesh(path);
  if (options.scale != 1) {
    for (double& x : mesh.coordinates) x *= options.scale;
  }
  return io::to_soup(std::move(mesh), path.string());
}

}  // namespace touche
