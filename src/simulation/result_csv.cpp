// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "report/csv.h"
#include "touche/simulation.h"

namespace touche {

using report::cell;

std::string result_csv(const SimulationResult& result) {
  std::string out =
      "time,kinetic_energy,potential_energy,momentum_x,momentum_y,momentum_z,angular_momentum_x,"
      "angular_momentum_y,angular_momentum_z,impacts,contacts,lost_time,proved_pairs\n";
  for (const SimulationStep& s : result.steps)
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                   cell(s.time), cell(s.kinetic), cell(s.potential), cell(s.momentum.x()),
                   cell(s.momentum.y()), cell(s.momentum.z()), cell(s.angular_momentum.x()),
                   cell(s.angular_momentum.y()), cell(s.angular_momentum.z()), s.impacts,
                   s.contacts, cell(s.lost), s.proved);
  return out;
}

std::string impacts_csv(const SimulationResult& result) {
  std::string out =
      "time,body_a,body_b,speed,point_x,point_y,point_z,normal_x,normal_y,normal_z,impulse_x,"
      "impulse_y,impulse_z\n";
  for (const SimulationImpact& i : result.impacts) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{}", cell(i.time),
                   cell(result.simulation.bodies[i.body_a].name),
                   cell(result.simulation.bodies[i.body_b].name), cell(i.speed));
    for (const Vec3* v : {&i.point, &i.normal, &i.impulse})
      for (const double x : *v) fmt::format_to(std::back_inserter(out), ",{}", cell(x));
    out += '\n';
  }
  return out;
}

}  // namespace touche
