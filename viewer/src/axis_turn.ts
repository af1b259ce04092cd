// SPDX-License-Identifier: Apache-2.0
// A part that the hand turns about an axis, as a nut about its bolt. It is free along the axis, so a thread
// may lift it. The target is never half a turn or more ahead, where the shorter rotation would lead back.
import { Quaternion, Vector3 } from 'three';
import { screw } from './drag_math';
import type { HandMotion, Line } from './drag_math';
import type { Pose } from './protocol';
import { twist } from './xr/xr_math';

const kAhead = 2.5;              // radians, less than half a turn, that the part is drawn forwards
const kSlips = 2 * Math.PI;      // the hand slips on a part that is farther behind
const kSame = 1e-6;              // for angles, and for distances relative to the distance from the axis

export class AxisTurn {
  private wanted = 0;   // angles since it began
  private reached = 0;
  private along = 0;    // displacement of the part along the axis, in addition to the pitch

  /** The part began at `start`, was taken at a point `at` of the world, and the hand has done `base`
   * since then. */
  constructor(readonly line: Line, private readonly at: Vector3, private readonly base: HandMotion, private readonly start: Pose) {}

  turn(angle: number): void {
    this.wanted = clamp(this.wanted + angle, this.reached, kSlips);
  }

  push(way: number): void {
    this.along += way;
  }

  /** Where the hand wants the part now, moved by `pitch` for each revolution. */
  motion(pitch: number): HandMotion {
    const motion = screw(this.base, this.line, this.at, clamp(this.wanted, this.reached, kAhead), pitch);
    motion.way.addScaledVector(this.line.direction, this.along);
    return motion;
  }

  /** Hears where the part is; `slides`: it is left there along the axis. Returns whether the hand
   * wants it elsewhere now. */
  follow(pose: Pose, slides: boolean): boolean {
    const turned = quaternion(pose).multiply(quaternion(this.start).invert());
    const moved = this.at.clone().sub(new Vector3(...this.start.translation)).applyQuaternion(turned).add(new Vector3(...pose.translation));
    const step = twist(turned.multiply(this.base.turn.clone().invert()), this.line.direction) - this.reached;
    const before = clamp(this.wanted, this.reached, kAhead);
    this.reached += step - 2 * Math.PI * Math.round(step / (2 * Math.PI));
    const turns = Math.abs(clamp(this.wanted, this.reached, kAhead) - before) > kSame;
    if (!slides) return turns;
    const along = moved.sub(this.at).sub(this.base.way).dot(this.line.direction);
    const size = this.at.clone().sub(this.line.point).length();
    const rises = Math.abs(along - this.along) > kSame * size;
    if (rises) this.along = along;
    return turns || rises;
  }
}

function clamp(x: number, middle: number, most: number): number {
  return Math.min(middle + most, Math.max(middle - most, x));
}

function quaternion({ rotation: [w, x, y, z] }: Pose): Quaternion {
  return new Quaternion(x, y, z, w);
}
