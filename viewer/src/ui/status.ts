// SPDX-License-Identifier: Apache-2.0
// The line at the bottom: what is pointed at, what can be done, how the server does.
import type { App } from '../app';
import { number } from '../numbers';
import type { NodeId, SceneNode, State } from '../state';
import { element } from './dom';

/** The name of a node after the names of its ancestors. */
export function pathName(nodes: ReadonlyMap<NodeId, SceneNode>, id: NodeId): string {
  const names: string[] = [];
  for (let at = nodes.get(id); at; at = nodes.get(at.parent)) names.unshift(at.name);
  return names.filter(Boolean).join(' › ');
}

function hint(state: Readonly<State>): string {
  if (state.grabbed !== null) return 'Shift turns · X Y Z: one axis · Enter lets go · Esc puts back';
  if (state.tool === 'measure') return state.measureFrom === null ? 'Click the first of two parts' : 'Click the other part';
  if (state.tool === 'grab') return 'Drag a part to move it, anything else to turn the view · ? for all keys';
  return 'Drag to turn, Shift to move, wheel to zoom · ? for all keys';
}

export function buildStatus(app: App): HTMLElement {
  const what = element('span', { 'class': 'what' });
  const right = element('span', { 'class': 'numbers' });
  const progress = element('progress', { 'max': 1, 'aria-label': 'Meshes loaded' });
  const dot = element('span', { 'class': 'dot', 'hidden': app.inReport });
  app.store.subscribe(['hover', 'tool', 'measureFrom', 'grabbed', 'nodes'], (state) => {
    what.textContent = state.hover && state.grabbed === null ? pathName(state.nodes, state.hover.node) : hint(state);
    what.classList.toggle('hovering', state.hover !== null && state.grabbed === null);
  });
  app.store.subscribe(['chunksLeft', 'meshes'], ({ chunksLeft, meshes }) => {
    const total = [...meshes.values()].reduce((sum, mesh) => sum + mesh.chunks, 0);
    progress.hidden = chunksLeft === 0 || total === 0;
    progress.value = total > 0 ? 1 - chunksLeft / total : 1;
  });
  app.store.subscribe(['held', 'roles', 'connection', 'hello'], ({ held, roles, connection, hello }) => {
    const parts: string[] = [];
    if (held) parts.push(`step ${number(held.milliseconds)} ms`);
    if (roles && roles.clients > 1) parts.push(`${roles.clients} viewers`);
    if (roles && roles.holder !== 0 && roles.holder !== hello?.you) parts.push('somebody holds a part');
    right.textContent = parts.join(' · ');
    dot.className = `dot ${connection}`;
    dot.title = { open: 'Connected', connecting: 'Connecting', lost: 'Not connected', refused: 'Not let in' }[connection];
  });
  return element('footer', { 'class': 'status-line' }, what, progress, right, dot);
}
