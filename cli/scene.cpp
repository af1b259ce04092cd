// SPDX-License-Identifier: Apache-2.0
// touche scene: writes one of our generated scenes as a study.
#include <fmt/format.h>

#include <algorithm>

#include "commands.h"
#include "scenes.h"

namespace touche::cli {
namespace {

struct Options {
  std::string name, out;
};

struct Entry {
  const char* name;
  const char* what;
  scenes::Scene (*make)(const Options&);
};

using scenes::BulletMotion;
using scenes::ToriPose;

constexpr Entry kScenes[] = {
    {"tori-touching", "two tori that share one point",
     [](const Options&) { return scenes::tori(ToriPose::touching); }},
    {"tori-overlapping", "two tori that intersect",
     [](const Options&) { return scenes::tori(ToriPose::overlapping); }},
    {"tori-interlocked", "two tori, interlocked but free",
     [](const Options&) { return scenes::tori(ToriPose::interlocked); }},
    {"bullet", "a thin wall passed at high speed",
     [](const Options&) {
       return scenes::bullet_and_paper({.motion = BulletMotion::translation});
     }},
    {"rod", "a thin wall met by the far end of a turning rod",
     [](const Options&) { return scenes::bullet_and_paper({.motion = BulletMotion::rotation}); }},
};

std::string list() {
  std::string text;
  for (const Entry& entry : kScenes) text += fmt::format("  {:<18}{}\n", entry.name, entry.what);
  return text;
}

int run(const Options& options) {
  const auto* entry = std::find_if(std::begin(kScenes), std::end(kScenes),
                                   [&](const Entry& e) { return options.name == e.name; });
  if (entry == std::end(kScenes))
    throw InvalidInput(
        fmt::format("there is no scene \"{}\"; there are:\n{}", options.name, list()));
  const scenes::Scene scene = entry->make(options);
  scenes::write_study(scene, options.out);
  fmt::print("{}: {} parts\nwritten to {}/study.json\n", scene.title, scene.parts.size(),
             options.out);
  return kFree;
}

}  // namespace

Command add_scene(CLI::App& app) {
  CLI::App* command = app.add_subcommand("scene", "Write a generated scene as a study, to try");
  auto options = std::make_shared<Options>();
  command->add_option("name", options->name, "Which scene, see below")->required();
  command->add_option("--out", options->out, "Folder to write it to")
      ->required()
      ->type_name("FOLDER");
  command->footer("Scenes:\n" + list() +
                  "\nExamples:\n"
                  "  touche scene bullet --out bullet\n"
                  "  touche study bullet/study.json --out report");
  return [options] { return run(*options); };
}

}  // namespace touche::cli
