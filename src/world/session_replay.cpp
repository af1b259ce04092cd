// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <utility>

#include "base/checked_file.h"
#include "base/data_access.h"
#include "touche/step.h"
#include "world/session_content.h"
#include "world/session_world.h"

namespace touche {

using world::session::Kind;
using world::session::Source;

namespace {

// The recorded responses of one step, in their order.
struct Responses {
  std::deque<std::vector<GroupMotion>> left;
  bool too_few = false;

  std::vector<GroupMotion> next() {
    too_few |= left.empty();
    if (left.empty()) return {};
    std::vector<GroupMotion> first = std::move(left.front());
    left.pop_front();
    return first;
  }
};

std::vector<GroupMotion> get_motions(Source& from) {
  std::vector<GroupMotion> motions;
  for (std::size_t left = from.count(sizeof(NodeId)); left > 0; --left) {
    const NodeId node = world::session::get_node(from);
    motions.push_back({node, world::session::get_motion(from)});
  }
  return motions;
}

}  // namespace

struct SessionReplay::Data {
  explicit Data(const std::filesystem::path& path)
      : file(path.string()), mapping(base::checked_file::map(path)), left(mapping.bytes) {
    world::session::FileHeader header;
    if (left.size() < sizeof header) throw LoadError(file, "", "is no session");
    std::memcpy(&header, left.data(), sizeof header);
    const world::session::FileHeader expected;
    if (header.magic != expected.magic) throw LoadError(file, "", "is no session");
    if (header.byte_order != expected.byte_order)
      throw LoadError(file, "byte 8", "was written by a machine of another byte order");
    if (header.version != expected.version)
      throw LoadError(file, "byte 12",
                      "is of version " + std::to_string(header.version) + ", not " +
                          std::to_string(expected.version));
    left = left.subspan(sizeof header);
  }

  struct Piece {
    Kind kind;
    Source content;
  };
  std::size_t place() const { return mapping.bytes.size() - left.size(); }
  bool next_is(Kind kind) const;
  Piece take_piece();
  void read_shapes();
  void read_step();
  void take_step(int threads);
  const ReplayedStep* next(int threads);

  std::string file;
  base::checked_file::Mapping mapping;
  std::span<const std::byte> left;
  std::uint64_t checksum = 0;  // of the piece before

  World world;
  Stepper stepper{world};
  std::vector<Shape> shapes;

  // These belong to one step.
  ReplayedStep step;
  Responses responses;
  bool has_result = false;
  std::uint64_t digest = 0;
  std::string error;
};

bool SessionReplay::Data::next_is(Kind kind) const {
  world::session::PieceHeader header;
  if (left.size() < sizeof header) return false;
  std::memcpy(&header, left.data(), sizeof header);
  return header.kind == kind;
}

SessionReplay::Data::Piece SessionReplay::Data::take_piece() {
  world::session::PieceHeader header;
  const std::string here = "byte " + std::to_string(place());
  if (left.size() < sizeof header) throw LoadError(file, here, "ends too early");
  std::memcpy(&header, left.data(), sizeof header);
  const auto rest = left.subspan(sizeof header);
  if (header.size > rest.size()) throw LoadError(file, here, "ends too early");
  const auto content = rest.first(static_cast<std::size_t>(header.size));
  if (world::session::checksum(header, content, checksum) != header.checksum)
    throw LoadError(file, here, "the checksum is wrong: the file is damaged");
  const Source source(content, place() + sizeof header, file);
  checksum = header.checksum;
  left = rest.subspan(content.size());
  return {header.kind, source};
}

void SessionReplay::Data::read_shapes() {
  while (next_is(Kind::object) || next_is(Kind::shape)) {
    Piece piece = take_piece();
    try {
      shapes.push_back(piece.kind == Kind::object ? world::session::get_object(piece.content)
                                                  : world::session::get_shape(piece.content));
    } catch (const InvalidInput& invalid) {
      piece.content.fail(invalid.what());
    }
  }
}

// Reads a step with its responses and its result. Makes the changes and sets the motions that
// precede it.
void SessionReplay::Data::read_step() {
  Piece piece = take_piece();
  Source& from = piece.content;
  from.require(piece.kind == Kind::step, "there should be a step");
  if (from.flag()) stepper.forget();
  step.goes_on = from.flag();
  world::session::WrittenOptions written = world::session::get_options(from);
  step.options = std::move(written.options);
  step.was_timed = written.timed;
  const std::vector<world::session::NodeChange> changes = world::session::get_changes(from, shapes);
  step.motions = get_motions(from);
  from.require(from.empty(), "there is more than should be");
  try {
    world::session::make_changes(world, changes);
    for (const GroupMotion& motion : step.motions) stepper.move(motion.node, motion.motion);
  } catch (const InvalidInput& invalid) {
    from.fail(invalid.what());
  }
  responses = {};
  while (next_is(Kind::response)) {
    Piece response = take_piece();
    responses.left.push_back(get_motions(response.content));
  }
  has_result = next_is(Kind::result);
  if (!has_result) return;
  Piece result = take_piece();
  digest = result.content.get<std::uint64_t>();
  error = result.content.text();
}

void SessionReplay::Data::take_step(int threads) {
  step.options.threads = threads;
  StepOptions options = step.options;
  if (options.policy == StepPolicy::respond)
    options.respond = [this](const StepContact&) { return responses.next(); };
  step.result.reset();
  step.error.clear();
  try {
    step.result = step.goes_on ? stepper.go_on(options) : stepper.run(options);
  } catch (const InvalidInput& invalid) {
    step.error = invalid.what();
  }
  World::Data& data = DataAccess::mutable_data(world);
  try {
    data.refresh_poses();  // as the recording did
    step.same = has_result && !responses.too_few && responses.left.empty() && step.error == error &&
                (!step.result || world::session::digest(*step.result, data) == digest);
  } catch (const InvalidInput& invalid) {  // nodes that are too far from each other
    throw LoadError(file, "byte " + std::to_string(place()), invalid.what());
  }
}

const ReplayedStep* SessionReplay::Data::next(int threads) {
  try {
    read_shapes();
    if (left.empty()) return nullptr;
    read_step();
    take_step(threads);
  } catch (...) {
    left = {};  // the rest cannot be read
    throw;
  }
  return &step;
}

SessionReplay::SessionReplay(const std::filesystem::path& file)
    : data_(std::make_unique<Data>(file)) {}
SessionReplay::~SessionReplay() = default;
SessionReplay::SessionReplay(SessionReplay&&) noexcept = default;
SessionReplay& SessionReplay::operator=(SessionReplay&&) noexcept = default;

const ReplayedStep* SessionReplay::next(int threads) { return data_->next(threads); }
World& SessionReplay::world() { return data_->world; }

}  // namespace touche
