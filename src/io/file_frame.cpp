// SPDX-License-Identifier: Apache-2.0
#include "touche/file_frame.h"

namespace touche {

Mat3 upright(UpAxis up) {
  Mat3 turn = Mat3::Identity();
  if (up == UpAxis::y) turn << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  if (up == UpAxis::x) turn << 0, -1, 0, 0, 0, -1, 1, 0, 0;
  return turn;
}

Vec3 FileFrame::in_file(const Vec3& ours) const {
  return upright(up).transpose() * ours.cwiseQuotient(stretch) / unit;
}

}  // namespace touche
