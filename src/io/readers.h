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
/// the `usemtl`. Objects are what `o` names, in a file without `o` what `g` names. Points and lines
/// are skipped, with a remark; free-form surfaces are refused, since leaving them
/// out would make an object smaller than it is.
MeshData read_obj(std::string_view bytes, const std::string& file);

/// Text or binary, detected by content. Each solid is a group and an object; equal vertices of a
/// solid are merged. Faults after which other readers find the same facets become remarks: a
/// missing or divided 'endsolid', a count of 0 before facets, bytes after the last one.
MeshData read_stl(std::string_view bytes, const std::string& file);

/// Text and binary of both byte orders: faces and triangle strips. Properties that are not needed
/// are skipped; so are, with remarks, other elements and values that the header of a text does not
/// announce.
MeshData read_ply(std::string_view bytes, const std::string& file);

/// Text with any of the prefixes ST, C, N, and binary. Four-dimensional variants are refused.
MeshData read_off(std::string_view bytes, const std::string& file);
MeshData read_off_binary(std::string_view bytes, std::size_t header, const std::string& file);
/// A remark on faces that are points or segments.
std::string off_remark(std::size_t faces);

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

/// The objects or shells of a mesh as the nodes of an assembly, all of them roots. Faces without a
/// name are an object without a name. Throws LoadError when that is out of proportion to the file.
Assembly split(const MeshData& mesh, Split how, const std::string& file, std::size_t file_bytes);

/// The soup of a mesh; what PolygonSoup refuses becomes a LoadError.
PolygonSoup to_soup(MeshData mesh, const std::string& file);

/// The bytes of a regular file; throws LoadError.
std::string read_file(const std::filesystem::path& path);

}  // namespace touche::io
