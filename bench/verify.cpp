// SPDX-License-Identifier: Apache-2.0
#include "verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "timing.h"
#include "touche/touche.h"

namespace touche::bench {
namespace {

constexpr double kPairsLimit = 1e-3, kDistanceLimit = 1e-6;

const Loaded& reference(const std::vector<Loaded>& rivals, Question question) {
  for (const Loaded& r : rivals)
    if (r.peer->name == "CGAL" && r.peer->can(question)) return r;
  return rivals.front();
}

/// Calls `ask` and adds its time to the time of the check.
template <class Ask>
auto timed(Check& check, const Ask& ask) {
  const double before = thread_seconds();
  const auto answer = ask();
  check.seconds += thread_seconds() - before;
  ++check.answers;
  return answer;
}

void verify_hits(const Case& scene, const std::vector<Loaded>& rivals, Checks& checks) {
  const Loaded& exact = reference(rivals, Question::intersects);
  for (const PosePair& p : scene.placements) {
    const bool truth = exact.rival->intersects(p);
    for (const Loaded& r : rivals) {
      if (!r.peer->can(Question::intersects)) continue;
      Check& check = checks[{Question::intersects, r.peer->name}];
      const bool answer = timed(check, [&] { return r.rival->intersects(p); });
      ++check.asked;
      check.missed += truth && !answer;
      check.invented += answer && !truth;
      check.right = check.missed + check.invented == 0;
    }
  }
}

std::vector<FacePair> sorted_pairs(const Loaded& r, const PosePair& p) {
  std::vector<FacePair> pairs;
  r.rival->all_pairs(p, &pairs);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

std::size_t not_in(const std::vector<FacePair>& of, const std::vector<FacePair>& in) {
  std::vector<FacePair> rest;
  std::set_difference(of.begin(), of.end(), in.begin(), in.end(), std::back_inserter(rest));
  return rest.size();
}

void verify_pairs(const Case& scene, const std::vector<Loaded>& rivals, Checks& checks) {
  const Loaded& exact = reference(rivals, Question::all_pairs);
  // CGAL takes its time: of large objects every fifth pose has to do.
  const std::size_t step = scene.a.triangle_count() > 50000 ? 5 : 1;
  for (std::size_t i = 0; i < scene.placements.size(); i += step) {
    const std::vector<FacePair> truth = sorted_pairs(exact, scene.placements[i]);
    for (const Loaded& r : rivals) {
      if (!r.peer->can(Question::all_pairs)) continue;
      Check& check = checks[{Question::all_pairs, r.peer->name}];
      const auto pairs = timed(check, [&] { return sorted_pairs(r, scene.placements[i]); });
      check.asked += truth.size();
      check.missed += not_in(truth, pairs);
      check.invented += not_in(pairs, truth);
      check.right = static_cast<double>(check.missed + check.invented) <=
                    kPairsLimit * static_cast<double>(check.asked);
    }
  }
}

void verify_distances(const Case& scene, const std::vector<Loaded>& rivals, Checks& checks) {
  const double allowed =
      kDistanceLimit * (scene.a.bounds().diagonal() + scene.b.bounds().diagonal());
  for (const PosePair& p : scene.placements) {
    const double truth = rivals.front().rival->distance(p);
    for (const Loaded& r : rivals) {
      if (!r.peer->can(Question::distance)) continue;
      Check& check = checks[{Question::distance, r.peer->name}];
      ++check.asked;
      const double answer = timed(check, [&] { return r.rival->distance(p); });
      check.off += !(std::abs(answer - truth) <= allowed);
      check.right = check.off == 0;
    }
  }
}

PosePair placement(const Sweep& sweep, double t) {
  return {Motion::interpolated(sweep.start.a, sweep.end.a).pose(t),
          Motion::interpolated(sweep.start.b, sweep.end.b).pose(t)};
}

void verify_sweeps(const Case& scene, const std::vector<Loaded>& rivals, Checks& checks) {
  for (const Sweep& sweep : scene.sweeps) {
    std::vector<Impact> impacts;
    double earliest = kInfinity;
    for (const Loaded& r : rivals) {
      Impact& impact = impacts.emplace_back();
      if (!r.peer->can(Question::continuous)) continue;
      impact = timed(checks[{Question::continuous, r.peer->name}],
                     [&] { return r.rival->continuous(sweep, scene.tolerance); });
      if (!impact.contact) continue;
      const PosePair at = placement(sweep, impact.time.upper);
      // The tolerance, and a little for the rounding of the pose.
      impact.contact = rivals.front().rival->distance(at) <= 1.01 * scene.tolerance;
      if (impact.contact)
        earliest = std::min(earliest, impact.time.upper);
      else
        ++checks[{Question::continuous, r.peer->name}].invented;
    }
    for (std::size_t i = 0; i < rivals.size(); ++i) {
      if (!rivals[i].peer->can(Question::continuous)) continue;
      Check& check = checks[{Question::continuous, rivals[i].peer->name}];
      ++check.asked;
      const bool late = impacts[i].time.upper > earliest + 1.0 / (sweep.samples - 1) + 1e-9;
      check.missed += earliest < kInfinity && (!impacts[i].contact || late);
      check.missed += impacts[i].time.lower > earliest;
      check.right = check.missed + check.invented == 0;
    }
  }
}

}  // namespace

std::string Check::text() const {
  std::string result;
  const auto add = [&](std::size_t n, const char* what) {
    if (n > 0) result += fmt::format("{}{} {}", result.empty() ? "" : ", ", what, n);
  };
  add(missed, "misses");
  add(invented, "invents");
  add(off, "is off in");
  return result.empty() ? result : fmt::format("{} of {}", result, asked);
}

Checks verify(const Case& scene, const std::vector<Loaded>& rivals) {
  Checks checks;
  int done = 0;
  for (const auto verify_one : {verify_hits, verify_pairs, verify_distances, verify_sweeps}) {
    verify_one(scene, rivals, checks);
    fmt::print(stderr, "  verified {} of 4 questions\n", ++done);
  }
  return checks;
}

}  // namespace touche::bench
