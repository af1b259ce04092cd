// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeOctahedral, encodeOctahedral } from '../src/octahedral';
import type { Vector3 } from '../src/octahedral';

/** Unit vectors spread evenly over the sphere. */
function directions(count: number): Vector3[] {
  return Array.from({ length: count }, (_, i) => {
    const z = 1 - (2 * i + 1) / count;
    const angle = i * Math.PI * (3 - Math.sqrt(5));
    const r = Math.sqrt(1 - z * z);
    return [r * Math.cos(angle), r * Math.sin(angle), z];
  });
}

test('normals survive two bytes within a degree', () => {
  let worst = 0;
  for (const n of directions(20000)) {
    const m = decodeOctahedral(...encodeOctahedral(n));
    assert.ok(Math.abs(Math.hypot(...m) - 1) < 1e-12);
    worst = Math.max(worst, Math.acos(Math.min(1, n[0] * m[0] + n[1] * m[1] + n[2] * m[2])));
  }
  const degrees = (worst * 180) / Math.PI;
  assert.ok(degrees < 1, `${degrees} degrees`);
  assert.ok(degrees > 0.1, 'two bytes cannot be that good: the test uses too few directions');
});

test('axes are exact', () => {
  for (const axis of [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]] as const) {
    const decoded = decodeOctahedral(...encodeOctahedral(axis));
    axis.forEach((x, k) => { assert.ok(Math.abs(decoded[k]! - x) < 1e-12, `${axis.join()} became ${decoded.join()}`); });
  }
});
