// SPDX-License-Identifier: Apache-2.0
// A ball flies into a corner of a floor and a slope, three times: it stops, slides, is reflected.
// With --picture it draws the paths:
//     bounce_in_a_corner --picture > docs/images/responses.svg
#include <touche/response.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using touche::Vec3;

constexpr double kRadius = 0.3;
constexpr std::array<double, 8> kProfile = {0, 0, 3.2, 0, 4.4, 1.0, 4.4, 3.2};  // x, z

// Strips of two units of width, along a profile.
touche::Object ground() {
  std::vector<double> coordinates;
  std::vector<touche::Index> corners, sizes;
  for (std::size_t i = 0; i < kProfile.size(); i += 2)
    for (const double y : {-1.0, 1.0})
      for (const double x : {kProfile[i], y, kProfile[i + 1]}) coordinates.push_back(x);
  for (touche::Index i = 0; i + 1 < kProfile.size() / 2; ++i) {
    for (const touche::Index k : {0U, 2U, 3U, 1U}) corners.push_back(2 * i + k);
    sizes.push_back(4);
  }
  return touche::Object(touche::PolygonSoup(coordinates, corners, sizes), "ground");
}

void circle(double x, double z, double radius, const char* style) {
  std::printf("<circle cx=\"%.3f\" cy=\"%.3f\" r=\"%.3f\" %s/>\n", x, -z, radius, style);
}

// `left`: where the picture's own x = 0 is.
void draw(double left, const touche::BallMove& move, touche::Response response) {
  std::printf("<polyline fill=\"none\" stroke=\"#333\" stroke-width=\"0.05\" points=\"");
  for (std::size_t i = 0; i < kProfile.size(); i += 2)
    std::printf("%.3f,%.3f ", left + kProfile[i], -kProfile[i + 1]);
  std::printf("\"/>\n<polyline fill=\"none\" stroke=\"#2060c0\" stroke-width=\"0.04\" points=\"");
  for (const Vec3& at : move.path) std::printf("%.3f,%.3f ", left + at.x(), -at.z());
  std::puts("\"/>");
  for (std::size_t i = 0; i < move.path.size(); ++i) {
    const bool is_end = i + 1 == move.path.size();
    circle(left + move.path[i].x(), move.path[i].z(), kRadius,
           is_end ? "fill=\"#9fd0b0\" fill-opacity=\"0.7\" stroke=\"#263\" stroke-width=\"0.03\""
           : i == 0
               ? "fill=\"#d6dbe0\" fill-opacity=\"0.7\" stroke=\"#555\" stroke-width=\"0.03\""
               : "fill=\"none\" stroke=\"#999\" stroke-width=\"0.02\" stroke-dasharray=\"0.06\"");
  }
  for (const touche::BallContact& contact : move.contacts)
    circle(left + contact.point.x(), contact.point.z(), 0.06, "fill=\"#c8372d\"");
  std::printf(
      "<text x=\"%.3f\" y=\"0.5\" font-size=\"0.32\" font-family=\"sans-serif\">%s</text>\n",
      left + 0.1, name(response).data());
}

}  // namespace

int main(int argc, char** argv) {
  const touche::Object floor = ground();
  const touche::Ball ball = {{0.6, 0, 2.4}, kRadius};
  const Vec3 motion(6, 0, -6);
  const bool picture = argc > 1 && std::strcmp(argv[1], "--picture") == 0;
  if (picture) {
    std::puts(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-0.3 -3.9 15 4.6\" "
        "width=\"900\">");
    std::puts("<rect x=\"-0.3\" y=\"-3.9\" width=\"15\" height=\"4.6\" fill=\"white\"/>");
  }
  double left = 0;
  bool right = true;
  for (const auto response :
       {touche::Response::stop, touche::Response::slide, touche::Response::reflect}) {
    const touche::BallMove move = touche::move_ball(
        ball, motion, floor, {}, {.tolerance = 1e-4, .response = response, .restitution = 0.8});
    if (picture) {
      draw(left, move, response);
    } else {
      const Vec3& end = move.path.back();
      std::printf("%-8s %zu contacts, %s at (%.3f, %.3f)\n", name(response).data(),
                  move.contacts.size(), name(move.status).data(), end.x(), end.z());
    }
    left += 4.9;
    // Nothing of the ball is ever in the ground.
    right = right && !move.contacts.empty();
    for (const Vec3& at : move.path)
      right = right && touche::closest_point(floor, {}, at).distance >= kRadius;
  }
  if (picture) std::puts("</svg>");
  return right ? 0 : 1;
}
