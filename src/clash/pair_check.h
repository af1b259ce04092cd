// SPDX-License-Identifier: Apache-2.0
// Checks one pair of parts: first the surfaces, then, if needed, the interiors.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "clash/selection.h"
#include "touche/clash.h"

namespace touche::clash {

/// The parts with data that are computed before any pair is tested.
struct PlacedParts {
  PlacedParts(const ClashParts& parts, const ClashOptions& options);

  const Object& object(std::size_t part) const { return parts.objects[parts.parts[part].object]; }
  double mesh_error(std::size_t part) const {
    return parts.mesh_errors.empty() ? 0 : parts.mesh_errors[parts.parts[part].object];
  }
  std::span<const double> chord_errors(std::size_t object) const {
    if (parts.chord_errors.empty()) return {};
    return parts.chord_errors[object];
  }
  const Pose& pose(std::size_t part) const { return parts.parts[part].pose; }
  double tolerance(std::size_t part_a, std::size_t part_b) const;

  const ClashParts& parts;
  const ClashOptions& options;
  const Selection selection;
  std::vector<double> size;  // largest absolute coordinate of each part, in the world or in its own
                             // frame
};

/// An object's interior and chord errors, built once for each object that a pair needs them for.
struct Inside {
  /// `known_errors`: chord errors by face; empty: they are estimated.
  explicit Inside(const Object& object, std::span<const double> known_errors = {});

  Interior interior;
  std::vector<double> chord_errors;  // by face
  double largest_chord_error = 0;
};

/// Fills in distance, contact and the verdict that follows from the surfaces. Returns whether
/// interiors are needed to decide. In that case the verdict is undecided if the surfaces meet;
/// otherwise it holds if no part lies inside the other.
bool check_surfaces(const PlacedParts& placed, ClashPair& pair);

/// Completes the check with the interiors. An empty interior means that its construction was
/// stopped; then the pair is undecided.
void check_insides(const PlacedParts& placed, const std::optional<Inside>& inside_a,
                   const std::optional<Inside>& inside_b, ClashPair& pair);

}  // namespace touche::clash
