// SPDX-License-Identifier: Apache-2.0
// The page in an emulated headset: enter, take a part with a controller and with two, contact with
// ghost and knock, panel on the wrist, teleport, leave.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launch, openPage } from './open_page';
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
interface Emulated {
  device: { controllers: Record<'left' | 'right', Controller>; position: { set(x: number, y: number, z: number): void } };
  knocks: number[];
}

/** Waits until something is so; the emulated headset draws in software, slowly on a busy machine. */
async function until(what: string, is: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200; ++i) {
    if (await is()) return;
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
  throw new Error(`In vain: ${what}`);
}

/** Moves a controller in metres, y up; it points along −z. */
async function put(page: Page, side: 'left' | 'right', x: number, y: number, z: number): Promise<void> {
  await page.evaluate(([s, px, py, pz]) => {
    const { device } = (window as unknown as { emulated: Emulated }).emulated;
    device.controllers[s].position.set(px, py, pz);
    device.controllers[s].quaternion.set(0, 0, 0, 1);
  }, [side, x, y, z] as const);
  await page.waitForTimeout(120);
}

async function button(page: Page, side: 'left' | 'right', id: string, value: number): Promise<void> {
  await page.evaluate(([s, name, v]) => {
    (window as unknown as { emulated: Emulated }).emulated.device.controllers[s].updateButtonValue(name, v);
  }, [side, id, value] as const);
  await page.waitForTimeout(150);
}

test('a headset: enter, grab, contact, two hands, teleport, leave', { timeout: 120_000 }, async () => {
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
    await until('the rate is told', () => (server.last('Viewpoint')?.rate ?? 0) >= 60);

    // The scene is some 85 mm wide and lies 1.1 m above the floor, as far away as an arm.
    await put(page, 'right', 0, 1.1, 0);
    let node = -1;
    for (const [dx, dy] of [[0, 0.0], [0, 0.005], [0.005, 0], [-0.005, 0.01], [0, -0.005], [0.01, 0.01], [0.012, -0.012]] as const) {
      await put(page, 'right', dx, 1.1 + dy, 0);
      await button(page, 'right', 'trigger', 1);
      await page.waitForTimeout(300);
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
    await page.waitForTimeout(200);
    const knocks = await page.evaluate(() => (window as unknown as { emulated: Emulated }).emulated.knocks);
    assert.ok(knocks.length > 0 && knocks.every((strength) => strength > 0 && strength <= 1));

    // Two hands: the part stays where it is when the second takes it, and rises with both.
    await put(page, 'right', at[0], at[1] + 0.03, at[2]);
    await until('it goes up again', () => Math.abs(server.poseOf(node).translation[2] - start - 30) < 1);
    await button(page, 'left', 'trigger', 1);
    await page.waitForTimeout(400);
    const two = server.poseOf(node).translation[2];
    assert.ok(Math.abs(two - start - 30) < 1, 'a second hand that takes it does not move it');
    await put(page, 'left', -0.3, 0.92, 0.1);
    await put(page, 'right', at[0], at[1] + 0.05, at[2]);
    await until('it rises with both', () => Math.abs(server.poseOf(node).translation[2] - two - 20) < 8);
    await button(page, 'left', 'trigger', 0);
    await button(page, 'right', 'trigger', 0);
    await until('it is let go', () => server.received.filter(({ kind }) => kind === 'Release').length === 1);

    // Teleport: the stick forwards and back, with the viewpoint told to the server.
    const before = server.last('Viewpoint')!.position;
    await page.evaluate(() => { (window as unknown as { emulated: Emulated }).emulated.device.controllers.right.updateAxes('thumbstick', 0, -1); });
    await page.waitForTimeout(600);
    await page.evaluate(() => { (window as unknown as { emulated: Emulated }).emulated.device.controllers.right.updateAxes('thumbstick', 0, 0); });
    const place = () => server.last('Viewpoint')!.position;
    await until('one stands more than a metre away', () => Math.hypot(place()[0] - before[0], place()[1] - before[1]) > 1000);
    assert.ok(Math.abs(place()[2] - before[2]) < 1, 'at the same height');

    await page.evaluate(async () => { await ((window as unknown as { emulated: Emulated }).emulated.device as unknown as { activeSession: XRSession }).activeSession.end(); });
    await until('the budget is as before', () => server.last('SetBudget')!.milliseconds === 8);
    assert.deepEqual(opened.complaints, []);
  } finally {
    await page.context().close();
  }
});
