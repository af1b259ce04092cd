// SPDX-License-Identifier: Apache-2.0
// touche calibrate measures what tests cost on this machine.
#include <fmt/core.h>

#include <cstdio>
#include <fstream>

#include "commands.h"
#include "directions.h"
#include "scenes.h"
#include "touche/methods/cost_file.h"
#include "touche/methods/measure_costs.h"

namespace touche::cli {
namespace {

struct CalibrateArguments {
  std::string out, directions;
  bool json = false;
  double seconds = 0.002;
};

int run_calibrate(const CalibrateArguments& options) {
  MeasureOptions how{.seconds = options.seconds};
  if (!options.directions.empty()) how.directions = load_directions(options.directions);
  std::ofstream out;  // opened before the measurement, which takes long
  if (!options.out.empty()) out.open(options.out, std::ios::binary);
  if (!out) throw Error(options.out + ": cannot be written");
  const CostMatrix costs = measure_costs(scenes::bumpy_sphere(5000, 1), how);
  if (out.is_open()) {
    out << costs_json(costs);
    out.close();
    if (!out) throw Error(options.out + ": cannot be written");
  }
  if (options.json) {
    std::fputs(costs_json(costs).c_str(), stdout);
    return kFree;
  }
  const auto line = [&](const std::string& pair, double ns) {
    fmt::print("  {:<16}{:>8.1f} ns{:>8.2f}\n", pair, ns, ns / costs.triangles);
  };
  fmt::print("  test               time      of two triangles\n");
  for (const auto& [pair, ns] : costs.cost) line(pair, ns);
  line("two triangles", costs.triangles);
  if (!options.out.empty()) fmt::print("written to {}\n", options.out);
  return kFree;
}

}  // namespace

void add_calibrate(Program& program) {
  Command command = program.command(
      "calibrate", "Measure what tests of volumes and triangles cost on this machine");
  auto options = std::make_shared<CalibrateArguments>();
  command.add("--out", options->out, "Write the costs here, as JSON").type_name("FILE");
  command.add("--seconds", options->seconds, "Length of each of nine repetitions").range(0.0, 10.0);
  add_directions(command, options->directions);
  command.flag("--json", options->json, "Print JSON, for programs");
  command.footer(
      "Volumes are nodes of the tree of a generated object, at poses at which half of the pairs\n"
      "overlap; the quickest of nine repetitions counts. Trees of mixed volumes choose by these\n"
      "times. Run no other programs meanwhile.\n\n"
      "Examples:\n"
      "  touche calibrate\n"
      "  touche calibrate --out costs.json\n"
      "  touche calibrate --json | jq '.cost[\"obb obb\"]'");
  command.runs([options] { return run_calibrate(*options); });
}

}  // namespace touche::cli
