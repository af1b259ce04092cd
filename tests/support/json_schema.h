// SPDX-License-Identifier: Apache-2.0
// Checks JSON against the schemas in docs.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace touche::test {

/// Where `value` breaks `schema`; empty when it does not. Knows the keywords our schemas use.
inline std::string schema_violation(const nlohmann::json& root, const nlohmann::json& schema,
                                    const nlohmann::json& value, const std::string& path) {
  const auto type_is = [&](const std::string& type) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "null") return value.is_null();
    return type == value.type_name();
  };
  const auto check = [&](const nlohmann::json& inner, const nlohmann::json& part,
                         const std::string& at) { return schema_violation(root, inner, part, at); };
  if (schema.contains("$ref")) {
    const std::string ref = schema["$ref"];
    const std::string found =
        check(root.at(nlohmann::json::json_pointer(ref.substr(1))), value, path);
    if (!found.empty()) return found;
  }
  if (schema.contains("type")) {
    const nlohmann::json types =
        schema["type"].is_array() ? schema["type"] : nlohmann::json::array({schema["type"]});
    if (std::none_of(types.begin(), types.end(), type_is))
      return path + ": type is " + value.type_name();
  }
  if (schema.contains("const") && schema["const"] != value) return path + ": wrong constant";
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
    return path + ": not in the list";
  if (schema.contains("oneOf")) {
    const auto fits = std::count_if(
        schema["oneOf"].begin(), schema["oneOf"].end(),
        [&](const nlohmann::json& option) { return check(option, value, path).empty(); });
    if (fits != 1) return path + ": fits " + std::to_string(fits) + " alternatives";
  }
  if (value.is_number()) {
    if (schema.contains("minimum") && value < schema["minimum"]) return path + ": too small";
    if (schema.contains("maximum") && value > schema["maximum"]) return path + ": too large";
    if (schema.contains("exclusiveMinimum") && value <= schema["exclusiveMinimum"])
      return path + ": too small";
  }
  if (value.is_array()) {
    if (schema.contains("minItems") && value.size() < schema["minItems"]) return path + ": short";
    if (schema.contains("maxItems") && value.size() > schema["maxItems"]) return path + ": long";
    if (schema.contains("items"))
      for (std::size_t i = 0; i < value.size(); ++i)
        if (const auto found = check(schema["items"], value[i], path + "/" + std::to_string(i));
            !found.empty())
          return found;
  }
  if (value.is_object()) {
    for (const nlohmann::json& key : schema.value("required", nlohmann::json::array()))
      if (!value.contains(key.get<std::string>())) return path + ": no " + key.dump();
    const nlohmann::json properties = schema.value("properties", nlohmann::json::object());
    for (const auto& [key, inner] : value.items()) {
      if (!properties.contains(key)) {
        if (schema.value("additionalProperties", true)) continue;
        return path + ": unknown key " + key;
      }
      if (const auto found = check(properties[key], inner, path + "/" + key); !found.empty())
        return found;
    }
  }
  return "";
}

}  // namespace touche::test
