// SPDX-License-Identifier: Apache-2.0
// The hand: takes a part, says where it wants it, lets go. Pointers, keys and devices move it.
import { Quaternion, Vector3 } from 'three';
import type { Ray } from 'three';
import { AxisTurn } from './axis_turn';
import { constrainWay, kAxes, lineInWorld, targetPose, turnBetween, wayBetween } from './drag_math';
import type { HandMotion, Line } from './drag_math';
import type { Inbox } from './inbox';
import { notify } from './inbox';
import type { Drag, PointerTool } from './navigation';
import type { ClientMessage, Pose } from './protocol';
import type { SceneView } from './scene_view';
import type { Stage } from './stage';
import type { AppStore, Constraint, NodeId, SceneNode, Spot, State } from './state';
import { twist } from './xr/xr_math';

const kAngleOfDrag = 0.009;  // radians per pixel, of turns by Shift

/** The node that is taken when a part is: a selected group that holds it, or the part itself. Null
 * where that is fixed. */
export function nodeToGrab(state: Pick<State, 'nodes' | 'selection'>, id: NodeId): SceneNode | null {
  const body = state.nodes.get(id);
  let chosen = body;
  for (let at = body && state.nodes.get(body.parent); at; at = state.nodes.get(at.parent)) {
    if (state.selection.has(at.id) && !at.fixed) chosen = at;
  }
  return chosen && !chosen.fixed ? chosen : null;
}

export class Hand implements PointerTool {
  private start: Pose | null = null;   // of the node, when it was taken
  private at = new Vector3();          // where it was taken, in the world
  private motion: HandMotion = { way: new Vector3(), turn: new Quaternion() };
  private turning: AxisTurn | null = null;  // where it may only turn about an axis
  private sequence = 0;
  private pushed = 0;                  // sequence number of the last push along the axis
  private radius = 1;                  // of the part, at least
  private twisted = 0;                 // about the axis, by a hand in space

  constructor(
    private readonly store: AppStore, private readonly stage: Stage, private readonly view: SceneView,
    private readonly send: (message: ClientMessage) => void, inbox: Inbox) {
    inbox.on('Held', (held) => {
      const { grabbed, pitch } = this.store.get();
      if (held.node !== grabbed) return;
      this.store.update({ latency: performance.now() - held.clientTime });
      if (this.turning?.follow(held.pose, pitch === 0 && held.sequence >= this.pushed)) this.tell();
    });
    inbox.on('Roles', (roles) => {
      const { grabbed, hello } = store.get();
      if (grabbed !== null && hello && roles.holder !== 0 && roles.holder !== hello.you) {
        this.forget();
        notify(store, 'warning', 'Somebody else holds a part.');
      }
    });
    store.subscribe(['mode'], ({ mode, connection }) => { if (connection === 'open') this.send({ kind: 'SetMode', mode }); });
    store.subscribe(['constraint'], (state) => {
      if (!this.holding) return;
      this.beginTurning(state);
      if (state.constraint.kind === 'none' || this.turning) return;
      this.motion.way = constrainWay(this.motion.way, state.constraint);
      this.tell();
    });
    // A connection that ended let go of everything.
    store.subscribe(['grabbed'], ({ grabbed }) => { if (grabbed === null) this.start = null; });
  }

  get holding(): boolean {
    return this.start !== null;
  }

  press(event: PointerEvent, spot: Spot | null): Drag | null {
    const state = this.store.get();
    if (state.tool !== 'grab' || event.altKey || !spot || state.connection !== 'open' || this.holding) return null;
    const node = nodeToGrab(state, spot.node);
    if (!node) return null;
    let last: { x: number; y: number } | null = { x: event.clientX, y: event.clientY };
    let taken = false;
    return {
      move: (next) => {
        // A press that does not move is a click: the part is taken with the first step.
        if (!last || (!taken && Math.hypot(next.clientX - last.x, next.clientY - last.y) < 3)) return;
        if (!taken) {
          if (!this.take(node, new Vector3(...spot.point))) {
            last = null;
            return;
          }
          taken = true;
        }
        if (!this.holding) return;
        this.drag(last, { x: next.clientX, y: next.clientY }, next.shiftKey);
        last = { x: next.clientX, y: next.clientY };
      },
      end: (_next, cancelled) => {
        if (!taken) return;
        if (cancelled) this.cancel();
        else this.release();
      },
      wheel: (wheel) => {
        if (taken) this.push(-Math.sign(wheel.deltaY) * (wheel.altKey ? 0.2 : 1));
      },
    };
  }

  /** Takes a node at a point of the world; false where that is not possible now. */
  take(node: SceneNode, at: Vector3): boolean {
    const state = this.store.get();
    const pose = state.poses.get(node.id);
    if (!pose || state.connection !== 'open') return false;
    if (state.explode > 0) {
      this.store.update({ explode: 0 });
      notify(this.store, 'remark', 'Parts are together again: what is exploded cannot be moved.');
      return false;
    }
    if (state.roles && state.roles.holder !== 0 && state.roles.holder !== state.hello?.you) {
      notify(this.store, 'warning', 'Somebody else holds a part.');
      return false;
    }
    this.start = pose;
    this.at.copy(at);
    this.motion = { way: new Vector3(), turn: new Quaternion() };
    this.twisted = 0;
    this.beginTurning(state);
    const box = this.view.parts.box(new Set([node.id, ...node.children]));
    this.radius = box.isEmpty() ? 1 : Math.max(box.getSize(new Vector3()).length() / 4, 1e-9);
    this.store.update({ grabbed: node.id, handPose: pose, held: null, selection: new Set([node.id]), hover: null });
    this.send({ kind: 'Grab', node: node.id, mode: state.mode, point: at.toArray() });
    return true;
  }

  release(): void {
    if (!this.holding) return;
    this.send({ kind: 'Release' });
    this.forget();
  }

  /** Lets go and puts the part back where it was taken. */
  cancel(): void {
    if (!this.holding) return;
    this.send({ kind: 'Release' });
    this.send({ kind: 'Undo' });
    this.forget();
  }

  /** Moves by a vector in the frame of the view (right, up, towards the viewer), in units of half the
   * picture's height at the target, and turns by a rotation vector in the same frame. The speed of the hand
   * is applied. */
  nudge(way: readonly [number, number, number], turn: readonly [number, number, number]): void {
    if (!this.holding) return;
    const { speed, constraint } = this.store.get();
    const rig = this.stage.rig;
    const axes = rig.axes();
    const size = rig.halfHeight() * speed;
    const move = new Vector3();
    const angle = new Vector3();
    axes.forEach((axis, k) => {
      move.addScaledVector(axis, way[k]! * size);
      angle.addScaledVector(axis, turn[k]! * speed);
    });
    if (this.turning) {
      // A single number is needed: right, up and nearer all turn forwards.
      const sum = way[0] + way[1] + way[2];
      this.turning.turn(angle.dot(this.turning.line.direction) + 2 * sum * speed);
    } else {
      if (constraint.kind === 'axis' && turn.some((x) => x !== 0)) {
        angle.copy(kAxes[constraint.axis]).multiplyScalar((turn[0] + turn[1] + turn[2]) * speed);
      }
      this.motion.way.add(constrainWay(move, constraint));
      this.turnBy(angle);
    }
    this.tell();
  }

  /** Moves along the line of sight, or along the axis that the part turns about. */
  push(steps: number): void {
    const { constraint, speed } = this.store.get();
    const size = 0.02 * steps * this.radius * speed;
    if (this.turning) {
      this.turning.push(size);
      this.pushed = this.sequence + 1;
    } else {
      this.motion.way.add(constrainWay(this.stage.rig.axes()[2].negate().multiplyScalar(size), constraint));
    }
    this.tell();
  }

  /** The line that the part turns about, in the world, if one was picked. */
  turnLine(state: Readonly<State>): Line | null {
    const { turnAxis, poses } = state;
    const pose = turnAxis && poses.get(turnAxis.node);
    return turnAxis && pose ? lineInWorld(pose, turnAxis.point, turnAxis.direction) : null;
  }

  /** Moves from one ray to another, as a controller in a headset or a pointer does. */
  follow(from: Ray, to: Ray): void {
    const { constraint, speed } = this.store.get();
    const back = this.stage.rig.axes()[2];
    const hand = this.at.clone().add(this.motion.way);
    if (this.turning) {
      const { line } = this.turning;
      this.turning.turn(speed * turnBetween(from, to, line, hand, back, this.radiusOfHand(hand, line)));
    } else {
      this.motion.way.addScaledVector(wayBetween(from, to, hand, back, constraint), speed);
    }
    this.tell();
  }

  /** Sets the target pose of the part to the pose to which a hand in space has carried it since it took
   * it: x goes to turn x + way. If the part may only turn about an axis, the twist of the hand turns it; if
   * it may only move along or across one, it does not turn. */
  carry(turn: Quaternion, way: Vector3): void {
    if (!this.holding) return;
    const { constraint } = this.store.get();
    if (this.turning) {
      const angle = twist(turn, this.turning.line.direction) - this.twisted;
      const step = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
      this.twisted += step;
      this.turning.turn(step);
    } else {
      const moved = this.at.clone().applyQuaternion(turn).add(way).sub(this.at);
      this.motion = { way: constrainWay(moved, constraint), turn: constraint.kind === 'none' ? turn.clone() : new Quaternion() };
    }
    this.tell();
  }

  private drag(from: { x: number; y: number }, to: { x: number; y: number }, turning: boolean): void {
    const { constraint, speed } = this.store.get();
    if (!turning || constraint.kind === 'turn') {
      this.follow(this.stage.rayAt(from.x, from.y), this.stage.rayAt(to.x, to.y));
      return;
    }
    const [right, up] = this.stage.rig.axes();
    const dx = (to.x - from.x) * kAngleOfDrag * speed;
    const dy = (to.y - from.y) * kAngleOfDrag * speed;
    if (constraint.kind === 'none') this.turnBy(up.multiplyScalar(dx).addScaledVector(right, dy));
    else this.turnBy(kAxes[constraint.axis].clone().multiplyScalar(dx - dy));
    this.tell();
  }

  /** Begins or ends to turn about an axis only, from what the hand has done so far. */
  private beginTurning(state: Readonly<State>): void {
    const line = state.constraint.kind === 'turn' ? this.turnLine(state) : null;
    this.turning = line && this.start && new AxisTurn(line, this.at.clone(), this.motion, this.start);
    this.twisted = 0;
  }

  private radiusOfHand(hand: Vector3, line: Line): number {
    const off = hand.clone().sub(line.point);
    return Math.max(off.projectOnPlane(line.direction).length(), 0.2 * this.radius);
  }

  private turnBy(vector: Vector3): void {
    const angle = vector.length();
    if (angle === 0) return;
    const turn = new Quaternion().setFromAxisAngle(vector.clone().divideScalar(angle), angle);
    this.motion.turn.premultiply(turn).normalize();
  }

  private tell(): void {
    if (!this.start) return;
    if (this.turning) this.motion = this.turning.motion(this.store.get().pitch);
    const target = targetPose(this.start, this.at, this.motion);
    this.store.update({ handPose: target });
    this.send({ kind: 'Drag', sequence: ++this.sequence, clientTime: performance.now(), target });
  }

  private forget(): void {
    this.start = null;
    this.store.update({ grabbed: null, handPose: null, held: null, clashes: null });
  }
}

/** The constraint after a key: the axis, or with Shift the plane across it; the same again lifts it. */
export function nextConstraint(now: Constraint, wanted: Constraint): Constraint {
  const same = now.kind === wanted.kind &&
    (now.kind !== 'axis' && now.kind !== 'plane' || now.axis === (wanted as { axis?: string }).axis);
  return same ? { kind: 'none' } : wanted;
}
