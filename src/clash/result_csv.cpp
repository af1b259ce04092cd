// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <map>

#include "clash/describe.h"
#include "report/csv.h"
#include "touche/clash.h"

namespace touche {

using report::cell;

std::string clash_csv(const ClashResult& result) {
  std::map<std::size_t, ClashChange> changes;
  if (result.comparison)
    for (const ClashDifference& d : result.comparison->pairs)
      if (d.pair) changes[*d.pair] = d.change;

  std::string out =
      "part_a,part_b,class,accepted,distance,thickness_lower,thickness_upper,touching,closed,"
      "containment,x,y,z,face_a,face_b,change\n";
  for (std::size_t i = 0; i < result.pairs.size(); ++i) {
    const ClashPair& pair = result.pairs[i];
    const Vec3 at = clash::clash_point(pair);
    const Bracket& thickness = pair.thickness.diameter;
    const bool known = pair.contact || thickness.lower > 0;
    const auto if_known = [&](double x) { return known ? cell(x) : std::string(); };
    const auto change = changes.find(i);
    out += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
        cell(result.parts.parts[pair.part_a].name), cell(result.parts.parts[pair.part_b].name),
        name(pair.verdict), cell(pair.accepted.value_or("")), cell(pair.distance.upper),
        thickness.upper < kInfinity ? cell(thickness.lower) : "", cell(thickness.upper),
        cell(pair.max_touching_thickness), pair.closed ? "yes" : "no", name(pair.containment),
        if_known(at.x()), if_known(at.y()), if_known(at.z()),
        pair.contact ? std::to_string(pair.contact->face_a) : "",
        pair.contact ? std::to_string(pair.contact->face_b) : "",
        change == changes.end() ? "" : name(change->second));
  }
  return out;
}

}  // namespace touche
