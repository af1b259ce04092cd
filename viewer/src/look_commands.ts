// SPDX-License-Identifier: Apache-2.0
// Commands that change what is seen, and how.
import type { App } from './app';
import { subtree } from './inbox';
import { kStandardViews } from './rig';
import type { StandardView } from './rig';
import type { Axis, NodeId, State } from './state';
import { otherTheme } from './theme';

const kViewNames: [StandardView, string][] = [
  ['front', 'Front'], ['back', 'Back'], ['left', 'Left'], ['right', 'Right'], ['top', 'Top'], ['bottom', 'Bottom'],
  ['corner', 'From a corner'],
];

const anySelected = (state: Readonly<State>) => state.selection.size > 0;
const notHolding = (state: Readonly<State>) => state.grabbed === null;

/** The nodes selected, with all that hangs on them. */
export function selectedParts(state: Readonly<State>): Set<NodeId> {
  return new Set([...state.selection].flatMap((id) => subtree(state.nodes, id)));
}

/** A section across an axis, by default the level one that faces the viewer most: the near half is cut away. */
function facingSection(app: App, axis?: Axis): { axis: Axis; flip: boolean } {
  const back = app.stage.rig.axes()[2];
  const chosen = axis ?? (Math.abs(back.x) > Math.abs(back.y) ? 'x' : 'y');
  return { axis: chosen, flip: back[chosen] < 0 };
}

export function addLookCommands(app: App): void {
  const { store, commands, view, navigation } = app;
  const toggled = (set: ReadonlySet<NodeId>, ids: ReadonlySet<NodeId>) => {
    const all = [...ids].every((id) => set.has(id));
    return all ? new Set([...set].filter((id) => !ids.has(id))) : new Set([...set, ...ids]);
  };

  kViewNames.forEach(([name, title], i) => {
    commands.add({
      id: `view.${name}`, title, group: 'Views', keys: [String(i + 1)],
      summary: ['1 to 7', 'From the front, back, left, right, top, bottom, a corner'],
      run: () => { view.fit(undefined, undefined, kStandardViews[name]); },
    });
  });
  commands.add(
    {
      id: 'view.fit', title: 'Zoom to selection, or to all', group: 'Views', keys: ['f'],
      run: () => { view.fit(anySelected(store.get()) ? selectedParts(store.get()) : undefined); },
    },
    { id: 'view.all', title: 'Zoom to all', group: 'Views', keys: ['Home'], run: () => { view.fit(); } },
    {
      id: 'view.parallel', title: 'Perspective or parallel', group: 'Views', keys: ['p'],
      run: () => { store.update({ parallel: !store.get().parallel }); },
    },
    ...(['Left', 'Right', 'Up', 'Down'] as const).flatMap((side) => {
      const x = side === 'Left' ? -1 : side === 'Right' ? 1 : 0;
      const y = side === 'Up' ? -1 : side === 'Down' ? 1 : 0;
      return [
        {
          id: `view.turn${side}`, title: `Turn the view ${side.toLowerCase()}`, group: 'Views', keys: [`Arrow${side}`],
          summary: ['Arrows', 'Turn the view'] as const,
          enabled: notHolding, run: () => { navigation.step('orbit', -x / 24, -y / 24); },
        },
        {
          id: `view.move${side}`, title: `Move the view ${side.toLowerCase()}`, group: 'Views', keys: [`Shift+Arrow${side}`],
          summary: ['Shift arrows', 'Move the view'] as const,
          enabled: notHolding, run: () => { navigation.step('pan', x / 20, -y / 20); },
        },
      ];
    }),
    { id: 'view.in', title: 'Zoom in', group: 'Views', keys: ['+', '='], run: () => { navigation.step('zoom', 0, -0.15); } },
    { id: 'view.out', title: 'Zoom out', group: 'Views', keys: ['-'], run: () => { navigation.step('zoom', 0, 0.15); } },
    {
      id: 'show.hide', title: 'Hide the selection', group: 'Parts', keys: ['h'], enabled: anySelected,
      run: () => {
        const state = store.get();
        store.update({ hidden: toggled(state.hidden, selectedParts(state)) });
      },
    },
    {
      id: 'show.isolate', title: 'Isolate the selection, and back', group: 'Parts', keys: ['i'],
      enabled: (state) => anySelected(state) || state.isolated !== null,
      run: () => {
        const state = store.get();
        store.update({ isolated: state.isolated ? null : selectedParts(state) });
      },
    },
    {
      id: 'show.all', title: 'Show everything', group: 'Parts', keys: ['Shift+h'],
      run: () => { store.update({ hidden: new Set(), isolated: null }); },
    },
    {
      id: 'show.transparent', title: 'See through the selection', group: 'Parts', keys: ['t'], enabled: anySelected,
      run: () => {
        const state = store.get();
        store.update({ transparent: toggled(state.transparent, selectedParts(state)) });
      },
    },
    {
      id: 'show.edges', title: 'Edges', group: 'Parts', keys: ['e'],
      run: () => { store.update({ edges: !store.get().edges }); },
    },
    {
      id: 'show.ambient', title: 'Shade in corners and gaps', group: 'Views', keys: ['o'],
      run: () => { app.stage.ambientOcclusion = !app.stage.ambientOcclusion; },
    },
    {
      id: 'section.toggle', title: 'Section plane', group: 'Section', keys: ['s'],
      run: () => {
        const { section } = store.get();
        store.update({ section: section.on ? { ...section, on: false } : { ...section, ...facingSection(app), on: true } });
      },
    },
    {
      id: 'section.axis', title: 'Section across the next axis', group: 'Section', keys: ['Shift+s'],
      run: () => {
        const { section } = store.get();
        const axis = ({ x: 'y', y: 'z', z: 'x' } as const)[section.axis];
        store.update({ section: { ...section, ...facingSection(app, axis), on: true } });
      },
    },
    {
      id: 'section.flip', title: 'Other side of the section', group: 'Section', keys: ['Shift+f'],
      enabled: (state) => state.section.on,
      run: () => {
        const { section } = store.get();
        store.update({ section: { ...section, flip: !section.flip } });
      },
    },
    ...([['back', '[', -1], ['on', ']', 1]] as const).map(([name, key, sign]) => ({
      id: `section.${name}`, title: `Section ${name}`, group: 'Section', keys: [key],
      summary: ['[ ]', 'Move the section'] as const, enabled: (state: Readonly<State>) => state.section.on,
      run: () => {
        const { section } = store.get();
        store.update({ section: { ...section, offset: Math.min(1, Math.max(0, section.offset + sign * 0.01)) } });
      },
    })),
    {
      id: 'explode.toggle', title: 'Exploded view', group: 'Parts', keys: ['u'], enabled: notHolding,
      run: () => { store.update({ explode: store.get().explode > 0 ? 0 : 0.5 }); },
    },
    {
      id: 'explode.more', title: 'Explode more', group: 'Parts', keys: ['b'], enabled: notHolding,
      run: () => { store.update({ explode: Math.min(2, store.get().explode + 0.1) }); },
    },
    {
      id: 'explode.less', title: 'Explode less', group: 'Parts', keys: ['Shift+b'],
      run: () => { store.update({ explode: Math.max(0, store.get().explode - 0.1) }); },
    },
    {
      id: 'theme', title: 'Dark or light', group: 'Page', keys: ['l'],
      run: () => { store.update({ theme: otherTheme(store.get().theme) }); },
    },
    {
      id: 'help', title: 'Help', group: 'Page', keys: ['?', 'F1'],
      run: () => { store.update({ help: !store.get().help }); },
    },
    {
      id: 'tree', title: 'Part tree', group: 'Page', keys: ['Ctrl+b'],
      run: () => { store.update({ treeOpen: !store.get().treeOpen }); },
    },
    {
      id: 'picture', title: 'Save a picture', group: 'Page', keys: ['Ctrl+p'],
      run: () => { void savePicture(app); },
    },
    {
      id: 'escape', title: 'Close, or clear the selection', group: 'Page', keys: ['Escape'],
      run: () => {
        const state = store.get();
        if (state.help) store.update({ help: false });
        else if (state.panel !== null) store.update({ panel: null });
        else if (state.measureFrom !== null || state.measured) store.update({ measureFrom: null, measured: null });
        else if (state.isolated) store.update({ isolated: null });
        else store.update({ selection: new Set() });
      },
    },
  );
}

async function savePicture(app: App): Promise<void> {
  const url = URL.createObjectURL(await app.stage.picture());
  const link = document.createElement('a');
  link.href = url;
  link.download = `${app.store.get().hello?.title ?? 'touche'}.png`;
  link.click();
  setTimeout(() => { URL.revokeObjectURL(url); }, 10000);
}
