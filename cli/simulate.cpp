// SPDX-License-Identifier: Apache-2.0
// touche simulate: simulates a scene file; writes results, an animation and a report.
#include <fmt/core.h>

#include <chrono>

#include "commands.h"
#include "outlines.h"
#include "progress.h"
#include "result_files.h"
#include "touche/simulation.h"
#include "write_file.h"

namespace touche::cli {
namespace {

constexpr const char *kImpacts = "impacts.csv", *kAnimation = "animation.glb";

struct SimulateArguments {
  std::string file;
  ResultFiles files;
  SimulationOptions run;
  bool json = false;
};

int simulate_exit_code(const SimulationResult& result) {
  switch (result.verdict) {
    case SimulationVerdict::free:
      return is_about_surfaces(result) ? kOpen : kFree;
    case SimulationVerdict::contact:
      return kContact;
    case SimulationVerdict::undecided:
    case SimulationVerdict::interrupted:
      return kError;
  }
  return kError;
}

int run_simulate(const SimulateArguments& options) {
  const Cancel cancel;
  const CancelOnSignal on_signal(cancel);
  ProgressCounts progress;
  Simulation scene = load_simulation(options.file);
  std::vector<std::filesystem::path> inputs = scene.inputs;
  inputs.push_back(scene.file);
  for (const SimulationMesh& mesh : scene.meshes) inputs.push_back(mesh.file);
  options.files.prepare("steps.csv", inputs, {{"csv", kImpacts}, {"glb", kAnimation}});
  SimulationParts parts = load_parts(scene);

  SimulationOptions how = options.run;
  how.budget.cancel = cancel;
  how.budget.progress = progress.function();
  SimulationResult result;
  const auto start = std::chrono::steady_clock::now();
  {
    const ProgressBar bar(progress, cancel);
    try {
      result = simulate(std::move(scene), std::move(parts), how);
    } catch (const InvalidInput& e) {  // numbers out of range
      throw LoadError(options.file, "", e.what());
    }
  }
  print_remarks(simulation_remarks(result));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::string remark = fmt::format(
      "bodies: {}, impacts: {}, time: {:.3g} s for {:.3g} s simulated and proved",
      result.simulation.bodies.size(), result.impacts.size(), seconds, result.steps.back().time);
  options.files.write(
      [&] { return result_json(result); }, "steps.csv", [&] { return result_csv(result); },
      [&] {
        return result_html(result, {page_date(), remark, options.files.viewer(result)});
      });
  options.files.write_another("csv", kImpacts, [&](const std::filesystem::path& file) {
    write_file(file, impacts_csv(result));
  });
  options.files.write_another("glb", kAnimation, [&](const std::filesystem::path& file) {
    save_animation(animation(result), file);
  });
  if (options.json) {
    fmt::print("{}", result_json(result));
  } else {
    fmt::print("{}\n{}\n", verdict_sentence(result), remark);
    options.files.tell();
  }
  return simulate_exit_code(result);
}

}  // namespace

void add_simulate(Program& program) {
  Command command = program.command(
      "simulate", "What do gravity, impacts and friction do to these bodies? Never a penetration");
  auto options = std::make_shared<SimulateArguments>();
  command.add("scene", options->file, "Scene file, see docs/scene.schema.json")
      .required()
      .type_name("FILE");
  options->files.add_to(command, {"glb"});
  command.add("--threads", options->run.threads, "0: all; the result is the same").range(0, 1024);
  command.flag("--resolve", options->run.resolve,
               "Shift bodies that start in each other apart before the first step");
  command.flag("--surfaces", options->run.surfaces,
               "Only surfaces count: a body may start inside a closed mesh, as in a room");
  command.flag("--json", options->json, "Print result.json, for programs");
  command.footer(
      "Exit code: 0 no penetration, proved; 1 bodies touched or were in each other; 2 error,\n"
      "not decided, or interrupted; 3 no surfaces met, proved, but a body is open and may contain\n"
      "another one (0 with --surfaces). Ctrl-C stops and writes what is done; a second one stops "
      "at\n"
      "once.\n\n"
      "Examples:\n"
      "  touche scene stack --out stack\n"
      "  touche simulate stack/scene.json --out report\n"
      "  touche simulate stack/scene.json --json | jq .verdict");
  command.runs([options] { return run_simulate(*options); });
}

}  // namespace touche::cli
