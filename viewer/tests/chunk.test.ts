// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitFace, fitShape } from '../src/axis_fit';
import { Chunk } from '../src/chunk';
import type { Vec3 } from '../src/protocol';
import { box, chunkOf, lathe, nut } from './browser/solids';
import type { Triangle } from './browser/solids';

/** Numbers of [0, 1), the same ones every time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const kRing = lathe([[6, 0], [9, 0], [9, 5], [6, 5]], 96);
const kShaft = lathe([[0, -15], [12, -15], [13, -14], [13, -7], [8, -6], [8, 22], [7, 24], [0, 24]], 200);

/** Tests every triangle, with the corners as they were before they were quantised. */
function slowRaycast(triangles: readonly Triangle[], origin: Vec3, direction: Vec3): number {
  let nearest = Infinity;
  for (const [a, b, c] of triangles) {
    const u = [0, 1, 2].map((k) => b[k]! - a[k]!), v = [0, 1, 2].map((k) => c[k]! - a[k]!);
    const n = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
    const steep = n.reduce((sum, x, k) => sum + x * direction[k]!, 0);
    if (Math.abs(steep) < 1e-12) continue;
    const t = n.reduce((sum, x, k) => sum + x * (a[k]! - origin[k]!), 0) / steep;
    if (t <= 0 || t >= nearest) continue;
    const p = [0, 1, 2].map((k) => origin[k]! + t * direction[k]!);
    const inside = [[a, b], [b, c], [c, a]].every(([from, to]) => {
      const e = [0, 1, 2].map((k) => to![k]! - from![k]!), w = [0, 1, 2].map((k) => p[k]! - from![k]!);
      const cross = [e[1]! * w[2]! - e[2]! * w[1]!, e[2]! * w[0]! - e[0]! * w[2]!, e[0]! * w[1]! - e[1]! * w[0]!];
      return cross.reduce((sum, x, k) => sum + x * n[k]!, 0) >= 0;
    });
    if (inside) nearest = t;
  }
  return nearest;
}

test('rays meet what a search of every triangle meets', () => {
  const next = random(1);
  const chunk = new Chunk(chunkOf(0, kShaft));
  let hits = 0;
  const rays = 2000;
  for (let i = 0; i < rays; ++i) {
    const origin: Vec3 = [60 * next() - 30, 60 * next() - 30, 80 * next() - 40];
    const aim: Vec3 = [30 * next() - 15, 30 * next() - 15, 50 * next() - 20];
    const length = Math.hypot(...aim.map((x, k) => x - origin[k]!));
    const direction = aim.map((x, k) => (x - origin[k]!) / length) as Vec3;
    const slow = slowRaycast(kShaft, origin, direction);
    const fast = chunk.raycast(origin, direction, 0, Infinity)?.distance ?? Infinity;
    if (Number.isFinite(slow)) ++hits;
    // A ray that only grazes an edge may miss it after rounding to 16 bits.
    if (Number.isFinite(slow) !== Number.isFinite(fast)) continue;
    if (Number.isFinite(slow)) assert.ok(Math.abs(slow - fast) < 0.05, `${slow} and ${fast}`);
  }
  assert.ok(hits > 0.3 * rays && hits < 0.8 * rays, `${hits} of ${rays} rays hit`);
});

test('a ray within bounds meets the next wall', () => {
  const chunk = new Chunk(chunkOf(0, box([0, 0, 0], [10, 10, 10])));
  const first = chunk.raycast([-5, 4, 6], [1, 0, 0], 0, Infinity);
  assert.ok(first && Math.abs(first.distance - 5) < 1e-3);
  const second = chunk.raycast([-5, 4, 6], [1, 0, 0], first.distance, Infinity);
  assert.ok(second && Math.abs(second.distance - 15) < 1e-3);
  assert.equal(chunk.raycast([-5, 4, 6], [1, 0, 0], 0, 4.9), null);
  assert.deepEqual(chunk.sample(first.triangle).normal.map((x) => Math.round(x)), [-1, 0, 0]);
});

test('a flat chunk is met too', () => {
  const flat: Triangle[] = [[[0, 0, 3], [8, 0, 3], [0, 8, 3]]];
  const hit = new Chunk(chunkOf(0, flat)).raycast([1, 1, 10], [0, 0, -1], 0, Infinity);
  assert.ok(hit && Math.abs(hit.distance - 7) < 1e-9);
});

test('a plane cuts a ring in two circles', () => {
  const segments: number[] = [];
  new Chunk(chunkOf(0, kRing)).cut([0, 0, 1], 2.5, segments);
  // 96 sides, two triangles each, outside and inside.
  assert.equal(segments.length / 6, 2 * 2 * 96);
  let length = 0;
  for (let i = 0; i < segments.length; i += 6) {
    const [x, y, z, u, v, w] = segments.slice(i, i + 6) as [number, number, number, number, number, number];
    assert.ok(Math.abs(z - 2.5) < 1e-3 && Math.abs(w - 2.5) < 1e-3);
    length += Math.hypot(x - u, y - v);
  }
  assert.ok(Math.abs(length - 2 * Math.PI * (6 + 9)) < 0.1, `${length}`);
  const none: number[] = [];
  new Chunk(chunkOf(0, kRing)).cut([0, 0, 1], 5.5, none);
  assert.equal(none.length, 0);
});

test('a smooth patch ends at creases, and its axis is that of the cylinder', () => {
  const chunk = new Chunk(chunkOf(0, kShaft.map((t) => t.map(([x, y, z]): Vec3 => [x + 3, z, y - 2]) as Triangle)));
  const hit = chunk.raycast([40, 5, -2], [-1, 0, 0], 0, Infinity)!;
  const patch = chunk.smoothPatch(hit.triangle);
  assert.ok(patch.length >= 400 && patch.length < chunk.triangles, `${patch.length} of ${chunk.triangles}`);
  const axis = fitFace(patch.map((i) => chunk.sample(i)))!;
  assert.equal(axis.source, 'cylinder');
  assert.ok(Math.abs(Math.abs(axis.direction[1]) - 1) < 1e-5, axis.direction.join());
  assert.ok(Math.hypot(axis.point[0] - 3, axis.point[2] + 2) < 0.01, axis.point.join());
});

test('a flat face turns about its own middle, the side of a cone about nothing', () => {
  const chunk = new Chunk(chunkOf(0, nut(14, 8, 6, 0, 11)));
  const top = chunk.raycast([11, 0.5, 30], [0, 0, -1], 0, Infinity)!;
  const axis = fitFace(chunk.smoothPatch(top.triangle).map((i) => chunk.sample(i)))!;
  assert.equal(axis.source, 'plane');
  assert.ok(Math.abs(Math.abs(axis.direction[2]) - 1) < 1e-6);
  assert.ok(Math.hypot(axis.point[0], axis.point[1]) < 0.01, axis.point.join());

  const cone = new Chunk(chunkOf(0, lathe([[0, 0], [10, 0], [0, 10]], 90)));
  const side = cone.raycast([20, 0, 3], [-1, 0, 0], 0, Infinity)!;
  assert.equal(fitFace(cone.smoothPatch(side.triangle).map((i) => cone.sample(i))), null);
  assert.equal(fitFace([]), null);
});

test('the axis of a shape that was turned is the one it was turned about', () => {
  for (const triangles of [kShaft, kRing, nut(14, 8, 6, 0, 11)]) {
    const chunk = new Chunk(chunkOf(0, triangles));
    const axis = fitShape(Array.from({ length: chunk.triangles }, (_, i) => chunk.sample(i)))!;
    assert.ok(Math.abs(axis.direction[2]) > 0.9999, axis.direction.join());
    assert.ok(Math.hypot(axis.point[0], axis.point[1]) < 0.01, axis.point.join());
  }
});
