// SPDX-License-Identifier: Apache-2.0
// The part tree: groups and parts by name, with search. Arrow keys go through it as in any tree.
import type { App } from '../app';
import { subtree } from '../inbox';
import { partColour } from '../palette';
import type { NodeId, SceneNode, State } from '../state';
import { element, fill, icon } from './dom';
import { icons } from './icons';

const kMostRows = 2000;  // drawn at once; search finds the others

interface Row {
  node: SceneNode;
  depth: number;
}

/** Rows of the tree from the top: children of open nodes only, or all that a search finds with what
 * they hang on. */
export function treeRows(nodes: ReadonlyMap<NodeId, SceneNode>, roots: readonly NodeId[], open: ReadonlySet<NodeId>, search: string): Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  let found: Set<NodeId> | null = null;
  if (words.length > 0) {
    found = new Set();
    for (const node of nodes.values()) {
      const name = node.name.toLowerCase();
      if (!words.every((word) => name.includes(word))) continue;
      for (let at: SceneNode | undefined = node; at && !found.has(at.id); at = nodes.get(at.parent)) found.add(at.id);
    }
  }
  const rows: Row[] = [];
  const stack: Row[] = [];
  const push = (ids: readonly NodeId[], depth: number) => {
    for (const id of [...ids].reverse()) {
      const node = nodes.get(id);
      if (node && (!found || found.has(id))) stack.push({ node, depth });
    }
  };
  push(roots, 0);
  for (let row = stack.pop(); row; row = stack.pop()) {
    rows.push(row);
    if (found || open.has(row.node.id)) push(row.node.children, row.depth + 1);
  }
  return rows;
}

export function buildTree(app: App): HTMLElement {
  return new Tree(app).box;
}

class Tree {
  readonly box: HTMLElement;
  private readonly list = element('div', { 'class': 'rows', 'role': 'tree', 'aria-label': 'Parts', 'aria-multiselectable': 'true' });
  private readonly search: HTMLInputElement;
  private readonly count = element('p', { 'class': 'count', 'aria-live': 'polite' });
  private open = new Set<NodeId>();
  private rows: Row[] = [];
  private readonly items = new Map<NodeId, HTMLElement>();
  private active: NodeId | null = null;

  constructor(private readonly app: App) {
    const { store, commands } = app;
    this.search = element('input', {
      'type': 'search', 'placeholder': 'Search parts', 'aria-label': 'Search parts', 'autocomplete': 'off', 'spellcheck': false,
      'oninput': () => { store.update({ search: this.search.value }); },
    });
    this.search.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      this.focus(this.rows[0]?.node.id);
    });
    this.box = element('nav', { 'class': 'tree', 'aria-label': 'Part tree' },
      element('label', { 'class': 'search' }, icon(icons.search), this.search), this.list, this.count);
    this.list.addEventListener('keydown', (event) => { this.key(event); });
    this.list.addEventListener('click', (event) => { this.click(event); });
    this.list.addEventListener('dblclick', (event) => {
      const id = this.idOf(event.target);
      if (id !== null) app.view.fit(new Set(subtree(store.get().nodes, id)));
    });
    commands.add({
      id: 'tree.search', title: 'Search parts', group: 'Parts', keys: ['/'],
      run: () => {
        store.update({ treeOpen: true });
        this.search.focus();
      },
    });
    store.subscribe(['treeOpen'], ({ treeOpen }) => { this.box.hidden = !treeOpen; });
    store.subscribe(['nodes'], (state) => {
      // Small scenes are open, of large ones the first level is.
      const small = state.nodes.size <= 60;
      this.open = new Set(small ? state.nodes.keys() : state.roots.length === 1 ? state.roots : []);
      this.draw(state);
    });
    store.subscribe(['search'], (state) => { this.draw(state); });
    store.subscribe(['selection', 'hidden', 'isolated', 'transparent', 'hover', 'grabbed'], (state) => { this.mark(state); });
    store.subscribe(['selection'], (state) => { this.reveal(state); });
  }

  private draw(state: Readonly<State>): void {
    this.rows = treeRows(state.nodes, state.roots, this.open, state.search);
    const drawn = this.rows.slice(0, kMostRows);
    this.items.clear();
    fill(this.list, ...drawn.map((row) => this.item(row, state)));
    const more = this.rows.length - drawn.length;
    this.count.textContent = state.nodes.size === 0 ? '' : this.rows.length === 0 ? 'No part has such a name.' :
      more > 0 ? `… and ${more} more: search to find them` : '';
    if (this.active === null || !this.items.has(this.active)) this.active = drawn[0]?.node.id ?? null;
    this.mark(state);
  }

  private item({ node, depth }: Row, state: Readonly<State>): HTMLElement {
    const inner = node.children.length > 0;
    const expanded = inner ? state.search !== '' || this.open.has(node.id) : undefined;
    const dot = element('span', { 'class': 'dot', 'aria-hidden': 'true' });
    if (node.kind === 'body') dot.style.backgroundColor = `#${partColour(node).getHexString()}`;
    const twisty = element('span', { 'class': 'twisty', 'aria-hidden': 'true' }, inner ? icon(icons.twisty) : null);
    const item = element('div', {
      'class': 'row', 'role': 'treeitem', 'aria-level': depth + 1, 'aria-expanded': expanded === undefined ? undefined : String(expanded),
      'data-node': node.id, 'tabindex': -1, 'title': node.fixed ? `${node.name} (fixed)` : node.name,
    }, twisty, node.kind === 'body' ? dot : null, element('span', { 'class': 'label' }, node.name || '(no name)'),
      element('span', { 'class': 'eye', 'aria-hidden': 'true', 'title': 'Hide or show' }, icon(icons.eye)));
    item.style.paddingLeft = `${4 + 14 * depth}px`;
    this.items.set(node.id, item);
    return item;
  }

  private mark(state: Readonly<State>): void {
    for (const [id, item] of this.items) {
      const hidden = state.hidden.has(id) || (state.isolated !== null && !state.isolated.has(id) && state.nodes.get(id)?.kind === 'body');
      item.setAttribute('aria-selected', String(state.selection.has(id)));
      item.classList.toggle('hidden-part', hidden);
      item.classList.toggle('glass', state.transparent.has(id));
      item.classList.toggle('hovered', state.hover?.node === id);
      item.classList.toggle('held', state.grabbed === id);
      item.tabIndex = id === this.active ? 0 : -1;
    }
  }

  /** Opens what the selection hangs in and scrolls to it. */
  private reveal(state: Readonly<State>): void {
    const id = [...state.selection].at(-1);
    if (id === undefined) return;
    let opened = false;
    for (let at = state.nodes.get(state.nodes.get(id)?.parent ?? -1); at; at = state.nodes.get(at.parent)) {
      if (this.open.has(at.id)) continue;
      this.open.add(at.id);
      opened = true;
    }
    if (opened) this.draw(state);
    this.items.get(id)?.scrollIntoView({ block: 'nearest' });
  }

  private idOf(target: EventTarget | null): NodeId | null {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-node]') : null;
    return row ? Number(row.dataset['node']) : null;
  }

  private click(event: MouseEvent): void {
    const id = this.idOf(event.target);
    if (id === null || !(event.target instanceof Element)) return;
    if (event.target.closest('.eye')) {
      this.toggleHidden(id);
    } else if (event.target.closest('.twisty svg')) {
      this.toggleOpen(id);
    } else {
      this.select(id, event.ctrlKey || event.metaKey || event.shiftKey);
    }
    this.focus(id);
  }

  private toggleHidden(id: NodeId): void {
    const { nodes, hidden } = this.app.store.get();
    const ids = subtree(nodes, id);
    const next = new Set(hidden);
    for (const other of ids) {
      if (hidden.has(id)) next.delete(other);
      else next.add(other);
    }
    this.app.store.update({ hidden: next });
  }

  private toggleOpen(id: NodeId): void {
    if (!this.open.delete(id)) this.open.add(id);
    this.draw(this.app.store.get());
  }

  private select(id: NodeId, more: boolean): void {
    const { selection, nodes } = this.app.store.get();
    const ids = subtree(nodes, id);
    const next = new Set(more ? selection : []);
    const already = more && selection.has(id);
    for (const other of ids) {
      if (already) next.delete(other);
      else next.add(other);
    }
    // The node itself last: it is the one that commands about one part mean.
    if (next.delete(id)) next.add(id);
    this.app.store.update({ selection: next });
  }

  private focus(id: NodeId | undefined): void {
    if (id === undefined) return;
    this.active = id;
    this.mark(this.app.store.get());
    this.items.get(id)?.focus();
  }

  private key(event: KeyboardEvent): void {
    const id = this.idOf(event.target);
    const at = this.rows.findIndex((row) => row.node.id === id);
    const row = this.rows[at];
    if (id === null || !row || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = Math.min(this.rows.length, kMostRows) - 1;
    const inner = row.node.children.length > 0;
    switch (event.key) {
      case 'ArrowDown': this.focus(this.rows[Math.min(last, at + 1)]?.node.id); break;
      case 'ArrowUp': this.focus(this.rows[Math.max(0, at - 1)]?.node.id); break;
      case 'Home': this.focus(this.rows[0]?.node.id); break;
      case 'End': this.focus(this.rows[last]?.node.id); break;
      case 'ArrowRight':
        if (inner && !this.open.has(id)) this.toggleOpen(id);
        else if (inner) this.focus(this.rows[at + 1]?.node.id);
        this.focus(this.active ?? undefined);
        break;
      case 'ArrowLeft':
        if (inner && this.open.has(id)) this.toggleOpen(id);
        else if (row.depth > 0) this.active = row.node.parent;
        this.focus(this.active ?? undefined);
        break;
      case 'Enter':
        this.select(id, event.shiftKey);
        this.app.view.fit(new Set(subtree(this.app.store.get().nodes, id)));
        break;
      case ' ': this.select(id, event.shiftKey || event.ctrlKey); break;
      default: return;
    }
    event.preventDefault();
  }
}
