// SPDX-License-Identifier: Apache-2.0
// Parts pulled apart: every node moves away from the middle of its parent, with all that hangs on it.
import type { Vector3 } from './octahedral';

export interface ExplodedNode {
  parent: number | null;
  /** Middle of its box in the world, or null where there is nothing to see. */
  centre: Vector3 | null;
}

/** The displacement of each node: `factor` times the vector from its parent's centre to its own, plus its
 * parent's displacement. Nodes without a parent move away from the centre of everything. */
export function explode(nodes: ReadonlyMap<number, ExplodedNode>, middle: Vector3, factor: number): Map<number, Vector3> {
  const offsets = new Map<number, Vector3>();
  const offsetOf = (id: number): Vector3 => {
    const known = offsets.get(id);
    if (known) return known;
    const node = nodes.get(id);
    let offset: Vector3 = [0, 0, 0];
    if (node) {
      const parent = node.parent === null ? undefined : nodes.get(node.parent);
      const from = parent?.centre ?? middle;
      const base: Vector3 = node.parent === null ? [0, 0, 0] : offsetOf(node.parent);
      const to = node.centre ?? from;
      offset = [base[0] + factor * (to[0] - from[0]), base[1] + factor * (to[1] - from[1]), base[2] + factor * (to[2] - from[2])];
    }
    offsets.set(id, offset);
    return offset;
  };
  for (const id of nodes.keys()) offsetOf(id);
  return offsets;
}
