// SPDX-License-Identifier: Apache-2.0
#include "absent.h"

#include "touche/types.h"

namespace touche::cli {

std::string absent_error(const char* option) {
  return std::string("this program was built without it; ./dev build builds all, cmake -D") +
         option + "=ON this";
}

void add_absent(Program& program, const char* name, const char* option) {
  const std::string error = absent_error(option);
  Command command = program.hidden_command(name, "Not in this program");
  command.takes_anything();
  command.runs([name, error]() -> int { throw Error(name + (": " + error)); });
}

}  // namespace touche::cli
