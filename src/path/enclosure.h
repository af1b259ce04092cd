// SPDX-License-Identifier: Apache-2.0
// Finds out whether a moving body lies inside an open one at some time. It may get in through an
// opening, without crossing faces.
#pragma once

#include "touche/motion.h"
#include "touche/overlap.h"

namespace touche::paths {

enum class Enclosure { never, found, undecided };

/// Returns false only if it is proved that the bounds of the two never meet from t_start to t_end.
bool bounds_may_meet(const Object& outer, const Object& inner, const Motion& inner_from_outer,
                     double t_start, double t_end);

/// Whether at any time from t_start to t_end all vertices of a part of `inner` lie inside `outer`,
/// which is not closed. The bodies must not intersect during that time. Of the budget only the
/// deadline and the stop flag count.
Enclosure find_enclosure(const Interior& outer, const Interior& inner,
                         const Motion& inner_from_outer, double t_start, double t_end,
                         const Budget& budget);

}  // namespace touche::paths
