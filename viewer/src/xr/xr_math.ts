// SPDX-License-Identifier: Apache-2.0
// Geometry of a headset: how its room lies in the world of the parts, and what hands in it do.
// A headset's room has metres, y up and the floor at 0; the world has its own unit, and z up.
import { Matrix4, Plane, Quaternion, Vector3 } from 'three';
import type { Box3, Ray } from 'three';
import type { Held } from '../protocol';

/** A rigid motion or a pose: x goes to turn · x + way. */
export interface Rigid {
  turn: Quaternion;
  way: Vector3;
}

export function rigid(): Rigid {
  return { turn: new Quaternion(), way: new Vector3() };
}

/** Of a matrix that scales the same in all directions; the scale is left out. */
export function rigidOf(matrix: Matrix4): Rigid {
  const made = rigid();
  matrix.decompose(made.way, made.turn, new Vector3());
  return made;
}

/** First b, then a. */
export function after(a: Rigid, b: Rigid): Rigid {
  return { turn: a.turn.clone().multiply(b.turn).normalize(), way: b.way.clone().applyQuaternion(a.turn).add(a.way) };
}

export function undone(a: Rigid): Rigid {
  const turn = a.turn.clone().invert();
  return { turn, way: a.way.clone().negate().applyQuaternion(turn) };
}

/** The pose of what two hands hold: in the middle, x from the first to the second; turning both wrists
 * turns it about x. */
export function twoHands(a: Rigid, b: Rigid): Rigid {
  const x = b.way.clone().sub(a.way);
  const up = new Vector3(0, 1, 0).applyQuaternion(a.turn).add(new Vector3(0, 1, 0).applyQuaternion(b.turn));
  if (x.lengthSq() === 0) return { turn: a.turn.clone(), way: a.way.clone() };
  x.normalize();
  up.addScaledVector(x, -up.dot(x));
  if (up.lengthSq() < 1e-6) up.set(0, 0, 1).applyQuaternion(a.turn).addScaledVector(x, -new Vector3(0, 0, 1).applyQuaternion(a.turn).dot(x));
  up.normalize();
  const basis = new Matrix4().makeBasis(x, up, new Vector3().crossVectors(x, up));
  return { turn: new Quaternion().setFromRotationMatrix(basis), way: a.way.clone().add(b.way).multiplyScalar(0.5) };
}

/** The motion of an object that is held by hands that come and go: it follows the hands that hold it. */
export class Carrying {
  private anchor: Rigid | null = null;
  private base = rigid();
  private now = rigid();

  /** With the poses of the hands that hold it, in the order in which they took it. */
  follow(hands: readonly Rigid[], changed: boolean): Rigid {
    const place = hands.length > 1 ? twoHands(hands[0]!, hands[1]!) : hands[0];
    if (!place) {
      this.anchor = null;
      return this.now;
    }
    if (changed || !this.anchor) {
      this.anchor = place;
      this.base = this.now;
    }
    this.now = after(after(place, undone(this.anchor)), this.base);
    return this.now;
  }
}

/** The angle of a turn about an axis, in (−π, π]: that of the turn about it that is nearest. */
export function twist(turn: Quaternion, axis: Vector3): number {
  const along = turn.x * axis.x + turn.y * axis.y + turn.z * axis.z;
  const angle = 2 * Math.atan2(along, turn.w);
  return angle > Math.PI ? angle - 2 * Math.PI : angle <= -Math.PI ? angle + 2 * Math.PI : angle;
}

const kReach = 0.45;     // metres from the eye to what is small
const kTable = 1.1;      // metres above the floor where small things are
const kUpright = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), Math.PI / 2);  // y up to z up

/** How the headset's room lies in the world: in true size; what is taller than a table stands on the
 * floor, what is smaller lies before the chest. One looks as the view did. */
export function roomInWorld(box: Box3, metresPerUnit: number, yaw: number): { position: Vector3; turn: Quaternion; scale: number } {
  const scale = 1 / metresPerUnit;
  const size = box.getSize(new Vector3()).multiplyScalar(metresPerUnit);
  const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), yaw);
  const forward = new Vector3(0, 1, 0).applyQuaternion(turn);
  const away = kReach + 0.5 * Math.hypot(size.x, size.y);
  const position = box.getCenter(new Vector3()).addScaledVector(forward, -away * scale);
  position.z -= (size.z > kTable ? 0.5 * size.z : kTable) * scale;
  return { position, turn: turn.multiply(kUpright), scale };
}

const kThrow = 6.5;  // metres per second
const kGravity = 9.81;

/** The path of a thrown point to the floor, for teleporting: world positions, the last one on the floor;
 * empty if it does not reach it. `metre` is its length in the world's unit. */
export function arcToFloor(ray: Ray, floor: number, metre: number, steps = 24): Vector3[] {
  const height = (ray.origin.z - floor) / metre;
  const up = kThrow * ray.direction.z;
  const root = up * up + 2 * kGravity * height;
  if (height < 0 || root < 0) return [];
  const time = (up + Math.sqrt(root)) / kGravity;
  return Array.from({ length: steps + 1 }, (_, i) => {
    const t = (time * i) / steps;
    const at = ray.origin.clone().addScaledVector(ray.direction, kThrow * t * metre);
    at.z -= 0.5 * kGravity * t * t * metre;
    if (i === steps) at.z = floor;
    return at;
  });
}

/** Where a ray meets a rectangle about the origin of a frame, in its z plane: 0 to 1 from the left and
 * from the top; null where it does not. */
export function onRectangle(ray: Ray, frame: Matrix4, width: number, height: number): { u: number; v: number; distance: number } | null {
  const local = ray.clone().applyMatrix4(frame.clone().invert());
  const hit = local.intersectPlane(new Plane(new Vector3(0, 0, 1), 0), new Vector3());
  if (!hit || Math.abs(hit.x) > width / 2 || Math.abs(hit.y) > height / 2) return null;
  return { u: hit.x / width + 0.5, v: 0.5 - hit.y / height, distance: hit.clone().applyMatrix4(frame).distanceTo(ray.origin) };
}

/** How strongly a controller is to knock for what a step brought, 0 to 1: pairs of parts that begin to
 * touch, the stronger the harder they are pressed. */
export function knock(before: Held | null, now: Held | null): number {
  if (!now) return 0;
  const pair = (contact: { part: number; other: number }) => `${contact.part} ${contact.other}`;
  const known = new Set((before?.node === now.node ? before.contacts : []).map(pair));
  const fresh = now.contacts.filter((contact) => !known.has(pair(contact)));
  if (fresh.length === 0) return 0;
  const strongest = Math.max(...now.contacts.map((contact) => Math.hypot(...contact.force)));
  const most = Math.max(...fresh.map((contact) => Math.hypot(...contact.force)));
  return strongest > 0 ? 0.4 + 0.6 * (most / strongest) : 0.4;
}
