// SPDX-License-Identifier: Apache-2.0
// A chunk of a mesh as it came over the wire: quantised, and searched as it is. Its triangles lie in
// clusters of 64 that follow each other, each with a box; the server sends them in an order in which
// neighbours are near, so a ray or a plane meets few boxes.
import type { Sample } from './axis_fit';
import type { Vector3 } from './octahedral';

export interface ChunkData {
  lo: Vector3;
  hi: Vector3;
  positions: Uint16Array;
  normals: Int8Array;
  indices: Uint16Array;
  edges: Uint16Array;
}

export interface Hit {
  distance: number;  // along the ray, in lengths of its direction
  triangle: number;  // of the chunk
}

const kCluster = 64;
const kSteps = 65535;

export class Chunk {
  readonly triangles: number;
  /** Six numbers a cluster in quantised units: least x y z, largest x y z. */
  private readonly boxes: Uint16Array;
  private readonly scale: Vector3;  // of a quantised unit, in the frame of the mesh

  constructor(readonly data: ChunkData) {
    this.triangles = data.indices.length / 3;
    this.boxes = clusterBoxes(data.positions, data.indices);
    this.scale = [0, 1, 2].map((k) => (data.hi[k]! - data.lo[k]!) / kSteps) as unknown as Vector3;
  }

  /** The corner of a triangle in the frame of the mesh, written to `out`. */
  corner(triangle: number, which: number, out: number[]): void {
    const vertex = 3 * this.data.indices[3 * triangle + which]!;
    for (let k = 0; k < 3; ++k) out[k] = this.data.lo[k]! + this.data.positions[vertex + k]! * this.scale[k]!;
  }

  /** The triangles of the smooth piece of surface around one: vertices are split at creases, so these
   * are the ones that hang together by vertices. The piece ends at the border of the chunk. */
  smoothPatch(triangle: number): number[] {
    const { indices } = this.data;
    const inPatch = new Uint8Array(this.triangles);
    const reached = new Uint8Array(this.data.positions.length / 3);
    for (let k = 0; k < 3; ++k) reached[indices[3 * triangle + k]!] = 1;
    inPatch[triangle] = 1;
    // Passes over all triangles until none is added: neighbours follow each other, so few are needed.
    for (let added = true; added;) {
      added = false;
      for (const backwards of [false, true]) {
        for (let n = 0; n < this.triangles; ++n) {
          const i = backwards ? this.triangles - 1 - n : n;
          if (inPatch[i]) continue;
          const a = indices[3 * i]!, b = indices[3 * i + 1]!, c = indices[3 * i + 2]!;
          if (!reached[a] && !reached[b] && !reached[c]) continue;
          inPatch[i] = reached[a] = reached[b] = reached[c] = 1;
          added = true;
        }
      }
    }
    return [...inPatch.keys()].filter((i) => inPatch[i]);
  }

  /** Middle, unit normal and area of a triangle, in the frame of the mesh. */
  sample(triangle: number): Sample {
    const corners: number[][] = [[], [], []];
    corners.forEach((corner, k) => { this.corner(triangle, k, corner); });
    const [a, b, c] = corners as [number[], number[], number[]];
    const u = [b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!];
    const v = [c[0]! - a[0]!, c[1]! - a[1]!, c[2]! - a[2]!];
    const x = u[1]! * v[2]! - u[2]! * v[1]!, y = u[2]! * v[0]! - u[0]! * v[2]!, z = u[0]! * v[1]! - u[1]! * v[0]!;
    const length = Math.hypot(x, y, z);
    return {
      point: [(a[0]! + b[0]! + c[0]!) / 3, (a[1]! + b[1]! + c[1]!) / 3, (a[2]! + b[2]! + c[2]!) / 3],
      normal: length > 0 ? [x / length, y / length, z / length] : [0, 0, 0],
      area: length / 2,
    };
  }

  /** The first triangle that a ray in the frame of the mesh meets within (from, to), if any. Both
   * sides of a triangle count. */
  raycast(origin: Vector3, direction: Vector3, from: number, to: number): Hit | null {
    // The ray in quantised units: parameters along it stay the same.
    const { lo, positions, indices } = this.data;
    const [sx, sy, sz] = this.scale.map((s) => (s > 0 ? s : 1)) as [number, number, number];
    const ox = (origin[0] - lo[0]) / sx, oy = (origin[1] - lo[1]) / sy, oz = (origin[2] - lo[2]) / sz;
    const dx = direction[0] / sx, dy = direction[1] / sy, dz = direction[2] / sz;
    const ix = 1 / dx, iy = 1 / dy, iz = 1 / dz;
    const boxes = this.boxes;
    let nearest = to;
    let triangle = -1;
    for (let cluster = 0, at = 0; at < boxes.length; ++cluster, at += 6) {
      let enter = from;
      let leave = nearest;
      const x0 = (boxes[at]! - ox) * ix, x1 = (boxes[at + 3]! - ox) * ix;
      const y0 = (boxes[at + 1]! - oy) * iy, y1 = (boxes[at + 4]! - oy) * iy;
      const z0 = (boxes[at + 2]! - oz) * iz, z1 = (boxes[at + 5]! - oz) * iz;
      // 0 times infinity, a ray along a side of the box, is no number: such a side excludes nothing.
      if (x0 < x1) { if (x0 > enter) enter = x0; if (x1 < leave) leave = x1; }
      else { if (x1 > enter) enter = x1; if (x0 < leave) leave = x0; }
      if (y0 < y1) { if (y0 > enter) enter = y0; if (y1 < leave) leave = y1; }
      else { if (y1 > enter) enter = y1; if (y0 < leave) leave = y0; }
      if (z0 < z1) { if (z0 > enter) enter = z0; if (z1 < leave) leave = z1; }
      else { if (z1 > enter) enter = z1; if (z0 < leave) leave = z0; }
      if (enter > leave) continue;
      const end = Math.min(indices.length, 3 * kCluster * (cluster + 1));
      for (let i = 3 * kCluster * cluster; i < end; i += 3) {
        const a = 3 * indices[i]!, b = 3 * indices[i + 1]!, c = 3 * indices[i + 2]!;
        const ax = positions[a]!, ay = positions[a + 1]!, az = positions[a + 2]!;
        const ux = positions[b]! - ax, uy = positions[b + 1]! - ay, uz = positions[b + 2]! - az;
        const vx = positions[c]! - ax, vy = positions[c + 1]! - ay, vz = positions[c + 2]! - az;
        const px = dy * vz - dz * vy, py = dz * vx - dx * vz, pz = dx * vy - dy * vx;
        const determinant = ux * px + uy * py + uz * pz;
        if (determinant === 0) continue;
        const inverse = 1 / determinant;
        const tx = ox - ax, ty = oy - ay, tz = oz - az;
        const u = (tx * px + ty * py + tz * pz) * inverse;
        if (u < 0 || u > 1) continue;
        const qx = ty * uz - tz * uy, qy = tz * ux - tx * uz, qz = tx * uy - ty * ux;
        const v = (dx * qx + dy * qy + dz * qz) * inverse;
        if (v < 0 || u + v > 1) continue;
        const t = (vx * qx + vy * qy + vz * qz) * inverse;
        if (t <= from || t >= nearest) continue;
        nearest = t;
        triangle = i / 3;
      }
    }
    return triangle < 0 ? null : { distance: nearest, triangle };
  }

  /** Appends the segments in which the plane n·x = d of the mesh's frame cuts the triangles: six
   * numbers each. */
  cut(normal: Vector3, d: number, out: number[]): void {
    const { lo, positions, indices } = this.data;
    const [sx, sy, sz] = this.scale;
    const nx = normal[0] * sx, ny = normal[1] * sy, nz = normal[2] * sz;
    const offset = d - (normal[0] * lo[0] + normal[1] * lo[1] + normal[2] * lo[2]);
    const boxes = this.boxes;
    for (let cluster = 0, at = 0; at < boxes.length; ++cluster, at += 6) {
      const low = nx * boxes[nx > 0 ? at : at + 3]! + ny * boxes[ny > 0 ? at + 1 : at + 4]! +
        nz * boxes[nz > 0 ? at + 2 : at + 5]!;
      const high = nx * boxes[nx > 0 ? at + 3 : at]! + ny * boxes[ny > 0 ? at + 4 : at + 1]! +
        nz * boxes[nz > 0 ? at + 5 : at + 2]!;
      if (low > offset || high < offset) continue;
      const end = Math.min(indices.length, 3 * kCluster * (cluster + 1));
      for (let i = 3 * kCluster * cluster; i < end; i += 3) {
        for (let k = 0; k < 3; ++k) {
          const a = 3 * indices[i + k]!, b = 3 * indices[i + ((k + 1) % 3)]!;
          const da = nx * positions[a]! + ny * positions[a + 1]! + nz * positions[a + 2]! - offset;
          const db = nx * positions[b]! + ny * positions[b + 1]! + nz * positions[b + 2]! - offset;
          if (da < 0 === db < 0) continue;
          const t = da / (da - db);
          out.push(lo[0] + (positions[a]! + t * (positions[b]! - positions[a]!)) * sx,
            lo[1] + (positions[a + 1]! + t * (positions[b + 1]! - positions[a + 1]!)) * sy,
            lo[2] + (positions[a + 2]! + t * (positions[b + 2]! - positions[a + 2]!)) * sz);
        }
      }
    }
  }
}

function clusterBoxes(positions: Uint16Array, indices: Uint16Array): Uint16Array {
  const count = Math.ceil(indices.length / (3 * kCluster));
  const boxes = new Uint16Array(6 * count);
  for (let cluster = 0; cluster < count; ++cluster) {
    const at = 6 * cluster;
    boxes.fill(kSteps, at, at + 3);
    const end = Math.min(indices.length, 3 * kCluster * (cluster + 1));
    for (let i = 3 * kCluster * cluster; i < end; ++i) {
      for (let k = 0; k < 3; ++k) {
        const q = positions[3 * indices[i]! + k]!;
        if (q < boxes[at + k]!) boxes[at + k] = q;
        if (q > boxes[at + 3 + k]!) boxes[at + 3 + k] = q;
      }
    }
  }
  return boxes;
}
