// SPDX-License-Identifier: Apache-2.0
// Binary DXF: the same drawing as in text, from codes of one byte and of two.
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "outline_text.h"

namespace touche::dxf_binary_test {
namespace {

using namespace test;

const std::string kSentinel("AutoCAD Binary DXF\r\n\x1a\0", 22);

template <class T>
std::string bytes_of(T value) {  // on machines with the lowest byte first
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

std::string value_bytes(int code, const std::string& value) {
  const auto in = [code](int first, int last) { return first <= code && code <= last; };
  if (in(10, 59) || in(110, 149) || in(210, 239) || in(460, 469) || in(1010, 1059))
    return bytes_of(std::stod(value));
  if (in(60, 79) || in(170, 179) || in(270, 289) || in(370, 389) || in(400, 409) || in(1060, 1070))
    return bytes_of(static_cast<std::int16_t>(std::stoi(value)));
  if (in(90, 99) || in(420, 429) || in(440, 459) || code == 1071)
    return bytes_of(static_cast<std::int32_t>(std::stol(value)));
  if (in(160, 169)) return bytes_of(static_cast<std::int64_t>(std::stoll(value)));
  if (in(290, 299)) return bytes_of(static_cast<std::int8_t>(std::stoi(value)));
  if (in(310, 319) || code == 1004) return static_cast<char>(value.size()) + value;
  return value + '\0';
}

/// The binary form of a file as text, as of releases from 13 on or before them.
std::string binary(const std::string& text, bool is_old) {
  std::istringstream lines(text);
  std::string code_text, value, bytes = kSentinel;
  while (std::getline(lines, code_text) && std::getline(lines, value)) {
    const int code = std::stoi(code_text);
    if (!is_old)
      bytes += bytes_of(static_cast<std::int16_t>(code));
    else if (code < 255)
      bytes += static_cast<char>(code);
    else
      bytes += '\xff' + bytes_of(static_cast<std::int16_t>(code));
    bytes += value_bytes(code, value);
  }
  return bytes;
}

const std::string kText =
    "999\nmade by a test\n0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n1\n9\n$EXTMIN\n10\n-1.5\n20\n0\n"
    "0\nENDSEC\n0\nSECTION\n2\nTABLES\n0\nTABLE\n2\nLAYER\n0\nLAYER\n5\n2F\n2\nFRAME\n70\n0\n62\n-"
    "7\n"
    "0\nENDTAB\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n"
    "0\nLWPOLYLINE\n330\n1F\n8\ncut\n90\n3\n70\n1\n10\n0\n20\n0\n10\n4.25\n20\n0\n42\n0."
    "5\n10\n4\n20\n3"
    "\n1001\nACAD\n1000\ntext\n1004\n\x01\x02\x03\n1040\n2.5\n1071\n-70000\n"
    "0\nLINE\n8\nFRAME\n10\n0\n20\n0\n11\n9\n21\n9\n"
    "0\nCIRCLE\n370\n-2\n10\n1\n20\n1\n40\n0.25\n0\nENDSEC\n0\nEOF\n";

TEST(DxfBinary, IsReadAsTheSameText) {
  const Outline text = io::read_outline(kText, ".dxf", "d.dxf");
  ASSERT_EQ(text.chain_count(), 2);
  for (const bool is_old : {false, true}) {
    const Outline read = io::read_outline(binary(kText, is_old), ".dxf", "d.dxf");
    ASSERT_EQ(read.vertex_count(), text.vertex_count());
    for (Index v = 0; v < read.vertex_count(); ++v) EXPECT_EQ(read.vertex(v), text.vertex(v));
    EXPECT_EQ(read.name(0), "cut");
    EXPECT_TRUE(read.closed(0));
    EXPECT_EQ(read.remarks(), text.remarks());
  }
}

// Codes that only files of two bytes have: integers of 32 and 64 bits, chunks, truth values.
TEST(DxfBinary, SkipsValuesOfAllTypes) {
  const std::string more =
      "0\nSECTION\n2\nENTITIES\n0\nLINE\n160\n-"
      "5\n290\n1\n310\nABC\n420\n16711680\n450\n7\n470\nname\n"
      "300\ntext\n320\n1F\n10\n1\n20\n2\n11\n3\n21\n4\n0\nENDSEC\n0\nEOF\n";
  expect_points(io::read_outline(binary(more, false), ".dxf", "d.dxf"), {{1, 2}, {3, 4}});
}

TEST(DxfBinary, RefusesWhatIsDamaged) {
  const auto why = [](const std::string& bytes) {
    return refusal([&] { return io::read_outline(bytes, ".dxf", "d.dxf"); });
  };
  for (const bool is_old : {false, true}) {
    const std::string whole = binary(kText, is_old);
    // Cut off anywhere, it is no smaller drawing.
    for (std::size_t size = kSentinel.size(); size + 1 < whole.size(); ++size) {
      const std::string reason = why(whole.substr(0, size));
      EXPECT_NE(reason.find("d.dxf:byte "), std::string::npos) << size << ": " << reason;
      EXPECT_NE(reason.find("cut off"), std::string::npos) << size << ": " << reason;
    }
  }
  EXPECT_NE(why("AutoCAD Binary DXF\n\x1a").find("transfer as text"), std::string::npos);
  const std::string line = "0\nSECTION\n2\nENTITIES\n0\nLINE\n10\n";
  std::string not_finite = binary(line + "nan\n20\n2\n11\n3\n21\n4\n0\nENDSEC\n0\nEOF\n", false);
  EXPECT_EQ(why(not_finite), "d.dxf:byte 52: a number that is not finite");
  EXPECT_NE(why(binary(line + "1\n20\n2\n0\nENDSEC\n0\nEOF\n", false)).find("'LINE': a point"),
            std::string::npos);
}

}  // namespace
}  // namespace touche::dxf_binary_test
