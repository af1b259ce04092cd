// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { sceneGraph } from '../src/inbox';
import { composed, inverse, posesWithChildren } from '../src/poses';
import { kNone } from '../src/protocol';
import type { Pose } from '../src/protocol';

let seed = 1;
function random(): number {
  seed = (seed * 16807) % 2147483647;
  return (2 * seed) / 2147483647 - 1;
}

function randomPose(): Pose {
  const q = new Quaternion(random(), random(), random(), random()).normalize();
  return { translation: [random(), random(), random()], rotation: [q.w, q.x, q.y, q.z] };
}

function matrix({ translation, rotation: [w, x, y, z] }: Pose): Matrix4 {
  return new Matrix4().compose(new Vector3(...translation), new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
}

function assertSame(a: Matrix4, b: Matrix4): void {
  a.elements.forEach((x, i) => { assert.ok(Math.abs(x - b.elements[i]!) < 1e-12); });
}

test('poses compose and invert as matrices do', () => {
  for (let i = 0; i < 200; ++i) {
    const a = randomPose();
    const b = randomPose();
    assertSame(matrix(composed(a, b)), matrix(a).multiply(matrix(b)));
    assertSame(matrix(composed(inverse(a), a)), new Matrix4());
  }
});

test('what hangs on a node goes along, unless it is listed itself', () => {
  const at = [randomPose(), randomPose(), randomPose(), randomPose(), randomPose()];
  const parents = [kNone, 0, 1, 1, kNone];
  const { nodes } = sceneGraph({
    nodes: at.map((pose, id) => ({ id, parent: parents[id]!, name: `n${id}`, kind: 'body' as const, fixed: false, mesh: 0, colour: 0, pose })),
  });
  const top = randomPose();
  const own = randomPose();
  const poses = posesWithChildren(nodes, [{ node: 0, pose: top }, { node: 3, pose: own }]);
  const change = matrix(top).multiply(matrix(at[0]!).invert());
  assert.deepEqual([...poses.keys()].sort(), [0, 1, 2, 3]);
  assert.equal(poses.get(0), top);
  assert.equal(poses.get(3), own);
  for (const id of [1, 2]) assertSame(matrix(poses.get(id)!), change.clone().multiply(matrix(at[id]!)));
});
