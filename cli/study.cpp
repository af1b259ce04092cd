// SPDX-License-Identifier: Apache-2.0
// touche study: runs a study file; writes results and a report.
#include <fmt/core.h>

#include <chrono>

#include "commands.h"
#include "progress.h"
#include "result_files.h"
#include "touche/study.h"
#include "write_file.h"

namespace touche::cli {
namespace {

struct StudyArguments {
  std::string file, cache;
  ResultFiles files;
  StudyOptions run;
  bool json = false, steps_only = false, surfaces = false;
  bool explain = false, no_explain = false;  // the second has an effect; the first names the
                                             // default
};

std::vector<Object> load_objects(const Study& study, const StudyArguments& options) {
  if (options.cache.empty()) return load_parts(study);
  CacheReport report;
  std::vector<Object> parts = load_parts(study, options.cache, report);
  for (const std::string& remark : report.remarks) fmt::print(stderr, "touche: {}\n", remark);
  if (!options.json)
    fmt::print("hierarchies: {} from {}, {} built\n", report.loaded, options.cache, report.built);
  return parts;
}

int run_study(const StudyArguments& options) {
  const Cancel cancel;
  const CancelOnSignal on_signal(cancel);
  ProgressCounts progress;
  Study study = load_study(options.file);
  options.files.prepare("steps.csv", files_of(study));
  std::vector<Object> parts = load_objects(study, options);

  StudyOptions how = options.run;
  how.explain = !options.no_explain;
  how.budget.cancel = cancel;
  how.budget.progress = progress.function();
  how.paths = !options.steps_only;
  const auto start = std::chrono::steady_clock::now();
  StudyResult result;
  {
    const ProgressBar bar(progress, cancel);
    result = run_study(std::move(study), std::move(parts), how);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const std::string remark = fmt::format("steps: {}, pairs of parts: {}, time: {:.3g} s",
                                         result.steps.size(), result.pair_count, seconds);
  options.files.write(
      [&] { return result_json(result); }, "steps.csv", [&] { return result_csv(result); },
      [&] {
        return result_html(result, {page_date(), remark, options.files.viewer(result)});
      });
  if (options.json) {
    fmt::print("{}", result_json(result));
  } else {
    for (const std::string& drawing : study_remarks(result))
      fmt::print(stderr, "touche: {}\n", drawing);
    fmt::print("{}\n", verdict_sentence(result));
    if (const std::string details = verdict_details(result); !details.empty())
      fmt::print("{}\n", details);
    if (const std::string what = explanation(result); !what.empty()) fmt::print("{}\n", what);
    fmt::print("{}\n", remark);
    options.files.tell();
  }
  const int code = exit_code(result.verdict);
  return code == kOpen && options.surfaces ? kFree : code;
}

}  // namespace

void add_study(Program& program) {
  Command command = program.command(
      "study", "Can these parts be moved along this path? When and where do they first touch?");
  auto options = std::make_shared<StudyArguments>();
  command.add("file", options->file, "Study file, see docs/study.schema.json")
      .required()
      .type_name("STUDY");
  options->files.add_to(command);
  command.flag("--steps-only", options->steps_only,
               "Only the steps: no whole paths with their clearance and overlaps");
  command.flag("--surfaces", options->surfaces, kSurfacesHelp);
  command.flag("--stop-at-first", options->run.stop_at_first,
               "Leave out the steps after the first contact, and whole paths");
  command.flag("--explain", options->explain,
               "Search for a shift that would open the first contact: default");
  command.flag("--no-explain", options->no_explain, "Do not search for it");
  command.add("--threads", options->run.threads, "0: all; the result is the same").range(0, 1024);
  command
      .add("--cache", options->cache,
           "Keep the parts' hierarchies in this folder; the result is the same")
      .type_name("FOLDER");
  command
      .add("--thickness-points", options->run.thickness_points,
           "Points tested for the thickness of an overlap, at each time; 0: none is measured, and "
           "each contact of a whole path is a clash")
      .show_default();
  command.add("--max-work", options->run.budget.max_work,
              "Give up on a pair of parts in a step, and on each search of a whole path, after "
              "testing this many pairs; on a thickness after as many points");
  command.flag("--json", options->json, "Print result.json, for programs");
  command.footer(
      "Exit code: 0 free, proved; 1 contact, or a part inside another; 2 error, not decided, or\n"
      "interrupted in the steps; 3 no surface touches another, proved, but a part is open (0 with\n"
      "--surfaces). All steps come before whole paths. Ctrl-C stops after the pairs in work and\n"
      "writes what is done: after the steps their verdict. A second one stops at once.\n\n"
      "Examples:\n"
      "  touche study my.json --out report\n"
      "  touche study my.json --stop-at-first --threads 2\n"
      "  touche study my.json --cache ~/.cache/touche\n"
      "  touche study my.json --out report --format json,csv\n"
      "  touche study my.json --json | jq .verdict");
  command.runs([options] { return run_study(*options); });
}

}  // namespace touche::cli
