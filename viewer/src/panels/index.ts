// SPDX-License-Identifier: Apache-2.0
// The panels of method, proof, clashes and time.
import './panels.css';
import type { App } from '../app';
import { buildAnswer } from './answer';
import { buildBudgetPanel, hasBudget } from './budget_panel';
import { buildClashPanel } from './clash_panel';
import { addFilmCommands, buildFilmPanel } from './film_panel';
import { Marks } from './marks';
import { progress } from './fields';
import { handlePanelMessages, isRunning } from './panel_state';
import { addPlayCommands } from './playback';
import { addRecordCommands, buildRecordPanel, followProof } from './record_panel';
import { buildTimeline } from './timeline';
import { panelIcons } from './ui_icons';
import { buildVolumesPanel } from './volumes_panel';
import { element } from '../ui/dom';

export function addPanels(app: App): void {
  handlePanelMessages(app.inbox, app.store);
  addPlayCommands(app);
  const { panels, store } = app;
  const several = (state: ReturnType<typeof store.get>) => state.nodes.size > 1;
  if (app.inReport) {
    panels.add({
      id: 'record', title: 'Answer', icon: panelIcons.record, key: 'Shift+p', available: (state) => state.proof !== null, needs: ['proof'],
      build: buildAnswer,
    });
    panels.add({
      id: 'clashes', title: 'Clashes', icon: panelIcons.clashes, key: 'Shift+c', available: (state) => state.clashTable !== null,
      needs: ['clashTable'], build: buildClashPanel,
    });
    app.inbox.on('ClashTable', () => { store.update({ panel: 'clashes' }); });
  } else {
    addRecordCommands(app);
    addFilmCommands(app);
    panels.add({ id: 'record', title: 'Record and prove', icon: panelIcons.record, key: 'Shift+p', build: buildRecordPanel });
    panels.add({ id: 'clashes', title: 'Clashes', icon: panelIcons.clashes, key: 'Shift+c', available: several, needs: ['nodes'], build: buildClashPanel });
    panels.add({ id: 'budget', title: 'Step and budget', icon: panelIcons.budget, key: 'Shift+o', available: hasBudget, needs: ['budget'], build: buildBudgetPanel });
    panels.add({ id: 'volumes', title: 'Bounding volumes', icon: panelIcons.volumes, key: 'Shift+v', build: buildVolumesPanel });
  }
  followProof(app);
  panels.add({ id: 'film', title: 'Pictures and films', icon: panelIcons.film, key: 'n', build: buildFilmPanel });
  document.body.append(buildTimeline(app));
  if (!app.inReport) document.body.append(buildSimulating(app));
  new Marks(app);
}

/** Where the timeline will be, as long as the simulation that was opened is computed. */
function buildSimulating(app: App): HTMLElement {
  const box = element('section', { 'class': 'simulating', 'aria-label': 'Simulation' },
    element('strong', {}, 'Simulating'), progress(app, 'simulation', 'frame'));
  app.store.subscribe(['tasks'], (state) => { box.hidden = !isRunning(state, 'simulation'); });
  return box;
}
