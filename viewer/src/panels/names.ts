// SPDX-License-Identifier: Apache-2.0
// What parts are called in lists.
import type { NodeId, SceneNode } from '../state';

export function nameOf(nodes: ReadonlyMap<NodeId, SceneNode>, id: NodeId): string {
  const node = nodes.get(id);
  return node ? node.name || `part ${id}` : `part ${id}`;
}

/** The names of both parts, with the names of their groups if the two would be equal. */
export function pairNames(nodes: ReadonlyMap<NodeId, SceneNode>, a: NodeId, b: NodeId): [string, string] {
  const names: [string, string] = [nameOf(nodes, a), nameOf(nodes, b)];
  let above: [SceneNode | undefined, SceneNode | undefined] = [nodes.get(nodes.get(a)?.parent ?? -1), nodes.get(nodes.get(b)?.parent ?? -1)];
  while (names[0] === names[1] && (above[0] || above[1]) && a !== b) {
    for (const k of [0, 1] as const) if (above[k]) names[k] = `${above[k].name} / ${names[k]}`;
    above = [nodes.get(above[0]?.parent ?? -1), nodes.get(above[1]?.parent ?? -1)];
  }
  return names;
}

/** What is wrong with the name of a file to be saved; null: nothing. The server takes no others. */
export function fileNameError(name: string): string | null {
  if (name === '') return 'It needs a name.';
  if (name.length > 100) return 'At most 100 characters.';
  return /^[A-Za-z0-9_-]([A-Za-z0-9 _-]*[A-Za-z0-9_-])?$/.test(name) ? null : 'Only the letters a to z, digits, spaces, - and _.';
}
