// SPDX-License-Identifier: Apache-2.0
// Meshes as they go to clients: in pieces whose triangles lie together, quantised.
#pragma once

#include <cstddef>
#include <vector>

#include "touche/object.h"
#include "viewer/protocol.h"
#include "viewer/room.h"

namespace touche::viewer {

struct MeshPiece {
  Bytes message;  ///< a protocol::MeshChunk
  Aabb box;       ///< in the frame of the mesh
};

/// How many pieces a mesh makes.
[[nodiscard]] std::uint32_t piece_count(const Object& object);

/// The pieces of a mesh, in the order of its hierarchy, which is spatial. All pieces share one
/// lattice of positions, so that no cracks open between them; its step is 2^-16 of the largest
/// piece. Pieces of 256 triangles or more take at most 16 bytes per triangle: if creases would take
/// more, every triangle has its own normal, and vertices that are far from flat look faceted. Uses
/// several threads; the bytes do not depend on them.
[[nodiscard]] std::vector<MeshPiece> mesh_pieces(const Object& object, std::uint32_t mesh);

}  // namespace touche::viewer
