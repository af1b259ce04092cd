// SPDX-License-Identifier: Apache-2.0
// Determines which answers are right before anything is timed.
//
// Hits and pairs of faces are compared with CGAL's exact predicates. Distances are compared with
// Touché's: FCL, the only peer with distances, has to agree. Contacts of motions count if Touché's
// static answer at that pose, itself compared with CGAL, confirms them; the earliest confirmed one
// is the reference.
//
// Limits: every hit must be right. One pair of faces in a thousand may be missing or superfluous, a
// matter of rounding for peers without exact predicates. Distances may differ by 1e-6 of the
// objects' size. Contacts may be found 1/4000 of the motion late, which is FCL's sampling distance.
#pragma once

#include <map>

#include "peer.h"

namespace touche::bench {

struct Check {
  std::size_t asked = 0;  ///< poses, motions, or pairs of faces
  std::size_t missed = 0, invented = 0, off = 0;
  bool right = true;        ///< within the limits
  std::size_t answers = 0;  ///< that were timed
  double seconds = 0;       ///< thread CPU time of these together

  std::string text() const;  ///< "misses 3 of 100", or empty when all agree
};

struct Loaded {
  const Peer* peer;
  std::unique_ptr<Rival> rival;
};

/// By question, for each of the rivals that claims to answer it.
using Checks = std::map<std::pair<Question, std::string>, Check>;
Checks verify(const Case& scene, const std::vector<Loaded>& rivals);

}  // namespace touche::bench
