// SPDX-License-Identifier: Apache-2.0
// The line that a part turns about: the axis of a round face, or of the part's shape.
import type { Vector3 } from './octahedral';

/** Points of a surface, each with a unit normal and an area. */
export interface Sample {
  point: Vector3;
  normal: Vector3;
  area: number;
}

export interface FittedAxis {
  point: Vector3;
  direction: Vector3;  // unit length
  source: 'cylinder' | 'plane' | 'shape';
}

const kFlat = 0.004;   // largest share of normals across that a flat face has
const kRound = 0.003;  // largest share of normals along its axis that a cylinder has
const kSlants = [0.4, 0.2, 0.1];  // sines of slant against the axis beyond which faces are left out, in turn
const kMain = 0.4;     // least share of the area that must be left then
const kUneven = 0.06;  // largest deviation of the radius, of the radius

/** Fits the axis of a face. The normals of a cylinder lie in the plane across its axis, the normals of a
 * flat face along one line. Other faces have no axis: null. Chamfers and fillets, which join smoothly, are
 * left out. The axis of a flat face goes through its centroid. */
export function fitFace(samples: readonly Sample[]): FittedAxis | null {
  const total = areaOf(samples);
  if (!(total > 0)) return null;
  let spread = spreadOfNormals(samples);
  if (spread.values[1]! < kFlat) return { point: centroid(samples), direction: spread.vectors[2]!, source: 'plane' };
  let round = samples;
  for (const slant of kSlants) {
    const axis = spread.vectors[0]!;
    round = samples.filter(({ normal }) => Math.abs(dot(normal, axis)) < slant);
    if (areaOf(round) < kMain * total) return null;
    spread = spreadOfNormals(round);
  }
  if (spread.values[0]! > kRound || spread.values[1]! < kFlat) return null;
  const direction = spread.vectors[0]!;
  const point = circleCentre(round, direction);
  return point && isEven(round, point, direction) ? { point, direction, source: 'cylinder' } : null;
}

function areaOf(samples: readonly Sample[]): number {
  return samples.reduce((sum, s) => sum + s.area, 0);
}

/** Of unit normals about zero: shares of the three directions, increasing, which sum to 1. */
function spreadOfNormals(samples: readonly Sample[]): { values: number[]; vectors: Vector3[] } {
  const total = areaOf(samples);
  return eigen(covariance(samples.map(({ normal, area }) => ({ x: normal, weight: area / total })), [0, 0, 0]));
}

/** Whether all points are equally far from a line. */
function isEven(samples: readonly Sample[], point: Vector3, direction: Vector3): boolean {
  const total = areaOf(samples);
  const radii = samples.map((s) => {
    const off: Vector3 = [s.point[0] - point[0], s.point[1] - point[1], s.point[2] - point[2]];
    return Math.hypot(...cross(off, direction));
  });
  const mean = radii.reduce((sum, r, i) => sum + (r * samples[i]!.area) / total, 0);
  const square = radii.reduce((sum, r, i) => sum + ((r - mean) ** 2 * samples[i]!.area) / total, 0);
  return Math.sqrt(square) < kUneven * mean;
}

/** The axis of the whole: of three principal axes of its surface the one whose moment differs most
 * from the two others, as it does for everything that was turned on a lathe. */
export function fitShape(samples: readonly Sample[]): FittedAxis | null {
  const total = samples.reduce((sum, s) => sum + s.area, 0);
  if (!(total > 0)) return null;
  const middle = centroid(samples);
  const { values, vectors } = eigen(covariance(samples.map(({ point, area }) => ({ x: point, weight: area / total })), middle));
  const lower = values[1]! - values[0]!;
  const upper = values[2]! - values[1]!;
  return { point: middle, direction: vectors[lower > upper ? 0 : 2]!, source: 'shape' };
}

function centroid(samples: readonly Sample[]): Vector3 {
  const sum = [0, 0, 0];
  let total = 0;
  for (const { point, area } of samples) {
    total += area;
    for (let k = 0; k < 3; ++k) sum[k]! += area * point[k]!;
  }
  return sum.map((x) => x / total) as unknown as Vector3;
}

type Matrix = number[][];

function covariance(items: readonly { x: Vector3; weight: number }[], middle: Vector3): Matrix {
  const m = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  for (const { x, weight } of items) {
    for (let i = 0; i < 3; ++i) {
      for (let j = 0; j < 3; ++j) m[i]![j]! += weight * (x[i]! - middle[i]!) * (x[j]! - middle[j]!);
    }
  }
  return m;
}

/** Eigenvalues in increasing order with their unit vectors, by Jacobi rotations. */
function eigen(matrix: Matrix): { values: number[]; vectors: Vector3[] } {
  const a = matrix.map((row) => [...row]);
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 30; ++sweep) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) {
      const apq = a[p]![q]!;
      if (apq === 0) continue;
      const theta = (a[q]![q]! - a[p]![p]!) / (2 * apq);
      const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1);
      const s = t * c;
      for (let k = 0; k < 3; ++k) {
        const [x, y] = [a[k]![p]!, a[k]![q]!];
        a[k]![p] = c * x - s * y;
        a[k]![q] = s * x + c * y;
      }
      for (let k = 0; k < 3; ++k) {
        const [x, y] = [a[p]![k]!, a[q]![k]!];
        a[p]![k] = c * x - s * y;
        a[q]![k] = s * x + c * y;
      }
      for (let k = 0; k < 3; ++k) {
        const [x, y] = [v[k]![p]!, v[k]![q]!];
        v[k]![p] = c * x - s * y;
        v[k]![q] = s * x + c * y;
      }
    }
  }
  const order = [0, 1, 2].sort((i, j) => a[i]![i]! - a[j]![j]!);
  return {
    values: order.map((i) => a[i]![i]!),
    vectors: order.map((i) => [v[0]![i]!, v[1]![i]!, v[2]![i]!] as const),
  };
}

/** The point nearest, in the plane across the axis, to the lines through all points along their
 * normals: sum of area (1 − n nᵀ)(p − c) is zero. Null where the lines are parallel. */
function circleCentre(samples: readonly Sample[], axis: Vector3): Vector3 | null {
  const u = perpendicular(axis);
  const w = cross(axis, u);
  let a = 0, b = 0, d = 0, x = 0, y = 0;
  for (const { point, normal, area } of samples) {
    const nu = dot(normal, u), nw = dot(normal, w);
    const length = Math.hypot(nu, nw);
    if (length === 0) continue;
    const [cu, cw] = [nu / length, nw / length];
    const [m00, m01, m11] = [area * (1 - cu * cu), -area * cu * cw, area * (1 - cw * cw)];
    const [pu, pw] = [dot(point, u), dot(point, w)];
    a += m00;
    b += m01;
    d += m11;
    x += m00 * pu + m01 * pw;
    y += m01 * pu + m11 * pw;
  }
  const determinant = a * d - b * b;
  if (!(determinant > 1e-9 * (a + d) ** 2)) return null;
  const cu = (d * x - b * y) / determinant;
  const cw = (a * y - b * x) / determinant;
  const along = dot(centroid(samples), axis);
  return [0, 1, 2].map((k) => cu * u[k]! + cw * w[k]! + along * axis[k]!) as unknown as Vector3;
}

function dot(a: Vector3, b: Vector3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vector3, b: Vector3): Vector3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function perpendicular(a: Vector3): Vector3 {
  const smallest = [0, 1, 2].sort((i, j) => Math.abs(a[i]!) - Math.abs(a[j]!))[0]!;
  const other: Vector3 = [smallest === 0 ? 1 : 0, smallest === 1 ? 1 : 0, smallest === 2 ? 1 : 0];
  const c = cross(a, other);
  const length = Math.hypot(...c);
  return [c[0] / length, c[1] / length, c[2] / length];
}
