// SPDX-License-Identifier: Apache-2.0
// The scene as the state says: which parts are seen, where, in which light.
import { Box3, Vector3 } from 'three';
import type { Ray } from 'three';
import { explode } from './explode';
import type { Inbox } from './inbox';
import { sharedUniforms, usePalette } from './materials';
import { kDark, kLight } from './palette';
import type { Palette } from './palette';
import { Parts } from './parts';
import { SectionView } from './section';
import type { Stage } from './stage';
import type { AppStore, NodeId, Spot, State } from './state';
import { isDark, reducedMotion } from './theme';

const kFlight = 320;  // milliseconds from one view to another

export class SceneView {
  readonly shared = sharedUniforms();
  readonly parts = new Parts(this.shared);
  readonly section: SectionView;
  palette: Palette = kLight;

  constructor(store: AppStore, private readonly stage: Stage, inbox: Inbox) {
    stage.scene.add(this.parts.root);
    this.section = new SectionView(this.parts, this.shared);
    stage.scene.add(this.section.root);

    store.subscribe(['theme'], ({ theme }) => {
      this.palette = isDark(theme) ? kDark : kLight;
      usePalette(this.shared, this.palette);
      stage.backdrop.setColours(this.palette.above, this.palette.below);
      stage.invalidate();
    });
    let title = '';
    store.subscribe(['nodes'], (state) => {
      this.section.reset();
      this.parts.reset(state.nodes.values(), state.meshes);
      this.updateExplode(state);
      this.updateLooks(state);
      this.updateBounds();
      const opened = state.hello?.title ?? '';
      if (state.nodes.size > 0 && opened !== title) this.fit(undefined, 0);
      if (state.nodes.size > 0) title = opened;
    });
    inbox.on('MeshChunk', (chunk) => {
      this.parts.addChunk(chunk);
      this.section.dirty();
      this.updateLooks(store.get());
      stage.invalidate();
    });
    store.subscribe(['selection', 'hover', 'hidden', 'isolated', 'transparent', 'edges', 'clashes'], (state) => { this.updateLooks(state); });
    store.subscribe(['poses'], (state) => {
      for (const [id, part] of this.parts.parts) {
        const pose = state.poses.get(id);
        if (pose) part.setPose(pose);
      }
      this.section.dirty();
      stage.invalidate();
    });
    store.subscribe(['explode'], (state) => {
      this.updateExplode(state);
      this.updateBounds();
    });
    store.subscribe(['parallel'], ({ parallel }) => {
      stage.rig.setParallel(parallel);
      stage.invalidate();
    });
    store.subscribe(['section', 'nodes', 'explode', 'theme'], (state) => {
      this.section.set(state.section, this.sceneBox(), this.palette);
      stage.invalidate();
    });
    stage.onFrame(() => {
      this.section.update();
      return false;
    });
  }

  /** What a ray meets first of what is seen. */
  spotOf(ray: Ray): Spot | null {
    return this.parts.raycast(ray, (point) => this.section.cutsAway(point));
  }

  spotAt(clientX: number, clientY: number): Spot | null {
    return this.spotOf(this.stage.rayAt(clientX, clientY));
  }

  /** Flies to these nodes, or to all there is. */
  fit(nodes?: ReadonlySet<NodeId>, milliseconds = kFlight, direction?: readonly [number, number]): void {
    const box = this.parts.box(nodes);
    if (box.isEmpty()) return;
    this.flyTo(box, milliseconds, direction);
  }

  /** Flies to a box of the world. */
  flyTo(box: Box3, milliseconds = kFlight, direction?: readonly [number, number]): void {
    const rig = this.stage.rig;
    rig.goTo(rig.viewOf(box, direction?.[0], direction?.[1]), reducedMotion() ? 0 : milliseconds, performance.now());
    this.stage.invalidate();
  }

  /** Of all parts, seen or not, as they stand. */
  sceneBox(): Box3 {
    const box = new Box3();
    for (const part of this.parts.parts.values()) box.union(part.box());
    return box;
  }

  updateBounds(): void {
    this.stage.rig.setBounds(this.sceneBox());
    this.stage.invalidate();
  }

  private updateLooks(state: Readonly<State>): void {
    const alarmed = new Set(state.clashes?.pairs.flatMap(({ a, b }) => [a, b]));
    for (const [id, part] of this.parts.parts) {
      const selected = state.selection.has(id);
      const hovered = state.hover?.node === id;
      part.show({
        visible: !state.hidden.has(id) && (state.isolated?.has(id) ?? true),
        glass: state.transparent.has(id), edges: state.edges,
        tint: selected ? 1 : hovered ? 0.3 : 0, alarm: alarmed.has(id) ? 1 : 0,
      });
    }
    this.section.dirty();
    this.stage.invalidate();
  }

  private updateExplode(state: Readonly<State>): void {
    const centres = new Map<NodeId, Box3>();
    // Boxes from the bottom up: children come after their parents in the scene.
    for (const node of [...state.nodes.values()].reverse()) {
      const box = centres.get(node.id) ?? new Box3();
      const part = this.parts.parts.get(node.id);
      if (part) {
        part.setOffset(new Vector3());
        box.union(part.box());
      }
      centres.set(node.id, box);
      const parent = centres.get(node.parent) ?? new Box3();
      centres.set(node.parent, parent.union(box));
    }
    const middle = this.sceneBox().getCenter(new Vector3()).toArray();
    const offsets = explode(new Map([...state.nodes.values()].map((node) => {
      const box = centres.get(node.id)!;
      return [node.id, {
        parent: state.nodes.has(node.parent) ? node.parent : null,
        centre: box.isEmpty() ? null : box.getCenter(new Vector3()).toArray(),
      }];
    })), middle, state.explode);
    for (const [id, part] of this.parts.parts) part.setOffset(new Vector3(...offsets.get(id)!));
    this.section.dirty();
  }
}
