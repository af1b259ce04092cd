// SPDX-License-Identifier: Apache-2.0
#include "touche/methods/cost_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/json_cursor.h"
#include "io/readers.h"
#include "touche/methods/measure_costs.h"

namespace touche {

std::string costs_json(const CostMatrix& costs) {
  nlohmann::ordered_json json = {{"unit", "ns"}, {"cost", nlohmann::ordered_json::object()}};
  for (const auto& [pair, cost] : costs.cost) json["cost"][pair] = cost;
  json["triangles"] = costs.triangles;
  return json.dump(2) + "\n";
}

CostMatrix load_costs(const std::filesystem::path& file) {
  const auto root = io::JsonCursor::parse(io::read_file(file), file.string());
  root.expect_keys({"unit", "cost", "triangles"});
  if (const auto unit = root.find("unit")) static_cast<void>(unit->text());
  CostMatrix costs;
  std::vector<std::string> known = measured_pairs();
  known.emplace_back("dop dop");
  const io::JsonCursor cost = root.at("cost");
  for (const std::string& pair : cost.keys()) {
    if (std::find(known.begin(), known.end(), pair) == known.end())
      cost.at(pair).fail(fmt::format("no such pair of volumes; expected one of: {}",
                                     fmt::join(known.begin(), known.end(), ", ")));
    costs.cost[pair] = cost.at(pair).positive_number();
  }
  costs.triangles = root.at("triangles").positive_number();
  return costs;
}

}  // namespace touche
