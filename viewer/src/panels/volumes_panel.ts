// SPDX-License-Identifier: Apache-2.0
// Bounding volumes of a part (figure D.2 of the thesis): a level of its hierarchy in the scene, and
// trees of other volumes, built to see what they would cost.
import type { App } from '../app';
import { kNone } from '../protocol';
import type { Hierarchy, Tree, TreeChoices } from '../protocol';
import type { NodeId, State } from '../state';
import { element, fill } from '../ui/dom';
import { button, choice, explainedSelect, figures, note, numberField, progress, section, selectField, toggle } from './fields';
import { change, count, figure, grouped, milliseconds } from './figures';
import { nameOf } from './names';
import { isRunning } from './panel_state';

/** The body that is meant: the one selected last, else the one whose volumes are shown. */
export function chosenBody(state: Readonly<State>): NodeId | null {
  const bodies = [...state.selection].filter((id) => state.nodes.get(id)?.kind === 'body');
  return bodies.at(-1) ?? state.volumes?.node ?? null;
}

/** 'hochbaum_shmoys' as people write it. */
export function methodTitle(name: string): string {
  const titles: Record<string, string> = {
    gottschalk: 'Gottschalk', zachmann: 'Zachmann', hochbaum_shmoys: 'Hochbaum and Shmoys', branch_and_bound: 'branch and bound',
    obb: 'oriented boxes (OBB)', aabb: 'axis-aligned boxes (AABB)', sphere: 'spheres', mixed: 'the best of each (mixed)',
    rss: 'swept rectangles (RSS)', capsule: 'capsules',
  };
  return titles[name] ?? name.replace(/^dop(\d+)$/, '$1-DOP').replace(/_/g, ' ');
}

export function buildVolumesPanel(app: App): HTMLElement {
  return element('div', {}, levelBlock(app), treeBlock(app), costBlock(app));
}

const kQualities: Record<string, readonly [string, string]> = {
  volume: ['volume', 'little space in a volume'],
  diameter: ['diameter', 'points of a volume near each other'],
  surface_area: ['surface area', 'a volume is met by few others'],
  hausdorff: ['Hausdorff distance', 'no point of a volume far from the faces in it'],
};
const kCombines: Record<string, readonly [string, string]> = {
  mean: ['mean', 'the parts of a node count alike'],
  maximum: ['maximum', 'the worst part of a node counts'],
};

/** What is small in a good volume, as people write it, and what it stands for. */
export function qualityTitle(name: string): readonly [string, string] {
  return kQualities[name] ?? kCombines[name] ?? [name.replace(/_/g, ' '), ''];
}

function levelBlock(app: App): HTMLElement {
  const { store } = app;
  const who = element('p', { 'class': 'subject' });
  let hierarchy: Hierarchy = 'own';
  let level = 2;
  const ask = (on: boolean) => {
    const { volumes } = store.get();
    const node = chosenBody(store.get());
    if (on && node !== null) app.send({ kind: 'ShowVolumes', node, hierarchy, level });
    else if (volumes) app.send({ kind: 'ShowVolumes', node: volumes.node, hierarchy: volumes.hierarchy, level: kNone });
  };
  const shown = toggle('Show volumes in the scene', ask);
  const which = choice<Hierarchy>('Hierarchy', [
    { value: 'own', title: 'Of the queries', about: 'the one that every answer is found with' },
    { value: 'tree', title: 'Built below', about: 'the tree that was built last' },
  ], (value) => {
    hierarchy = value;
    if (store.get().volumes) ask(true);
  });
  which.set('own');
  const slider = element('input', { 'type': 'range', 'min': 0, 'max': 20, 'step': 1, 'value': 2, 'id': 'volumes-level' });
  slider.addEventListener('input', () => {
    level = Number(slider.value);
    ask(true);
  });
  const levelText = element('output', { 'for': 'volumes-level' });
  const counted = note();
  store.subscribe(['selection', 'nodes', 'volumes', 'tree'], (state) => {
    const node = chosenBody(state);
    who.textContent = node === null ? 'Select a part to see its volumes.' : nameOf(state.nodes, node);
    who.classList.toggle('nobody', node === null);
    shown.input.checked = state.volumes !== null;
    for (const input of [shown.input, slider, ...which.box.querySelectorAll('input')]) input.disabled = node === null;
    const built = which.box.querySelector<HTMLInputElement>('input[value=tree]');
    if (built) built.disabled = node === null || state.tree?.node !== node;
    if (state.volumes) {
      hierarchy = state.volumes.hierarchy;
      level = state.volumes.level;
      which.set(hierarchy);
      slider.max = String(Math.max(1, state.volumes.levels - 1));
      slider.value = String(level);
    }
    levelText.textContent = state.volumes ? `${level} of ${state.volumes.levels - 1}` : String(level);
    counted.textContent = state.volumes ? `${count(state.volumes.count, 'volume')} on this level` : '';
  });
  // Another part is selected while volumes are shown: they go with the selection.
  store.subscribe(['selection'], (state) => {
    const node = chosenBody(state);
    if (state.volumes && node !== null && node !== state.volumes.node) {
      hierarchy = 'own';
      ask(true);
    }
  });
  return section('Bounding volumes', who, shown.box, which.box,
    element('div', { 'class': 'field' }, element('label', { 'for': 'volumes-level' }, 'Level'), element('span', { 'class': 'with-unit' }, slider, levelText)), counted);
}

/** The qualities that a volume has. */
export function qualitiesOf(choices: TreeChoices | null, volume: string): string[] {
  const hausdorff = choices?.volumes.find(({ text }) => text === volume)?.hausdorff ?? false;
  const names = choices?.qualities.map(({ text }) => text).filter((name) => name !== 'hausdorff' || hausdorff) ?? [];
  return names.length > 0 ? names : ['surface_area'];
}

function treeBlock(app: App): HTMLElement {
  const { store } = app;
  const wanted = { volume: 'obb', method: 'gottschalk', degree: 4, improvement: 0, quality: 'surface_area', combine: 'mean' };
  const volume = selectField('Volume', (value) => {
    wanted.volume = value;
    offerQualities();
  });
  const method = selectField('Splitting', (value) => { wanted.method = value; });
  const degree = selectField('Degree', (value) => { wanted.degree = Number(value); });
  degree.set([2, 3, 4, 5, 6, 7, 8].map((d) => [String(d), String(d)]), String(wanted.degree));
  let alpha = 0.5;
  const improvement = numberField('α', '', (value) => {
    alpha = value;
    wanted.improvement = value;
  }, (value) => (value > 0 && value <= 1 ? null : 'α is more than 0 and at most 1.'));
  improvement.set(alpha);
  improvement.box.hidden = true;
  const fixed = choice<'fixed' | 'variable'>('Children of a node', [
    { value: 'fixed', title: 'Fixed degree', about: 'the same for every node' },
    { value: 'variable', title: 'Variable degree', about: 'the least, up to the degree, that improves the volumes by α' },
  ], (value) => {
    wanted.improvement = value === 'fixed' ? 0 : alpha;
    improvement.box.hidden = value === 'fixed';
  });
  fixed.set('fixed');
  const quality = explainedSelect<string>('Quality', [], (value) => {
    wanted.quality = value;
    offerQualities();
  });
  const combine = explainedSelect<string>('Of several', [], (value) => {
    wanted.combine = value;
    offerQualities();
  });
  const explained = (names: readonly string[]) => names.map((value) => ({ value, title: qualityTitle(value)[0], about: qualityTitle(value)[1] }));
  // Offers the qualities that the volume has; if the chosen one is no longer offered, the first replaces it.
  const offerQualities = () => {
    const { treeChoices } = store.get();
    const offered = qualitiesOf(treeChoices, wanted.volume);
    if (!offered.includes(wanted.quality)) wanted.quality = offered.includes('surface_area') ? 'surface_area' : offered[0]!;
    quality.set(wanted.quality, explained(offered));
    combine.set(wanted.combine, explained(treeChoices?.combines.map(({ text }) => text) ?? [wanted.combine]));
  };
  const build = button('Build', () => {
    const node = chosenBody(store.get());
    if (node !== null) app.send({ kind: 'BuildTree', node, ...wanted });
  }, 'primary');
  store.subscribe(['treeChoices'], ({ treeChoices }) => {
    const options = (names: readonly { text: string }[] | undefined, own: string): [string, string][] =>
      (names?.length ? names.map(({ text }) => text) : [own]).map((text) => [text, methodTitle(text)]);
    volume.set(options(treeChoices?.volumes, wanted.volume), wanted.volume);
    method.set(options(treeChoices?.methods, wanted.method), wanted.method);
    offerQualities();
  });
  store.subscribe(['selection', 'tasks', 'nodes', 'volumes'], (state) => {
    build.disabled = chosenBody(state) === null || isRunning(state, 'tree');
  });
  return section('Precompute', volume.box, method.box, fixed.box, degree.box, improvement.box,
    quality.box, combine.box, element('div', { 'class': 'actions' }, build), progress(app, 'tree', 'face'));
}

function costBlock(app: App): HTMLElement {
  const content = element('div', {});
  const box = section('What it costs', content);
  app.store.subscribe(['tree', 'nodes'], ({ tree, nodes }) => {
    box.hidden = !tree;
    if (!tree) return;
    fill(content, note(`${nameOf(nodes, tree.node)}: ${methodTitle(tree.volume)}, ${methodTitle(tree.method)}, ` +
      (tree.improvement > 0 ? `degree up to ${tree.degree}, α = ${figure(tree.improvement)}` : `degree ${tree.degree}`) +
      `, ${qualityTitle(tree.combine)[0]} of ${qualityTitle(tree.quality)[0]}`),
    figures([
      ['Nodes', grouped(tree.nodes)], ['Levels', grouped(tree.levels)], ['Time to build', milliseconds(tree.milliseconds)],
      ['Memory', `${figure(tree.bytesPerTriangle, 3)} bytes a triangle`],
    ]), costTable(tree));
  });
  return box;
}

/** Tests of the part against what is near it: of the tree, of the one before, of the queries' own. */
function costTable(tree: Tree): HTMLElement {
  const rows = [
    { title: 'Before', tests: tree.testsBefore, triangles: tree.triangleTestsBefore, own: true },
    { title: 'Now', tests: tree.tests, triangles: tree.triangleTests, own: false },
    { title: 'Queries', tests: tree.ownTests, triangles: tree.ownTriangleTests, own: true },
  ].filter((row) => row.tests > 0 || row.triangles > 0);
  const most = Math.max(1, ...rows.map((row) => Math.max(row.tests, row.triangles)));
  const cell = (value: number, kind: string) => {
    const bar = element('span', { 'class': `bar-of ${kind}` });
    bar.style.width = `${(100 * value) / most}%`;
    return element('td', {}, bar, element('span', {}, grouped(value)));
  };
  const body = rows.map((row) => element('tr', { 'class': row.own ? '' : 'now' },
    element('th', { 'scope': 'row' }, row.title), cell(row.tests, 'volume'), cell(row.triangles, 'triangle')));
  const against = tree.testsBefore > 0 ?
    note(`Compared with the tree before: ${change(tree.tests, tree.testsBefore)} tests of volumes, ${change(tree.triangleTests, tree.triangleTestsBefore)} of triangles.`) : null;
  return element('div', {}, element('table', { 'class': 'costs' },
    element('caption', {}, 'Tests of the part against what is near it'),
    element('thead', {}, element('tr', {}, element('td', {}), element('th', { 'scope': 'col' }, 'volumes'), element('th', { 'scope': 'col' }, 'triangles'))),
    element('tbody', {}, ...body)), against);
}
