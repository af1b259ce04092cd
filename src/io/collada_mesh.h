// SPDX-License-Identifier: Apache-2.0
// The polygons of a COLLADA <mesh>.
#pragma once

#include <vector>

#include "io/mesh_data.h"
#include "io/xml_file.h"

namespace touche::io {

/// The numbers of an element's text, and the most significant digits of one of them. Throws
/// LoadError for anything else.
std::vector<double> read_numbers(const XmlFile& xml, pugi::xml_node element,
                                 const std::string& file, int* digits = nullptr);

/// Points and lines are skipped. Throws LoadError for polygons with holes, for arrays shorter than
/// announced, and for what is no number.
MeshBuilder read_collada_mesh(const XmlFile& xml, pugi::xml_node mesh, const std::string& file);

}  // namespace touche::io
