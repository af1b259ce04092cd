// SPDX-License-Identifier: Apache-2.0
// Queries of a convex shape and all faces of an object, at one pose each.
#pragma once

#include "touche/shape.h"

namespace touche::shape {

/// Whether near faces are found by the hierarchy, or all faces are tested.
enum class Search : std::uint8_t { hierarchy, all };

/// `shape` must be convex; `more`, the rounding radius of the soup, is added to its radius. Results
/// name the shape first: normals point from it to the object, and its face is kNone.
IntersectsResult shape_meets_soup(const Shape& shape, const Pose& pose, double more,
                                  const Object& object, const Pose& object_pose,
                                  const Budget& budget, Search search = Search::hierarchy);
DistanceResult shape_soup_distance(const Shape& shape, const Pose& pose, double more,
                                   const Object& object, const Pose& object_pose,
                                   const DistanceOptions& options,
                                   Search search = Search::hierarchy);
/// `soup` may be rounded.
ShapeContactsResult shape_soup_contacts(const Shape& shape, const Pose& pose, const Shape& soup,
                                        const Pose& soup_pose, double margin,
                                        Search search = Search::hierarchy);
/// The same without a margin and for part of the triangles: until the budget ends, or a triangle
/// brings the number of contacts to `max_contacts` or more.
ShapeContactsResult some_shape_soup_contacts(const Shape& shape, const Pose& pose,
                                             const Shape& soup, const Pose& soup_pose,
                                             std::size_t max_contacts, const Budget& budget);

/// Exchanges a and b.
ShapeContactsResult turned(ShapeContactsResult result);
void exchange(std::optional<Contact>& contact);

}  // namespace touche::shape
