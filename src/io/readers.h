// SPDX-License-Identifier: Apache-2.0
// Our own readers. Each takes a whole file in memory and the name to use in errors; it returns a
// mesh whose vertex numbers are in range and whose coordinates are finite, or throws LoadError.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/mesh_data.h"

namespace touche::io {

/// Faces keep the innermost name in force: the last `g` since the last `o`, else the `o`, else
/// the `usemtl`. Points and lines are skipped; free-form surfaces are refused, since leaving them
/// out would make an object smaller than it is.
MeshData read_obj(std::string_view bytes, const std::string& file);

/// Text or binary, told by content. Each solid is a group; equal vertices of a solid are merged.
MeshData read_stl(std::string_view bytes, const std::string& file);

/// Text and binary of both byte orders; properties and elements not needed are skipped.
MeshData read_ply(std::string_view bytes, const std::string& file);

/// Text with any of the prefixes ST, C, N, and binary. Four-dimensional variants are refused.
MeshData read_off(std::string_view bytes, const std::string& file);
MeshData read_off_binary(std::string_view bytes, std::size_t header, const std::string& file);

/// The root model's build and all it places. Groups are named after objects.
MeshData read_3mf(std::string_view bytes, const std::string& file);

/// glTF and COLLADA. Reads the file itself, since glTF may be spread over several.
MeshData read_with_assimp(const std::filesystem::path& path, const std::string& ending);

/// Assimp believes the lengths a COLLADA file announces and reads past the end of shorter arrays;
/// in a list of indices that holds anything but digits it loops for ever. Throws LoadError for
/// both.
void check_collada_arrays(std::string_view bytes, const std::string& file);

/// The soup of a mesh; what PolygonSoup refuses becomes a LoadError.
PolygonSoup to_soup(MeshData mesh, const std::string& file);

/// The bytes of a regular file; throws LoadError.
std::string read_file(const std::filesystem::path& path);

}  // namespace touche::io
