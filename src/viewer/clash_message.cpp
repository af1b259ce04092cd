// SPDX-License-Identifier: Apache-2.0
#include "viewer/clash_message.h"

namespace touche::viewer {
namespace {

constexpr std::size_t kMostRows = 100'000;

// Both enumerations have the same values.
static_assert(static_cast<int>(ClashPairVerdict::open) ==
                  static_cast<int>(protocol::ClashClass::open) &&
              static_cast<int>(ClashPairVerdict::undecided) ==
                  static_cast<int>(protocol::ClashClass::undecided) &&
              static_cast<int>(ClashPairVerdict::clash) ==
                  static_cast<int>(protocol::ClashClass::clash));

protocol::ClashRow row_of(const ClashPair& pair, const Opened& opened) {
  protocol::ClashRow row;
  row.a = opened.parts[pair.part_a].node;
  row.b = opened.parts[pair.part_b].node;
  row.verdict = static_cast<protocol::ClashClass>(pair.verdict);
  row.distance_lower = pair.distance.lower;
  row.distance_upper = pair.distance.upper;
  row.thickness_lower = pair.thickness.diameter.lower;
  row.thickness_upper = pair.thickness.diameter.upper;
  row.face_a = row.face_b = kNone;
  if (pair.contact) {
    row.face_a = pair.contact->face_a;
    row.face_b = pair.contact->face_b;
    row.point = 0.5 * (pair.contact->point_a + pair.contact->point_b);
    row.has_point = true;
  }
  if (pair.accepted) {
    row.accepted = true;
    row.comment = *pair.accepted;
  }
  return row;
}

}  // namespace

protocol::ClashTable clash_message(const ClashResult& result, const Opened& opened) {
  protocol::ClashTable table;
  table.sentence = clash_sentence(result);
  for (const std::size_t i : worst_first(result)) {
    if (table.rows.size() == kMostRows) break;
    table.rows.push_back(row_of(result.pairs[i], opened));
  }
  return table;
}

}  // namespace touche::viewer
