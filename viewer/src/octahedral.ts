// SPDX-License-Identifier: Apache-2.0
// Unit vectors in two signed bytes: the sphere is projected onto an octahedron that is unfolded to
// the square [-1, 1]². The shader of parts does the same as `decodeOctahedral`.

export type Vector3 = readonly [number, number, number];

/** The unit vector of two numbers of [-127, 127]; off by at most 1 degree from the one encoded. */
export function decodeOctahedral(u: number, v: number): Vector3 {
  let x = u / 127;
  let y = v / 127;
  const z = 1 - Math.abs(x) - Math.abs(y);
  if (z < 0) {
    const folded = (1 - Math.abs(y)) * (x >= 0 ? 1 : -1);
    y = (1 - Math.abs(x)) * (y >= 0 ? 1 : -1);
    x = folded;
  }
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** The two numbers of a unit vector. */
export function encodeOctahedral(normal: Vector3): [number, number] {
  const sum = Math.abs(normal[0]) + Math.abs(normal[1]) + Math.abs(normal[2]);
  let x = normal[0] / sum;
  let y = normal[1] / sum;
  if (normal[2] < 0) {
    const folded = (1 - Math.abs(y)) * (x >= 0 ? 1 : -1);
    y = (1 - Math.abs(x)) * (y >= 0 ? 1 : -1);
    x = folded;
  }
  return [Math.round(x * 127), Math.round(y * 127)];
}
