// SPDX-License-Identifier: Apache-2.0
// touche view in a program built without the viewer: reports that it is missing.
#include "commands.h"
#include "report_viewer.h"
#include "touche/types.h"

namespace touche::cli {

std::string report_viewer_text(const StudyResult& /*result*/) { return {}; }
std::string report_viewer_text(const ClashResult& /*result*/) { return {}; }
std::string report_viewer_text(const SimulationResult& /*result*/) { return {}; }
std::string report_viewer_text(const HandleResult& /*result*/) { return {}; }

void add_view(Program& program) {
  Command command =
      program.hidden_command("view", "Not in this program: it was built without its viewer");
  command.takes_anything();
  command.runs([]() -> int {
    throw Error(
        "view: this program was built without its viewer, which needs Node 18, npm and Boost: "
        "./dev view installs and builds all, or cmake -DTOUCHE_VIEWER=ON");
  });
}

}  // namespace touche::cli
