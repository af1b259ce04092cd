// SPDX-License-Identifier: Apache-2.0
// Where the viewer looks from: a turntable about the world's z axis that can turn about any point,
// in perspective and in parallel projection. No browser is needed here.
import { Box3, OrthographicCamera, PerspectiveCamera, Quaternion, Ray, Sphere, Vector3 } from 'three';

export interface View {
  target: Vector3;
  yaw: number;       // radians about z; 0 looks along +y, as in a front view
  pitch: number;     // radians; positive looks down
  distance: number;  // from the eye to the target
}

export const kStandardViews = {
  front: [0, 0], back: [Math.PI, 0], left: [-Math.PI / 2, 0], right: [Math.PI / 2, 0],
  top: [0, Math.PI / 2], bottom: [0, -Math.PI / 2], corner: [Math.PI / 5, Math.PI / 7],
} as const;
export type StandardView = keyof typeof kStandardViews;

const kFov = 32;  // degrees, of the height: near enough to a drawing, with some depth
const kHalf = Math.tan((kFov * Math.PI) / 360);
const kFilled = 0.74;  // of the picture, by what one zooms to: bars and cards take the rest
const kLimit = Math.PI / 2;
const kZ = new Vector3(0, 0, 1);
const kX = new Vector3(1, 0, 0);

export class Rig {
  readonly perspective = new PerspectiveCamera(kFov, 1, 0.1, 1000);
  readonly orthographic = new OrthographicCamera();
  readonly bounds = new Sphere(new Vector3(), 1);  // of everything that is to be seen
  private view: View;
  private isParallel = false;
  private aspect = 1;
  private motion: { from: View; to: View; start: number; milliseconds: number } | null = null;

  constructor() {
    const [yaw, pitch] = kStandardViews.corner;
    this.view = { target: new Vector3(), yaw, pitch, distance: 4 };
    this.apply();
  }

  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.isParallel ? this.orthographic : this.perspective;
  }

  get current(): Readonly<View> {
    return this.view;
  }

  get parallel(): boolean {
    return this.isParallel;
  }

  setParallel(parallel: boolean): void {
    this.isParallel = parallel;
    this.apply();
  }

  setAspect(aspect: number): void {
    this.aspect = aspect;
    this.apply();
  }

  setBounds(box: Box3): void {
    if (!box.isEmpty()) box.getBoundingSphere(this.bounds);
    this.bounds.radius = Math.max(this.bounds.radius, 1e-9);
    this.apply();
  }

  /** Length in the world of one unit of device coordinates (half the height) at the target. */
  halfHeight(): number {
    return this.view.distance * kHalf;
  }

  /** Unit vectors to the right, upwards and towards the eye. */
  axes(): [Vector3, Vector3, Vector3] {
    const q = orientation(this.view.yaw, this.view.pitch);
    return [new Vector3(1, 0, 0).applyQuaternion(q), new Vector3(0, 1, 0).applyQuaternion(q),
      new Vector3(0, 0, 1).applyQuaternion(q)];
  }

  /** The ray through a point in device coordinates, [-1, 1] each. */
  ray(x: number, y: number): Ray {
    const camera = this.camera;
    camera.updateMatrixWorld();
    if (this.isParallel) {
      const origin = new Vector3(x, y, -1).unproject(camera);
      return new Ray(origin, this.axes()[2].negate());
    }
    const origin = camera.position.clone();
    return new Ray(origin, new Vector3(x, y, 0.5).unproject(camera).sub(origin).normalize());
  }

  /** Turns by angles so that the pivot stays where it is in the picture. */
  orbit(yaw: number, pitch: number, pivot: Vector3): void {
    this.motion = null;
    const before = orientation(this.view.yaw, this.view.pitch).invert();
    this.view.yaw += yaw;
    this.view.pitch = Math.min(kLimit, Math.max(-kLimit, this.view.pitch + pitch));
    const turn = orientation(this.view.yaw, this.view.pitch).multiply(before);
    this.view.target.sub(pivot).applyQuaternion(turn).add(pivot);
    this.apply();
  }

  /** Moves the picture by device coordinates, measured at the depth of the point given. */
  pan(x: number, y: number, depth: Vector3 = this.view.target): void {
    this.motion = null;
    const [right, up, back] = this.axes();
    const eye = this.view.target.clone().addScaledVector(back, this.view.distance);
    const away = eye.sub(depth).dot(back);
    const half = this.isParallel || away <= 0 ? this.halfHeight() : away * kHalf;
    this.view.target.addScaledVector(right, -x * half * this.aspect).addScaledVector(up, -y * half);
    this.apply();
  }

  /** Scales the distance; the point given stays where it is in the picture. */
  zoom(factor: number, about: Vector3 = this.view.target): void {
    this.motion = null;
    const radius = this.bounds.radius;
    const distance = Math.min(1e3 * radius, Math.max(1e-5 * radius, this.view.distance * factor));
    const scale = distance / this.view.distance;
    this.view.target.sub(about).multiplyScalar(scale).add(about);
    this.view.distance = distance;
    this.apply();
  }

  /** The view that shows a box from the present direction, or from another, with some air around. */
  viewOf(box: Box3, yaw = this.view.yaw, pitch = this.view.pitch): View {
    const centre = box.getCenter(new Vector3());
    const inverse = orientation(yaw, pitch).invert();
    const corner = new Vector3();
    let distance = 1e-9;
    for (let i = 0; i < 8; ++i) {
      corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
      corner.sub(centre).applyQuaternion(inverse);
      const across = Math.max(Math.abs(corner.y), Math.abs(corner.x) / this.aspect) / kFilled;
      distance = Math.max(distance, across / kHalf + (this.isParallel ? 0 : corner.z));
    }
    return { target: centre, yaw, pitch, distance };
  }

  /** Goes to a view within this number of milliseconds; `tick` moves it there. */
  goTo(view: View, milliseconds: number, now: number): void {
    // Take the smaller rotation.
    const turns = Math.round((this.view.yaw - view.yaw) / (2 * Math.PI));
    const to = { ...view, target: view.target.clone(), yaw: view.yaw + 2 * Math.PI * turns };
    if (milliseconds <= 0) {
      this.motion = null;
      this.view = to;
      this.apply();
      return;
    }
    this.motion = { from: { ...this.view, target: this.view.target.clone() }, to, start: now, milliseconds };
  }

  /** Moves on; true as long as there is more to come. */
  tick(now: number): boolean {
    if (!this.motion) return false;
    const { from, to, start, milliseconds } = this.motion;
    const t = Math.min(1, Math.max(0, (now - start) / milliseconds));
    const ease = t * t * (3 - 2 * t);
    this.view = {
      target: from.target.clone().lerp(to.target, ease),
      yaw: from.yaw + ease * (to.yaw - from.yaw),
      pitch: from.pitch + ease * (to.pitch - from.pitch),
      distance: from.distance * (to.distance / from.distance) ** ease,
    };
    this.apply();
    if (t === 1) this.motion = null;
    return t < 1;
  }

  /** Brings the cameras where the view says, with clipping planes around all there is. */
  private apply(): void {
    const { target, yaw, pitch, distance } = this.view;
    const rotation = orientation(yaw, pitch);
    const back = new Vector3(0, 0, 1).applyQuaternion(rotation);
    const radius = this.bounds.radius;
    const eye = target.clone().addScaledVector(back, distance);
    const middle = eye.clone().sub(this.bounds.center).dot(back);

    const p = this.perspective;
    p.position.copy(eye);
    p.quaternion.copy(rotation);
    p.aspect = this.aspect;
    p.far = Math.max(middle + 1.1 * radius, 2e-3 * radius, 1.1 * distance);
    p.near = Math.max(Math.min(middle - 1.1 * radius, 0.5 * distance), 1e-3 * Math.min(p.far, radius + distance));
    p.updateProjectionMatrix();

    const o = this.orthographic;
    const half = distance * kHalf;
    const beyond = Math.max(middle, distance) + 2 * radius;
    o.position.copy(eye).addScaledVector(back, beyond - distance);
    o.quaternion.copy(rotation);
    o.top = half;
    o.bottom = -half;
    o.right = half * this.aspect;
    o.left = -o.right;
    o.near = 0;
    o.far = 2 * beyond + 2 * radius;
    o.updateProjectionMatrix();
    p.updateMatrixWorld();
    o.updateMatrixWorld();
  }
}

/** Cameras look along their -z with y up: a quarter turn about x brings that to +y with z up. */
function orientation(yaw: number, pitch: number): Quaternion {
  const turn = new Quaternion().setFromAxisAngle(kZ, yaw);
  return turn.multiply(new Quaternion().setFromAxisAngle(kX, Math.PI / 2 - pitch));
}
