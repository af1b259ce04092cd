// SPDX-License-Identifier: Apache-2.0
// Volumes around the path of a moving volume (thesis §4.2.1): around its start and end, and
// enlarged by how far its points go. Spheres, axis-aligned and oriented boxes, each by any of the
// three.
//
// Neither is a bound as the thesis has them: points of a turning body leave the chord from start to
// end, and a point may be farther from its start on the path than at the end. With `by` from
// Motion::bulge_bound and Motion::displacement_bound, `enlarged` makes them contain the whole path.
#pragma once

#include "methods/bounds/mixed.h"

namespace touche::bounds {

/// The smallest volume of this kind about the same centre that contains `v`; boxes get v's axes,
/// spheres the axes of the frame.
Mixed as_kind(const Mixed& v, Mixed::Kind kind);

/// Contains all points no farther than `by` >= 0 from v.
Mixed enlarged(const Mixed& v, double by);

/// Contains v at both poses, but not the path between them (Figs. 4.6 to 4.11). An oriented box is
/// aligned with the path of a sphere's centre, or with the final pose of a box.
Mixed around_both(const Mixed& v, const PoseMatrix& start, const PoseMatrix& end, Mixed::Kind kind);

/// How far a rotation about the frame's origin followed by a translation moves the points of v, by
/// the thesis' estimate: the path length of the point farthest from the axis, plus that of the
/// origin (Figs. 4.12, 4.13). A sphere replaces a box. Underestimates for rotations beyond half a
/// turn on the path; also defined for centres on the axis, unlike the thesis' formula.
double motion_length(const Mixed& v, const Pose& motion);

}  // namespace touche::bounds
