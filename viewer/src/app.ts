// SPDX-License-Identifier: Apache-2.0
// Puts the viewer together: connection, state, scene and what stands around it.
import { Commands } from './commands';
import { Connection } from './connection';
import { Hand } from './hand';
import { addHandCommands } from './hand_commands';
import { HandView } from './hand_view';
import { Inbox, handleBasics, notify } from './inbox';
import { addLookCommands } from './look_commands';
import { Measure } from './measure';
import { MotionDevice } from './motion_device';
import { Navigation } from './navigation';
import { addPanels } from './panels';
import { Player } from './player';
import { decodeServer, encode, kVersion } from './protocol';
import type { ClientMessage } from './protocol';
import { SceneView } from './scene_view';
import { Stage } from './stage';
import { initialState } from './state';
import type { AppStore } from './state';
import { Store } from './store';
import { applyTheme, onSystemTheme, storedTheme } from './theme';
import { listenToKeys } from './keyboard';
import { Panels } from './ui/panels';
import { Shell } from './ui/shell';
import { addHeadset } from './xr';

/** What panels and tools are given. */
export interface App {
  readonly store: AppStore;
  readonly commands: Commands;
  readonly inbox: Inbox;
  readonly stage: Stage;
  readonly view: SceneView;
  readonly navigation: Navigation;
  readonly panels: Panels;
  readonly hand: Hand;
  readonly shell: Shell;
  /** In a report there is no server: nothing can be moved or queried. */
  readonly inReport: boolean;
  /** Sends to the server; without a connection the message is dropped. */
  send(message: ClientMessage): void;
}

/** With `session`, all messages of a report, instead of a server. */
export function startApp(body: HTMLElement, session?: Promise<Uint8Array[]>): App {
  const inReport = session !== undefined;
  const store: AppStore = new Store({ ...initialState(), theme: storedTheme(), ...(inReport ? { tool: 'look' as const } : {}) });
  store.subscribe(['theme'], ({ theme }) => { applyTheme(theme); });
  onSystemTheme(() => {
    applyTheme(store.get().theme);
    store.touch('theme');
  });

  const inbox = new Inbox();
  handleBasics(inbox, store);
  const shell = new Shell(store, body);
  let stage: Stage;
  try {
    stage = new Stage(shell.canvas);
  } catch (error) {
    shell.say('This browser does not draw with WebGL, which the viewer needs. In the settings of most browsers it is called hardware or graphics acceleration.');
    throw error;
  }
  const commands = new Commands(store);
  const view = new SceneView(store, stage, inbox);
  const navigation = new Navigation(store, stage, view);
  let deliver: (message: ClientMessage) => void = () => {};
  const send = (message: ClientMessage) => { deliver(message); };
  const hand = new Hand(store, stage, view, send, inbox);
  const panels = new Panels(store, commands);
  const app: App = { store, commands, inbox, stage, view, navigation, shell, hand, panels, inReport, send };
  panels.serve(app);

  // Escape releases a held part first: commands are tried in their order.
  if (!inReport) addHandCommands(app, hand);
  addLookCommands(app);
  if (!inReport) {
    new MotionDevice(app, hand);
    new HandView(app, hand);
    navigation.addTool(hand);
    navigation.addTool(new Measure(app));
    navigation.onViewpoint = (position) => { app.send({ kind: 'Viewpoint', position: [...position], rate: 0 }); };
  }
  addPanels(app);
  if (!inReport) addHeadset(app);
  shell.build(app);
  listenToKeys(app);
  if (session) {
    void session.then(async (messages) => {
      const player = new Player(messages, (message) => { inbox.take(message); }, (call) => { requestAnimationFrame(call); });
      deliver = (message) => { player.take(message); };
      store.update({ connection: 'open' });
      await player.start();
    });
  } else {
    const connection = connect(app);
    deliver = (message) => { connection.send(encode(message) as Uint8Array<ArrayBuffer>); };
  }
  return app;
}

function connect(app: App): Connection {
  const { store, inbox } = app;
  const connection = new Connection(location.href, {
    opened() {
      store.update({ connection: 'open', reason: '', retryAfter: 0 });
      app.send({ kind: 'Enter', protocol: kVersion });
    },
    received(bytes) {
      try {
        inbox.take(decodeServer(bytes));
      } catch (error) {
        notify(store, 'error', `A message of the server is invalid: ${String(error)}`);
      }
    },
    lost(reason, retryAfter) {
      store.update({
        connection: retryAfter === null ? 'refused' : 'lost', reason, retryAfter: retryAfter ?? 0,
        grabbed: null, held: null, handPose: null,
      });
    },
  });
  window.addEventListener('pagehide', () => { connection.end(); });
  window.addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });
  window.addEventListener('online', () => { connection.retryNow(); });
  return connection;
}
