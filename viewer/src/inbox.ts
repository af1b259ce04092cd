// SPDX-License-Identifier: Apache-2.0
// What the server says becomes state.
import { posesWithChildren } from './poses';
import { kNone } from './protocol';
import type { Level, Scene, ServerMessage } from './protocol';
import type { AppStore, NodeId, SceneNode } from './state';

type Handler<K extends ServerMessage['kind']> = (message: Extract<ServerMessage, { kind: K }>) => void;

/** Dispatches messages by kind; any number of handlers may listen to one kind. */
export class Inbox {
  private readonly handlers = new Map<string, ((message: ServerMessage) => void)[]>();

  on<K extends ServerMessage['kind']>(kind: K, handler: Handler<K>): void {
    const list = this.handlers.get(kind) ?? [];
    list.push(handler as (message: ServerMessage) => void);
    this.handlers.set(kind, list);
  }

  take(message: ServerMessage): void {
    for (const handler of this.handlers.get(message.kind) ?? []) handler(message);
  }
}

/** The nodes of a scene with their children, and the nodes without parents. */
export function sceneGraph(scene: Pick<Scene, 'nodes'>): { nodes: Map<NodeId, SceneNode>; roots: NodeId[] } {
  const nodes = new Map<NodeId, SceneNode>();
  const roots: NodeId[] = [];
  // Where nothing belongs together every part has a colour of its own.
  const single = scene.nodes.every((node) => node.colour === 0);
  for (const node of scene.nodes) {
    nodes.set(node.id, { ...node, colour: single ? 1 + node.id : node.colour, children: [] });
    const parent = node.parent === kNone ? undefined : nodes.get(node.parent);
    if (parent) parent.children.push(node.id);
    else roots.push(node.id);
  }
  return { nodes, roots };
}

/** The node and all below it. */
export function subtree(nodes: ReadonlyMap<NodeId, SceneNode>, id: NodeId): NodeId[] {
  const found: NodeId[] = [];
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const node = nodes.get(next);
    if (!node) continue;
    found.push(next);
    open.push(...node.children);
  }
  return found;
}

/** Handlers of what every viewer needs. */
export function handleBasics(inbox: Inbox, store: AppStore): void {
  inbox.on('Hello', (hello) => { store.update({ hello }); });
  inbox.on('Scene', (scene) => {
    const { nodes, roots } = sceneGraph(scene);
    const known = (ids: ReadonlySet<NodeId>) => new Set([...ids].filter((id) => nodes.has(id)));
    const { selection, hidden, transparent, isolated } = store.get();
    store.update({
      nodes, roots, poses: new Map(scene.nodes.map((n) => [n.id, n.pose])),
      meshes: new Map(scene.meshes.map((mesh, i) => [i, mesh])), chunksLeft: scene.meshes.reduce((sum, m) => sum + m.chunks, 0),
      // After the server restarted with the same parts they look as before.
      selection: known(selection), hidden: known(hidden), transparent: known(transparent),
      isolated: isolated && known(isolated), hover: null, grabbed: null, held: null, clashes: null, handPose: null,
      measureFrom: null, measured: null,
    });
  });
  inbox.on('MeshChunk', () => { store.update({ chunksLeft: Math.max(0, store.get().chunksLeft - 1) }); });
  inbox.on('Poses', (message) => {
    const { poses, nodes } = store.get();
    const now = posesWithChildren(nodes, message.items);
    for (const [node, pose] of now) poses.set(node, pose);
    const moved = new Set(now.keys());
    // All others are where the scene says.
    for (const id of store.get().moved) {
      const node = nodes.get(id);
      if (node && !moved.has(id)) poses.set(id, node.pose);
    }
    const before = store.get().moved;
    const same = before.size === moved.size && [...moved].every((id) => before.has(id));
    store.update({ step: message.step, time: message.time, moved: same ? before : moved });
    store.touch('poses');
  });
  inbox.on('Held', (held) => { store.update({ held }); });
  inbox.on('Clashes', (clashes) => { store.update({ clashes }); });
  inbox.on('Roles', (roles) => { store.update({ roles }); });
  inbox.on('History', (history) => { store.update({ history }); });
  inbox.on('Measured', (measured) => { store.update({ measured }); });
  inbox.on('Notice', (notice) => { notify(store, notice.level, notice.text); });
}

let notices = 0;

/** Shows a notice to the user, until it is dismissed or replaced by more than a few others. */
export function notify(store: AppStore, level: Level, text: string): void {
  const list = store.get().notices.filter((notice) => notice.text !== text);
  store.update({ notices: [...list, { id: ++notices, level, text }].slice(-4) });
}
