// SPDX-License-Identifier: Apache-2.0
// Certified time of impact. The motions are divided into spans of time in which velocities hardly
// change (time_slices.h); the spans are searched one after the other (toi_search.h).
#include "bvh/object_data.h"
#include "query/time_slices.h"
#include "query/toi_search.h"
#include "query/workspace.h"

namespace touche {

ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options) {
  if (!LocalMap::representable(bvh_of(a), bvh_of(b)))
    return brute_force::time_of_impact(a, motion_a, b, motion_b, options);
  WorkspaceUse memory(options.workspace);
  const TimeSlices slices(a, motion_a, b, motion_b, options, memory->slices);
  ToiResult result;
  result.tolerance = slices.tolerance();
  ToiSearch search(a, b, slices, options, memory->queue, result);
  for (std::size_t first = 0; first < slices.size();) {
    const TimeSpan span = slices.span(first);
    if (!search.run(span)) return result;
    first = span.last + 1;
  }
  result.status = ToiStatus::free;
  result.time.lower = 1;
  return result;
}

}  // namespace touche
