// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "clash/describe.h"
#include "report/csv.h"
#include "touche/clash.h"

namespace touche {

using report::cell;

namespace {

// The last columns of a line: what tests and people say of a pair, and what to move.
std::string work_on(const ClashResult& result, std::size_t index) {
  const ClashPair& pair = result.pairs[index];
  std::string tests;
  for (const ClashTestResult& test : result.tests)
    if (std::binary_search(test.failed.begin(), test.failed.end(), index))
      tests += (tests.empty() ? "" : "; ") + test.name;
  const ClashNote note = pair.note.value_or(ClashNote{});
  const std::string_view status =
      pair.note ? name(note.accepted ? ClashStatus::approved : note.status) : "";
  std::string move = ",,,";
  if (pair.move)
    move = fmt::format("{},{},{},{}", cell(result.parts.parts[pair.move->part].name),
                       cell(pair.move->shift.x()), cell(pair.move->shift.y()),
                       cell(pair.move->shift.z()));
  return fmt::format("{},{},{},{},{},{}", pair.duplicate ? "yes" : "", cell(tests), status,
                     cell(note.assignee), cell(note.text), move);
}

}  // namespace

std::string clash_csv(const ClashResult& result) {
  std::map<std::size_t, ClashChange> changes;
  if (result.comparison)
    for (const ClashDifference& d : result.comparison->pairs)
      if (d.pair) changes[*d.pair] = d.change;

  std::string out = fmt::format(
      "part_a,part_b,class,accepted,distance [{0}],thickness_lower [{0}],thickness_upper "
      "[{0}],touching [{0}],closed,containment,x [{0}],y [{0}],z "
      "[{0}],face_a,face_b,change,duplicate,tests,status,assignee,note,move_part,move_x "
      "[{0}],move_y [{0}],move_z [{0}]\n",
      result.parts.unit);
  for (const std::size_t i : worst_first(result)) {
    const ClashPair& pair = result.pairs[i];
    const Vec3 at = clash::clash_point(pair);
    const Bracket& thickness = pair.thickness.diameter;
    const bool known = pair.contact || thickness.lower > 0;
    const auto if_known = [&](double x) { return known ? cell(x) : std::string(); };
    const auto change = changes.find(i);
    out += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
        cell(result.parts.parts[pair.part_a].name), cell(result.parts.parts[pair.part_b].name),
        name(pair.verdict), cell(pair.accepted.value_or("")), cell(pair.distance.upper),
        thickness.upper < kInfinity ? cell(thickness.lower) : "", cell(thickness.upper),
        cell(pair.max_touching_thickness), pair.closed ? "yes" : "no", name(pair.containment),
        if_known(at.x()), if_known(at.y()), if_known(at.z()),
        pair.contact ? std::to_string(pair.contact->face_a) : "",
        pair.contact ? std::to_string(pair.contact->face_b) : "",
        change == changes.end() ? "" : name(change->second), work_on(result, i));
  }
  return out;
}

}  // namespace touche
