// SPDX-License-Identifier: Apache-2.0
// A part drawn a second time, as glass: where the hand is.
import { Group, Matrix4, Mesh } from 'three';
import { subtree } from './inbox';
import { PartMaterial } from './materials';
import type { SharedUniforms } from './materials';
import type { Parts } from './parts';
import type { NodeId, SceneNode } from './state';

export class Ghost {
  readonly root = new Group();
  private readonly material: PartMaterial;
  private of: NodeId | null = null;
  private readonly meshes: { mesh: Mesh; base: () => Matrix4 }[] = [];

  constructor(private readonly parts: Parts, shared: SharedUniforms) {
    this.material = new PartMaterial(shared, shared.accent.value);
    this.material.set({ colour: shared.accent.value, glass: 0.93, tint: 0, alarm: 0 });
    this.root.visible = false;
  }

  hide(): void {
    this.root.visible = false;
    this.of = null;
  }

  /** Shows the node with all that hangs on it, moved by a matrix of the world. */
  show(id: NodeId, nodes: ReadonlyMap<NodeId, SceneNode>, move: Matrix4): void {
    if (this.of !== id) this.build(id, nodes);
    this.root.visible = true;
    for (const { mesh, base } of this.meshes) {
      mesh.matrix.multiplyMatrices(move, base());
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  private build(id: NodeId, nodes: ReadonlyMap<NodeId, SceneNode>): void {
    this.of = id;
    this.root.clear();
    this.meshes.length = 0;
    for (const other of subtree(nodes, id)) {
      const part = this.parts.parts.get(other);
      if (!part) continue;
      for (const { geometry, toMesh } of this.parts.solidOf(part)) {
        const mesh = new Mesh(geometry, geometry.getAttribute('octahedral') ? this.material.smooth : this.material.flat);
        mesh.matrixAutoUpdate = false;
        this.meshes.push({ mesh, base: () => new Matrix4().multiplyMatrices(part.group.matrix, toMesh) });
        this.root.add(mesh);
      }
    }
  }
}
