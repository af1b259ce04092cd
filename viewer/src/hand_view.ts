// SPDX-License-Identifier: Apache-2.0
// What is seen of the hand: forces of contacts as arrows, clashes as dots, the pose of the hand as a
// ghost where contacts hold the part back, and the line that it turns about.
import { Matrix4, Vector3 } from 'three';
import type { App } from './app';
import { Ghost } from './ghost';
import type { Hand } from './hand';
import { Arrows, Dots, Lines } from './markers';
import { poseMatrix } from './parts';
import type { State } from './state';

const kArrow = 0.30;      // length of the strongest force, of half the height of the picture
const kGhostFrom = 0.004; // least distance of hand and part, in the same unit, for which the ghost is drawn
const kGhostAngle = 0.01; // or this angle, in radians

export class HandView {
  private readonly forces = new Arrows();
  private readonly touches = new Dots();
  private readonly clashes = new Dots();
  private readonly axis = new Lines();
  private readonly ghost: Ghost;

  constructor(private readonly app: App, private readonly hand: Hand) {
    const { store, stage, view } = app;
    this.ghost = new Ghost(view.parts, view.shared);
    stage.scene.add(this.forces.root, this.touches.root, this.clashes.root, this.axis.root, this.ghost.root);
    store.subscribe(['theme'], () => {
      this.forces.setColour(view.palette.force);
      this.touches.setColour(view.palette.force);
      this.clashes.setColour(view.palette.clash);
      this.axis.setColour(view.palette.accent);
    });
    store.subscribe(['held', 'clashes', 'handPose', 'grabbed', 'turnAxis', 'constraint', 'poses'], () => { stage.invalidate(); });
    stage.onFrame(() => {
      this.draw(store.get());
      return false;
    });
  }

  private draw(state: Readonly<State>): void {
    const rig = this.app.stage.rig;
    const unit = rig.halfHeight();
    const contacts = state.held?.contacts ?? [];
    const strongest = Math.max(1e-300, ...contacts.map((c) => Math.hypot(...c.force)));
    // An arrow ends where the other part pushes. Weak forces are still seen: lengths go by the root.
    this.forces.show(contacts.filter((c) => Math.hypot(...c.force) > 1e-3 * strongest).map((contact) => {
      const force = new Vector3(...contact.force);
      const length = kArrow * unit * Math.sqrt(force.length() / strongest);
      return { point: new Vector3(...contact.point), way: force.setLength(Math.max(length, 0.05 * unit)) };
    }), 0.0055 * unit);
    this.touches.show(contacts.map((c) => new Vector3(...c.point)), 0.011 * unit);
    this.clashes.show((state.clashes?.pairs ?? []).slice(0, 200).map((p) => new Vector3(...p.point)), 0.016 * unit);
    this.drawGhost(state, unit);
    this.drawAxis(state);
  }

  private drawGhost(state: Readonly<State>, unit: number): void {
    const { grabbed, held, handPose, nodes } = state;
    const pose = grabbed === null ? undefined : state.poses.get(grabbed);
    const back = held && (held.distanceLeft > kGhostFrom * unit || held.angleLeft > kGhostAngle);
    if (grabbed === null || !handPose || !pose || !back) {
      this.ghost.hide();
      return;
    }
    const move = new Matrix4().multiplyMatrices(poseMatrix(handPose), poseMatrix(pose).invert());
    this.ghost.show(grabbed, nodes, move);
  }

  private drawAxis(state: Readonly<State>): void {
    const line = state.constraint.kind === 'turn' ? this.hand.turnLine(state) : null;
    if (!line || !state.turnAxis) {
      this.axis.show([]);
      return;
    }
    const box = this.app.view.parts.box(new Set([state.turnAxis.node]));
    const reach = box.isEmpty() ? 1 : 0.75 * box.getSize(new Vector3()).length();
    // A centre line of drawings: long and short dashes.
    const points: Vector3[] = [];
    const step = reach / 9;
    for (let at = -reach; at < reach; at += step) {
      for (const [from, to] of [[0, 0.62], [0.76, 0.86]] as const) {
        points.push(line.point.clone().addScaledVector(line.direction, at + from * step),
          line.point.clone().addScaledVector(line.direction, at + to * step));
      }
    }
    this.axis.show(points);
  }
}
