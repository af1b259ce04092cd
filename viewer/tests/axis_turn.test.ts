// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Quaternion, Vector3 } from 'three';
import { AxisTurn } from '../src/axis_turn';
import { targetPose } from '../src/drag_math';
import type { Pose } from '../src/protocol';
import { twist } from '../src/xr/xr_math';

const kUp = new Vector3(0, 0, 1);
const start: Pose = { translation: [1, 0, 5], rotation: [1, 0, 0, 0] };
const at = new Vector3(3, 0, 5);
const turning = () => new AxisTurn({ point: new Vector3(1, 0, 0), direction: kUp.clone() }, at, { way: new Vector3(), turn: new Quaternion() }, start);
const angleOf = ({ rotation: [w, x, y, z] }: Pose) => twist(new Quaternion(x, y, z, w), kUp);
const wanted = (turn: AxisTurn, pitch = 0) => targetPose(start, at, turn.motion(pitch));
/** The part, about its own axis, where a thread of this pitch has it. */
const threaded = (angle: number, pitch: number): Pose => ({
  translation: [1, 0, 5 + (pitch * angle) / (2 * Math.PI)], rotation: [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)],
});

test('a hand that is more than half a turn ahead draws forwards all the same', () => {
  const turn = turning();
  turn.turn(6);
  assert.ok(Math.abs(angleOf(wanted(turn)) - 2.5) < 1e-12);
  // The part follows bit by bit, and gets where the hand is, over more than one turn.
  let reached = 0;
  for (let i = 0; i < 100; ++i) {
    const ahead = angleOf(wanted(turn)) - angleOf(threaded(reached, 0));
    const step = ahead - 2 * Math.PI * Math.round(ahead / (2 * Math.PI));
    assert.ok(step > -1e-9, `${i}: ${step}`);
    reached += 0.3 * step;
    turn.follow(threaded(reached, 0), true);
  }
  assert.ok(Math.abs(reached - 6) < 1e-6, `${reached}`);
});

test('a hand slips where the part does not follow', () => {
  const turn = turning();
  turn.turn(100);
  turn.turn(-2 * Math.PI);
  assert.ok(Math.abs(angleOf(wanted(turn))) < 1e-9);
});

test('a part that its thread lifts is left there', () => {
  const turn = turning();
  turn.turn(1);
  assert.equal(turn.follow(threaded(1, 2), true), true);
  const target = wanted(turn);
  assert.ok(Math.abs(target.translation[2] - threaded(1, 2).translation[2]) < 1e-9);
  assert.ok(Math.hypot(target.translation[0] - 1, target.translation[1]) < 1e-9);
  // There is nothing new then, so the hand says nothing.
  assert.equal(turn.follow(threaded(1, 2), true), false);
});

test('with a pitch, or pushed, it is drawn along the axis', () => {
  const turn = turning();
  turn.turn(2 * Math.PI / 4);
  assert.ok(Math.abs(wanted(turn, 2).translation[2] - 5.5) < 1e-12);
  turn.push(0.25);
  turn.follow(threaded(1, 7), false);
  assert.ok(Math.abs(wanted(turn, 2).translation[2] - 5.75) < 1e-12);
});
