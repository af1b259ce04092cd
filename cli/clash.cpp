// SPDX-License-Identifier: Apache-2.0
// touche clash: finds all clashes of an assembly.
#include "touche/clash.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <string_view>

#include "animation_option.h"
#include "clash_moves.h"
#include "commands.h"
#include "drawing_options.h"
#include "length.h"
#include "outlines.h"
#include "progress.h"
#include "result_files.h"
#include "touche/shape_file.h"
#include "two_objects.h"
#include "up_axis.h"
#include "weld_length.h"
#include "write_file.h"

namespace touche::cli {
namespace {

namespace fs = std::filesystem;

struct ClashArguments {
  std::vector<std::string> inputs, fail_on, against, of;
  ResultFiles files;
  std::string unit, up, split, weld, clearance, touching, ignore_thinner, tolerance, rules, compare,
      compare_tolerance, notes, bcf;
  AnimationOption animation;
  DrawingOptions drawings;
  ClashOptions run;
  bool json = false, surfaces = false, no_moves = false;
};

bool is_within(const fs::path& file, const fs::path& folder) {
  const fs::path relative =
      fs::weakly_canonical(file).lexically_relative(fs::weakly_canonical(folder));
  return !relative.empty() && *relative.begin() != "..";
}

// Files and folders of --against and --of are checked, too, if they are not among the inputs.
std::vector<fs::path> files_to_load(const ClashArguments& options) {
  std::vector<fs::path> files(options.inputs.begin(), options.inputs.end());
  for (const auto* list : {&options.against, &options.of})
    for (const std::string& entry : *list)
      if (fs::exists(entry) && std::none_of(files.begin(), files.end(), [&](const fs::path& input) {
            return is_within(entry, input);
          }))
        files.emplace_back(entry);
  return files;
}

ClashSet set_of(const std::vector<std::string>& entries) {
  ClashSet set;
  for (const std::string& entry : entries)
    (fs::exists(entry) ? set.files : set.patterns).push_back(entry);
  return set;
}

bool is_study(const std::string& file) { return is_named_json(file) && !is_shape_file(file); }

// Creates the folder of results before any work is done; throws if an input would be overwritten.
void prepare(const ClashArguments& options, std::vector<fs::path> inputs) {
  for (fs::path& file : files_to_load(options)) inputs.push_back(std::move(file));
  inputs.insert(inputs.end(), {options.rules, options.notes});
  options.files.prepare("pairs.csv", inputs);
  if (options.bcf.empty()) return;
  // Nothing that is read has such a name.
  if (const std::string ending = fs::path(options.bcf).extension().string();
      ending != ".bcfzip" && ending != ".bcf" && ending != ".zip")
    throw InvalidInput(
        fmt::format("--bcf: {}: expected a name that ends in .bcfzip, .bcf or .zip", options.bcf));
  inputs.emplace_back(options.compare);
  for (const fs::path& input : inputs) {
    std::error_code none;
    if (fs::equivalent(input, options.bcf, none))
      throw InvalidInput(
          fmt::format("--bcf: {} would be overwritten, which is read", input.string()));
  }
  if (const fs::path folder = fs::path(options.bcf).parent_path(); !folder.empty())
    make_folder(folder);
}

// A study's own settings apply unless the command line overrides them.
ClashParts load_study_parts(const ClashArguments& options, ClashOptions& how) {
  if (options.inputs.size() > 1)
    throw InvalidInput("a study is checked by itself, without other files");
  if (!options.unit.empty()) throw InvalidInput("--unit: a study says itself which unit it is in");
  if (!options.up.empty())
    throw InvalidInput("--up: a study says itself which axis of a part is up");
  if (!options.weld.empty())
    throw InvalidInput("--weld: a study says itself which vertices of a part are joined");
  if (!options.animation.name.empty())
    throw InvalidInput("--animation: the parts of a study move as it says");
  if (!options.split.empty()) throw InvalidInput("--split: a study names its parts itself");
  options.drawings.refuse("is not for a study: it has options of its own for each drawing");
  const Study study = load_study(options.inputs[0]);
  prepare(options, files_of(study));
  how.clearance = study.clearance;
  how.max_touching_thickness = study.max_touching_thickness;
  if (how.max_touching_thickness == 0.0) how.max_touching_thickness.reset();
  how.tolerance = study.tolerance;
  return clash_parts(study, options.animation.at);
}

// The unit in which figures come back: that of the first length that was given with one. A length
// without a unit is in the unit of the files.
std::string typed_unit(const ClashArguments& options, const std::string& of_files) {
  for (const std::string* text :
       {&options.clearance, &options.touching, &options.ignore_thinner, &options.tolerance})
    if (!text->empty()) return unit_in(*text).empty() ? of_files : unit_in(*text);
  return "";
}

// Of coordinates, before any file is read; files of a folder are in millimetres mostly.
std::string unit_of_files(const ClashArguments& options) {
  if (!options.unit.empty()) return options.unit;
  const std::string unit = unit_of(options.inputs.front(), 1);
  return unit.empty() ? "mm" : unit;
}

ClashParts load_clash(const ClashArguments& options, ClashOptions& how) {
  for (const std::string& input : options.inputs)
    if (is_unit(input) && !fs::exists(input))
      throw InvalidInput(fmt::format(
          "{0}: the file does not exist; a length and its unit are one word: 2{0}", input));
  const bool study = std::any_of(options.inputs.begin(), options.inputs.end(), is_study);
  ClashParts parts = [&] {
    if (study) return load_study_parts(options, how);
    if (options.animation.name.empty() && options.animation.at != 0)
      throw InvalidInput("--at: only the parts of a study and of --animation move");
    prepare(options, {});
    return load_clash_parts(
        files_to_load(options),
        {.unit = options.unit,
         .threads = how.threads,
         .drawings = options.drawings.outline_options(),
         .up = parse_up(options.up),
         .shown_unit = typed_unit(options, ""),
         .split = options.split.empty() ? std::nullopt : std::optional(parse_split(options.split)),
         .weld = parse_weld(options.weld, unit_of_files(options)),
         .animation = options.animation.time()});
  }();
  if (const std::string typed = typed_unit(options, parts.unit); !typed.empty())
    parts.shown_unit = typed;
  if (!options.bcf.empty() && has_drawings(parts))
    throw InvalidInput("--bcf: it is for parts in space, and these are drawings of the plane");
  const auto length = [&](const std::string& text, const char* option) {
    return parse_length(text, parts.unit, option);
  };
  if (parts.parts.size() < 2) {
    print_remarks(parts.remarks);  // which may say what was left out
    throw InvalidInput(fmt::format(
        "{}: {} part, and only two can clash; a file that is one mesh or drawing is one part, "
        "unless --split makes parts of its objects or shells, or of a drawing's objects or layers",
        options.inputs[0], parts.parts.size()));
  }
  if (!options.clearance.empty()) how.clearance = length(options.clearance, "--clearance");
  if (!options.touching.empty())
    how.max_touching_thickness = length(options.touching, "--touching");
  if (!options.ignore_thinner.empty())
    how.ignore_thinner = length(options.ignore_thinner, "--ignore-thinner");
  if (!options.tolerance.empty()) how.tolerance = length(options.tolerance, "--tolerance");
  return parts;
}

int clash_exit_code(const ClashResult& result, const std::vector<std::string>& fail_on,
                    bool surfaces) {
  if (result.verdict == ClashVerdict::interrupted) return kError;
  const std::vector<std::string_view> words(fail_on.begin(), fail_on.end());
  if (fails_on(result, words)) return kContact;
  if (result.open(ClashPairVerdict::undecided) > 0) return kError;
  return result.open(ClashPairVerdict::open) > 0 && !surfaces ? kOpen : kFree;
}

void print_clash(const ClashResult& result) {
  print_remarks(result.parts.remarks);
  print_remarks(result.remarks);
  if (result.comparison) print_remarks(result.comparison->remarks);
  fmt::print("{}\n", clash_sentence(result));
  if (const auto& turned = result.parts.turned; !turned.empty())
    fmt::print("{} is up in {}{}, turned so that z is up\n", name(turned[0].up), turned[0].file,
               turned.size() > 1 ? " and other files" : "");
  if (const std::string compared = comparison_sentence(result); !compared.empty())
    fmt::print("{}\n", compared);
}

// The page says how long it took to make it: it is written with this in place of the time.
constexpr const char* kTime = "(time of this page)";

std::string with_time(std::string page, const std::string& remark) {
  if (const std::size_t at = page.rfind(kTime); at != std::string::npos)
    page.replace(at, std::string_view(kTime).size(), remark);
  return page;
}

int run_clash(ClashArguments options) {
  // A file may have a comma in its name.
  for (auto* list : {&options.against, &options.of})
    if (!std::ranges::all_of(*list, [](const std::string& entry) { return fs::exists(entry); }))
      if (*list = separated(*list); list->empty())
        throw InvalidInput("--against, --of: a set without names");
  if (options.compare.empty() && !options.compare_tolerance.empty())
    throw InvalidInput("--compare-tolerance: there is nothing to compare with, expected --compare");
  if (options.compare.empty() &&
      std::find(options.fail_on.begin(), options.fail_on.end(), "new") != options.fail_on.end())
    throw InvalidInput("--fail-on new: there is nothing to compare with, expected --compare");
  const Cancel cancel;
  const CancelOnSignal on_signal(cancel);
  ProgressCounts progress;
  const auto start = std::chrono::steady_clock::now();
  ClashOptions how = options.run;
  if (!options.rules.empty()) how.rules = load_clash_rules(options.rules);
  std::vector<ClashNote> notes;
  if (!options.notes.empty()) notes = load_clash_notes(options.notes);
  add_accepted(how.rules, notes);
  if (!options.against.empty())
    how.between = ClashOptions::Between{set_of(options.against), set_of(options.of)};
  else if (!options.of.empty())
    throw InvalidInput("--of: pairs of these parts with which others? Expected --against");
  // Read the earlier result before anything is written, as the new results may replace it.
  std::optional<EarlierClashes> earlier;
  if (!options.compare.empty()) earlier = load_earlier_clashes(options.compare);
  ClashParts parts = load_clash(options, how);
  const double compare_tolerance =
      options.compare_tolerance.empty()
          ? 0
          : parse_length(options.compare_tolerance, parts.unit, "--compare-tolerance");
  if (earlier) earlier->expect_unit(parts.unit);
  const double loading = seconds_since(start);

  how.budget.cancel = cancel;
  how.budget.progress = progress.function();
  ClashResult result;
  {
    const ProgressBar bar(progress, cancel);
    result = find_clashes(std::move(parts), how);
  }
  attach_notes(result, notes);
  if (!options.no_moves) find_moves(result, how.budget);
  if (earlier) {
    measure_for_comparison(result, *earlier, compare_tolerance, how.budget);
    result.comparison = compare_clashes(result, *earlier, compare_tolerance);
  }
  const double checked = seconds_since(start);
  const auto remark = [&] {
    const double now = seconds_since(start);
    return fmt::format("parts: {}, pairs examined: {}, time: {:.3g} s, of which loading {:.3g} s{}",
                       result.parts.parts.size(), result.examined, now, loading,
                       options.files.any() || !options.bcf.empty()
                           ? fmt::format(", results and pictures {:.3g} s", now - checked)
                           : "");
  };
  options.files.write(
      [&] { return clash_json(result); }, "pairs.csv", [&] { return clash_csv(result); },
      [&] {
        std::string page = clash_html(result, {page_date(), kTime, options.files.viewer(result)});
        return with_time(std::move(page), remark());  // the page is made by now
      });
  if (!options.bcf.empty())
    write_file(options.bcf, clash_bcf(result, {.date = page_date().substr(0, 10)}));
  if (options.json) {
    fmt::print("{}", clash_json(result));
  } else {
    print_clash(result);
    fmt::print("{}\n", remark());
    options.files.tell();
  }
  return clash_exit_code(result, options.fail_on, options.surfaces);
}

}  // namespace

void add_clash(Program& program) {
  Command command =
      program.command("clash", "Which parts of an assembly overlap, touch or come too near?");
  auto options = std::make_shared<ClashArguments>();
  command
      .add("files", options->inputs,
           "A file with nodes (.glb, .gltf, .3mf, .dae), a folder or list of mesh files or of "
           "drawings, shapes (.json) among them, or a study")
      .required()
      .type_name("FILE");
  options->files.add_to(command);
  command
      .add("--bcf", options->bcf,
           "Write what clashes as BCF 2.1, with viewpoints and pictures, e.g. clashes.bcfzip")
      .type_name("FILE");
  command
      .add("--against", options->against,
           "Only pairs between these parts and all others: patterns as in rules, or files or "
           "folders")
      .texts()
      .type_name("SET");
  command.add("--of", options->of, "With --against: these parts in place of all others")
      .texts()
      .type_name("SET");
  command.add("--clearance", options->clearance, "Pairs nearer than this are listed, e.g. 2mm")
      .type_name("LENGTH");
  command
      .add("--rules", options->rules,
           "Pairs to leave out or accept, and named tests, see docs/clash-rules.schema.json")
      .type_name("FILE");
  command
      .add("--notes", options->notes,
           "Status, assignee and text of pairs, as from touche view, see "
           "docs/clash-notes.schema.json")
      .type_name("FILE");
  command
      .add("--compare", options->compare, "result.json of an earlier check: what is new, solved?")
      .type_name("FILE");
  command
      .add("--compare-tolerance", options->compare_tolerance,
           "Values that change by less are the same")
      .type_name("LENGTH");
  options->fail_on.assign(std::begin(kFailOn), std::end(kFailOn));
  command
      .add(
          "--fail-on", options->fail_on,
          "What makes the exit code 1, by commas: clash, contains, tests of the rules (these by "
          "default), within_accuracy, touching, near, duplicates; new: what clashes and did not in "
          "--compare")
      .list()
      .one_of({"clash", "contains", "tests", "within_accuracy", "touching", "near", "duplicates",
               "new"});
  command
      .add("--touching", options->touching,
           "Overlaps no thicker touch (default: what faces may be off from smooth surfaces)")
      .type_name("LENGTH");
  command
      .add("--ignore-thinner", options->ignore_thinner,
           "Overlaps that are proved to be no thicker touch, even where a rod pierces a wall")
      .type_name("LENGTH");
  command
      .add("--tolerance", options->tolerance,
           "Parts that are nearer touch (default: the precision of files)")
      .type_name("LENGTH");
  command
      .add("--unit", options->unit,
           "Of coordinates in files (default: m for glTF and COLLADA, else mm)")
      .one_of({"m", "cm", "mm", "um", "in", "ft"});
  add_up(command, "--up", options->up, "all files");
  command
      .add("--split", options->split,
           "OBJ, STL, PLY and OFF files: parts are their objects (OBJ: o or g, STL: solids) or "
           "connected shells; drawings: their objects (SVG: groups, DXF: blocks) or layers")
      .one_of({"objects", "shells", "layers"});
  add_weld(command, options->weld);
  options->drawings.add_to(command);
  options->animation.add_name(command, "", "the files that have it");
  command
      .add("--at", options->animation.at,
           "Of a study: the position on its path, 0 to 1; of an animation: the time in seconds")
      .type_name("TIME");
  command.add("--threads", options->run.threads, "0: all; the result is the same").range(0, 1024);
  command
      .add("--thickness-points", options->run.thickness_points,
           "Points tested for the thickness of an overlap, at most")
      .show_default();
  command.add("--max-work", options->run.budget.max_work,
              "Give up on a pair of parts after testing this many pairs of faces and boxes, on a "
              "thickness after as many points");
  command.flag("--no-moves", options->no_moves, "Do not search for what to move by how much");
  command.flag("--surfaces", options->surfaces, kSurfacesHelp);
  command.flag("--json", options->json, "Print result.json, for programs");
  command.footer(
      "Exit code: 0 no clash, proved; 1 a clash, or a part inside another (see --fail-on); 2 "
      "error,\n"
      "not decided, or interrupted; 3 no surfaces clash, proved, but a part is open (0 with\n"
      "--surfaces). Ctrl-C stops and writes what is done; a second one stops at once.\n\n"
      "Examples:\n"
      "  touche clash engine.glb --clearance 2mm --out report\n"
      "  touche clash multi.obj --split objects --unit mm --out report\n"
      "  touche clash parts/ --unit mm --rules rules.json --out report\n"
      "  touche clash parts/ --unit mm --notes parts/parts-clash-notes.json\n"
      "  touche clash engine.glb --against 'cable*' --bcf clashes.bcfzip\n"
      "  touche clash engine.glb --compare yesterday/result.json --fail-on new --out today\n"
      "  touche clash study.json --at 0.5 --json | jq .counts\n"
      "  touche clash sheet/*.dxf --clearance 2mm --out report\n"
      "  touche clash nest.svg --split objects --clearance 2mm --out report");
  command.runs([options] { return run_clash(*options); });
}

}  // namespace touche::cli
