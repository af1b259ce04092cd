// SPDX-License-Identifier: Apache-2.0
// The page in an emulated headset: enter, take a part with a controller, with two and with a tracked hand,
// contact with ghost and knock, panel on the wrist, teleport, leave.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launch, openPage } from './open_page';
import { eventually as until } from './patience';
import { PanelAnswers } from './panel_answers';

const kBundle = process.env['TOUCHE_VIEWER_BUNDLE'] ?? 'dist';
const kEmulator = createRequire(import.meta.url).resolve('iwer').replace(/(lib|build)\/.*$/, 'build/iwer.min.js');

let browser: Browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

interface Controller {
  position: { set(x: number, y: number, z: number): void };
  quaternion: { set(x: number, y: number, z: number, w: number): void };
  updateButtonValue(id: string, value: number): void;
  updateAxes(id: string, x: number, y: number): void;
}
interface TrackedHand {
  position: { set(x: number, y: number, z: number): void };
  quaternion: { set(x: number, y: number, z: number, w: number): void };
  updatePinchValue(value: number): void;
}
interface Emulated {
  device: {
    controllers: Record<'left' | 'right', Controller>;
    hands: Record<'left' | 'right', TrackedHand>;
    primaryInputMode: 'controller' | 'hand';
    position: { set(x: number, y: number, z: number): void };
  };
  knocks: number[];
}

/** Two pictures later everything that was done to a device has been seen, however slowly they are drawn. */
async function pictures(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>((resolve) => {
    const { device } = (window as unknown as { emulated: Emulated }).emulated;
    const session = (device as unknown as { activeSession?: XRSession }).activeSession;
    if (!session) resolve();
    else session.requestAnimationFrame(() => session.requestAnimationFrame(() => session.requestAnimationFrame(() => { resolve(); })));
  }));
}

type Device = 'controllers' | 'hands';

/** Moves a controller or a hand in metres, y up; it points along −z. */
async function put(page: Page, side: 'left' | 'right', x: number, y: number, z: number, what: Device = 'controllers'): Promise<void> {
  await page.evaluate(([device, s, px, py, pz]) => {
    const at = (window as unknown as { emulated: Emulated }).emulated.device[device][s];
    at.position.set(px, py, pz);
    at.quaternion.set(0, 0, 0, 1);
  }, [what, side, x, y, z] as const);
  await pictures(page);
}

async function button(page: Page, side: 'left' | 'right', id: string, value: number): Promise<void> {
  await page.evaluate(([s, name, v]) => {
    (window as unknown as { emulated: Emulated }).emulated.device.controllers[s].updateButtonValue(name, v);
  }, [side, id, value] as const);
  await pictures(page);
}

async function pinch(page: Page, value: number): Promise<void> {
  await page.evaluate((v) => { (window as unknown as { emulated: Emulated }).emulated.device.hands.right.updatePinchValue(v); }, value);
  await pictures(page);
}

async function stick(page: Page, x: number, y: number): Promise<void> {
  await page.evaluate(([px, py]) => {
    (window as unknown as { emulated: Emulated }).emulated.device.controllers.right.updateAxes('thumbstick', px, py);
  }, [x, y] as const);
  await pictures(page);
}

test('a headset: enter, grab, contact, two controllers, tracked hand, panel, teleport, leave', { timeout: 480_000 }, async () => {
  const opened = await openPage(browser, kBundle, {}, async (page) => {
    await page.addInitScript({ path: kEmulator });
    await page.addInitScript(() => {
      const { XRDevice, metaQuest3 } = (window as unknown as { IWER: { XRDevice: new (config: unknown) => Emulated['device'] & { installRuntime(o?: object): void }; metaQuest3: unknown } }).IWER;
      const device = new XRDevice(metaQuest3);
      device.installRuntime({ forceInstall: true });
      (window as unknown as { emulated: Emulated }).emulated = { device, knocks: [] };
    });
  });
  const { page, server } = opened;
  try {
    new PanelAnswers(server);
    await page.getByRole('button', { name: 'Into the headset' }).waitFor();
    await put(page, 'right', 0.1, 1.1, 0);
    await put(page, 'left', -0.3, 0.9, 0.1);
    await page.keyboard.press('Control+h');
    await until('the budget follows the rate of the headset', () => (server.last('SetBudget')?.milliseconds ?? 9) < 8);
    await until('the rate is reported', () => (server.last('Viewpoint')?.rate ?? 0) >= 60);

    // The scene is some 85 mm wide and lies 1.1 m above the floor, as far away as an arm.
    await put(page, 'right', 0, 1.1, 0);
    let node = -1;
    for (const [dx, dy] of [[0, 0.0], [0, 0.005], [0.005, 0], [-0.005, 0.01], [0, -0.005], [0.01, 0.01], [0.012, -0.012]] as const) {
      await put(page, 'right', dx, 1.1 + dy, 0);
      await button(page, 'right', 'trigger', 1);
      const grab = server.last('Grab');
      if (grab) {
        node = grab.node;
        break;
      }
      await button(page, 'right', 'trigger', 0);
    }
    assert.ok(node === 4 || node === 5, 'a part that moves was taken');
    const start = server.poseOf(node).translation[2];
    const at = (await page.evaluate(() => { const p = (window as unknown as { emulated: Emulated }).emulated.device.controllers.right.position as unknown as { x: number; y: number; z: number }; return [p.x, p.y, p.z]; })) as [number, number, number];
    await put(page, 'right', at[0], at[1] + 0.03, at[2]);
    await until('true size: 3 cm of the hand are 3 cm of the part', () => Math.abs(server.poseOf(node).translation[2] - start - 30) < 1);

    // Down into the plate: it is held back, and the controller knocks.
    await page.evaluate(() => {
      const emulated = (window as unknown as { emulated: Emulated }).emulated;
      const session = (emulated.device as unknown as { activeSession: XRSession }).activeSession;
      for (const source of session.inputSources) {
        const [actuator] = (source.gamepad as unknown as { hapticActuators: { pulse(s: number, ms: number): Promise<boolean> }[] }).hapticActuators;
        if (actuator) actuator.pulse = async (strength) => { emulated.knocks.push(strength); return true; };
      }
    });
    await put(page, 'right', at[0], at[1] - 0.04, at[2]);
    await until('the plate holds it back', () => server.poseOf(node).translation[2] === 0);
    const felt = () => page.evaluate(() => (window as unknown as { emulated: Emulated }).emulated.knocks);
    await until('the controller knocks', async () => (await felt()).length > 0);
    const knocks = await felt();
    assert.ok(knocks.every((strength) => strength > 0 && strength <= 1));

    // Two hands: the part stays where it is when the second takes it, and rises with both.
    await put(page, 'right', at[0], at[1] + 0.03, at[2]);
    await until('it goes up again', () => Math.abs(server.poseOf(node).translation[2] - start - 30) < 1);
    await button(page, 'left', 'trigger', 1);
    const two = server.poseOf(node).translation[2];
    assert.ok(Math.abs(two - start - 30) < 1, 'a second hand that takes it does not move it');
    await put(page, 'left', -0.3, 0.92, 0.1);
    await put(page, 'right', at[0], at[1] + 0.05, at[2]);
    await until('it rises with both', () => Math.abs(server.poseOf(node).translation[2] - two - 20) < 8);
    await button(page, 'left', 'trigger', 0);
    await button(page, 'right', 'trigger', 0);
    await until('it is let go', () => server.received.filter(({ kind }) => kind === 'Release').length === 1);

    // The panel on the left wrist: its first key, under the ray of the right controller.
    await put(page, 'left', -0.3, 0.9, 0.1);
    await put(page, 'right', -0.3824, 1.0113, 0.4);
    await button(page, 'right', 'trigger', 1);
    await button(page, 'right', 'trigger', 0);
    await until('the panel sets the mode', () => server.last('SetMode')?.mode === 'free');

    // A tracked hand takes a part by a pinch, and lets go; a pinch in empty space teleports.
    await page.evaluate(() => { (window as unknown as { emulated: Emulated }).emulated.device.primaryInputMode = 'hand'; });
    await put(page, 'left', -0.3, 0.9, 0.1, 'hands');
    const grabs = () => server.received.filter(({ kind }) => kind === 'Grab').length;
    const high = (server.poseOf(node).translation[2] - start) / 1000;
    await put(page, 'right', at[0], at[1] + high, at[2], 'hands');
    assert.equal(grabs(), 1);
    await pinch(page, 1);
    await until('the hand takes the part', () => grabs() === 2);
    const before = server.poseOf(node).translation[2];
    await put(page, 'right', at[0], at[1] + high + 0.02, at[2], 'hands');
    await until('it follows the hand', () => Math.abs(server.poseOf(node).translation[2] - before - 20) < 1);
    await pinch(page, 0);
    await until('the hand lets go', () => server.received.filter(({ kind }) => kind === 'Release').length === 2);
    const place = () => server.last('Viewpoint')!.position;
    const stood = place();
    await put(page, 'right', 0.8, 1.2, 0, 'hands');
    await pinch(page, 1);
    await pinch(page, 0);
    await until('one stands where the pinch pointed', () => Math.hypot(place()[0] - stood[0], place()[1] - stood[1]) > 1000);
    assert.equal(grabs(), 2);

    // Teleport: the stick forwards and back; the server receives the viewpoint.
    await page.evaluate(() => { (window as unknown as { emulated: Emulated }).emulated.device.primaryInputMode = 'controller'; });
    await put(page, 'right', 0.8, 1.2, 0);
    const left = place();
    await stick(page, 0, -1);
    await stick(page, 0, 0);
    await until('one stands more than a metre away', () => Math.hypot(place()[0] - left[0], place()[1] - left[1]) > 1000);
    assert.ok(Math.abs(place()[2] - left[2]) < 1, 'at the same height');

    await page.evaluate(async () => { await ((window as unknown as { emulated: Emulated }).emulated.device as unknown as { activeSession: XRSession }).activeSession.end(); });
    await until('the budget is as before', () => server.last('SetBudget')!.milliseconds === 8);
    assert.deepEqual(opened.complaints, []);
  } finally {
    await page.context().close();
  }
});
