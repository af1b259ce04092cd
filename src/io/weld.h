// SPDX-License-Identifier: Apache-2.0
// Joins the vertices of a mesh that only rounding keeps apart.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "io/mesh_data.h"
#include "touche/io.h"

namespace touche::io {

/// The length up to which coordinates differ by rounding, see load_soup. `digits`: significant
/// digits of the coordinates as they were written; 0: they were not text.
double rounding_length(std::span<const double> coordinates, int digits);

/// Joins vertices within a length of the file, or within rounding_length(); 0 joins none. Adds a
/// remark if that closes a shell, moves vertices noticeably, or flattens a face. Results are
/// multiplied by `scale`.
void weld(MeshData& mesh, std::optional<double> length, double scale);

/// The same for a mesh of an assembly, without a remark.
void weld(AssemblyMesh& mesh, int digits, std::optional<double> length, double scale);

/// Whether vertices were moved noticeably. `scale`: of the result, for these coordinates.
bool is_noticed(const WeldResult& result, std::span<const double> coordinates, double scale);

/// Adds the results of another mesh.
void add(WeldResult& sum, const WeldResult& other);

/// "vertices whose coordinates differ by up to 2.7e-16 are joined"
std::string joined_text(const WeldResult& result);

}  // namespace touche::io
