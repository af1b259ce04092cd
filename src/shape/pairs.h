// SPDX-License-Identifier: Apache-2.0
// Functions that answer queries for pairs of classes of shapes; pair_table.cpp chooses among them.
#pragma once

#include "touche/shape.h"

namespace touche::shape {

/// Throws InvalidInput if a number is negative or NaN.
inline void check(const DepthOptions& o) {
  if (!(o.relative_error >= 0) || !(o.absolute_error >= 0))
    throw InvalidInput("depth: errors must not be negative");
}

/// Throws InvalidInput for two shapes that have no time of impact.
void check_time_of_impact(const Shape& a, const Shape& b);

/// A shape at a pose.
struct Placed {
  const Shape& shape;
  const Pose& pose;
};

using AnswerIntersects = IntersectsResult (*)(const Placed&, const Placed&, const Budget&,
                                              Workspace*);
using AnswerDistance = DistanceResult (*)(const Placed&, const Placed&, const DistanceOptions&);
using AnswerDepth = DepthResult (*)(const Placed&, const Placed&, const DepthOptions&);
using AnswerContacts = ShapeContactsResult (*)(const Placed&, const Placed&, double margin);

/// Both shapes have a Body.
namespace convex_pair {
IntersectsResult intersects(const Placed& a, const Placed& b, const Budget&, Workspace*);
DistanceResult distance(const Placed& a, const Placed& b, const DistanceOptions& options);
DepthResult depth(const Placed& a, const Placed& b, const DepthOptions& options);
ShapeContactsResult contacts(const Placed& a, const Placed& b, double margin);
}  // namespace convex_pair

/// b is a half space.
namespace half_space_pair {
IntersectsResult intersects(const Placed& a, const Placed& b, const Budget&, Workspace*);
DistanceResult distance(const Placed& a, const Placed& b, const DistanceOptions& options);
DepthResult depth(const Placed& a, const Placed& b, const DepthOptions& options);
ShapeContactsResult contacts(const Placed& a, const Placed& b, double margin);
}  // namespace half_space_pair

/// a has a Body or is a half space, b is a soup.
namespace shape_soup_pair {
IntersectsResult intersects(const Placed& a, const Placed& b, const Budget& budget, Workspace*);
DistanceResult distance(const Placed& a, const Placed& b, const DistanceOptions& options);
ShapeContactsResult contacts(const Placed& a, const Placed& b, double margin);
}  // namespace shape_soup_pair

/// Both are soups.
namespace soup_pair {
IntersectsResult intersects(const Placed& a, const Placed& b, const Budget&, Workspace*);
DistanceResult distance(const Placed& a, const Placed& b, const DistanceOptions& options);
ShapeContactsResult contacts(const Placed& a, const Placed& b, double margin);
}  // namespace soup_pair

}  // namespace touche::shape
