// SPDX-License-Identifier: Apache-2.0
// touche evaluate: finds the hierarchy and the traversal that suit removal studies best.
#include "touche/methods/evaluation.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>
#include <variant>

#include "commands.h"
#include "deforming_scenes.h"
#include "directions.h"
#include "progress.h"
#include "random.h"
#include "scenes.h"
#include "touche/methods/continuous_evaluation.h"
#include "touche/methods/cost_file.h"
#include "touche/methods/measure_costs.h"
#include "write_file.h"

namespace touche::cli {
namespace {

namespace fs = std::filesystem;

struct EvaluateArguments {
  std::vector<std::string> studies;
  std::string out = "evaluation", costs, directions;
  std::size_t max_poses = 200;
  bool quick = false, continuous = false;
  EvaluationOptions how;
};

std::vector<double> times_of(const scenes::SceneGroup& group) {
  std::size_t steps = 1;
  if (const auto* recorded = std::get_if<scenes::RecordedMotion>(&group.motion)) {
    if (!recorded->times.empty()) return recorded->times;
    steps = recorded->poses.size() - 1;
  } else if (const auto* screw = std::get_if<scenes::ScrewMotion>(&group.motion)) {
    steps = static_cast<std::size_t>(screw->steps);
  } else {
    steps = static_cast<std::size_t>(std::get<scenes::TranslationMotion>(group.motion).steps);
  }
  std::vector<double> times;
  for (std::size_t k = 0; k <= steps; ++k)
    times.push_back(static_cast<double>(k) / static_cast<double>(steps));
  return times;
}

struct LoadedStudy {
  Study study;
  std::vector<Object> parts;
};

LoadedStudy study_of_scene(const scenes::Scene& scene, const std::string& title) {
  Study study;
  study.title = title;
  std::vector<Object> parts;
  for (const scenes::ScenePart& part : scene.parts) {
    study.parts.push_back(
        {.name = part.name, .file = {}, .node = {}, .scale = 1, .pose = part.pose});
    parts.emplace_back(placed(part), part.name);
  }
  for (const scenes::SceneGroup& group : scene.groups) {
    study.groups.push_back({group.name, group.parts, motion_of(group), times_of(group)});
    study.times.insert(study.times.end(), study.groups.back().times.begin(),
                       study.groups.back().times.end());
  }
  std::sort(study.times.begin(), study.times.end());
  study.times.erase(std::unique(study.times.begin(), study.times.end()), study.times.end());
  return {std::move(study), std::move(parts)};
}

// The coarsest headlamp, for a quick run.
constexpr Index kQuickTriangles = 20000;

std::vector<RemovalStudy> shipped(const EvaluateArguments& options) {
  std::vector<RemovalStudy> studies;
  const auto headlamp = [&](Index triangles, const char* title) {
    auto [study, parts] = study_of_scene(scenes::headlamp({.triangles = triangles}), title);
    studies.push_back(removals_of(study, std::move(parts), options.max_poses));
  };
  if (options.quick) {
    headlamp(kQuickTriangles, "Headlamp, 20,000 triangles");
    return studies;
  }
  headlamp(200000, "Headlamp, 200,000 triangles");
  headlamp(2000000, "Headlamp, 2,000,000 triangles");
  auto [study, parts] = study_of_scene(scenes::nut_and_bolt(), "M16 nut and bolt");
  studies.push_back(removals_of(study, std::move(parts), options.max_poses));
  return studies;
}

std::vector<DeformingCase> shipped_deforming(Index triangles) {
  constexpr int kTimes = 8;
  std::vector<DeformingCase> cases;
  for (const auto& scene :
       {scenes::cloth_and_ball(triangles), scenes::hose_and_housing(triangles)}) {
    cases.push_back({scene.title, scene.rest, scene.obstacle, {}});
    for (int i = 0; i < kTimes; ++i)
      cases.back().vertices.push_back(scene.vertices((i + 0.5) / kTimes));
  }
  return cases;
}

Study mesh_study(const std::string& file) {
  Study study = load_study(file);
  if (has_drawings(study))
    throw InvalidInput(
        "touche evaluate is for meshes, not for drawings: it compares volumes around faces (touche "
        "sheet makes a mesh of one)");
  return study;
}

std::vector<RemovalStudy> studies_of(const EvaluateArguments& options) {
  if (options.studies.empty()) return shipped(options);
  std::vector<RemovalStudy> studies;
  for (const std::string& file : options.studies) {
    const Study study = mesh_study(file);
    studies.push_back(removals_of(study, load_parts(study), options.max_poses));
  }
  return studies;
}

// Two torus knots that turn at different rates, by up to 86 degrees relative to each other, in
// steps of half a tube's thickness until they touch.
ContinuousStudy rotating_knots(int motions) {
  constexpr int kSteps = 50;
  ContinuousStudy study{"Rotating torus knots", {}, {}};
  const PolygonSoup knot = scenes::torus_knot(2, 3, 7200);
  study.parts = {Object(knot, "knot"), Object(knot, "turning knot")};
  scenes::Random random(1);
  const auto place = [&](double distance) {
    return Pose::from_axis_angle(random.direction(), random.uniform(0, 3),
                                 distance * random.direction());
  };
  for (int i = 0; i < motions; ++i) {
    const Pose start = place(2.6);
    const Pose turn = Pose::from_axis_angle(random.direction(), random.uniform(0, 1.5), {0, 0, 0});
    const Pose end = Pose::from_translation(-1.4 * start.translation()) * start * turn;
    const Motion still = Motion::at(Pose()), motion = Motion::interpolated(start, end);
    const ToiResult first =
        time_of_impact(study.parts[0], still, study.parts[1], motion, {.tolerance = 1e-6});
    for (int k = 0; k < kSteps && k < first.time.lower * kSteps; ++k)
      study.steps.push_back(
          {{0, 1, still, motion.part(k / double{kSteps}, (k + 1) / double{kSteps})}});
  }
  return study;
}

// A rod, a hundred times as long as thick, turns by up to 120 degrees in one step near a plate.
ContinuousStudy turning_rods(int motions) {
  ContinuousStudy study{"Rods that turn fast beside a plate", {}, {}};
  study.parts = {Object(scenes::box({-0.5, -0.5, -0.005}, {0.5, 0.5, 0.005}), "plate"),
                 Object(scenes::box({-1, -0.01, -0.01}, {1, 0.01, 0.01}), "rod")};
  scenes::Random random(2);
  for (int i = 0; i < motions; ++i) {
    const Pose start =
        Pose::from_axis_angle(random.direction(), random.uniform(0, 3), random.in_box(1));
    const Pose turn = Pose::from_axis_angle(random.direction(), random.uniform(0, 2.1), {0, 0, 0});
    const Pose end = Pose::from_translation(random.in_box(0.3)) * start * turn;
    study.steps.push_back({{0, 1, Motion::at(Pose()), Motion::interpolated(start, end)}});
  }
  return study;
}

std::vector<ContinuousStudy> shipped_continuous(const EvaluateArguments& options) {
  std::vector<ContinuousStudy> studies;
  const auto add = [&](const scenes::Scene& scene, const std::string& title) {
    auto [study, parts] = study_of_scene(scene, title);
    studies.push_back(continuous_study_of(study, std::move(parts)));
  };
  const Index triangles = options.quick ? kQuickTriangles : 200000;
  add(scenes::headlamp({.triangles = triangles, .hidden_clash = true}),
      "Headlamp with a hidden contact");
  if (options.quick) return studies;
  add(scenes::headlamp({.triangles = triangles}), "Headlamp");
  add(scenes::nut_and_bolt({.turns = 1}), "M16 nut and bolt, one turn");
  add(scenes::nut_and_bolt({.turns = 1, .pitch_error = 0.1}), "M16 nut with a wrong pitch");
  add(scenes::peg_in_hole({.round = true}), "Round peg and hole");
  add(scenes::peg_in_hole({.round = false, .tilt = 0.02}), "Tilted peg and hole");
  add(scenes::bullet_and_paper({.motion = scenes::BulletMotion::translation}), "Bullet and paper");
  add(scenes::bullet_and_paper({.motion = scenes::BulletMotion::rotation}),
      "Turning rod and paper");
  studies.push_back(rotating_knots(300));
  studies.push_back(turning_rods(1000));
  return studies;
}

/// The output folder. It is created at once, so that an unusable name is reported before the work,
/// and removed again if it stays empty.
class OutFolder {
 public:
  explicit OutFolder(const fs::path& folder) : folder_(folder), is_new_(!fs::exists(folder)) {
    make_folder(folder);
  }
  ~OutFolder() {
    std::error_code not_empty;  // an error means not empty; then the folder stays
    if (is_new_) fs::remove(folder_, not_empty);
  }
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;

 private:
  const fs::path folder_;
  const bool is_new_;
};

int interrupted() {
  fmt::print(stderr, "touche: interrupted, nothing is written\n");
  return kError;
}

int run_continuous(const EvaluateArguments& options, const ProgressCounts& progress) {
  std::vector<ContinuousStudy> studies;
  for (const std::string& file : options.studies) {
    const Study study = mesh_study(file);
    studies.push_back(continuous_study_of(study, load_parts(study)));
  }
  if (studies.empty()) studies = shipped_continuous(options);
  ContinuousEvaluationOptions how;
  how.budget = options.how.budget;
  ContinuousEvaluation evaluation;
  {
    const ProgressBar bar(progress, how.budget.cancel);
    evaluation = evaluate_continuous(studies, how);
  }
  if (!evaluation.complete) return interrupted();
  const fs::path out = options.out;
  write_file(out / "continuous.csv", continuous_csv(evaluation));
  write_file(out / "continuous.html", continuous_html(evaluation, "measured on one thread"));
  fmt::print("{} trials in {:.0f} s\nwritten to {}\n", evaluation.trials.size(), evaluation.seconds,
             (out / "continuous.html").string());
  return kFree;
}

/// Reads the volumes to compare, and the directions of the k-DOPs among them.
void take_volumes(EvaluateArguments& options) {
  for (std::string& volume : options.how.compared) {
    const std::string name(volume_of_name(volume));
    if (name.empty())
      throw InvalidInput(fmt::format("--volume: \"{}\" is not one of {}", volume, volume_list()));
    volume = name;
  }
  const bool dop = std::ranges::find(options.how.compared, "dop") != options.how.compared.end();
  if (dop != !options.directions.empty())
    throw InvalidInput("--volume dop and --directions belong together");
  if (dop) options.how.directions = load_directions(options.directions);
}

int run_evaluate(EvaluateArguments options) {
  const Cancel cancel;
  const CancelOnSignal on_signal(cancel);
  ProgressCounts progress;
  options.how.budget.cancel = cancel;
  options.how.budget.progress = progress.function();
  const OutFolder folder(options.out);
  if (options.continuous) return run_continuous(options, progress);
  take_volumes(options);
  const CostMatrix costs =
      options.costs.empty()
          ? measure_costs(scenes::bumpy_sphere(5000, 1), {.directions = options.how.directions})
          : load_costs(options.costs);
  if (!options.how.directions.empty() && !costs.cost.contains("dop dop"))
    throw InvalidInput(
        "--costs: the file has no cost of \"dop dop\"; touche calibrate --directions measures it");
  const std::vector<RemovalStudy> studies = studies_of(options);
  const std::vector<DeformingCase> deforming = options.studies.empty()
                                                   ? shipped_deforming(options.quick ? 2000 : 20000)
                                                   : std::vector<DeformingCase>();
  Evaluation evaluation;
  {
    const ProgressBar bar(progress, cancel);
    evaluation = evaluate(studies, deforming, costs, options.how);
  }
  if (!evaluation.complete) return interrupted();
  const fs::path out = options.out;
  write_file(out / "evaluation.csv", evaluation_csv(evaluation));
  write_file(out / "evaluation.html",
             evaluation_html(evaluation, fmt::format("measured on {} hardware threads",
                                                     std::thread::hardware_concurrency())));
  fmt::print("{} trials in {:.0f} s\nwritten to {}\n",
             evaluation.settings.size() + evaluation.volumes.size() + evaluation.methods.size() +
                 evaluation.traversals.size(),
             evaluation.seconds, (out / "evaluation.html").string());
  return kFree;
}

}  // namespace

void add_evaluate(Program& program) {
  Command command = program.command(
      "evaluate", "Compare hierarchies and traversals on removal studies, and write a page");
  auto options = std::make_shared<EvaluateArguments>();
  command.add("studies", options->studies, "Study files (default: the scenes shipped)")
      .type_name("STUDY");
  command.add("--out", options->out, "Folder for the page and its figures as CSV")
      .type_name("FOLDER")
      .show_default();
  command.add("--costs", options->costs, "Costs of tests (default: measured first)")
      .type_name("FILE");
  command
      .add("--volume", options->how.compared,
           "Volumes to compare with each other (default: all): " + volume_list())
      .list()
      .type_name("NAMES");
  add_directions(command, options->directions);
  command.add("--degrees", options->how.degrees, "Fixed degrees to try")
      .list()
      .range(2, 8)
      .show_default();
  command
      .add("--improvements", options->how.improvements,
           "Factors of improvement to try, for variable degree")
      .list()
      .range(0.01, 1.0)
      .show_default();
  command.add("--poses", options->how.poses, "Of a removal, while settings are compared")
      .range(1, 1000000)
      .show_default();
  command.add("--max-poses", options->max_poses, "Of a removal, in all comparisons")
      .range(1, 1000000)
      .show_default();
  command.add("--threads", options->how.threads, "0: all; timing always runs on one")
      .range(0, 1024);
  command.flag("--quick", options->quick, "The smallest of the shipped scenes only");
  command.flag("--continuous", options->continuous,
               "Compare continuous tests with the certified answer instead");
  command.footer(
      "Every method divides the parts with each degree and each factor of improvement; what a "
      "static\ntest costs at the recorded poses is counted, and timed for the best. Chapter 10.1 "
      "of Eckstein's\nthesis, on your motions. With --continuous chapter 10.2: time, misses, false "
      "alarms and errors of\nthe thesis' continuous tests against the certified answer.\n\n"
      "Examples:\n"
      "  touche evaluate --out docs/evaluation      # a quarter of an hour on two cores\n"
      "  touche evaluate --quick\n"
      "  touche evaluate --continuous --out docs/evaluation\n"
      "  touche evaluate my.json --degrees 2,4,8 --improvements 0.75");
  command.runs([options] { return run_evaluate(*options); });
}

}  // namespace touche::cli
