// SPDX-License-Identifier: Apache-2.0
// COLLADA files made in tests.
#pragma once

#include <string>

namespace touche::test {

/// A geometry of these coordinates, and face lists whose vertices come from "#g-v".
inline std::string geometry(const std::string& id, const std::string& numbers, std::size_t count,
                            const std::string& faces) {
  return "<geometry id='" + id + "'><mesh><source id='s'><float_array id='a' count='" +
         std::to_string(3 * count) + "'>" + numbers +
         "</float_array><technique_common><accessor source='#a' count='" + std::to_string(count) +
         "' stride='3'><param name='X'/><param name='Y'/><param name='Z'/></accessor>"
         "</technique_common></source><vertices id='v'><input semantic='POSITION' source='#s'/>"
         "</vertices>" +
         faces + "</mesh></geometry>";
}

/// `faces` without the input that every list needs.
inline std::string faces(const std::string& kind, const std::string& content,
                         const std::string& attributes = "") {
  return "<" + kind + " " + attributes + "><input semantic='VERTEX' source='#v' offset='0'/>" +
         content + "</" + kind + ">";
}

inline std::string collada(const std::string& geometries, const std::string& nodes,
                           const std::string& asset = "", const std::string& library_nodes = "") {
  return "<COLLADA>\n<asset>" + asset + "</asset>\n<library_geometries>" + geometries +
         "</library_geometries>\n<library_nodes>" + library_nodes +
         "</library_nodes>\n<library_visual_scenes><visual_scene id='scene'>\n" + nodes +
         "</visual_scene></library_visual_scenes>\n"
         "<scene><instance_visual_scene url='#scene'/></scene></COLLADA>";
}

inline std::string node(const std::string& name, const std::string& content) {
  return "<node name='" + name + "'>" + content + "</node>\n";
}

inline const std::string kPlaced = "<instance_geometry url='#g'/>";

}  // namespace touche::test
