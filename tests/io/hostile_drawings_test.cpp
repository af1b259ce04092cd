// SPDX-License-Identifier: Apache-2.0
// Drawings made to eat memory, stack or time: each is refused, or read, in little of all three.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "io_files.h"
#include "small_child.h"
#include "touche/outline_file.h"

namespace touche::hostile_drawings_test {
namespace {

using test::in_a_child;
using test::Io;
using test::kMebi;
using test::repeated;

class HostileDrawings : public Io {
 protected:
  void refuses(const std::string& name, const std::string& bytes, const std::string& error) const {
    const std::filesystem::path path = Io::write(name, bytes);
    const std::string said = in_a_child([&]() -> std::string {
      try {
        return "edges: " + std::to_string(load_outline(path).edge_count());
      } catch (const LoadError& e) {
        return std::string(e.what()).substr(path.string().size());
      }
    });
    EXPECT_TRUE(said.starts_with(error)) << name << ": " << said;
    std::filesystem::remove(path);
  }
  static std::string refusal(const std::filesystem::path& path) {
    try {
      return "edges: " + std::to_string(load_outline(path).edge_count());
    } catch (const LoadError& e) {
      return e.what();
    }
  }
  static std::string dxf(const std::string& blocks, const std::string& entities) {
    return "0\nSECTION\n2\nBLOCKS\n" + blocks + "0\nENDSEC\n0\nSECTION\n2\nENTITIES\n" + entities +
           "0\nENDSEC\n0\nEOF\n";
  }
};

TEST_F(HostileDrawings, AreReadOrRefused) {
  const std::string line = "<line x2='1'/>",
                    too_much = "unfolds to more than 200 times the file's ";
  refuses("deep.svg",
          "<svg>" + repeated("<g>", 100'000) + line + repeated("</g>", 100'000) + "</svg>",
          ":1: elements lie too deep");
  refuses("cycle.svg", "<svg><g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g></svg>",
          ":1: elements lie too deep");
  std::string levels, blocks;
  for (int i = 0; i < 40; ++i) {
    const std::string next = std::to_string(i + 1), id = std::to_string(i);
    const std::string use = "<use href='#n" + next + "'/>";
    levels += "<g id='n" + id + "'>" + use + use + "</g>";
    const std::string insert = "0\nINSERT\n2\nn" + next + "\n10\n0\n20\n0\n";
    blocks += "0\nBLOCK\n2\nn" + id + "\n" + insert + insert + "0\nENDBLK\n";
  }
  refuses("doubles.svg", "<svg><defs>" + levels + "<g id='n40'/></defs><use href='#n0'/></svg>",
          ":1: " + too_much);
  const std::string one = "0\nLINE\n10\n0\n20\n0\n11\n1\n21\n0\n";
  refuses(
      "doubles.dxf",
      dxf(blocks + "0\nBLOCK\n2\nn40\n" + one + "0\nENDBLK\n", "0\nINSERT\n2\nn0\n10\n0\n20\n0\n"),
      ":");
  for (const std::string& content : {std::string(), one})
    refuses("array.dxf",
            dxf("0\nBLOCK\n2\nb\n" + content + "0\nENDBLK\n",
                "0\nINSERT\n2\nb\n10\n0\n20\n0\n70\n900000000\n71\n900000000\n"),
            ":");
  refuses("bulge.dxf", dxf("", "0\nLWPOLYLINE\n10\n0\n20\n0\n42\n1e300\n10\n1\n20\n0\n"), ":");
  // Two bytes a side, and a file of spaces: read, in the memory there is.
  refuses("sides.svg", "<svg><path d='M0 0h" + repeated("1 ", 500'000) + "'/></svg>",
          "edges: 500000");
  refuses("spaces.svg", "<svg><path d='" + std::string(kMebi, ' ') + "'/></svg>",
          ": the file holds no outlines");
  refuses("names.svg",
          "<svg><defs><path id='" + std::string(kMebi, 'x') + "' d='M0 0h1'/></defs>" +
              repeated("<use href='#" + std::string(kMebi, 'x') + "'/>", 3) + "</svg>",
          "edges: 3");
}

// Visits take time, also visits to entities that are not drawn.
TEST_F(HostileDrawings, WhatIsNotDrawnIsNotVisitedForEver) {
  const std::string line = "10\n0\n20\n0\n11\n1\n21\n0\n", too_much = "unfolds to more than";
  const std::string contents[] = {
      repeated("0\nTEXT\n", 100'000),
      "0\nPOLYLINE\n" + repeated("0\nVERTEX\n70\n16\n", 100'000) + "0\nVERTEX\n10\n0\n20\n0\n",
      "0\nLINE\n" + repeated("5\nA\n", 200'000) + line,
      "0\nLWPOLYLINE\n" + repeated("43\n0\n", 100'000) + "10\n0\n20\n0\n"};
  for (const std::string& content : contents) {
    const std::filesystem::path path =
        Io::write("often.dxf", dxf("0\nBLOCK\n2\nb\n" + content + "0\nENDBLK\n",
                                   "0\nINSERT\n2\nb\n10\n0\n20\n0\n70\n1000\n71\n1000\n"));
    const std::string said = in_a_child([&] { return refusal(path); });
    EXPECT_NE(said.find(too_much), std::string::npos) << said;
  }
  const std::string uses = repeated("<use href='#a'/>", 20'000);
  for (const std::string& used :
       {"<g id='a'>" + repeated("<text/>", 100'000) + "</g>",
        "<g id='a'>" + repeated("<g display='none'/>", 50'000) + "</g>",
        "<path id='a' d='" + repeated("M0 0", 100'000) + "'/>",
        "<g id='a' transform='" + repeated("translate(1)", 50'000) + "'/>",
        "<g id='a'>" + repeated("text ", 100'000) + repeated("<!---->a", 50'000) + "</g>",
        "<g id='a' style='" + repeated("fill:none;", 100'000) + "display:none'/>"}) {
    const std::filesystem::path path =
        Io::write("often.svg", "<svg><defs>" + used + "</defs>" + uses + "</svg>");
    const std::string said = in_a_child([&] { return refusal(path); });
    EXPECT_NE(said.find(too_much), std::string::npos) << used.substr(0, 40) << ": " << said;
  }
}

}  // namespace
}  // namespace touche::hostile_drawings_test
