// SPDX-License-Identifier: Apache-2.0
#include "world/session_writer.h"

#include "base/data_access.h"
#include "world/session_content.h"

namespace touche::world {

namespace {

std::string described(const World::Data& world, NodeId node) {
  std::string text = "node " + std::to_string(node.index);
  if (!world.graph.has(node) || world.graph.name(node.index).empty()) return text;
  return text + " (\"" + world.graph.name(node.index) + "\")";
}

}  // namespace

}  // namespace touche::world

namespace touche {

using world::session::Bytes;
using world::session::Kind;

}  // namespace touche

namespace touche::world {

SessionWriter::SessionWriter(const std::filesystem::path& file)
    : name_(file.string()), out_(file, std::ios::binary | std::ios::trunc) {
  const session::FileHeader header;
  out_.write(reinterpret_cast<const char*>(&header), sizeof header);
  out_.flush();
  if (!out_) throw LoadError(name_, "", "cannot be written");
}

const StepResult& SessionWriter::run(Stepper::Data& stepper, const StepOptions& options) {
  return write(stepper, options, false,
               [&](const StepOptions& with) -> const StepResult& { return stepper.run(with); });
}

const StepResult& SessionWriter::go_on(Stepper::Data& stepper, const StepOptions& options) {
  return write(stepper, options, true,
               [&](const StepOptions& with) -> const StepResult& { return stepper.go_on(with); });
}

template <class Take>
const StepResult& SessionWriter::write(Stepper::Data& stepper, const StepOptions& options,
                                       bool goes_on, const Take& take) {
  write_step(stepper, options, goes_on);
  StepOptions with = options;
  if (options.respond)
    with.respond = [&](const StepContact& contact) {
      std::vector<GroupMotion> given = options.respond(contact);
      write_response(stepper.world, given);
      return given;
    };
  try {
    const StepResult& result = take(with);
    note(stepper.world);
    write_result(session::digest(result, stepper.world), {});
    return result;
  } catch (const InvalidInput& error) {
    note(stepper.world);
    write_result(0, error.what());
    throw;
  }
}

// ---- before a step ------------------------------------------------------------------------------

void SessionWriter::write_step(Stepper::Data& stepper, const StepOptions& options, bool goes_on) {
  World::Data& world = stepper.world;
  if (world.filter)
    throw InvalidInput(
        "session: the world's pair filter is a function, which cannot be written to a file; "
        "categories and masks can");
  if (world.graph.size() > session::kMaxNodes)
    throw InvalidInput("session: more than " + std::to_string(session::kMaxNodes) + " nodes");
  world.refresh_poses();
  for (const World::Data::Body& body : world.bodies)
    if (body.is_body()) (void)number_of(*body.shape);
  bytes_.clear();
  bytes_.put(static_cast<std::uint8_t>(forgets_));
  bytes_.put(static_cast<std::uint8_t>(goes_on));
  session::put(bytes_, options);
  put_changes(world);
  const std::size_t motions = goes_on ? 0 : stepper.groups.size();
  bytes_.put(std::uint64_t{motions});
  for (std::size_t i = 0; i < motions; ++i) {
    const Stepper::Data::Group& group = stepper.groups[i];
    session::put(bytes_, group.node);
    session::put(bytes_, group.motion, described(world, group.node));
  }
  write_piece(Kind::step, bytes_.all());
  forgets_ = false;
}

// Writes all nodes that differ from what the file has.
void SessionWriter::put_changes(const World::Data& world) {
  const SceneGraph& graph = world.graph;
  known_.resize(graph.size());
  std::vector<Index> changed;
  for (Index node = 0; node < graph.size(); ++node) {
    const Known& known = known_[node];
    const World::Data::Body& body = world.bodies[node];
    const bool here = graph.is_taken(node);
    if (here != known.here ||
        (here && (known.node != graph.id(node) || known.moved != graph.stamp(node) ||
                  known.changed != body.changed || known.became != body.became)))
      changed.push_back(node);
  }
  bytes_.put(std::uint64_t{changed.size()});
  for (const Index node : changed) put_node(world, node);
}

void SessionWriter::put_node(const World::Data& world, Index node) {
  const SceneGraph& graph = world.graph;
  const bool here = graph.is_taken(node);
  session::put(bytes_, graph.id(node));
  bytes_.put(static_cast<std::uint8_t>(here));
  if (!here) return;
  const World::Data::Body& body = world.bodies[node];
  const bool is_new = !known_[node].here || known_[node].node != graph.id(node);
  const auto differs = [&](std::uint64_t is, std::uint64_t was) {
    return static_cast<std::uint8_t>(is_new || is != was);
  };
  bytes_.put(differs(graph.stamp(node), known_[node].moved));
  bytes_.put(differs(body.changed, known_[node].changed));
  bytes_.put(differs(body.became, known_[node].became));
  bytes_.put(graph.name(node));
  bytes_.put(graph.parent(node));
  session::put(bytes_, graph.local_pose(node));
  session::put(bytes_, graph.pose(node));
  bytes_.put(body.is_body() ? number_of(*body.shape) : kNone);
  bytes_.put(body.options.category);
  bytes_.put(body.options.mask);
  bytes_.put(static_cast<std::uint8_t>(body.options.fixed));
}

// The number of a body's object or convex shape, which is written first if it is new.
Index SessionWriter::number_of(const Shape& shape) {
  const void* key = shape.is_convex() ? static_cast<const void*>(&DataAccess::data(shape))
                                      : &DataAccess::data(shape.object());
  if (const auto known = numbers_.find(key); known != numbers_.end()) return known->second;
  bytes_.clear();
  if (shape.is_convex())
    session::put(bytes_, shape);
  else
    session::put(bytes_, shape.object());
  write_piece(shape.is_convex() ? Kind::shape : Kind::object, bytes_.all());
  shapes_.push_back(shape);
  const auto number = static_cast<Index>(numbers_.size());
  numbers_.emplace(key, number);
  return number;
}

// ---- in and after a step ------------------------------------------------------------------------

void SessionWriter::write_response(const World::Data& world,
                                   const std::vector<GroupMotion>& given) {
  bytes_.clear();
  bytes_.put(std::uint64_t{given.size()});
  for (const GroupMotion& motion : given) {
    session::put(bytes_, motion.node);
    session::put(bytes_, motion.motion, described(world, motion.node));
  }
  write_piece(Kind::response, bytes_.all());
}

void SessionWriter::write_result(std::uint64_t digest, const std::string& error) {
  bytes_.clear();
  bytes_.put(digest);
  bytes_.put(error);
  write_piece(Kind::result, bytes_.all());
}

// A replay repeats what the step has changed, so it is not written.
void SessionWriter::note(World::Data& world) {
  world.refresh_poses();
  known_.resize(world.graph.size());
  for (Index node = 0; node < world.graph.size(); ++node) {
    const World::Data::Body& body = world.bodies[node];
    known_[node] = {world.graph.id(node), world.graph.is_taken(node), world.graph.stamp(node),
                    body.changed, body.became};
  }
}

void SessionWriter::write_piece(Kind kind, std::span<const std::byte> content) {
  session::PieceHeader header{.kind = kind, .size = content.size()};
  header.checksum = session::checksum(header, content, checksum_);
  out_.write(reinterpret_cast<const char*>(&header), sizeof header);
  out_.write(reinterpret_cast<const char*>(content.data()),
             static_cast<std::streamsize>(content.size()));
  out_.flush();
  if (!out_) throw LoadError(name_, "", "cannot be written");
  checksum_ = header.checksum;
}

}  // namespace touche::world
