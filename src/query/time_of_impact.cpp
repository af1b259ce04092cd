// SPDX-License-Identifier: Apache-2.0
// Certified time of impact. The motions are divided into spans of time in which velocities hardly
// change (time_slices.h); the spans are searched one after the other (toi_search.h).
#include "bvh/object_data.h"
#include "query/part_options.h"
#include "query/toi_run.h"
#include "query/workspace.h"
#include "touche/reference.h"

namespace touche::query {

ToiRun::ToiRun(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
               const ToiOptions& options, PairQueue& queue, std::vector<TimeSlice>& slices)
    : a_(a), b_(b), motion_a_(motion_a), motion_b_(motion_b), options_(with_budget(options, {})) {
  if (!bvh::LocalMap::representable(bvh::bvh_of(a), bvh::bvh_of(b))) return;
  slices_.emplace(a, motion_a, b, motion_b, options, slices);
  result_.tolerance = slices_->tolerance();
  search_.emplace(a, b, *slices_, options, queue, result_);
  span_ = slices_->span(0);
  search_->begin(span_);
}

const ToiResult& ToiRun::go_on(base::BudgetMeter& meter) {
  if (over_) return result_;
  if (!search_) {
    options_.budget = meter.rest();
    result_ = brute_force::time_of_impact(a_, motion_a_, b_, motion_b_, options_);
    (void)meter.spend(result_.stats.primitive_tests);
    over_ = result_.status != ToiStatus::undecided;
    return result_;
  }
  while (search_->go_on(meter)) {
    if (span_.last + 1 == slices_->size()) {
      result_.status = ToiStatus::free;
      result_.time.lower = 1;
      break;
    }
    span_ = slices_->span(span_.last + 1);
    search_->begin(span_);
  }
  over_ = result_.status != ToiStatus::undecided;
  return result_;
}

double ToiRun::guess(Stand stand) const {
  return search_ ? guess_contact(a_, b_, *slices_, *search_, stand) : result_.time.lower;
}

}  // namespace touche::query

namespace touche {

ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options) {
  query::WorkspaceUse memory(options.workspace);
  base::BudgetMeter meter(options.budget);
  return query::ToiRun(a, motion_a, b, motion_b, options, memory->queue, memory->slices)
      .go_on(meter);
}

}  // namespace touche
