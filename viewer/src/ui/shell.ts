// SPDX-License-Identifier: Apache-2.0
// What stands around the scene: a bar of tools, the part tree, cards, panels, messages, a line.
import type { App } from '../app';
import type { AppStore } from '../state';
import { buildCards } from './cards';
import { element, fill } from './dom';
import { buildHelp } from './help';
import { buildNotices } from './notices';
import { buildStatus } from './status';
import { buildToolbar } from './toolbar';
import { buildTree } from './tree';
import { buildTriad } from './triad';

const kLong = 2000;  // milliseconds between attempts from which on the user is advised what to do

export class Shell {
  readonly canvas = element('canvas', {
    'class': 'scene', 'tabindex': 0, 'role': 'application', 'aria-label': 'The scene. Arrow keys turn the view, a question mark lists all keys.',
  });
  /** Labels that stand at points of the scene; no pointer meets it. */
  readonly layer = element('div', { 'class': 'layer' });

  constructor(private readonly store: AppStore, private readonly body: HTMLElement) {
    body.append(element('main', {}, this.canvas, this.layer));
  }

  /** Instead of everything else. */
  say(text: string): void {
    this.body.append(element('div', { 'class': 'overlay grave', 'role': 'alert' }, text));
  }

  /** After all commands are there: most of this is made of them. */
  build(app: App): void {
    const tree = buildTree(app);
    const left = element('div', { 'class': 'left' }, tree);
    this.body.prepend(buildToolbar(app));
    this.body.append(left, app.panels.dock, element('div', { 'class': 'lower' }, buildCards(app), buildStatus(app)),
      buildTriad(app), buildNotices(this.store), this.overlay(), buildHelp(app));
    // Focus by Tab is shown on the scene; focus by a click is not.
    let byTab = false;
    window.addEventListener('keydown', (event) => { byTab = event.key === 'Tab'; }, true);
    this.canvas.addEventListener('focus', () => { this.canvas.classList.toggle('by-tab', byTab); });
    window.addEventListener('pointerdown', () => { byTab = false; }, true);
    this.store.subscribe(['tool', 'hover', 'grabbed', 'nodes', 'selection'], (state) => {
      const movable = state.hover !== null && state.nodes.get(state.hover.node)?.fixed === false;
      this.canvas.dataset['cursor'] = state.grabbed !== null ? 'holding' : state.tool === 'measure' ? 'measure' :
        state.tool === 'grab' && movable ? 'grab' : 'look';
    });
  }

  private overlay(): HTMLElement {
    const overlay = element('div', { 'class': 'overlay', 'role': 'status' });
    this.store.subscribe(['connection', 'reason', 'hello', 'retryAfter'], ({ connection, reason, hello, retryAfter }) => {
      const why = reason ? `: ${reason}` : '';
      const lost = hello ? 'The program does not answer. Trying again …' : 'No program answers. Trying again …';
      const texts = {
        connecting: 'Connecting …', open: hello ? '' : 'Loading …',
        lost: retryAfter < kLong ? lost : `${lost} It has ended, or was started anew. With touche view --same-address this ` +
          'page finds it again; without, open the address that it prints.',
        refused: `The program does not let this page in${why}. Open the address that it printed.`,
      };
      overlay.hidden = texts[connection] === '';
      overlay.classList.toggle('grave', connection === 'refused');
      fill(overlay, texts[connection]);
    });
    return overlay;
  }
}
