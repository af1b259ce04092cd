// SPDX-License-Identifier: Apache-2.0
// The button that enters a headset, where the browser knows of one.
import type { App } from '../app';
import { element, icon } from '../ui/dom';
import { Headset } from './headset';

const kGoggles = 'M3.500 8.500h17v8.500h-5.200l-1.800-2.500h-3l-1.800 2.500H3.500z M8 12.200v.1 M16 12.200v.1';

export function addHeadset(app: App): void {
  const headset = new Headset(app);
  let supported = false;
  app.commands.add(
    {
      id: 'xr.enter', title: 'Into the headset', group: 'Page', keys: ['Ctrl+h'], enabled: () => supported && !headset.presenting,
      run: () => { void headset.enter(); },
    },
    { id: 'xr.leave', title: 'Out of the headset', group: 'Page', enabled: () => headset.presenting, run: () => { void headset.leave(); } },
  );
  const button = element('button', {
    'type': 'button', 'class': 'tool', 'title': 'Into the headset (Ctrl H)', 'aria-label': 'Into the headset', 'data-command': 'xr.enter', 'hidden': true,
    'onclick': () => { app.commands.run('xr.enter'); },
  }, icon(kGoggles));
  app.panels.buttons.append(button);
  const look = () => {
    void navigator.xr?.isSessionSupported('immersive-vr').then((is) => {
      supported = is;
      button.hidden = !is;
    }, () => undefined);
  };
  look();
  navigator.xr?.addEventListener('devicechange', look);
}
