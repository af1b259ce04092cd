// SPDX-License-Identifier: Apache-2.0
#include "study/json_text.h"

#include <fmt/core.h>

#include <cmath>

namespace touche::study {

Json vector(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Json work(const QueryStats& s) {
  return {{"node_pairs", s.node_pairs},
          {"volume_tests", s.volume_tests},
          {"primitive_tests", s.primitive_tests},
          {"exact_tests", s.exact_tests},
          {"time_splits", s.time_splits}};
}

Json health(const Health& h) {
  return {{"zero_area_faces", h.zero_area_faces},
          {"duplicate_faces", h.duplicate_faces},
          {"duplicate_vertices", h.duplicate_vertices},
          {"unused_vertices", h.unused_vertices},
          {"non_planar_faces", h.non_planar_faces},
          {"concave_faces", h.concave_faces},
          {"edges", h.edges},
          {"boundary_edges", h.boundary_edges},
          {"non_manifold_edges", h.non_manifold_edges},
          {"inconsistent_edges", h.inconsistent_edges},
          {"components", h.components},
          {"closed", h.closed},
          {"oriented", h.oriented},
          {"area", h.area},
          {"volume", h.volume}};
}

Json feature(const Feature& f, const PolygonSoup& soup) {
  Json result = {{"kind", name(f.kind)}, {"index", f.index}};
  if (f.kind == FeatureKind::edge)
    result["vertices"] = {soup.corner_vertex(f.index),
                          soup.corner_vertex(soup.next_corner(f.index))};
  return result;
}

Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(); }

Json thickness(const Thickness& t) {
  return {{"lower", t.diameter.lower},
          {"upper", finite(t.diameter.upper)},
          {"centre", vector(t.centre)}};
}

std::string& JsonText::begin(const char* key) {
  return out_ += fmt::format("{}\n \"{}\": ", out_.empty() ? "{" : ",", key);
}

std::string JsonText::text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace touche::study
