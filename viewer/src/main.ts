// SPDX-License-Identifier: Apache-2.0
// The viewer of `touche view`, and of reports, which bring along what a server would say.
import './look.css';
import { startApp } from './app';
import { notify } from './inbox';
import { showRequested } from './panels/clash_panel';
import { splitMessages, unpacked } from './packed';

const session = document.getElementById('report-session');
if (session) {
  const app = startApp(document.body, unpacked(session.textContent, 'deflate').then(splitMessages));
  session.remove();
  window.addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
    if (source === window.parent) showRequested(app, data);
  });
  window.addEventListener('unhandledrejection', ({ reason }) => { notify(app.store, 'error', String(reason)); });
} else {
  startApp(document.body);
}
