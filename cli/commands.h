// SPDX-License-Identifier: Apache-2.0
// Functions that add the commands to the program, one per command.
#pragma once

#include "program.h"

namespace touche::cli {

void add_study(Program& program);
void add_handle(Program& program);
void add_clash(Program& program);
void add_simulate(Program& program);
void add_view(Program& program);
void add_info(Program& program);
void add_build(Program& program);
void add_calibrate(Program& program);
void add_collide(Program& program);
void add_distance(Program& program);
void add_toi(Program& program);
void add_path(Program& program);
void add_evaluate(Program& program);
void add_zoo(Program& program);
void add_sheet(Program& program);
void add_scene(Program& program);
/// `touche generate FOLDER`, used by the build: writes completion scripts and manual pages for all
/// commands that were added before.
void add_generate(Program& program);

}  // namespace touche::cli
