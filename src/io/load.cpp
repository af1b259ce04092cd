// SPDX-License-Identifier: Apache-2.0
// From a path to a soup: the file as a whole, its reader by its ending, then the checks all share.
#include <algorithm>
#include <cmath>
#include <fstream>

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

void check_readable(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    throw LoadError(path.string(), "", "the file does not exist");
  }
  if (error) throw LoadError(path.string(), "", error.message());
  if (fs::is_directory(status)) throw LoadError(path.string(), "", "this is a directory");
  if (!fs::is_regular_file(status)) throw LoadError(path.string(), "", "this is not a file");
}

// Read, not mapped: a mapped file that shrinks meanwhile would kill the process.
std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (!in || error) throw LoadError(path.string(), "", "the file cannot be read");
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  if (in.gcount() != static_cast<std::streamsize>(size)) {
    throw LoadError(path.string(), "", "the file cannot be read to its end");
  }
  return bytes;
}

io::MeshData read_mesh(const fs::path& path) {
  const std::string ending = lower_ending(path);
  const std::string file = path.string();
  if (ending == ".gltf" || ending == ".glb" || ending == ".3mf" || ending == ".dae") {
    check_readable(path);
    return io::read_with_assimp(path, ending);
  }
  const auto reader = ending == ".obj"   ? io::read_obj
                      : ending == ".stl" ? io::read_stl
                      : ending == ".ply" ? io::read_ply
                      : ending == ".off" ? io::read_off
                                         : nullptr;
  if (reader == nullptr) {
    throw LoadError(
        file, "",
        "unknown ending '" + ending + "'; known are .obj .stl .ply .off .gltf .glb .3mf .dae");
  }
  check_readable(path);
  const std::string bytes = read_file(path);
  if (bytes.empty()) throw LoadError(file, "", "the file is empty");
  return reader(bytes, file);
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
  try {
    return PolygonSoup(mesh.coordinates, mesh.corners, mesh.face_sizes, mesh.face_groups,
                       std::move(mesh.group_names));
  } catch (const InvalidInput& error) {
    throw LoadError(path.string(), "", error.what());
  }
}

Object load(const fs::path& path, const LoadOptions& options) {
  return Object(load_soup(path, options), path.stem().string());
}

}  // namespace touche
