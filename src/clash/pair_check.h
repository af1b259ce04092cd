// SPDX-License-Identifier: Apache-2.0
// One pair of parts: first their surfaces, then, where that is not enough, their insides.
#pragma once

#include <optional>
#include <vector>

#include "touche/clash.h"

namespace touche::clash {

/// Holds what is known of each part before pairs are asked.
struct PlacedParts {
  PlacedParts(const ClashParts& parts, const ClashOptions& options);

  const Object& object(std::size_t part) const { return parts.objects[parts.parts[part].object]; }
  double mesh_error(std::size_t part) const {
    return parts.mesh_errors.empty() ? 0 : parts.mesh_errors[parts.parts[part].object];
  }
  const Pose& pose(std::size_t part) const { return parts.parts[part].pose; }
  double tolerance(std::size_t part_a, std::size_t part_b) const;

  const ClashParts& parts;
  const ClashOptions& options;
  std::vector<double> size;  // the largest coordinate of each part, here or in its own frame
};

/// Holds what insides are needed for, made once for each object that some pair asks about.
struct Inside {
  explicit Inside(const Object& object);

  Interior interior;
  std::vector<double> chord_errors;  // by face
  double largest_chord_error = 0;
};

/// Fills in distance, contact and the verdict that follows from the surfaces alone. Returns whether
/// insides are needed to decide: then the verdict is undecided if the surfaces meet, else what it
/// is if none is inside the other.
bool check_surfaces(const PlacedParts& placed, ClashPair& pair);

/// Then the rest; nothing where its making was stopped.
void check_insides(const PlacedParts& placed, const std::optional<Inside>& inside_a,
                   const std::optional<Inside>& inside_b, ClashPair& pair);

}  // namespace touche::clash
