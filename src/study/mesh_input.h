// SPDX-License-Identifier: Apache-2.0
// The coordinates of a mesh file as study, scene and shape files describe them.
#pragma once

#include <optional>
#include <string_view>

#include "io/json_cursor.h"
#include "touche/file_frame.h"

namespace touche::study {

/// The factor from a file's lengths to lengths in `unit` (see Study::unit), from "scale", or from
/// "unit", the unit of the file's lengths; 1 if neither is there. Throws LoadError.
double read_scale(const io::JsonCursor& where, std::string_view unit);

/// "up", the axis of the file's coordinates that points up, if it is there. Throws LoadError.
std::optional<UpAxis> read_up(const io::JsonCursor& where);

/// "weld", a length, see LoadOptions::weld, if it is there. Throws LoadError.
std::optional<double> read_weld(const io::JsonCursor& where);

/// "stretch", factors along x, y and z, none of them 0; 1 if it is not there. Throws LoadError.
Vec3 read_stretch(const io::JsonCursor& where);

}  // namespace touche::study
