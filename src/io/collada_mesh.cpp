// SPDX-License-Identifier: Apache-2.0
#include "io/collada_mesh.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "io/text_scanner.h"

namespace touche::io {

std::vector<double> read_numbers(const XmlFile& xml, pugi::xml_node element,
                                 const std::string& file, int* digits) {
  const std::string text = XmlFile::text(element);
  TextScanner scanner(text, file, {}, xml.line(element));
  std::vector<double> numbers;
  for (std::string_view w = scanner.next_word(); !w.empty(); w = scanner.next_word())
    numbers.push_back(scanner.coordinate(w));
  if (digits != nullptr) *digits = scanner.digits();
  return numbers;
}

namespace {

class MeshReader {
 public:
  MeshReader(const XmlFile& xml, pugi::xml_node mesh, const std::string& file)
      : xml_(xml), xml_mesh_(mesh), file_(file) {
    for (const pugi::xml_node child : mesh.children())
      if (const pugi::xml_attribute id = child.attribute("id"))
        named_.emplace(fmt::format("{}#{}", child.name(), id.value()), child);
  }

  MeshBuilder read() {
    for (const pugi::xml_node child : xml_mesh_.children()) {
      const std::string_view kind = child.name();
      if (kind == "triangles" || kind == "polylist" || kind == "polygons" || kind == "tristrips" ||
          kind == "trifans")
        read_faces(child, kind);
    }
    return std::move(mesh_);
  }

 private:
  struct Positions {
    std::size_t first, count;  // vertices of the mesh
  };

  std::size_t number(pugi::xml_node element, const char* attribute, std::size_t otherwise) const {
    const std::string text = element.attribute(attribute).value();
    if (text.empty()) return otherwise;
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    const auto value = TextScanner(text, file_, {}, xml_.line(element)).integer(text);
    if (value < 0 || value > kMost) xml_.fail(element, fmt::format("{}: {}", attribute, value));
    return static_cast<std::size_t>(value);
  }

  // The element of this kind and id inside of the mesh that an attribute names.
  pugi::xml_node referenced(pugi::xml_node from, const char* attribute, const char* kind) const {
    const std::string url = from.attribute(attribute).value();
    const auto found = named_.find(kind + url);  // which begins with '#'
    if (found == named_.end())
      xml_.fail(from, fmt::format("the mesh has no <{}> {}", kind, io::in_quotes(url)));
    return found->second;
  }

  // Where a list of faces finds the number of a vertex: at `offset` of each `stride` numbers.
  struct Layout {
    Positions positions{};
    std::size_t offset = 0, stride = 0;
  };

  Layout layout(pugi::xml_node faces) {
    Layout result;
    bool found = false;
    for (const pugi::xml_node input : faces.children("input")) {
      const std::size_t offset = number(input, "offset", 0);
      result.stride = std::max(result.stride, offset + 1);
      const std::string_view semantic = input.attribute("semantic").value();
      if (semantic != "VERTEX" && semantic != "POSITION") continue;
      if (found) xml_.fail(input, "a second input of vertices");
      found = true;
      result.offset = offset;
      result.positions = positions(semantic == "VERTEX" ? position_input(input) : input);
    }
    if (!found) xml_.fail(faces, "the faces have no input of vertices");
    return result;
  }

  pugi::xml_node position_input(pugi::xml_node vertex_input) const {
    const pugi::xml_node vertices = referenced(vertex_input, "source", "vertices");
    for (const pugi::xml_node input : vertices.children("input"))
      if (input.attribute("semantic").value() == std::string_view("POSITION")) return input;
    xml_.fail(vertices, "the vertices have no positions");
  }

  // The vertices of a source; read when it is first used.
  Positions positions(pugi::xml_node input) {
    const pugi::xml_node source = referenced(input, "source", "source");
    const auto [entry, is_new] = positions_.try_emplace(source);
    if (is_new) entry->second = read_positions(source);
    return entry->second;
  }

  Positions read_positions(pugi::xml_node source) {
    const pugi::xml_node array = source.child("float_array");
    if (!array) xml_.fail(source, "the source of positions has no <float_array>");
    int digits = 0;
    const std::vector<double> values = read_numbers(xml_, array, file_, &digits);
    mesh_.set_digits(digits);
    if (values.size() != number(array, "count", values.size()))
      xml_.fail(array, fmt::format("an array of {} numbers announces {}", values.size(),
                                   array.attribute("count").value()));
    const pugi::xml_node accessor = source.child("technique_common").child("accessor");
    if (!accessor) xml_.fail(source, "the source of positions has no <accessor>");
    if (const std::string_view url = accessor.attribute("source").value();
        !url.starts_with('#') || array.attribute("id").value() != url.substr(1))
      xml_.fail(accessor, "the accessor reads another array than that of its source");
    const std::array<std::size_t, 3> xyz = axes(accessor);
    const std::size_t stride = number(accessor, "stride", 1),
                      offset = number(accessor, "offset", 0);
    const std::size_t count = number(accessor, "count", 0);
    const std::size_t reach = *std::max_element(xyz.begin(), xyz.end()) + 1;
    if (reach > stride) xml_.fail(accessor, "the accessor's stride is below its parameters");
    if (offset > values.size() || count > (values.size() - offset) / stride)
      xml_.fail(accessor,
                fmt::format("an accessor reads beyond the {} numbers of its array", values.size()));
    const Positions result = {mesh_.data().vertex_count(), count};
    if (result.first + count >= kNone) xml_.fail(source, "too many vertices");
    for (std::size_t i = 0; i < count; ++i) {
      const double* v = &values[offset + i * stride];
      mesh_.add_vertex(v[xyz[0]], v[xyz[1]], v[xyz[2]]);
    }
    return result;
  }

  // Which parameters are x, y and z; the first three, when none has a name.
  std::array<std::size_t, 3> axes(pugi::xml_node accessor) const {
    constexpr std::size_t kMissing = static_cast<std::size_t>(-2);
    std::array<std::size_t, 3> places = {kMissing, kMissing, kMissing};
    std::size_t place = 0, named = 0;
    for (const pugi::xml_node param : accessor.children("param")) {
      const std::string_view name = param.attribute("name").value();
      named += !name.empty();
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (name == std::string_view("XYZ").substr(axis, 1)) places[axis] = place;
      ++place;
    }
    if (named == 0) return {0, 1, 2};
    if (std::find(places.begin(), places.end(), kMissing) != places.end())
      xml_.fail(accessor, "the positions have no X, Y or Z");
    return places;
  }

  // The vertices of a <p>, of which a number in each `stride` is taken.
  std::vector<Index> corners(pugi::xml_node p, const Layout& layout) const {
    const std::string text = XmlFile::text(p);
    TextScanner scanner(text, file_, {}, xml_.line(p));
    std::vector<Index> result;
    std::size_t k = 0;
    for (std::string_view w = scanner.next_word(); !w.empty(); w = scanner.next_word(), ++k) {
      const std::int64_t value = scanner.integer(w);
      if (k % layout.stride != layout.offset) continue;
      if (value < 0 || static_cast<std::size_t>(value) >= layout.positions.count)
        scanner.fail(
            fmt::format("vertex {} does not exist; there are {}", value, layout.positions.count));
      result.push_back(
          static_cast<Index>(layout.positions.first + static_cast<std::size_t>(value)));
    }
    if (k % layout.stride != 0)
      xml_.fail(p, fmt::format("{} indices, which is no multiple of {}", k, layout.stride));
    return result;
  }

  void add_face(pugi::xml_node where, std::initializer_list<Index> vertices) {
    add_face(where, vertices.begin(), vertices.size());
  }
  void add_face(pugi::xml_node where, const Index* vertices, std::size_t size) {
    if (size < 3) xml_.fail(where, fmt::format("a face needs 3 corners, this one has {}", size));
    for (std::size_t k = 0; k < size; ++k) mesh_.add_corner(vertices[k]);
    mesh_.end_face();
    ++faces_;
  }

  void read_faces(pugi::xml_node list, std::string_view kind) {
    if (list.child("ph")) xml_.fail(list.child("ph"), "polygons with holes are not read");
    const pugi::xml_object_range<pugi::xml_named_node_iterator> ps = list.children("p");
    if (ps.begin() == ps.end()) return;
    const Layout where = layout(list);
    faces_ = 0;
    std::size_t lists = 0;
    for (const pugi::xml_node p : ps) {
      const std::vector<Index> v = corners(p, where);
      ++lists;
      if (kind == "triangles") {
        if (v.size() % 3 != 0) xml_.fail(p, "the corners of triangles are no multiple of 3");
        for (std::size_t k = 0; k + 2 < v.size(); k += 3) add_face(p, {v[k], v[k + 1], v[k + 2]});
      } else if (kind == "polylist") {
        read_polylist(list, p, v);
      } else if (kind == "polygons") {
        add_face(p, v.data(), v.size());
      } else if (kind == "tristrips") {
        // Every second triangle of a strip is turned round.
        for (std::size_t k = 0; k + 2 < v.size(); ++k)
          add_face(p, {v[k], v[k + 1 + k % 2], v[k + 2 - k % 2]});
      } else {
        for (std::size_t k = 1; k + 1 < v.size(); ++k) add_face(p, {v[0], v[k], v[k + 1]});
      }
    }
    const bool counts_lists = kind == "tristrips" || kind == "trifans";
    const std::size_t found = counts_lists ? lists : faces_;
    if (const std::size_t count = number(list, "count", found); count != found)
      xml_.fail(list, fmt::format("<{}> announces {}, there are {}", kind, count, found));
  }

  void read_polylist(pugi::xml_node list, pugi::xml_node p, const std::vector<Index>& vertices) {
    const pugi::xml_node vcount = list.child("vcount");
    const std::string text = XmlFile::text(vcount);
    TextScanner scanner(text, file_, {}, xml_.line(vcount));
    std::size_t begin = 0;
    for (std::string_view w = scanner.next_word(); !w.empty(); w = scanner.next_word()) {
      const std::int64_t size = scanner.integer(w);
      if (size < 0 || static_cast<std::size_t>(size) > vertices.size() - begin)
        scanner.fail(
            fmt::format("a polygon of {} corners, {} are left", size, vertices.size() - begin));
      add_face(vcount, &vertices[begin], static_cast<std::size_t>(size));
      begin += static_cast<std::size_t>(size);
    }
    if (begin != vertices.size())
      xml_.fail(p, fmt::format("{} corners, of which the polygons use {}", vertices.size(), begin));
  }

  const XmlFile& xml_;
  const pugi::xml_node xml_mesh_;
  const std::string& file_;
  MeshBuilder mesh_;
  std::map<std::string, pugi::xml_node> named_;  // by kind and id
  std::map<pugi::xml_node, Positions> positions_;
  std::size_t faces_ = 0;  // of the list in work
};

}  // namespace

MeshBuilder read_collada_mesh(const XmlFile& xml, pugi::xml_node mesh, const std::string& file) {
  return MeshReader(xml, mesh, file).read();
}

}  // namespace touche::io
