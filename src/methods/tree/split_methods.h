// SPDX-License-Identifier: Apache-2.0
// The splitting methods, one a file. All arguments must outlive them.
#pragma once

#include "methods/tree/splitter.h"

namespace touche::tree {

std::unique_ptr<Splitter> make_gottschalk(const Faces& faces);
std::unique_ptr<Splitter> make_zachmann(const Faces& faces);
std::unique_ptr<Splitter> make_hochbaum_shmoys(const Faces& faces);
std::unique_ptr<Splitter> make_moving_centres(const Faces& faces);

std::unique_ptr<Splitter> make_middle(const Faces& faces);
std::unique_ptr<Splitter> make_median(const Faces& faces);
std::unique_ptr<Splitter> make_least_overlap(const Faces& faces);
std::unique_ptr<Splitter> make_surface_area(const Faces& faces);

std::unique_ptr<Splitter> make_insertion(const Faces& faces, const Fitter& fitter,
                                         const TreeOptions& options);
std::unique_ptr<Splitter> make_branch_and_bound(const Faces& faces, const Fitter& fitter,
                                                const TreeOptions& options);

}  // namespace touche::tree
