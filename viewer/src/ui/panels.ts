// SPDX-License-Identifier: Apache-2.0
// Panels at the right: each is registered once, with a button and a key; one is open at a time.
import type { App } from '../app';
import type { Commands } from '../commands';
import type { AppStore, State } from '../state';
import { element, fill, icon } from './dom';

export interface Panel {
  id: string;
  title: string;
  icon: string;   // path of strokes in 24 by 24 units, see icons.ts
  key?: string;   // as in commands.ts
  /** Whether there is anything in it now; always, by default. Called when one of `needs` changes. */
  available?: (state: Readonly<State>) => boolean;
  needs?: readonly (keyof State)[];
  /** Builds its content, once, when it is first opened. It subscribes to what it shows. */
  build(app: App): HTMLElement;
}

/** Makes the buttons (to be put into the toolbar) and the dock. */
export class Panels {
  readonly dock = element('aside', { 'class': 'dock', 'aria-label': 'Panel', 'hidden': true });
  readonly buttons = element('div', { 'class': 'group', 'role': 'group', 'aria-label': 'Panels' });
  private readonly panels = new Map<string, Panel>();
  private readonly built = new Map<string, HTMLElement>();

  private app: App | null = null;

  constructor(private readonly store: AppStore, private readonly commands: Commands) {}

  /** From here on panels can be opened: they are built with the app. */
  serve(app: App): void {
    this.app = app;
    this.store.subscribe(['panel'], (state) => { this.show(state.panel); });
  }

  add(panel: Panel): void {
    this.panels.set(panel.id, panel);
    const toggle = () => { this.toggle(panel.id); };
    const label = panel.key ? `${panel.title} (${panel.key})` : panel.title;
    const button = element('button', {
      'type': 'button', 'class': 'tool', 'title': label, 'aria-label': panel.title, 'aria-pressed': 'false',
      'data-panel': panel.id, 'onclick': toggle,
    }, icon(panel.icon));
    this.buttons.appendChild(button);
    this.store.subscribe(['panel'], (state) => {
      button.setAttribute('aria-pressed', String(state.panel === panel.id));
    });
    const { available } = panel;
    if (available) {
      this.store.subscribe(panel.needs ?? ['hello'], (state) => {
        button.disabled = !available(state);
        button.hidden = button.disabled && (this.app?.inReport ?? false);  // there it stays so
        if (button.disabled && state.panel === panel.id) this.store.update({ panel: null });
      });
    }
    this.commands.add({
      id: `panel.${panel.id}`, title: panel.title, group: 'Panels', run: toggle,
      ...(panel.key === undefined ? {} : { keys: [panel.key] }),
      enabled: (state) => available?.(state) ?? true,
    });
  }

  toggle(id: string): void {
    this.store.update({ panel: this.store.get().panel === id ? null : id });
  }

  private show(id: string | null): void {
    const panel = id === null ? undefined : this.panels.get(id);
    this.dock.hidden = !panel;
    if (!panel || !this.app) return;
    let content = this.built.get(panel.id);
    if (!content) {
      content = panel.build(this.app);
      this.built.set(panel.id, content);
    }
    const close = () => {
      this.store.update({ panel: null });
      this.buttons.querySelector<HTMLElement>(`[data-panel="${panel.id}"]`)?.focus();
    };
    this.dock.setAttribute('aria-label', panel.title);
    fill(this.dock,
      element('header', {}, element('h2', {}, panel.title),
        element('button', { 'type': 'button', 'class': 'tool small', 'aria-label': 'Close panel', 'onclick': close },
          icon('M6 6 18 18 M18 6 6 18'))),
      element('div', { 'class': 'content' }, content));
  }
}
