// SPDX-License-Identifier: Apache-2.0
// Finds out whether a moving body lies inside one that is not closed at some time. It may get in
// through a slit or an opening, without crossing faces.
#pragma once

#include <span>

#include "path/parts_inside.h"
#include "touche/motion.h"
#include "touche/overlap.h"

namespace touche::paths {

/// `found`: of an open body, that it may be so, because no point lies beyond its hull.
enum class Enclosure { never, found, undecided };

/// Returns false only if it is proved that the bounds of the two never meet from t_start to t_end.
bool bounds_may_meet(const Aabb& outer, const Aabb& inner, const Motion& inner_from_outer,
                     double t_start, double t_end);

/// Whether at any time from t_start to t_end all vertices of a part of `inner` lie inside `outer`,
/// which is closed except for slits, or may do so if it is open. The bodies must not intersect
/// during that time, except that surfaces that touch may pass each other by up to `slack`: so may
/// what is inside an open body reach beyond its hull. Of the budget only the deadline and the stop
/// flag count.
Enclosure find_enclosure(const Interior& outer, const Interior& inner,
                         const Motion& inner_from_outer, double t_start, double t_end,
                         const Budget& budget, double slack = 0);

/// The same for a connected body of which some points and the bounds are given: whether all these
/// points lie inside.
Enclosure find_enclosure(const Interior& outer, std::span<const Vec3> points, const Aabb& bounds,
                         const Motion& inner_from_outer, double t_start, double t_end,
                         const Budget& budget, double slack = 0);

/// What a search with that budget says: of an open body, only whether it may hold the other one,
/// and of one with gaps the same if what is near them leaves it undecided.
Holds holds(const Interior& outer, Enclosure enclosure, const Budget& budget);

}  // namespace touche::paths
