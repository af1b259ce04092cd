// SPDX-License-Identifier: Apache-2.0
// What stands around the scene: a bar of tools, the part tree, panels, messages, a line of state.
import type { App } from '../app';
import type { AppStore } from '../state';
import { element, fill } from './dom';

export class Shell {
  readonly canvas = element('canvas', {
    'class': 'scene', 'tabindex': '0', 'role': 'application',
    'aria-label': 'The scene. Arrow keys turn the view, question mark lists all keys.',
  });
  private readonly title = element('h1', { 'class': 'title' }, 'Touché');
  private readonly overlay = element('div', { 'class': 'overlay', 'role': 'status', 'hidden': true });

  constructor(private readonly store: AppStore, private readonly body: HTMLElement) {
    body.append(this.canvas);
  }

  build(app: App): void {
    this.body.append(element('header', { 'class': 'bar' }, this.title, app.panels.buttons), app.panels.dock, this.overlay);
    this.store.subscribe(['hello'], ({ hello }) => {
      this.title.textContent = hello?.title ?? 'Touché';
      document.title = hello ? `${hello.title} · Touché` : 'Touché';
    });
    this.store.subscribe(['connection', 'reason'], ({ connection, reason }) => {
      const texts = {
        connecting: 'Connecting …', open: '', lost: 'The server is gone. Trying again …',
        refused: `The server does not let this page in${reason ? `: ${reason}` : ''}. Open the address that it printed.`,
      };
      this.overlay.hidden = connection === 'open';
      fill(this.overlay, texts[connection]);
    });
  }
}
