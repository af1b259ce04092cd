// SPDX-License-Identifier: Apache-2.0
// Our own readers. Each takes a whole file in memory and the name to use in errors; it returns a
// mesh whose vertex numbers are in range and whose coordinates are finite, or throws LoadError.
// Readers of assemblies apply the options to their roots.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "io/mesh_data.h"
#include "touche/io.h"

namespace touche::io {

/// Faces keep the innermost name in force: the last `g` since the last `o`, else the `o`, else
/// the `usemtl`. Points and lines are skipped; free-form surfaces are refused, since leaving them
/// out would make an object smaller than it is.
MeshData read_obj(std::string_view bytes, const std::string& file);

/// Text or binary, detected by content. Each solid is a group; equal vertices of a solid are
/// merged.
MeshData read_stl(std::string_view bytes, const std::string& file);

/// Text and binary of both byte orders; properties and elements not needed are skipped.
MeshData read_ply(std::string_view bytes, const std::string& file);

/// Text with any of the prefixes ST, C, N, and binary. Four-dimensional variants are refused.
MeshData read_off(std::string_view bytes, const std::string& file);
MeshData read_off_binary(std::string_view bytes, std::size_t header, const std::string& file);

/// The root model's build with all instances, in millimetres.
Assembly read_3mf(std::string_view bytes, const std::string& file, const LoadOptions& options = {});

/// The bytes of a file that a glTF file names, by a name relative to its folder.
using ReadBeside = std::function<std::string(const std::string& name)>;

/// glTF 2.0: the default scene, at rest (animations and morph targets of weight 0 are not read).
Assembly read_gltf(std::string_view json, const std::string& file, const ReadBeside& read_beside,
                   const LoadOptions& options = {});
Assembly read_glb(std::string_view bytes, const std::string& file, const ReadBeside& read_beside,
                  const LoadOptions& options = {});

/// COLLADA 1.4 and 1.5: the scene in metres, in double precision.
Assembly read_collada(std::string_view bytes, const std::string& file,
                      const LoadOptions& options = {});

/// How the readers above turn and scale coordinates.
FileFrame collada_frame(std::string_view bytes, const std::string& file,
                        const LoadOptions& options);
FileFrame three_mf_frame(std::string_view bytes, const std::string& file,
                         const LoadOptions& options);

/// A file of any format as one mesh; `ending` is one of .obj .stl .ply .off .3mf .gltf .glb .dae.
MeshData read_mesh(std::string_view bytes, const std::string& ending, const std::string& file,
                   const ReadBeside& read_beside, const LoadOptions& options = {});

/// The soup of a mesh; what PolygonSoup refuses becomes a LoadError.
PolygonSoup to_soup(MeshData mesh, const std::string& file);

/// The bytes of a regular file; throws LoadError.
std::string read_file(const std::filesystem::path& path);

}  // namespace touche::io
