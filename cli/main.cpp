// SPDX-License-Identifier: Apache-2.0
// touche: the command line.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <map>

#include "commands.h"
#include "touche/version.h"

namespace {

using namespace touche::cli;

std::string version() {
  std::string text = fmt::format("touche {}\nSIMD targets:", touche::kVersion);
  for (const std::string& target : touche::simd_targets()) text += " " + target;
  return text + " (the first is in use)";
}

int run(int argc, char** argv) {
  CLI::App app(
      "Touché: do two objects touch, where, how far apart are they, and when along a motion do "
      "they\nfirst touch - for polygon soups, with answers that are proved.");
  app.name("touche");
  app.set_version_flag("--version", version, "Print version and SIMD targets, then exit");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.footer(
      "touche COMMAND --help has examples.\n"
      "Exit code: 0 free, 1 contact, 2 error or not decided.");

  std::map<CLI::App*, Command> commands;
  for (const auto add :
       {add_study, add_info, add_build, add_collide, add_distance, add_toi, add_scene}) {
    Command command = add(app);
    commands.emplace(app.get_subcommands({}).back(), std::move(command));
  }
  if (argc < 2) {
    std::fputs(app.help().c_str(), stderr);
    return kError;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kFree : kError;
  }
  return commands.at(app.get_subcommands().front())();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "touche: %s\n", e.what());
    return kError;
  }
}
