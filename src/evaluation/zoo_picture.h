// SPDX-License-Identifier: Apache-2.0
// A mesh in a volume, as through coloured glass.
#pragma once

#include <span>
#include <string>

#include "methods/bounds/any_volume.h"
#include "report/render.h"

namespace touche::evaluation {

/// From a little above, with all of these in sight.
report::Camera zoo_camera(std::span<const bounds::AnyVolume> volumes, int width, int height);

/// "data:image/png;base64,..."; the mesh must lie in the volume.
std::string zoo_picture(const PolygonSoup& mesh, const bounds::AnyVolume& volume,
                        const report::Camera& camera);

}  // namespace touche::evaluation
