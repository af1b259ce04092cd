// SPDX-License-Identifier: Apache-2.0
#include "anytime.h"

#include <fmt/format.h>

#include <fstream>
#include <numbers>
#include <vector>

#include "case.h"
#include "scenes.h"
#include "timing.h"
#include "touche/query.h"

namespace touche::bench {
namespace {

struct Search {
  Motion a, b;
};

struct Scene {
  const char* name;
  Object a, b;
  std::vector<Search> searches;
  double tolerance;
};

Scene knots() {
  const Case knots = torus_knots();
  Scene scene{"torus knots, 60 motions", Object(knots.a), Object(knots.b), {}, knots.tolerance};
  for (const Sweep& s : knots.sweeps)
    scene.searches.push_back(
        {Motion::interpolated(s.start.a, s.end.a), Motion::interpolated(s.start.b, s.end.b)});
  return scene;
}

Scene nut() {
  const scenes::Scene made = scenes::nut_and_bolt();
  Scene scene{"nut and bolt, one turn",
              Object(placed(made.parts[0])),
              Object(placed(made.parts[1])),
              {},
              made.tolerance};
  for (int i = 0; i < 4; ++i)
    scene.searches.push_back(
        {Motion::at(Pose()),
         Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 2 * std::numbers::pi, 2 + 0.02 * i)});
  return scene;
}

}  // namespace

void measure_anytime(const std::filesystem::path& csv) {
  std::ofstream out(csv);
  out << "scene,pairs_looked_at,mean_seconds,mean_share\n";
  for (const Scene& scene : {knots(), nut()}) {
    fmt::print("{}\n{:>16} {:>12} {:>8}\n", scene.name, "pairs tested", "mean time", "proved");
    for (std::uint64_t work = 1;; work *= 2) {
      double share = 0, seconds = 0;
      std::size_t done = 0;
      for (const Search& s : scene.searches) {
        const ToiResult whole =
            time_of_impact(scene.a, s.a, scene.b, s.b, {.tolerance = scene.tolerance});
        const double before = thread_seconds();
        const ToiResult r =
            time_of_impact(scene.a, s.a, scene.b, s.b,
                           {.tolerance = scene.tolerance, .budget = {.max_work = work}});
        seconds += thread_seconds() - before;
        share += whole.time.lower > 0 ? r.time.lower / whole.time.lower : 1;
        done += r.status != ToiStatus::undecided;
      }
      const auto count = static_cast<double>(scene.searches.size());
      fmt::print("{:>16} {:>9.3g} µs {:>6.1f} %\n", work, 1e6 * seconds / count,
                 100 * share / count);
      out << fmt::format("\"{}\",{},{:.4g},{:.4g}\n", scene.name, work, seconds / count,
                         share / count);
      if (done == scene.searches.size()) break;
    }
  }
}

}  // namespace touche::bench
