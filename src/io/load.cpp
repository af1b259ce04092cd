// SPDX-License-Identifier: Apache-2.0
// From a path to a soup: the file as a whole, its reader by its ending, then the checks all share.
#include <algorithm>
#include <cmath>

#include "base/ending.h"
#include "io/assembly_builder.h"
#include "io/foreign_file.h"
#include "io/part_reader.h"
#include "io/readers.h"
#include "io/weld.h"
#include "touche/io.h"

namespace touche {
namespace {

namespace fs = std::filesystem;

using MeshReader = io::MeshData (*)(std::string_view, const std::string&);
MeshReader mesh_reader(const std::string& ending) {
  return ending == ".obj"   ? io::read_obj
         : ending == ".stl" ? io::read_stl
         : ending == ".ply" ? io::read_ply
         : ending == ".off" ? io::read_off
                            : nullptr;
}

bool holds_nodes(const std::string& ending) {
  return ending == ".gltf" || ending == ".glb" || ending == ".3mf" || ending == ".dae";
}

bool is_gltf(const fs::path& path) {
  const std::string ending = base::ending_of(path);
  return ending == ".gltf" || ending == ".glb";
}

void check(const fs::path& path, const AnimationTime& at) {
  if (!std::isfinite(at.seconds))
    throw InvalidInput("the time of the animation of " + path.string() + " must be finite");
  if (!is_gltf(path)) throw LoadError(path.string(), "", "animations are read of glTF files only");
}

void check(const fs::path& path, const LoadOptions& options) {
  if (!std::isfinite(options.scale) || options.scale <= 0) {
    throw InvalidInput("the scale of " + path.string() + " must be finite and positive");
  }
  if (!options.stretch.allFinite() || (options.stretch.array() == 0).any())
    throw InvalidInput("the factors that stretch " + path.string() +
                       " must be finite and other than 0");
  if (options.weld && !(std::isfinite(*options.weld) && *options.weld >= 0))
    throw InvalidInput("the length to join vertices of " + path.string() +
                       " must be finite, and 0 or more");
  if (options.animation) check(path, *options.animation);
}

Assembly read_assembly(std::string_view bytes, const std::string& ending, const std::string& file,
                       const io::ReadBeside& read_beside, const LoadOptions& options) {
  if (ending == ".3mf") return io::read_3mf(bytes, file, options);
  if (ending == ".dae") return io::read_collada(bytes, file, options);
  return ending == ".glb" ? io::read_glb(bytes, file, read_beside, options)
                          : io::read_gltf(bytes, file, read_beside, options);
}

// In a mirror image, faces are turned round, or inside were outside.
void stretch(io::MeshData& mesh, const Vec3& by) {
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    Eigen::Map<Vec3> x(&mesh.coordinates[3 * v]);
    x = x.cwiseProduct(by).eval();
  }
  if ((by.array() < 0).count() % 2 == 0) return;
  auto corner = mesh.corners.begin();
  for (std::size_t f = 0; f < mesh.face_count; ++f) {
    const auto end = corner + (mesh.face_sizes.empty() ? 3 : mesh.face_sizes[f]);
    std::reverse(corner, end);
    corner = end;
  }
}

io::ReadBeside beside(const fs::path& path) {
  return [folder = path.parent_path()](const std::string& name) {
    return io::read_file(folder / name);
  };
}

}  // namespace

io::MeshData io::read_mesh(std::string_view bytes, const std::string& ending,
                           const std::string& file, const ReadBeside& read_beside,
                           const LoadOptions& options) {
  if (holds_nodes(ending)) {
    const Assembly assembly = read_assembly(bytes, ending, file, read_beside, options);
    return flattened(assembly, 0, static_cast<Index>(assembly.nodes.size()));
  }
  MeshData mesh = mesh_reader(ending)(bytes, file);
  const double most = options.scale * options.stretch.cwiseAbs().maxCoeff();
  weld(mesh, options.weld ? std::optional(*options.weld / most) : std::nullopt, most);
  if (options.scale != 1) {
    for (double& x : mesh.coordinates) x *= options.scale;
  }
  if (const UpAxis up = options.up.value_or(UpAxis::z); up != UpAxis::z) {
    const Mat3 turn = upright(up);
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
      Eigen::Map<Vec3> x(&mesh.coordinates[3 * v]);
      x = (turn * x).eval();
    }
  }
  if (options.stretch != Vec3::Ones()) stretch(mesh, options.stretch);
  return mesh;
}

PolygonSoup load_soup(const fs::path& path, const LoadOptions& options) {
  check(path, options);
  const std::string ending = base::ending_of(path), file = path.string();
  io::check_ending(path);
  const std::string bytes = io::read_file(path);
  return io::to_soup(io::read_mesh(bytes, ending, file, beside(path), options), file);
}

FileFrame file_frame(const fs::path& path, const LoadOptions& options) {
  check(path, options);
  const std::string ending = base::ending_of(path), file = path.string();
  if (ending == ".dae") return io::collada_frame(io::read_file(path), file, options);
  if (ending == ".3mf") return io::three_mf_frame(io::read_file(path), file, options);
  return {options.up.value_or(is_gltf(path) ? UpAxis::y : UpAxis::z), options.scale,
          options.stretch};
}

bool is_assembly(const fs::path& path) { return holds_nodes(base::ending_of(path)); }

bool is_face_list(const fs::path& path) { return mesh_reader(base::ending_of(path)) != nullptr; }

Assembly load_assembly(const fs::path& path, const LoadOptions& options) {
  check(path, options);
  if (options.split == Split::layers)
    throw InvalidInput("split: " + path.string() +
                       " has no layers; SVG and DXF files are split into layers, OBJ, STL, PLY and "
                       "OFF files into objects or shells");
  const std::string ending = base::ending_of(path), file = path.string();
  io::check_ending(path);
  const std::string bytes = io::read_file(path);
  if (holds_nodes(ending)) return read_assembly(bytes, ending, file, beside(path), options);
  Assembly assembly = io::split(io::read_mesh(bytes, ending, file, beside(path), options),
                                options.split, file, bytes.size());
  assembly.frame = file_frame(path, options);
  return assembly;
}

Assembly load_assembly(const PartName& part, const LoadOptions& options) {
  LoadOptions how = options;
  how.split = Split::objects;
  Assembly objects = load_assembly(part.file, how);
  if (!io::names_shell(part, objects)) return objects;
  how.split = Split::shells;
  return load_assembly(part.file, how);
}

}  // namespace touche
