// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Quaternion, Ray, Vector3 } from 'three';
import { alongLine, constrainWay, onPlane, screw, targetPose, turnBetween, wayBetween } from '../src/drag_math';
import type { HandMotion } from '../src/drag_math';
import { nextConstraint, nodeToGrab } from '../src/hand';
import type { Pose } from '../src/protocol';
import type { SceneNode } from '../src/state';

const near = (a: Vector3, b: readonly number[], tolerance = 1e-12) => {
  assert.ok(a.distanceTo(new Vector3(...b)) < tolerance, `${a.toArray().join()} is not ${b.join()}`);
};
const ray = (origin: readonly [number, number, number], direction: readonly [number, number, number]) =>
  new Ray(new Vector3(...origin), new Vector3(...direction).normalize());
const rest = (): HandMotion => ({ way: new Vector3(), turn: new Quaternion() });
const down = (x: number, y: number) => ray([x, y, 10], [0, 0, -1]);
const up = new Vector3(0, 0, 1);

test('a free motion stays in the plane across the view', () => {
  near(wayBetween(down(0, 0), down(2, 3), new Vector3(0, 0, 1), up, { kind: 'none' }), [2, 3, 0]);
});

test('a motion along an axis follows the pointer on that axis only', () => {
  near(wayBetween(down(0, 0), down(2, 3), new Vector3(), up, { kind: 'axis', axis: 'x' }), [2, 0, 0]);
  // When looking along the axis the movement is undetermined, and nothing moves.
  near(wayBetween(down(0, 0), down(2, 3), new Vector3(), up, { kind: 'axis', axis: 'z' }), [0, 0, 0]);
});

test('a motion across an axis lies in that plane, also where it is seen from its edge', () => {
  const slanted = (x: number) => ray([x, -10, 10], [0, 1, -1]);
  const way = wayBetween(slanted(0), slanted(4), new Vector3(0, 0, 0), new Vector3(0, -1, 1).normalize(), { kind: 'plane', axis: 'z' });
  near(way, [4, 0, 0], 1e-9);
  const edge = wayBetween(down(0, 0), down(1, 2), new Vector3(), up, { kind: 'plane', axis: 'y' });
  near(edge, [1, 0, 0]);
});

test('constraints project', () => {
  near(constrainWay(new Vector3(1, 2, 3), { kind: 'axis', axis: 'y' }), [0, 2, 0]);
  near(constrainWay(new Vector3(1, 2, 3), { kind: 'plane', axis: 'y' }), [1, 0, 3]);
  near(constrainWay(new Vector3(1, 2, 3), { kind: 'none' }), [1, 2, 3]);
});

test('rays that graze a plane or run along a line give no point', () => {
  assert.equal(onPlane(ray([0, 0, 1], [1, 0, -0.01]), new Vector3(), up), null);
  assert.equal(onPlane(ray([0, 0, 1], [0, 0, 1]), new Vector3(), up), null);
  assert.equal(alongLine(ray([0, 1, 0], [1, 0, 0]), { point: new Vector3(), direction: new Vector3(1, 0, 0) }), null);
  assert.ok(Math.abs(alongLine(ray([3, 5, 9], [0, 0, -1]), { point: new Vector3(1, 0, 0), direction: new Vector3(1, 0, 0) })! - 2) < 1e-12);
});

test('a crank turns by the angle about its axis, a surface seen from the side by the path of the pointer', () => {
  const line = { point: new Vector3(1, 1, 0), direction: up.clone() };
  const crank = turnBetween(down(3, 1), down(1, 3), line, new Vector3(3, 1, 0), up, 2);
  assert.ok(Math.abs(crank - Math.PI / 2) < 1e-12);
  const side = (x: number) => ray([x, -10, 0], [0, 1, 0]);
  const at = new Vector3(1, -1, 0);
  const pushed = turnBetween(side(1), side(1.5), line, at, new Vector3(0, -1, 0), 2);
  assert.ok(Math.abs(pushed - 0.25) < 1e-12, `${pushed}`);
  // The right of the near side moves along z × (−y) = x: a positive rotation moves it in that direction.
  const moved = at.clone().sub(line.point).applyAxisAngle(up, 0.01).add(line.point);
  assert.ok(moved.x > at.x);
});

test('a screw takes the hand around the line and along it', () => {
  const line = { point: new Vector3(5, 0, 0), direction: up.clone() };
  const at = new Vector3(7, 0, 1);
  const quarter = screw(rest(), line, at, Math.PI / 2, 2);
  near(at.clone().add(quarter.way), [5, 2, 1.5], 1e-12);
  const start: Pose = { translation: [5, 0, 0], rotation: [1, 0, 0, 0] };
  const pose = targetPose(start, at, quarter);
  near(new Vector3(...pose.translation), [5, 0, 0.5], 1e-12);
  assert.ok(Math.abs(pose.rotation[0] - Math.SQRT1_2) < 1e-12 && Math.abs(pose.rotation[3] - Math.SQRT1_2) < 1e-12);
  let whole = rest();
  for (let i = 0; i < 36; ++i) whole = screw(whole, line, at, Math.PI / 18, 2);
  const after = targetPose(start, at, whole);
  near(new Vector3(...after.translation), [5, 0, 2], 1e-9);
  assert.ok(after.rotation[0] > 1 - 1e-12, 'quaternions are written with w ≥ 0');
});

test('a target turns about the point where the part was taken', () => {
  const start: Pose = { translation: [1, 0, 0], rotation: [1, 0, 0, 0] };
  const half = { way: new Vector3(0, 0, 4), turn: new Quaternion().setFromAxisAngle(up, Math.PI) };
  near(new Vector3(...targetPose(start, new Vector3(3, 0, 0), half).translation), [5, 0, 4], 1e-12);
});

test('a constraint chosen twice is lifted', () => {
  const along = { kind: 'axis', axis: 'x' } as const;
  assert.deepEqual(nextConstraint({ kind: 'none' }, along), along);
  assert.deepEqual(nextConstraint(along, along), { kind: 'none' });
  assert.deepEqual(nextConstraint(along, { kind: 'axis', axis: 'y' }), { kind: 'axis', axis: 'y' });
  assert.deepEqual(nextConstraint(along, { kind: 'plane', axis: 'x' }), { kind: 'plane', axis: 'x' });
});

test('a selected group is taken as a whole, fixed parts never', () => {
  const node = (id: number, parent: number, fixed: boolean): [number, SceneNode] => [id, {
    id, parent, fixed, name: '', kind: 'body', mesh: 0, colour: 0, children: [], pose: { translation: [0, 0, 0], rotation: [1, 0, 0, 0] },
  }];
  const nodes = new Map([node(1, 99, false), node(2, 1, false), node(3, 99, true)]);
  assert.equal(nodeToGrab({ nodes, selection: new Set() }, 2)?.id, 2);
  assert.equal(nodeToGrab({ nodes, selection: new Set([1, 2]) }, 2)?.id, 1);
  assert.equal(nodeToGrab({ nodes, selection: new Set() }, 3), null);
  assert.equal(nodeToGrab({ nodes, selection: new Set() }, 7), null);
});
