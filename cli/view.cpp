// SPDX-License-Identifier: Apache-2.0
// touche view: shows parts in a browser. cli/no_view.cpp replaces it in a program without the
// viewer.
#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "browser.h"
#include "commands.h"
#include "kept_address.h"
#include "report_viewer.h"
#include "touche/types.h"
#include "touche/viewer.h"
#include "up_axis.h"
#include "weld_length.h"

namespace touche::cli {
namespace {

struct ViewArguments {
  std::vector<std::string> files;
  std::string out, up, weld;
  int port = 0;
  bool no_browser = false, licences = false, same_address = false;
  ViewerOptions viewer;
};

void warn_of_others(const ViewArguments& options, const std::string& url) {
  fmt::print(stderr,
             "touche: --address {}: any user of the network with the address {} can view and move "
             "parts, and save files in the folders that you can write to. The connection is not "
             "encrypted, so the address can be read on the network.\n",
             options.viewer.address, url);
}

// Uses the previous address if it is free, otherwise a new one.
std::unique_ptr<Viewer> viewer_at(const ViewerOptions& options, const KeptAddress* kept) {
  if (kept != nullptr && kept->port() != 0) {
    ViewerOptions again = options;
    if (again.port == 0) again.port = kept->port();
    if (again.token.empty()) again.token = kept->token();
    try {
      return std::make_unique<Viewer>(again);
    } catch (const Error&) {
      // Another program has the port, and may have received the token from pages that try to
      // reconnect.
      if (options.port != 0) throw;
    }
  }
  return std::make_unique<Viewer>(options);
}

int run_view(ViewArguments options) {
  if (options.licences) {
    fmt::print("{}", page_licences());
    return kFree;
  }
  if (options.files.empty())
    throw InvalidInput("view: name a study, a result or meshes to view. See touche view --help");
  options.viewer.port = static_cast<std::uint16_t>(options.port);
  options.viewer.folder = options.out;
  options.viewer.up = parse_up(options.up);
  options.viewer.weld = parse_weld(options.weld, options.viewer.unit);
  options.viewer.stop_on_signals = true;
  options.viewer.saved = [](const std::filesystem::path& file) {
    fmt::print("Saved: {}\n", file.generic_string());
    std::fflush(stdout);
  };
  // For scripts. Unlike the arguments of a program, the environment is not visible to other users.
  if (const char* const token = std::getenv("TOUCHE_VIEW_TOKEN")) options.viewer.token = token;

  std::optional<KeptAddress> kept;
  if (options.same_address) kept.emplace(options.files);
  // Opened first, so that a port in use is reported before files are loaded.
  const std::unique_ptr<Viewer> made = viewer_at(options.viewer, kept ? &*kept : nullptr);
  Viewer& viewer = *made;
  if (kept && !viewer.is_loopback())
    throw InvalidInput(
        "view: --same-address is for loopback only: on a network a token is not to last");
  viewer.open({options.files.begin(), options.files.end()});
  const std::string url = viewer.url();
  if (!viewer.is_loopback()) warn_of_others(options, url);
  if (kept) kept->keep(url);

  std::optional<Browser> browser;
  viewer.run([&] {
    fmt::print("{}\nCtrl-C ends it.\n", url);
    std::fflush(stdout);
    if (options.no_browser) return;
    browser.emplace(url);
    if (!browser->trouble().empty())
      fmt::print(stderr, "touche: no browser is opened: {}\n", browser->trouble());
  });
  return kFree;
}

}  // namespace

std::string report_viewer_text(const StudyResult& result) { return report_viewer(result); }
std::string report_viewer_text(const ClashResult& result) { return report_viewer(result); }
std::string report_viewer_text(const SimulationResult& result) { return report_viewer(result); }
std::string report_viewer_text(const HandleResult& result) { return report_viewer(result); }

void add_view(Program& program) {
  Command command =
      program.command("view", "See parts in a browser, grab them, feel what they touch");
  auto options = std::make_shared<ViewArguments>();
  command
      .add("file", options->files,
           "A study, a simulation, the folder of a result, or meshes, assemblies, shapes "
           "(.json) and folders of these")
      .type_name("FILE");
  command.add("--port", options->port, "Of this machine; 0: any that is free").range(0, 65535);
  command
      .add("--address", options->viewer.address,
           "Of this machine, in numbers; one other than loopback admits other users with the "
           "page's address")
      .type_name("ADDRESS");
  command.flag(
      "--same-address", options->same_address,
      "The page's address of the last time for the same files, so that open pages find the "
      "program again; kept in a file that only you may read");
  command.flag("--no-browser", options->no_browser, "Print the page's address only");
  command
      .add("--out", options->out,
           "Folder for recordings; default: the folder of the files that are viewed")
      .type_name("FOLDER");
  command.add("--rate", options->viewer.rate, "Steps of the world per second; default: 60")
      .range(1, 1000);
  command
      .add("--unit", options->viewer.unit,
           "Of the vertices of meshes that do not say: mm, m, in ...")
      .type_name("UNIT");
  add_up(command, "--up", options->up, "mesh files");
  add_weld(command, options->weld);
  command.add("--threads", options->viewer.threads, "0: all; the result is the same")
      .range(0, 1024);
  command.flag("--licences", options->licences,
               "Print the licences of what the page contains, then exit");
  command.footer(
      "The page's address contains a random token: any user with the address can view and move\n"
      "parts. Ctrl-C ends the program at once; a recording that is not saved yet is saved.\n\n"
      "Exit code: 0, or 2 for an error.\n\n"
      "Examples:\n"
      "  touche scene headlamp --out headlamp\n"
      "  touche view headlamp/study.json\n"
      "  touche view parts/ --unit mm --no-browser --port 8080\n"
      "  touche study headlamp/study.json --out report && touche view report");
  command.runs([options] { return run_view(*options); });
}

}  // namespace touche::cli
