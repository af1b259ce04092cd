// SPDX-License-Identifier: Apache-2.0
// What the server or the page has to say. Remarks go by themselves, the rest when dismissed.
import type { AppStore } from '../state';
import { element, icon } from './dom';
import { icons } from './icons';

/** Milliseconds for which a remark stays: as long as it takes to read. */
export function timeToRead(text: string): number {
  return 6000 + 50 * Math.max(0, text.length - 60);
}

export function buildNotices(store: AppStore): HTMLElement {
  const list = element('div', { 'class': 'notices', 'role': 'log', 'aria-live': 'polite', 'aria-label': 'Messages' });
  const shown = new Map<number, HTMLElement>();
  const dismiss = (id: number) => { store.update({ notices: store.get().notices.filter((notice) => notice.id !== id) }); };
  store.subscribe(['notices'], ({ notices }) => {
    const ids = new Set(notices.map((notice) => notice.id));
    for (const [id, item] of shown) {
      if (ids.has(id)) continue;
      item.remove();
      shown.delete(id);
    }
    for (const { id, level, text } of notices) {
      if (shown.has(id)) continue;
      const item = element('div', { 'class': `notice ${level}`, 'role': level === 'error' ? 'alert' : undefined },
        element('span', {}, text),
        element('button', { 'type': 'button', 'class': 'tool small', 'aria-label': 'Dismiss', 'onclick': () => { dismiss(id); } },
          icon(icons.close)));
      shown.set(id, item);
      list.append(item);
      if (level === 'remark') setTimeout(() => { dismiss(id); }, timeToRead(text));
    }
  });
  return list;
}
