// SPDX-License-Identifier: Apache-2.0
// Converts movements of the pointer to motions of a part.
import { Matrix4, Quaternion, Ray, Vector3 } from 'three';
import type { Pose } from './protocol';
import type { Axis, Constraint } from './state';

/** The motion of the hand since it took the part: a rotation about the point where it took it, then a
 * translation. */
export interface HandMotion {
  way: Vector3;
  turn: Quaternion;
}

/** A line of the world. */
export interface Line {
  point: Vector3;
  direction: Vector3;  // unit length
}

export const kAxes: Record<Axis, Vector3> = {
  x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1),
};

const kGrazing = 0.12;  // sine of the least angle between a ray and a plane it is to meet
const kCranked = 0.4;   // cosine of the largest angle between view and axis at which one turns a crank

/** Where a ray meets the plane through a point, or null where it hardly does. */
export function onPlane(ray: Ray, point: Vector3, normal: Vector3): Vector3 | null {
  const sine = ray.direction.dot(normal);
  if (Math.abs(sine) < kGrazing) return null;
  const t = point.clone().sub(ray.origin).dot(normal) / sine;
  return t > 0 ? ray.at(t, new Vector3()) : null;
}

/** Position along a line of its point nearest to a ray, or null where they are nearly parallel. */
export function alongLine(ray: Ray, line: Line): number | null {
  const cosine = ray.direction.dot(line.direction);
  const denominator = 1 - cosine * cosine;
  if (denominator < kGrazing * kGrazing) return null;
  const between = line.point.clone().sub(ray.origin);
  return (cosine * between.dot(ray.direction) - between.dot(line.direction)) / denominator;
}

/** The translation of the hand for a movement of the pointer from one ray to another, under a constraint.
 * `at` is the position of the hand, `back` points to the viewer. */
export function wayBetween(from: Ray, to: Ray, at: Vector3, back: Vector3, constraint: Constraint): Vector3 {
  if (constraint.kind === 'axis') {
    const line = { point: at, direction: kAxes[constraint.axis] };
    const a = alongLine(from, line);
    const b = alongLine(to, line);
    return a === null || b === null ? new Vector3() : line.direction.clone().multiplyScalar(b - a);
  }
  if (constraint.kind === 'plane') {
    const a = onPlane(from, at, kAxes[constraint.axis]);
    const b = onPlane(to, at, kAxes[constraint.axis]);
    if (a && b) return b.sub(a);
  }
  const a = onPlane(from, at, back);
  const b = onPlane(to, at, back);
  return a && b ? constrainWay(b.sub(a), constraint) : new Vector3();
}

/** The component of a translation that a constraint allows. */
export function constrainWay(way: Vector3, constraint: Constraint): Vector3 {
  if (constraint.kind === 'axis') return kAxes[constraint.axis].clone().multiplyScalar(way.dot(kAxes[constraint.axis]));
  if (constraint.kind === 'plane') return way.clone().projectOnPlane(kAxes[constraint.axis]);
  return way.clone();
}

/** The angle about a line for a movement of the pointer. Seen from the front, it turns a crank: the angle
 * between the points where the rays meet the plane across the axis at the hand. Seen from the side, it pushes
 * the surface: the movement across the axis over the radius, `radius` at least. */
export function turnBetween(from: Ray, to: Ray, line: Line, at: Vector3, back: Vector3, radius: number): number {
  if (Math.abs(back.dot(line.direction)) > kCranked) {
    const a = onPlane(from, at, line.direction)?.sub(line.point).projectOnPlane(line.direction);
    const b = onPlane(to, at, line.direction)?.sub(line.point).projectOnPlane(line.direction);
    if (a && b && a.length() > 0 && b.length() > 0) {
      return Math.atan2(new Vector3().crossVectors(a, b).dot(line.direction), a.dot(b));
    }
  }
  const way = wayBetween(from, to, at, back, { kind: 'none' });
  // The side of the part that faces the viewer moves along axis × back.
  const across = new Vector3().crossVectors(line.direction, back);
  if (across.lengthSq() < 1e-12) return 0;
  return way.dot(across.normalize()) / radius;
}

/** Turns about the line and moves along it, `pitch` per revolution. */
export function screw(motion: HandMotion, line: Line, at: Vector3, angle: number, pitch: number): HandMotion {
  const turn = new Quaternion().setFromAxisAngle(line.direction, angle);
  // The hand's point goes round the line.
  const hand = at.clone().add(motion.way);
  const moved = hand.clone().sub(line.point).applyQuaternion(turn).add(line.point);
  moved.addScaledVector(line.direction, (pitch * angle) / (2 * Math.PI));
  return { way: moved.sub(at), turn: turn.multiply(motion.turn).normalize() };
}

/** Where a part that began at `start` and was taken at a point is wanted. */
export function targetPose(start: Pose, at: Vector3, motion: HandMotion): Pose {
  const [w, x, y, z] = start.rotation;
  const rotation = motion.turn.clone().multiply(new Quaternion(x, y, z, w)).normalize();
  const translation = new Vector3(...start.translation).sub(at).applyQuaternion(motion.turn).add(at).add(motion.way);
  const sign = rotation.w < 0 ? -1 : 1;
  return {
    translation: translation.toArray(),
    rotation: [sign * rotation.w, sign * rotation.x, sign * rotation.y, sign * rotation.z],
  };
}

/** A line given in the frame of a pose, in the world. */
export function lineInWorld(pose: Pose, point: readonly number[], direction: readonly number[]): Line {
  const [w, x, y, z] = pose.rotation;
  const matrix = new Matrix4().compose(new Vector3(...pose.translation), new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
  return {
    point: new Vector3().fromArray(point as number[]).applyMatrix4(matrix),
    direction: new Vector3().fromArray(direction as number[]).transformDirection(matrix),
  };
}
