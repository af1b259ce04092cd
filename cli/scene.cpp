// SPDX-License-Identifier: Apache-2.0
// touche scene: writes a generated scene as a study, a scene file or an assembly.
#include "scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "commands.h"
#include "engine_bay.h"
#include "scene_list.h"
#include "two_objects.h"
#include "write_file.h"

namespace touche::cli {
namespace {

using scenes::BulletMotion;
using scenes::DynamicScene;
using scenes::Scene;
using scenes::ToriPose;

using Entry = SceneEntry;

Scene nut_bolt(const SceneOptions& options) {
  scenes::NutAndBoltOptions nut;
  replace(nut.size, options.size);
  replace(nut.clearance, options.clearance);
  replace(nut.segments, options.segments);
  replace(nut.pitch_error, options.pitch_error);
  return scenes::nut_and_bolt(nut);
}

Scene peg(const SceneOptions& options, bool round) {
  scenes::PegInHoleOptions peg;
  peg.round = round;
  if (!options.size.empty()) peg.size = parse_numbers(options.size, 1, "--size")[0];
  replace(peg.clearance, options.clearance);
  replace(peg.segments, options.segments);
  peg.tilt = options.tilt_deg * std::numbers::pi / 180;
  return scenes::peg_in_hole(peg);
}

Scene headlamp(const SceneOptions& options, bool hidden_clash) {
  scenes::HeadlampOptions lamp;
  replace(lamp.triangles, options.triangles);
  lamp.hidden_clash = hidden_clash;
  return scenes::headlamp(lamp);
}

Scene traffic(const SceneOptions& options, bool clash) {
  scenes::TrafficOptions traffic;
  replace(traffic.bodies, options.parts);
  if (options.triangles > 0) traffic.triangles = options.triangles / traffic.bodies;
  traffic.clash = clash;
  return scenes::traffic(traffic);
}

Scene thread_by_hand(const SceneOptions& options, scenes::ThreadByHandOptions::Moved moved) {
  scenes::ThreadByHandOptions by_hand;
  by_hand.moved = moved;
  replace(by_hand.thread.size, options.size);
  replace(by_hand.thread.clearance, options.clearance);
  replace(by_hand.thread.segments, options.segments);
  replace(by_hand.trembling.seed, options.seed);
  return scenes::thread_by_hand(by_hand);
}

Scene peg_by_hand(const SceneOptions& options, bool round) {
  scenes::PegByHandOptions by_hand;
  by_hand.peg.round = round;
  if (!options.size.empty()) by_hand.peg.size = parse_numbers(options.size, 1, "--size")[0];
  replace(by_hand.peg.clearance, options.clearance);
  replace(by_hand.peg.segments, options.segments);
  replace(by_hand.trembling.seed, options.seed);
  return scenes::peg_by_hand(by_hand);
}

Scene bulb_by_hand(const SceneOptions& options, scenes::BulbByHandOptions::Lamp lamp) {
  scenes::BulbByHandOptions by_hand;
  by_hand.lamp = lamp;
  replace(by_hand.triangles, options.triangles);
  replace(by_hand.trembling.seed, options.seed);
  return scenes::bulb_by_hand(by_hand);
}

Scene aeroplane(const SceneOptions& options) {
  scenes::Trembling trembling;
  replace(trembling.seed, options.seed);
  return scenes::aeroplane(trembling);
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {"nut-bolt",
       "a nut is unscrewed from its bolt; sizes M4 to M20",
       {"--size", "--clearance", "--segments", "--pitch-error"},
       nut_bolt},
      {"peg-round",
       "a round peg is put into its hole",
       {"--size", "--clearance", "--segments", "--tilt"},
       [](const SceneOptions& o) { return peg(o, true); }},
      {"peg-rectangular",
       "a rectangular peg is put into its hole",
       {"--size", "--clearance", "--tilt"},
       [](const SceneOptions& o) { return peg(o, false); }},
      {"pin-rollers",
       "a pin with round ends is drawn out between rollers; parts are convex shapes",
       {"--clearance"},
       [](const SceneOptions& o) {
         return scenes::pin_between_rollers(o.clearance > 0 ? o.clearance : 0.1);
       }},
      {"headlamp",
       "two bulbs are taken out of a packed headlamp, by hand",
       {"--triangles"},
       [](const SceneOptions& o) { return headlamp(o, false); }},
      {"headlamp-clash",
       "the same, with a contact between two free recorded poses",
       {"--triangles"},
       [](const SceneOptions& o) { return headlamp(o, true); }},
      {"bullet",
       "a thin wall passed at high speed",
       {},
       [](const SceneOptions&) {
         return scenes::bullet_and_paper({.motion = BulletMotion::translation});
       }},
      {"rod",
       "a thin wall met by the far end of a turning rod",
       {},
       [](const SceneOptions&) {
         return scenes::bullet_and_paper({.motion = BulletMotion::rotation});
       }},
      {"traffic",
       "many bodies drift at once, each in its own cell",
       {"--parts", "--triangles"},
       [](const SceneOptions& o) { return traffic(o, false); }},
      {"traffic-clash",
       "the same, but two of them meet",
       {"--parts", "--triangles"},
       [](const SceneOptions& o) { return traffic(o, true); }},
      {"nut-by-hand",
       "a trembling hand turns a nut off its bolt; for touche handle",
       {"--size", "--clearance", "--segments", "--seed"},
       [](const SceneOptions& o) {
         return thread_by_hand(o, scenes::ThreadByHandOptions::Moved::nut);
       }},
      {"bolt-by-hand",
       "the bolt is turned out of its nut instead",
       {"--size", "--clearance", "--segments", "--seed"},
       [](const SceneOptions& o) {
         return thread_by_hand(o, scenes::ThreadByHandOptions::Moved::bolt);
       }},
      {"peg-round-by-hand",
       "a hand that is off by 2 mm and 3° puts a round peg into its hole",
       {"--size", "--clearance", "--segments", "--seed"},
       [](const SceneOptions& o) { return peg_by_hand(o, true); }},
      {"peg-rectangular-by-hand",
       "the same with a rectangular peg",
       {"--size", "--clearance", "--seed"},
       [](const SceneOptions& o) { return peg_by_hand(o, false); }},
      {"bulb-main-by-hand",
       "the main beam's bulb is drawn out of the headlamp, unsteadily",
       {"--triangles", "--seed"},
       [](const SceneOptions& o) {
         return bulb_by_hand(o, scenes::BulbByHandOptions::Lamp::main);
       }},
      {"bulb-auxiliary-by-hand",
       "then the auxiliary bulb",
       {"--triangles", "--seed"},
       [](const SceneOptions& o) {
         return bulb_by_hand(o, scenes::BulbByHandOptions::Lamp::auxiliary);
       }},
      {"aeroplane",
       "a small aeroplane is set down on a runway, rolls, slides and tips",
       {"--seed"},
       aeroplane},
      {"tori-touching",
       "two tori that share one point",
       {},
       [](const SceneOptions&) { return scenes::tori(ToriPose::touching); }},
      {"tori-overlapping",
       "two tori that intersect",
       {},
       [](const SceneOptions&) { return scenes::tori(ToriPose::overlapping); }},
      {"tori-interlocked",
       "two tori, interlocked but free",
       {},
       [](const SceneOptions&) { return scenes::tori(ToriPose::interlocked); }},
  };
  return all;
}

// This scene is written as an assembly, not as a study.
constexpr const char* kEngineBay = "engine-bay";

int write_engine_bay(const SceneOptions& options) {
  scenes::EngineBayOptions bay;
  replace(bay.parts, options.parts);
  replace(bay.variants, options.variants);
  bay.triangles = options.triangles > 0 ? options.triangles : std::uint64_t{1000} * bay.parts;
  const scenes::EngineBay made = scenes::engine_bay(bay);
  const std::filesystem::path out = options.out;
  make_folder(out);
  save_assembly(made.assembly, out / "engine_bay.glb");
  write_file(out / "truth.json", scenes::truth_json(made));
  fmt::print(
      "Engine bay: {} parts, {} meshes, {} triangles in all parts, {} known pairs\n"
      "written to {}/engine_bay.glb\n",
      made.parts, made.assembly.meshes.size(), made.triangles, made.pairs.size(), options.out);
  return kFree;
}

std::string list(const std::vector<Entry>& entries) {
  std::string text;
  for (const Entry& entry : entries) {
    text += fmt::format("  {:<25}{}\n", entry.name, entry.what);
    if (!entry.takes.empty())
      text += fmt::format("  {:<25}({})\n", "", fmt::join(entry.takes, ", "));
  }
  return text;
}

std::string list() {
  return list(entries()) +
         fmt::format(
             "  {:<25}an assembly for touche clash, and truth.json with what it holds\n"
             "  {:<25}(--parts, --triangles, --variants)\n"
             "Scenes for touche simulate:\n",
             kEngineBay, "") +
         list(dynamic_scene_entries());
}

constexpr const char* kSceneOptions[] = {"--size", "--clearance", "--segments", "--pitch-error",
                                         "--tilt", "--triangles", "--parts",    "--variants",
                                         "--seed", "--bodies",    "--friction", "--speed"};

// Options that a scene does not have are an error.
void check_options(const Command& command, std::string_view name,
                   const std::vector<const char*>& takes) {
  for (const char* option : kSceneOptions) {
    const bool taken = std::any_of(takes.begin(), takes.end(), [&](const char* known) {
      return std::string_view(known) == option;
    });
    if (!taken && command.given(option))
      throw InvalidInput(fmt::format("the scene \"{}\" does not take {}", name, option));
  }
}

// Error messages of scenes start with a function name, which the user did not type; replace it.
std::variant<Scene, DynamicScene> make(const Command& command, const Entry& entry,
                                       const SceneOptions& options) {
  try {
    return entry.make(options);
  } catch (const InvalidInput& e) {
    std::string given;
    for (const char* option : kSceneOptions)
      if (command.given(option)) given += fmt::format(" {}", option);
    const std::string_view what = e.what();
    const std::size_t colon = what.find(": ");
    throw InvalidInput(fmt::format("scene {}{}: {}", entry.name, given,
                                   what.substr(colon == what.npos ? 0 : colon + 2)));
  }
}

void write_scene_file(const Scene& scene, const std::string& out) {
  scenes::write_study(scene, out);
  std::size_t faces = 0;
  bool shapes = false;
  for (const scenes::ScenePart& part : scene.parts) {
    shapes |= !part.shape.empty();
    if (part.shape.empty()) faces += part.soup.face_count();
  }
  fmt::print("{}: {} parts{}\nwritten to {}/study.json\n", scene.title, scene.parts.size(),
             shapes ? ", convex shapes" : fmt::format(", {} faces", faces), out);
}

void write_scene_file(const DynamicScene& scene, const std::string& out) {
  scenes::write_scene(scene, out);
  const bool shapes = std::any_of(scene.meshes.begin(), scene.meshes.end(),
                                  [](const auto& mesh) { return !mesh.shape.empty(); });
  fmt::print("{}: {} bodies of {} {}\nwritten to {}/scene.json\n", scene.title, scene.bodies.size(),
             scene.meshes.size(), shapes ? "shapes" : "meshes", out);
}

int run_scene(const Command& command, const SceneOptions& options) {
  if (options.name == kEngineBay) {
    check_options(command, kEngineBay, {"--parts", "--triangles", "--variants"});
    return write_engine_bay(options);
  }
  for (const auto* all : {&entries(), &dynamic_scene_entries()})
    for (const Entry& entry : *all)
      if (options.name == entry.name) {
        check_options(command, entry.name, entry.takes);
        std::visit([&](const auto& scene) { write_scene_file(scene, options.out); },
                   make(command, entry, options));
        return kFree;
      }
  throw InvalidInput(fmt::format("there is no scene \"{}\"; there are:\n{}", options.name, list()));
}

}  // namespace

void add_scene(Program& program) {
  Command command =
      program.command("scene", "Write a generated scene as a study, a scene or an assembly");
  auto options = std::make_shared<SceneOptions>();
  command.add("name", options->name, "Which scene, see below").required();
  command.add("--out", options->out, "Folder to write it to").required().type_name("FOLDER");
  command.add("--size", options->size, "Thread, or width of the peg in mm").type_name("SIZE");
  command.add("--clearance", options->clearance, "Between the parts, in mm").positive();
  command.add("--segments", options->segments, "Fineness: faces around a turn").range(3, 100000);
  command.add("--pitch-error", options->pitch_error,
              "Share by which the nut advances too far per turn");
  command.add("--tilt", options->tilt_deg, "Of the peg, in degrees");
  command.add("--triangles", options->triangles, "About, in all parts together")
      .range(20000, 200000000);
  command.add("--parts", options->parts, "How many parts").range(11, 1000000);
  command.add("--variants", options->variants, "Kinds of each mesh; parts of a kind share it")
      .range(1, 1000000);
  command.add("--seed", options->seed, "Of the hand's trembling").range(1, 1e15);
  command.add("--bodies", options->bodies, "How many bodies fall, hang or fly").range(1, 100000);
  command.add("--friction", options->friction, "Coefficient of all bodies").range(0, 10);
  command.add("--speed", options->speed, "Of what is shot, in m/s").positive();
  command.footer("Scenes, and the options each takes:\n" + list() +
                 "\nExamples:\n"
                 "  touche scene nut-bolt --size M16 --out nut\n"
                 "  touche study nut/study.json --out report\n"
                 "  touche scene headlamp-clash --triangles 200000 --out lamp\n"
                 "  touche scene engine-bay --parts 1000 --triangles 10000000 --out bay\n"
                 "  touche clash bay/engine_bay.glb --clearance 1mm --out report");
  command.runs([command, options] { return run_scene(command, *options); });
}

}  // namespace touche::cli
