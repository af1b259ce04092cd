// SPDX-License-Identifier: Apache-2.0
// The messages that describe the opened scene.
#pragma once

#include "viewer/opened.h"

namespace touche::viewer {

/// Nodes and meshes, numbered as in `opened`.
[[nodiscard]] protocol::Scene scene_message(const Opened& opened);

/// A face of a body, up to as many triangles as a message takes. Throws InvalidInput where it has
/// no such face.
[[nodiscard]] protocol::FaceShape face_message(const Opened& opened, std::uint32_t node,
                                               std::uint32_t face);

}  // namespace touche::viewer
