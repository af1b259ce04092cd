// SPDX-License-Identifier: Apache-2.0
// touche handle: moves a part of a study by the poses of a hand; writes the resulting path and a
// report.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "commands.h"
#include "length.h"
#include "progress.h"
#include "report_viewer.h"
#include "result_files.h"
#include "touche/handle.h"
#include "write_file.h"

namespace touche::cli {
namespace {

struct HandleArguments {
  std::string study, hand, out, clearance;
  HandleOptions run;
  bool json = false, no_viewer = false, surfaces = false;
};

// The resulting path is written as a study; it must not overwrite an input.
void check_out(const Study& study, const HandleArguments& options) {
  std::vector<std::filesystem::path> inputs = files_of(study), outputs;
  inputs.emplace_back(options.hand);
  for (const char* name : {"result.json", "forces.csv", "path.csv", "study.json", "report.html"})
    outputs.push_back(std::filesystem::path(options.out) / name);
  keep_inputs(inputs, outputs);
}

void write_handled(const HandleResult& result, const std::filesystem::path& folder,
                   const PageNotes& notes) {
  write_file(folder / "result.json", handle_json(result));
  write_file(folder / "forces.csv", forces_csv(result));
  write_file(folder / "path.csv", hand_poses_csv(result.path));
  write_file(folder / "study.json", taken_study_json(result, folder));
  write_file(folder / "report.html", handle_html(result, notes));
}

// The time per pose of the hand, mean and maximum.
std::string pace(const HandleResult& result) {
  if (result.steps.empty()) return "";
  double sum = 0, most = 0;
  for (const HandleStep& step : result.steps) {
    sum += step.seconds_taken;
    most = std::max(most, step.seconds_taken);
  }
  return fmt::format(" (each {:.3g} ms, {:.3g} ms at most)",
                     1e3 * sum / static_cast<double>(result.steps.size()), 1e3 * most);
}

int run_handle(const HandleArguments& options) {
  const Cancel cancel;
  const CancelOnSignal on_signal(cancel);
  ProgressCounts progress;
  Study study = load_study(options.study);
  HandPoses hand = load_hand_poses(options.hand);
  HandleOptions how = options.run;
  if (!options.clearance.empty())
    how.clearance = parse_length(options.clearance, study.unit, "--clearance");
  how.budget.cancel = cancel;
  how.budget.progress = progress.function();
  if (!options.out.empty()) {
    check_out(study, options);
    make_folder(options.out);
  }
  if (has_drawings(study))
    throw InvalidInput(
        "touche handle is for meshes, not for drawings: a hand would take them out of the plane "
        "(touche sheet makes a mesh of one)");
  std::vector<Object> parts = load_parts(study);

  const auto start = std::chrono::steady_clock::now();
  HandleResult result;
  {
    const ProgressBar bar(progress, cancel);
    result = handle(std::move(study), std::move(parts), std::move(hand), how);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const std::string remark =
      fmt::format("poses of the hand: {}{}, of the path: {}, time: {:.3g} s", result.steps.size(),
                  pace(result), result.path.poses.size(), seconds);
  if (!options.out.empty()) {
    const std::string viewer = options.no_viewer ? std::string() : report_viewer_text(result);
    write_handled(result, options.out, {page_date(), remark, viewer});
  }
  if (options.json) {
    fmt::print("{}", handle_json(result));
  } else {
    for (const std::string& odd : study_remarks(result.proof))
      fmt::print(stderr, "touche: {}\n", odd);
    if (const std::string odd = order_remark(result.hand.poses.front()); !odd.empty())
      fmt::print(stderr, "touche: {}: the first pose {}\n", options.hand, odd);
    fmt::print("{}\n{}\n", handle_sentence(result), remark);
    if (!options.out.empty())
      fmt::print("written to {}\n", (std::filesystem::path(options.out) / "report.html").string());
  }
  // A part that could not move at all is a failure.
  const bool stuck = !result.steps.empty() &&
                     std::all_of(result.steps.begin(), result.steps.end(), [](const HandleStep& s) {
                       return s.status == HandlingStatus::touching;
                     });
  // So is a part that did not keep the requested clearance.
  const bool nearer = !options.clearance.empty() && result.start_distance < result.clearance;
  const int code = exit_code(result.verdict);
  if ((stuck || nearer) && (code == kFree || code == kOpen)) return kContact;
  return code == kOpen && options.surfaces ? kFree : code;
}

}  // namespace

void add_handle(Program& program) {
  Command command = program.command(
      "handle", "Drag a part of a study along a hand's poses; it follows as far as contacts allow");
  auto options = std::make_shared<HandleArguments>();
  command.add("file", options->study, "Study file, see docs/study.schema.json")
      .required()
      .type_name("STUDY");
  command
      .add("--hand", options->hand,
           "Poses of the hand: a table with the columns t,x,y,z,qw,qx,qy,qz in seconds and the "
           "study's unit")
      .required()
      .type_name("FILE");
  command
      .add("--out", options->out,
           "Write report.html, result.json, forces.csv, and the path taken as study.json with "
           "path.csv; default: print only")
      .type_name("FOLDER");
  command.flag("--no-viewer", options->no_viewer, kNoViewerHelp);
  command
      .add("--group", options->run.group,
           "Which group of the study the hand holds; needed if there are several")
      .type_name("NAME");
  command
      .add("--clearance", options->clearance,
           "Distance to keep, as 0.05mm or 0.05; the result reports parts that begin nearer. "
           "Default: twice the study's tolerance")
      .type_name("LENGTH");
  command.add("--friction", options->run.friction, "Coefficient of static friction").at_least(0);
  command
      .add("--stiffness", options->run.stiffness,
           "Of the hand's spring, force per length: forces are in proportion to it")
      .positive();
  command
      .add("--max-work", options->run.budget.max_work,
           "Most pairs tested for each pose of the hand; at this limit the part lags behind")
      .at_least(1);
  command.add("--threads", options->run.threads, "0: all; the result is the same").range(0, 1024);
  command.flag("--surfaces", options->surfaces, kSurfacesHelp);
  command.flag("--json", options->json, "Print result.json, for programs");
  command.footer(
      "Exit code: 0 the path taken is free, proved; 1 parts touch, or are from the start on too\n"
      "near to move, or begin nearer than --clearance; 2 error, not decided, or interrupted; 3 no\n"
      "surfaces meet, proved, but a part is open (0 with --surfaces).\n"
      "Ctrl-C stops after the pose in work and writes what is done; a second one stops at once.\n\n"
      "Examples:\n"
      "  touche scene nut-by-hand --out nut\n"
      "  touche handle nut/study.json --hand nut/hand.csv --out report\n"
      "  touche study report/study.json\n"
      "  touche handle nut/study.json --hand nut/hand.csv --json | jq .summary");
  command.runs([options] { return run_handle(*options); });
}

}  // namespace touche::cli
