// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Box3, Matrix4, Quaternion, Ray, Vector3 } from 'three';
import type { Held } from '../src/protocol';
import { Carrying, after, arcToFloor, knock, onRectangle, rigid, rigidOf, roomInWorld, twist, twoHands, undone } from '../src/xr/xr_math';
import type { Rigid } from '../src/xr/xr_math';

let seed = 7;
function random(): number {
  seed = (seed * 16807) % 2147483647;
  return (2 * seed) / 2147483647 - 1;
}
function randomRigid(): Rigid {
  return { turn: new Quaternion(random(), random(), random(), random()).normalize(), way: new Vector3(random(), random(), random()) };
}
function apply(a: Rigid, x: Vector3): Vector3 {
  return x.clone().applyQuaternion(a.turn).add(a.way);
}
function assertNear(a: Vector3, b: Vector3, slack = 1e-9): void {
  assert.ok(a.distanceTo(b) < slack, `${a.toArray().join()} is not ${b.toArray().join()}`);
}

test('rigid motions compose, are undone, and are read from scaled matrices', () => {
  for (let i = 0; i < 100; ++i) {
    const [a, b, x] = [randomRigid(), randomRigid(), new Vector3(random(), random(), random())];
    assertNear(apply(after(a, b), x), apply(a, apply(b, x)));
    assertNear(apply(after(undone(a), a), x), x);
    const matrix = new Matrix4().compose(a.way, a.turn, new Vector3(1000, 1000, 1000));
    assertNear(apply(rigidOf(matrix), x), apply(a, x));
  }
});

test('what two hands hold moves and turns with them, whatever they do together', () => {
  for (let i = 0; i < 100; ++i) {
    const [a, b, motion] = [randomRigid(), randomRigid(), randomRigid()];
    const before = twoHands(a, b);
    const now = twoHands(after(motion, a), after(motion, b));
    const x = new Vector3(random(), random(), random());
    assertNear(apply(after(now, undone(before)), x), apply(motion, x), 1e-6);
  }
});

test('a part stays where it is when hands come and go, and follows the hands that hold it', () => {
  const carrying = new Carrying();
  let [a, b] = [randomRigid(), randomRigid()];
  const x = new Vector3(0.3, -0.2, 0.7);
  assertNear(apply(carrying.follow([a], true), x), x);
  const motion = randomRigid();
  a = after(motion, a);
  assertNear(apply(carrying.follow([a], false), x), apply(motion, x));
  assertNear(apply(carrying.follow([a, b], true), x), apply(motion, x), 1e-6);
  const both = randomRigid();
  [a, b] = [after(both, a), after(both, b)];
  assertNear(apply(carrying.follow([a, b], false), x), apply(both, apply(motion, x)), 1e-6);
  assertNear(apply(carrying.follow([b], true), x), apply(both, apply(motion, x)), 1e-6);
  assertNear(apply(carrying.follow([], true), x), apply(both, apply(motion, x)), 1e-6);
});

test('the twist of a turn about an axis', () => {
  const axis = new Vector3(1, 2, -2).normalize();
  for (const angle of [-3, -1, 0, 0.5, 3.1]) {
    assert.ok(Math.abs(twist(new Quaternion().setFromAxisAngle(axis, angle), axis) - angle) < 1e-12);
    const q = new Quaternion().setFromAxisAngle(axis, angle);
    assert.ok(Math.abs(twist(new Quaternion(-q.x, -q.y, -q.z, -q.w), axis) - angle) < 1e-12);
  }
  const across = new Vector3(2, -1, 0).normalize();
  assert.ok(Math.abs(twist(new Quaternion().setFromAxisAngle(across, 1), axis)) < 1e-12);
});

test('parts are seen in true size: small ones before the chest, large ones on the floor', () => {
  for (const [box, metres] of [
    [new Box3(new Vector3(-10, -10, 0), new Vector3(10, 10, 15)), 0.001], [new Box3(new Vector3(0, 0, 0), new Vector3(1800, 4500, 1500)), 0.001],
    [new Box3(new Vector3(5, 5, 5), new Vector3(6, 6, 6)), 0.0254],
  ] as const) {
    const { position, turn, scale } = roomInWorld(box, metres, 0.4);
    assert.equal(scale, 1 / metres);
    const room = new Matrix4().compose(position, turn, new Vector3(scale, scale, scale));
    const inRoom = (x: Vector3) => x.clone().applyMatrix4(room.clone().invert());
    const size = box.getSize(new Vector3()).multiplyScalar(metres);
    const centre = inRoom(box.getCenter(new Vector3()));
    // A room has y up and one looks along −z.
    assert.ok(Math.abs(centre.x) < 1e-6 && centre.z < -0.4);
    assert.ok(Math.abs(centre.y - (size.z > 1.1 ? size.z / 2 : 1.1)) < 1e-6);
    const [up, down] = [inRoom(new Vector3(0, 0, 1)), inRoom(new Vector3(0, 0, 0))];
    assertNear(up.sub(down), new Vector3(0, metres, 0), 1e-9);
  }
});

test('the arc of a teleport ends on the floor, in any unit', () => {
  for (const metre of [1, 1000]) {
    const ray = new Ray(new Vector3(0, 0, 1.4 * metre), new Vector3(0, 0.9, 0.3).normalize());
    const arc = arcToFloor(ray, 0, metre);
    assertNear(arc[0]!, ray.origin, 1e-9 * metre);
    const last = arc.at(-1)!;
    assert.equal(last.z, 0);
    assert.ok(last.y > 2 * metre && last.y < 8 * metre);
    assert.ok(arc.every((point) => point.z >= 0));
  }
  assert.deepEqual(arcToFloor(new Ray(new Vector3(0, 0, -1), new Vector3(0, 1, 0)), 0, 1), []);
});

test('keys of a panel are met by rays, from the left and from the top', () => {
  const frame = new Matrix4().makeTranslation(1, 2, 3).scale(new Vector3(1000, 1000, 1000));
  const at = (x: number, y: number) => onRectangle(new Ray(new Vector3(1 + x, 2 + y, 503), new Vector3(0, 0, -1)), frame, 0.2, 0.1);
  assert.deepEqual(at(0, 0), { u: 0.5, v: 0.5, distance: 500 });
  assert.ok(at(-99, 49)!.u < 0.01 && at(-99, 49)!.v < 0.02);
  assert.equal(at(101, 0), null);
  assert.equal(at(0, -51), null);
});

test('controllers knock when parts begin to touch, harder where they press harder', () => {
  const held = (pairs: [number, number, number][]): Held => ({
    kind: 'Held', sequence: 1, clientTime: 0, holder: 1, node: 4, mode: 'contact', status: 'held_back', pose: { translation: [0, 0, 0], rotation: [1, 0, 0, 0] },
    distanceLeft: 0, angleLeft: 0, force: [0, 0, 0], torque: [0, 0, 0], centre: [0, 0, 0], milliseconds: 1,
    contacts: pairs.map(([part, other, force]) => ({ part, other, faceA: 0, faceB: 0, point: [0, 0, 0], normal: [0, 0, 1], force: [0, 0, force], distance: 0 })),
  });
  assert.equal(knock(null, held([])), 0);
  assert.equal(knock(held([]), held([[4, 2, 5]])), 1);
  assert.equal(knock(held([[4, 2, 5]]), held([[4, 2, 9]])), 0);
  assert.equal(knock(held([[4, 2, 5]]), held([[4, 2, 10], [4, 3, 5]])), 0.7);
  assert.equal(knock(held([[4, 2, 5]]), null), 0);
  assert.deepEqual(rigid().way.toArray(), [0, 0, 0]);
});
