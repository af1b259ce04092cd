// SPDX-License-Identifier: Apache-2.0
// Meshes for tests of the page, as chunks like the server's.
import { encodeOctahedral } from '../../src/octahedral';
import type { MeshChunk, Vec3 } from '../../src/protocol';

export type Triangle = [Vec3, Vec3, Vec3];

const kCrease = Math.cos(Math.PI / 6);

/** The body between closed profiles in the half plane (r, z), turned about z in `steps` steps; a profile
 * runs counterclockwise. */
export function lathe(profile: readonly (readonly [number, number])[], steps: number): Triangle[] {
  const triangles: Triangle[] = [];
  const at = ([r, z]: readonly [number, number], step: number, count: number): Vec3 => {
    const angle = (2 * Math.PI * step) / count;
    return [r * Math.cos(angle), r * Math.sin(angle), z];
  };
  const quad = (a: Vec3, b: Vec3, c: Vec3, d: Vec3) => { triangles.push([a, b, c], [a, c, d]); };
  profile.forEach((p, i) => {
    const q = profile[(i + 1) % profile.length]!;
    for (let step = 0; step < steps; ++step) {
      if (p[0] === 0 && q[0] === 0) continue;
      if (q[0] === 0) triangles.push([at(p, step, steps), at(p, step + 1, steps), at(q, step, steps)]);
      else if (p[0] === 0) triangles.push([at(p, step, steps), at(q, step + 1, steps), at(q, step, steps)]);
      else quad(at(p, step, steps), at(p, step + 1, steps), at(q, step + 1, steps), at(q, step, steps));
    }
  });
  return triangles;
}

export function box(lo: Vec3, hi: Vec3): Triangle[] {
  const corner = (i: number): Vec3 => [i & 1 ? hi[0] : lo[0], i & 2 ? hi[1] : lo[1], i & 4 ? hi[2] : lo[2]];
  const sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  return sides.flatMap(([a, b, c, d]): Triangle[] => [
    [corner(a!), corner(b!), corner(c!)], [corner(a!), corner(c!), corner(d!)]]);
}

/** A prism with a regular outline of `sides` corners and a round hole, between two heights. */
export function nut(radius: number, hole: number, sides: number, low: number, high: number): Triangle[] {
  const steps = 8 * sides;
  const outer = (step: number, z: number): Vec3 => {
    const angle = (2 * Math.PI * step) / steps;
    const corner = (Math.PI / sides);
    const r = (radius * Math.cos(corner)) / Math.cos(((angle % (2 * corner)) + 2 * corner) % (2 * corner) - corner);
    return [r * Math.cos(angle), r * Math.sin(angle), z];
  };
  const inner = (step: number, z: number): Vec3 => {
    const angle = (2 * Math.PI * step) / steps;
    return [hole * Math.cos(angle), hole * Math.sin(angle), z];
  };
  const triangles: Triangle[] = [];
  const quad = (a: Vec3, b: Vec3, c: Vec3, d: Vec3) => { triangles.push([a, b, c], [a, c, d]); };
  for (let i = 0; i < steps; ++i) {
    quad(outer(i, low), outer(i + 1, low), outer(i + 1, high), outer(i, high));
    quad(inner(i + 1, low), inner(i, low), inner(i, high), inner(i + 1, high));
    quad(outer(i, high), outer(i + 1, high), inner(i + 1, high), inner(i, high));
    quad(outer(i + 1, low), outer(i, low), inner(i, low), inner(i + 1, low));
  }
  return triangles;
}

/** One chunk with all triangles: corners with the same position and normal are one vertex. */
export function chunkOf(mesh: number, triangles: readonly Triangle[]): MeshChunk {
  const lo: Vec3 = [Infinity, Infinity, Infinity];
  const hi: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (const p of triangles.flat()) {
    for (let k = 0; k < 3; ++k) {
      lo[k] = Math.min(lo[k]!, p[k]!);
      hi[k] = Math.max(hi[k]!, p[k]!);
    }
  }
  const quantised = (p: Vec3): Vec3 => p.map((x, k) => Math.round((65535 * (x - lo[k]!)) / Math.max(hi[k]! - lo[k]!, 1e-30))) as Vec3;
  const normals = triangles.map(([a, b, c]) => unit(cross(sub(b, a), sub(c, a))));
  const around = new Map<string, number[]>();
  triangles.forEach((triangle, t) => {
    for (const p of triangle) {
      const key = quantised(p).join();
      around.set(key, [...around.get(key) ?? [], t]);
    }
  });
  const vertices = new Map<string, number>();
  const positions: number[] = [], octahedral: number[] = [], indices: number[] = [], edges: number[] = [];
  const sides = new Map<string, { t: number; a: number; b: number }>();
  triangles.forEach((triangle, t) => {
    const corners = triangle.map((p) => {
      const q = quantised(p);
      const smooth: Vec3 = [0, 0, 0];
      for (const other of around.get(q.join())!) {
        if (dot(normals[other]!, normals[t]!) > kCrease) for (let k = 0; k < 3; ++k) smooth[k]! += normals[other]![k]!;
      }
      const [u, v] = encodeOctahedral(unit(smooth));
      const key = `${q.join()} ${u} ${v}`;
      const known = vertices.get(key);
      if (known !== undefined) return known;
      vertices.set(key, vertices.size);
      positions.push(...q);
      octahedral.push(u, v);
      return vertices.size - 1;
    });
    indices.push(...corners);
    for (let k = 0; k < 3; ++k) {
      const [p, q] = [quantised(triangle[k]!).join(), quantised(triangle[(k + 1) % 3]!).join()];
      const twin = sides.get(`${q} ${p}`);
      if (!twin) {
        sides.set(`${p} ${q}`, { t, a: corners[k]!, b: corners[(k + 1) % 3]! });
        continue;
      }
      sides.delete(`${q} ${p}`);
      if (dot(normals[t]!, normals[twin.t]!) <= kCrease) edges.push(twin.a, twin.b);
    }
  });
  return {
    kind: 'MeshChunk', mesh, chunk: 0, lo, hi, positions: new Uint16Array(positions), normals: new Int8Array(octahedral),
    indices: new Uint16Array(indices), edges: new Uint16Array(edges),
  };
}

function sub(a: Vec3, b: Vec3): Vec3 { return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]; }
function dot(a: Vec3, b: Vec3): number { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
function unit(a: Vec3): Vec3 {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}
