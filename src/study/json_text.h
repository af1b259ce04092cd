// SPDX-License-Identifier: Apache-2.0
// Writes the parts of results as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "touche/overlap.h"
#include "touche/query.h"

namespace touche::study {

using Json = nlohmann::ordered_json;

Json vector(const Vec3& v);
Json work(const QueryStats& stats);
Json health(const Health& health);
Json feature(const Feature& feature, const PolygonSoup& soup);
Json finite(double x);  ///< null if not finite
Json thickness(const Thickness& thickness);

/// Writes an object with one line per member, and per entry of a list. The tree of a document with
/// a million steps would need gigabytes; its text does not.
class JsonText {
 public:
  void member(const char* key, const Json& value) { begin(key) += text(value); }

  template <class Entry>
  void list(const char* key, std::size_t count, const Entry& entry) {
    std::string& out = begin(key) += "[";
    for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "\n  " : ",\n  ") + text(entry(i));
    out += count == 0 ? "]" : "\n ]";
  }

  std::string finish() { return std::move(out_) + "\n}\n"; }

 private:
  std::string& begin(const char* key);
  // Names come from files and need not be valid UTF-8; the result must be.
  static std::string text(const Json& json);

  std::string out_;
};

}  // namespace touche::study
