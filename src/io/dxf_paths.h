// SPDX-License-Identifier: Apache-2.0
// The entities of a DXF file as paths, in the axes of the entity.
#pragma once

#include <span>

#include "io/dxf_entities.h"

namespace touche::io {

/// The axes that an entity is drawn in. They follow from the direction it is extruded in: along z
/// they are the drawing's; against z, x points the other way. Throws LoadError for others.
Affine dxf_axes(const DxfFile& file, const DxfEntity& e);

/// The largest distance of its points from z = 0.
double dxf_height(const DxfFile& file, const DxfEntity& e);

/// The path of an entity that is no POLYLINE, as seen from above. Throws LoadError for kinds that
/// are not read.
Path dxf_path(const DxfFile& file, const DxfEntity& e);
Path dxf_polyline(const DxfFile& file, const DxfEntity& e, std::span<const DxfEntity> vertices);

}  // namespace touche::io
