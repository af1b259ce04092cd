// SPDX-License-Identifier: Apache-2.0
// The scene in a headset (WebXR): parts in true size, taken with one or two controllers or with
// tracked hands, a knock where they touch, a panel on the wrist, teleport.
import {
  BufferGeometry, ConeGeometry, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, PerspectiveCamera, Ray, RingGeometry, SphereGeometry, Vector3,
} from 'three';
import type { Object3D } from 'three';
import type { App } from '../app';
import { nodeToGrab } from '../hand';
import { notify } from '../inbox';
import type { Held } from '../protocol';
import type { Spot } from '../state';
import { WristPanel } from './wrist_panel';
import { Carrying, arcToFloor, knock, rigidOf, roomInWorld } from './xr_math';

const kSnap = Math.PI / 6;     // of a turn by the stick
const kPushed = 0.7;           // share of a stick's full deflection
const kRay = 3;                // metres, of a ray that meets nothing
const kShareOfFrame = 0.6;     // of the time of a picture that a step of the world may take
const kKnock = 35;             // milliseconds
const kViewpointEvery = 250;   // milliseconds
const kPicture = { near: 0.02, far: 500 };  // metres

/** One hand, with or without a controller. */
class Pointer {
  readonly ray = new Group();
  source: XRInputSource | null = null;
  readonly tip: Line<BufferGeometry, LineBasicMaterial>;
  readonly body: Mesh<ConeGeometry, MeshBasicMaterial>;
  pressed = false;
  stickUsed = false;
  aiming = false;

  constructor(readonly space: Object3D) {
    this.tip = new Line(new BufferGeometry().setFromPoints([new Vector3(), new Vector3(0, 0, -1)]),
      new LineBasicMaterial({ color: '#6bb8ff', transparent: true, opacity: 0.7 }));
    this.tip.frustumCulled = false;
    this.body = new Mesh(new ConeGeometry(0.012, 0.07, 16).rotateX(-Math.PI / 2), new MeshBasicMaterial({ color: '#4a545f' }));
    this.space.add(this.tip, this.body);
    this.show(null);
  }

  show(source: XRInputSource | null): void {
    this.source = source;
    this.tip.visible = source !== null;
    this.body.visible = source !== null && !source.hand;
  }

  get isLeft(): boolean {
    return this.source?.handedness === 'left';
  }

  /** A tracked hand has none. */
  get hasStick(): boolean {
    return !this.source?.hand && (this.source?.gamepad?.axes.length ?? 0) >= 2;
  }

  /** In the world. */
  rayNow(): Ray {
    this.space.updateWorldMatrix(true, false);
    const origin = new Vector3().setFromMatrixPosition(this.space.matrixWorld);
    return new Ray(origin, new Vector3(0, 0, -1).transformDirection(this.space.matrixWorld));
  }

  dispose(): void {
    this.space.remove(this.tip, this.body);
    for (const part of [this.tip, this.body]) {
      part.geometry.dispose();
      part.material.dispose();
    }
  }
}

export class Headset {
  private session: XRSession | null = null;
  private readonly room = new Group();   // from the headset's room to the world
  private readonly camera = new PerspectiveCamera(70, 1, kPicture.near, kPicture.far);
  private pointers: Pointer[] = [];
  private wrist: WristPanel | null = null;
  private holding: Pointer[] = [];
  private carrying = new Carrying();
  private changed = false;
  private readonly arc = new Line(new BufferGeometry(), new LineBasicMaterial({ color: '#76d391' }));
  private readonly goal = new Mesh(new RingGeometry(0.16, 0.2, 40).rotateX(-Math.PI / 2), new MeshBasicMaterial({ color: '#76d391' }));
  private landing: Vector3 | null = null;
  private held: Held | null = null;
  private budgetBefore: number | null = null;
  private toldAt = 0;

  constructor(private readonly app: App) {
    this.room.add(this.camera);
    this.arc.frustumCulled = false;
    app.stage.onFrame((now) => {
      if (this.session) this.frame(now);
      return false;
    });
    app.store.subscribe(['held'], ({ held }) => {
      const strength = this.session ? knock(this.held, held) : 0;
      this.held = held;
      if (strength > 0) for (const pointer of this.holding) pulse(pointer.source, strength);
    });
    app.store.subscribe(['grabbed'], ({ grabbed }) => { if (grabbed === null) this.holding = []; });
  }

  get presenting(): boolean {
    return this.session !== null;
  }

  async enter(): Promise<void> {
    const { stage, store } = this.app;
    if (this.session || !navigator.xr) return;
    try {
      const session = await navigator.xr.requestSession('immersive-vr', { requiredFeatures: ['local-floor'], optionalFeatures: ['hand-tracking'] });
      this.session = session;
      session.addEventListener('end', () => { this.left(); });
      session.addEventListener('frameratechange', () => { this.followRate(session.frameRate ?? 0); });
      stage.renderer.xr.enabled = true;
      stage.renderer.xr.setReferenceSpaceType('local-floor');
      await stage.renderer.xr.setSession(session);
      store.update({ explode: 0 });
      this.build();
      stage.present(this.camera);
      this.followRate(session.frameRate ?? 72);
    } catch (error) {
      await this.session?.end().catch(() => undefined);
      notify(store, 'error', `The headset does not show the scene: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async leave(): Promise<void> {
    await this.session?.end();
  }

  /** Steps of the world get a part of the time between two pictures. */
  private followRate(rate: number): void {
    const { budget } = this.app.store.get();
    if (!budget || !(rate > 0)) return;
    const before = this.budgetBefore ?? budget.milliseconds;
    const milliseconds = Math.min(before, (kShareOfFrame * 1000) / rate);
    if (milliseconds === budget.milliseconds) return;
    this.budgetBefore = before;
    this.setBudget(milliseconds);
  }

  private setBudget(milliseconds: number): void {
    const { budget } = this.app.store.get();
    if (!budget) return;
    const { tolerance, clearance, share, guess } = budget;
    this.app.send({ kind: 'SetBudget', tolerance, clearance, milliseconds, share, guess });
  }

  private build(): void {
    const { stage, store, view } = this.app;
    const { position, turn, scale } = roomInWorld(view.sceneBox(), store.get().hello?.metresPerUnit ?? 0.001, stage.rig.current.yaw);
    this.room.position.copy(position);
    this.room.quaternion.copy(turn);
    this.room.scale.setScalar(scale);
    stage.scene.add(this.room, this.arc);
    this.room.add(this.goal);
    this.goal.visible = this.arc.visible = false;
    this.wrist = new WristPanel(this.app);
    this.pointers = [0, 1].map((index) => {
      const space = stage.renderer.xr.getController(index);
      const pointer = new Pointer(space);
      const grip = stage.renderer.xr.getControllerGrip(index);
      this.room.add(space, grip);
      const on = (type: string, listener: (event: { data?: XRInputSource }) => void) => {
        space.addEventListener(type as never, listener as never);
      };
      on('connected', ({ data }) => {
        pointer.show(data ?? null);
        if (data?.hand) this.drawHand(index, data.hand);
        if (pointer.isLeft && this.wrist) grip.add(this.wrist.mesh);
      });
      on('disconnected', () => {
        this.drop(pointer);
        pointer.show(null);
      });
      for (const type of ['selectstart', 'squeezestart']) on(type, () => { this.press(pointer, type === 'selectstart'); });
      for (const type of ['selectend', 'squeezeend']) on(type, () => { this.drop(pointer); });
      return pointer;
    });
  }

  private drawHand(index: number, hand: XRHand): void {
    const joints = this.app.stage.renderer.xr.getHand(index);
    this.room.add(joints);
    const drawn = joints as unknown as { joints: Record<string, Group | undefined> };
    const material = new MeshBasicMaterial({ color: '#b0bac6' });
    const sphere = new SphereGeometry(0.008, 12, 8);
    for (const name of hand.keys()) {
      const joint = drawn.joints[name];
      if (joint && joint.children.length === 0) joint.add(new Mesh(sphere, material));
    }
  }

  private left(): void {
    const { stage, hand } = this.app;
    if (hand.holding) hand.release();
    this.session = null;
    this.holding = [];
    for (const pointer of this.pointers) pointer.dispose();
    this.pointers = [];
    this.wrist?.dispose();
    this.wrist = null;
    this.room.removeFromParent();
    this.arc.removeFromParent();
    stage.renderer.xr.enabled = false;
    stage.present(null);
    if (this.budgetBefore !== null) this.setBudget(this.budgetBefore);
    this.budgetBefore = null;
    stage.invalidate();
  }

  // ---- hands ------------------------------------------------------------------------------------

  private press(pointer: Pointer, mayTouchPanel: boolean): void {
    if (pointer.pressed) return;
    pointer.pressed = true;
    const { hand, store, view } = this.app;
    const ray = pointer.rayNow();
    const onPanel = mayTouchPanel && !pointer.isLeft ? this.wrist?.hit(ray) : null;
    if (onPanel) {
      this.wrist?.press(onPanel.key);
      return;
    }
    if (hand.holding) {
      // The second hand takes what the first one has, wherever it points.
      if (this.holding.length === 1) this.hold(pointer);
      return;
    }
    const spot = view.spotOf(ray);
    const node = spot && nodeToGrab(store.get(), spot.node);
    pointer.aiming = !node && !pointer.hasStick;
    if (!spot || !node || !hand.take(node, new Vector3(...spot.point))) return;
    this.carrying = new Carrying();
    this.hold(pointer);
  }

  private hold(pointer: Pointer): void {
    this.holding = [...this.holding, pointer];
    this.changed = true;
    pulse(pointer.source, 0.25);
  }

  private drop(pointer: Pointer): void {
    pointer.pressed = false;
    if (!pointer.hasStick) this.land(pointer);
    if (!this.holding.includes(pointer)) return;
    this.holding = this.holding.filter((other) => other !== pointer);
    this.changed = true;
    if (this.holding.length === 0) this.app.hand.release();
  }

  private frame(now: number): void {
    const { hand, store } = this.app;
    if (this.holding.length > 0 && hand.holding) {
      const places = this.holding.map((pointer) => {
        pointer.space.updateWorldMatrix(true, false);
        return rigidOf(pointer.space.matrixWorld);
      });
      const { turn, way } = this.carrying.follow(places, this.changed);
      this.changed = false;
      hand.carry(turn, way);
    }
    let hover: Spot | null = null;
    let key = -1;
    for (const pointer of this.pointers) {
      if (!pointer.source) continue;
      this.stick(pointer);
      const ray = pointer.rayNow();
      const panel = pointer.isLeft ? null : this.wrist?.hit(ray) ?? null;
      const spot = panel || this.holding.length > 0 ? null : this.app.view.spotOf(ray);
      if (panel) key = panel.key;
      hover = hover ?? spot;
      const metre = this.room.scale.x;
      const length = panel ? panel.distance : spot ? ray.origin.distanceTo(new Vector3(...spot.point)) : kRay * metre;
      pointer.tip.scale.z = this.holding.includes(pointer) ? 0.05 : length / metre;
    }
    store.update({ hover });
    this.wrist?.point(key);
    this.tellViewpoint(now);
  }

  // ---- movement of the viewer ---------------------------------------------------------------------

  /** Where the head is, in the world. */
  private head(): Vector3 {
    return new Vector3().setFromMatrixPosition(this.app.stage.renderer.xr.getCamera().matrixWorld);
  }

  /** The stick forwards aims, let go it goes there; to the sides it turns. A hand without one aims as
   * long as it pinches what cannot be taken. */
  private stick(pointer: Pointer): void {
    if (!pointer.hasStick) {
      if (pointer.aiming) this.aim(pointer.rayNow());
      return;
    }
    const axes = pointer.source?.gamepad?.axes ?? [];
    const [x, y] = axes.length >= 4 ? [axes[2]!, axes[3]!] : [axes[0] ?? 0, axes[1] ?? 0];
    if (y < -kPushed && Math.abs(x) < kPushed) {
      pointer.aiming = true;
      this.aim(pointer.rayNow());
      return;
    }
    this.land(pointer);
    const side = Math.abs(x) > kPushed ? Math.sign(x) : 0;
    if (side !== 0 && !pointer.stickUsed) this.turn(-side * kSnap);
    pointer.stickUsed = side !== 0;
  }

  private aim(ray: Ray): void {
    const points = arcToFloor(ray, this.room.position.z, this.room.scale.x);
    this.landing = points.at(-1) ?? null;
    this.arc.visible = this.goal.visible = this.landing !== null;
    if (!this.landing) return;
    this.arc.geometry.setFromPoints(points);
    this.goal.position.copy(this.room.worldToLocal(this.landing.clone()));
  }

  private land(pointer: Pointer): void {
    if (!pointer.aiming) return;
    pointer.aiming = false;
    this.arc.visible = this.goal.visible = false;
    if (this.landing) this.move(this.landing);
    this.landing = null;
  }

  private move(to: Vector3): void {
    const head = this.head();
    this.room.position.add(new Vector3(to.x - head.x, to.y - head.y, 0));
  }

  private turn(angle: number): void {
    const head = this.head();
    const axis = new Vector3(0, 0, 1);
    this.room.position.sub(head).applyAxisAngle(axis, angle).add(head);
    this.room.rotateOnWorldAxis(axis, angle);
  }

  private tellViewpoint(now: number): void {
    if (now - this.toldAt < kViewpointEvery) return;
    this.toldAt = now;
    this.app.send({ kind: 'Viewpoint', position: this.head().toArray(), rate: this.session?.frameRate ?? 0 });
  }
}

function pulse(source: XRInputSource | null, strength: number): void {
  const gamepad = source?.gamepad as (Gamepad & { hapticActuators?: readonly { pulse(strength: number, milliseconds: number): Promise<boolean> }[] }) | undefined;
  void gamepad?.hapticActuators?.[0]?.pulse(strength, kKnock);
}
