// SPDX-License-Identifier: Apache-2.0
// How objects, shapes, motions, options and results are written to a session. See
// docs/session-file.md.
#pragma once

#include <string>

#include "touche/step.h"
#include "world/session_bytes.h"
#include "world/step_data.h"

namespace touche::world::session {

void put(Bytes& to, const Object& object);
Object get_object(Source& from);

/// Writes a convex shape.
void put(Bytes& to, const Shape& shape);
/// Throws InvalidInput if no shape can be made of the data.
Shape get_shape(Source& from);

void put(Bytes& to, const Pose& pose);
Pose get_pose(Source& from);

void put(Bytes& to, NodeId node);
NodeId get_node(Source& from);

/// Throws InvalidInput for a motion that is a function; the message names `node`.
void put(Bytes& to, const Motion& motion, const std::string& node);
Motion get_motion(Source& from);

struct WrittenOptions {
  StepOptions options;  // without the budget's deadline and flag, and without a function
  bool timed = false;   // there was a deadline or a flag
};
void put(Bytes& to, const StepOptions& options);
WrittenOptions get_options(Source& from);

/// Covers all that a step reports except its cost, and the poses of all nodes.
std::uint64_t digest(const StepResult& result, const World::Data& world);

}  // namespace touche::world::session
