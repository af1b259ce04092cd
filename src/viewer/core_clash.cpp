// SPDX-License-Identifier: Apache-2.0
// How all pairs of parts stand to each other, and what people say about it.
#include <fmt/core.h>

#include "viewer/clash_message.h"
#include "viewer/core.h"
#include "viewer/core_send.h"

namespace touche::viewer {
namespace {

std::filesystem::path notes_file(const Opened& opened) {
  return opened.folder / (opened.stem + "-clash-notes.json");
}

}  // namespace

void Core::on(ClientId /*client*/, const protocol::FindClashes& m) {
  if (!(m.clearance >= 0) || m.clearance > 1e9)
    throw InvalidInput(fmt::format("A clearance of {}, expected 0 or more.", m.clearance));
  find(m.clearance);
}

void Core::find(double clearance) {
  ClashParts parts;
  parts.source = opened_.title;
  parts.unit = opened_.unit;
  parts.objects = opened_.objects;
  parts.mesh_errors = opened_.mesh_errors;
  parts.allowed_contacts = opened_.allowed_contacts;
  for (const OpenedPart& part : opened_.parts)
    parts.parts.push_back(
        {part.name, part.group, *opened_.nodes[part.node].object, world_.pose(nodes_[part.node])});
  ClashOptions how = opened_.clash_options;
  how.clearance = clearance;
  how.threads = options_.threads;
  clash_finder_.start(
      [this, parts = std::move(parts), how](const Budget& budget) mutable -> Worker::Finish {
        how.budget = budget;
        const ClashResult result = find_clashes(std::move(parts), how);
        protocol::ClashTable table = clash_message(result, opened_);
        return [this, table = std::move(table)] {
          clash_table_ = table;
          add_notes(*clash_table_);
          send_all(*clash_table_);
        };
      },
      [this](const std::string& text) { notice(0, protocol::Level::error, text); });
}

void Core::add_notes(protocol::ClashTable& table) const {
  std::optional<ClashNotes> read;
  if (!notes_) read.emplace(notes_file(opened_));
  const ClashNotes& notes = notes_ ? *notes_ : *read;
  table.file = notes.file().generic_string();
  for (protocol::ClashRow& row : table.rows) {
    const ClashNote* note = notes.find(opened_.parts[*opened_.nodes[row.a].part].name,
                                       opened_.parts[*opened_.nodes[row.b].part].name);
    if (note == nullptr) continue;
    row.accepted = note->accepted;
    row.comment = note->text;
  }
}

void Core::on(ClientId /*client*/, const protocol::CommentClash& m) {
  const std::uint32_t a = checked_body(m.a), b = checked_body(m.b);
  if (a == b) throw InvalidInput("A pair has two parts.");
  if (!notes_) notes_.emplace(notes_file(opened_));
  notes_->set(opened_.parts[*opened_.nodes[a].part].name,
              opened_.parts[*opened_.nodes[b].part].name, m.text, m.accepted);
  if (!clash_table_) return;
  add_notes(*clash_table_);
  send_all(*clash_table_);
}

}  // namespace touche::viewer
