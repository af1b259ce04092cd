// SPDX-License-Identifier: Apache-2.0
#include "methods/tree/splitter.h"

#include <algorithm>
#include <numeric>

#include "methods/tree/split_methods.h"

namespace touche::tree {

void require_valid(const TreeOptions& options) {
  const auto require = [](bool holds, const char* message) {
    if (!holds) throw InvalidInput(message);
  };
  require(options.degree >= 2 && options.degree <= 8, "tree: the degree must be 2 to 8");
  require(options.improvement >= 0 && options.improvement <= 1,
          "tree: the improvement must be 0 (fixed degree) to 1");
  require(options.leaf_faces >= 1, "tree: a leaf must be allowed at least one face");
  require(options.max_depth >= 0, "tree: the greatest depth must not be negative");
  require(options.max_problems >= 1,
          "tree: branch and bound needs at least one problem to examine");
  require(options.method != SplitMethod::branch_and_bound || options.quality != Quality::hausdorff,
          "tree: branch and bound needs a quality that grows with the faces, which the Hausdorff "
          "distance does not");
}

std::unique_ptr<Splitter> make_splitter(const Faces& faces, const Fitter& fitter,
                                        const TreeOptions& options) {
  require_valid(options);
  switch (options.method) {
    case SplitMethod::gottschalk:
      return make_gottschalk(faces);
    case SplitMethod::zachmann:
      return make_zachmann(faces);
    case SplitMethod::hochbaum_shmoys:
      return make_hochbaum_shmoys(faces);
    case SplitMethod::moving_centres:
      return make_moving_centres(faces);
    case SplitMethod::insertion:
      return make_insertion(faces, fitter, options);
    case SplitMethod::branch_and_bound:
      return make_branch_and_bound(faces, fitter, options);
    case SplitMethod::middle:
      return make_middle(faces);
    case SplitMethod::median:
      return make_median(faces);
    case SplitMethod::least_overlap:
      return make_least_overlap(faces);
    case SplitMethod::surface_area:
      return make_surface_area(faces);
  }
  throw InvalidInput("tree: no such splitting method");
}

double combined(std::span<const double> qualities, Combine combine) {
  if (qualities.empty()) return 0;
  if (combine == Combine::maximum) return std::ranges::max(qualities);
  return std::accumulate(qualities.begin(), qualities.end(), 0.0) /
         static_cast<double>(qualities.size());
}

}  // namespace touche::tree
