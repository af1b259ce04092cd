// SPDX-License-Identifier: Apache-2.0
// The page in a headless browser, under a policy as strict as the server's, with a stand-in for the
// server that records what it is told.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Pose } from '../../src/protocol';
import { launch, openPage } from './open_page';
import type { OpenPage } from './open_page';
import { atRest, drawn, eventually } from './patience';

const kBundle = process.env['TOUCHE_VIEWER_BUNDLE'] ?? 'dist';
// Where parts are in the first picture, of 1280 by 800 pixels.
const kBlock = [700, 470] as const;
const kNut = [600, 400] as const;
const kBoltSide = [640, 340] as const;
const kPlate = [520, 480] as const;
const kNothing = [1000, 300] as const;

let browser: Browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

/** A test with a page of its own, which may complain of nothing. */
function pageTest(name: string, run: (opened: OpenPage) => Promise<void>, options: Parameters<typeof openPage>[2] = {}): void {
  test(name, { timeout: 240_000 }, async () => {
    const opened = await openPage(browser, kBundle, options);
    try {
      await run(opened);
      assert.deepEqual(opened.complaints, []);
    } finally {
      await opened.page.context().close();
    }
  });
}

/** Once the picture stays the same. */
async function picture(page: Page): Promise<Buffer> {
  return atRest(() => page.locator('canvas.scene').screenshot());
}

/** How many pixels of the picture are as red as forces, and as blue as a ghost. */
async function colours(page: Page): Promise<{ reds: number; blues: number }> {
  const image = `data:image/png;base64,${(await page.locator('canvas.scene').screenshot()).toString('base64')}`;
  return page.evaluate(async (source) => {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    let reds = 0, blues = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = [data[i]!, data[i + 1]!, data[i + 2]!];
      if (r > 180 && g < 90 && b < 90) ++reds;
      if (b > 170 && b > r + 60 && b > g + 20) ++blues;
    }
    return { reds, blues };
  }, image);
}

/** The next picture at rest that differs. */
async function changes(page: Page, from: Buffer, what: string): Promise<Buffer> {
  for (let i = 0; i < 20; ++i) {
    const next = await picture(page);
    if (!next.equals(from)) return next;
  }
  assert.fail(`the picture stays the same: ${what}`);
}

async function hover(page: Page, [x, y]: readonly [number, number], expected: string | RegExp): Promise<void> {
  await page.mouse.move(x, y);
  const line = page.locator('.status-line .what');
  await eventually(`pointing at ${String(expected)}`, async () => {
    const text = await line.textContent() ?? '';
    return typeof expected === 'string' ? text.endsWith(expected) : expected.test(text);
  });
}

async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 8 });
  await page.mouse.up();
}

const turned = (pose: Pose) => 2 * Math.acos(Math.min(1, Math.abs(pose.rotation[0])));

pageTest('loads, draws, names parts under the pointer', async ({ page, server }) => {
  assert.equal(server.received[0]?.kind, 'Enter');
  assert.equal(await page.title(), 'nut and bolt · Touché');
  await hover(page, kNut, 'nut M16');
  await hover(page, kPlate, 'joint › plate');
  await hover(page, kNothing, /^Drag a part/);
  await eventually('the viewpoint is told', () => server.last('Viewpoint') !== undefined);
});

pageTest('turns, moves and zooms with one button, the wheel and the keys', async ({ page }) => {
  let last = await picture(page);
  const changed = async (what: string) => {
    await page.mouse.move(...kNothing);
    last = await changes(page, last, what);
  };
  await drag(page, kNothing, [1050, 340]);
  await changed('dragging turns');
  await page.keyboard.down('Shift');
  await drag(page, kNothing, [1050, 300]);
  await page.keyboard.up('Shift');
  await changed('dragging with Shift moves');
  await page.keyboard.down('Control');
  await drag(page, kNothing, [1000, 360]);
  await page.keyboard.up('Control');
  await changed('dragging with Ctrl zooms');
  await page.mouse.wheel(0, -300);
  await changed('the wheel zooms');
  for (const key of ['1', '2', '3', '5', '7', 'p', 'ArrowLeft', 'Shift+ArrowUp', '+', 'e']) {
    await page.keyboard.press(key);
    await changed(key);
  }
});

pageTest('the wheel keeps what is under the pointer there', async ({ page }) => {
  await hover(page, kBoltSide, 'bolt M16');
  for (let i = 0; i < 6; ++i) await page.mouse.wheel(0, -250);
  await hover(page, [kBoltSide[0] + 1, kBoltSide[1]], 'bolt M16');
});

pageTest('a drag takes a movable part, follows the pointer and lets go', async (opened) => {
  const { page, server } = opened;
  await drag(page, kBlock, [800, 430]);
  await eventually('Release', () => server.last('Release') !== undefined);
  const grab = server.last('Grab')!;
  assert.equal(grab.node, 5);
  assert.equal(grab.mode, 'contact');
  const drags = server.received.filter((message) => message.kind === 'Drag');
  assert.ok(drags.length >= 4, `${drags.length} drags`);
  assert.ok(drags.every((message, i) => i === 0 || message.sequence > drags[i - 1]!.sequence));
  // The part is where the pointer let go of it.
  await hover(page, [800, 430], 'block');
  assert.equal(await page.locator('[data-command="hand.undo"]').isDisabled(), false);
  await page.keyboard.press('Control+z');
  await eventually('back where it was', () => server.poseOf(5).translation[0] === 22);
  await hover(page, kBlock, 'block');
});

pageTest('a drag on a fixed part turns the view', async ({ page, server }) => {
  const before = await picture(page);
  await drag(page, kPlate, [560, 440]);
  await page.mouse.move(...kNothing);
  await changes(page, before, 'dragging a fixed part');
  assert.equal(server.last('Grab'), undefined);
});

pageTest('what is held back shows forces and says so', async ({ page }) => {
  await page.mouse.move(...kBlock);
  await page.mouse.down();
  await page.mouse.move(700, 560, { steps: 8 });
  await eventually('held back', async () => await page.locator('.card .status').textContent() === 'block: held back');
  const { reds, blues } = await colours(page);
  assert.ok(reds > 500, `${reds} pixels of arrows`);
  assert.ok(blues > 500, `${blues} pixels of the ghost`);
  await page.mouse.up();
});

pageTest('axes and planes hold the hand', async ({ page, server }) => {
  await page.keyboard.press('z');
  await drag(page, kBlock, [760, 400]);
  await eventually('Release', () => server.last('Release') !== undefined);
  const up = server.last('Drag')!.target.translation;
  assert.ok(up[2] > 3, `${up.join()}`);
  assert.ok(Math.abs(up[0] - 22) < 1e-9 && Math.abs(up[1] + 16) < 1e-9, 'only z changes');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Shift+Z');
  await drag(page, kBlock, [760, 440]);
  await eventually('another Release', () => server.received.filter((message) => message.kind === 'Release').length === 2);
  const level = server.last('Drag')!.target.translation;
  assert.ok(Math.abs(level[2] - 0.5) < 1e-9, 'z stays');
  assert.ok(Math.hypot(level[0] - 22, level[1] + 16) > 2);
});

pageTest('Shift turns what is held; speed slows it down', async ({ page, server }) => {
  await page.mouse.move(...kBlock);
  await page.mouse.down();
  await page.mouse.move(kBlock[0] + 10, kBlock[1]);
  await page.keyboard.down('Shift');
  await page.mouse.move(kBlock[0] + 110, kBlock[1], { steps: 5 });
  await page.keyboard.up('Shift');
  await page.mouse.up();
  await eventually('a turn', () => server.last('Release') !== undefined);
  assert.ok(Math.abs(turned(server.last('Drag')!.target) - 0.9) < 0.05, `${turned(server.last('Drag')!.target)}`);
  await page.keyboard.press('Backspace');
  await eventually('snapped back', () => server.poseOf(5).rotation[0] === 1);

  const way = async () => {
    const before = server.received.filter((message) => message.kind === 'Release').length;
    await drag(page, kBlock, [780, 470]);
    await eventually('Release', () => server.received.filter((message) => message.kind === 'Release').length > before);
    const at = server.last('Drag')!.target.translation;
    await page.keyboard.press('Control+z');
    await eventually('back', () => server.poseOf(5).translation[0] === 22);
    return Math.hypot(at[0] - 22, at[1] + 16, at[2] - 0.5);
  };
  const full = await way();
  await page.keyboard.press(',');
  await page.keyboard.press(',');
  assert.ok(Math.abs((await way()) / full - 0.25) < 0.02);
});

pageTest('a nut turns about the axis of its bolt', async ({ page, server }) => {
  await hover(page, kBoltSide, 'bolt M16');
  await page.keyboard.press('a');
  await hover(page, kNut, 'nut M16');
  await drag(page, kNut, [660, 405]);
  await eventually('Release', () => server.last('Release') !== undefined);
  const { target } = server.last('Drag')!;
  assert.ok(turned(target) > 0.2, `${turned(target)}`);
  assert.ok(Math.hypot(target.rotation[1], target.rotation[2]) < 1e-4, 'about z');
  assert.ok(Math.hypot(target.translation[0], target.translation[1]) < 0.01, 'the axis stays where it is');
  assert.ok(Math.abs(target.translation[2] - 4) < 1e-6, 'without a pitch it does not rise');
});

pageTest('the keyboard alone finds, takes, moves and lets go', async ({ page, server }) => {
  await page.keyboard.press('/');
  await page.keyboard.type('blo');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await eventually('selected', async () => await page.locator('[data-node="5"]').getAttribute('aria-selected') === 'true');
  await page.keyboard.press('g');
  await page.keyboard.press('x');
  // The tree has the focus and uses arrow keys itself: the scene is one Tab or F6 away.
  await page.locator('canvas.scene').focus();
  for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowRight');
  await eventually('moved', () => server.poseOf(5).translation[0] > 22.5);
  assert.ok(Math.abs(server.poseOf(5).translation[1] + 16) < 1e-9);
  await page.keyboard.press('Enter');
  await eventually('Release', () => server.last('Release') !== undefined);

  await page.keyboard.press('g');
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+ArrowRight');
  await eventually('turned', () => turned(server.poseOf(5)) > 0.01);
  await page.keyboard.press('Escape');
  await eventually('put back', () => turned(server.poseOf(5)) === 0 && server.poseOf(5).translation[0] > 22.5);
});

pageTest('every control can be reached with Tab and has a name', async ({ page }) => {
  const names = new Set<string>();
  for (let i = 0; i < 60; ++i) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const at = document.activeElement!;
      return at === document.body ? '' : `${at.tagName} ${at.getAttribute('aria-label') ?? at.textContent ?? ''}`.trim();
    });
    if (focused === '' && names.size > 0) break;
    if (focused) names.add(focused);
  }
  const enabled = await page.locator('button:visible:enabled, input:visible, select:visible, canvas').count();
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, canvas, dialog, nav, [role]')]
    .filter((at) => !(at.getAttribute('aria-label') ?? at.textContent?.trim() ?? '') && !at.closest('[hidden]') &&
      !(at instanceof HTMLInputElement && at.labels?.length) && !['status', 'log'].includes(at.getAttribute('role') ?? ''))
    .map((at) => at.outerHTML.slice(0, 120)));
  assert.deepEqual(nameless, []);
  // All but the two other modes of the hand, which arrow keys reach; the tree is one stop more.
  assert.ok(names.size >= enabled - 2, `${names.size} of ${enabled}: ${[...names].join(', ')}`);
});

pageTest('the tree opens, closes, hides, isolates', async ({ page }) => {
  const row = (id: number) => page.locator(`[data-node="${id}"]`);
  await row(1).locator('.twisty svg').click();
  await eventually('closed', async () => await row(2).count() === 0);
  await page.keyboard.press('ArrowRight');
  await eventually('open', async () => await row(2).count() === 1);
  await row(4).click();
  await page.keyboard.press('h');
  await hover(page, kNut, /bolt M16|plate/);
  await page.keyboard.press('Shift+H');
  await hover(page, kNut, 'nut M16');
  await page.keyboard.press('i');
  await hover(page, kPlate, /^Drag a part/);
  await page.keyboard.press('i');
  await hover(page, kPlate, 'joint › plate');
  const before = await picture(page);
  await page.keyboard.press('t');
  await changes(page, before, 'transparency');
});

pageTest('a section cuts away what is before it, for the pointer too', async ({ page }) => {
  await hover(page, kBlock, 'block');
  await page.keyboard.press('s');
  await eventually('the card is there', async () => page.locator('section[aria-label="Section plane"]').isVisible());
  await page.mouse.move(...kNothing);
  await hover(page, kBlock, /plate|^Drag a part/);
  const caps = await picture(page);
  await page.getByLabel('How the cut is shown').selectOption('outlines');
  await page.mouse.move(...kNothing);
  await changes(page, caps, 'lines instead of caps');
  await page.locator('canvas.scene').focus();
  await page.keyboard.press('Shift+F');
  await hover(page, kBlock, 'block');
});

pageTest('measures between two parts', async ({ page, server }) => {
  await page.keyboard.press('m');
  await page.mouse.click(...kNut);
  await page.mouse.click(...kBlock);
  await eventually('the distance', async () => await page.locator('.label3d').textContent() === '12.34 mm');
  assert.deepEqual([server.last('MeasurePair')!.a, server.last('MeasurePair')!.b], [4, 5]);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.label3d').isVisible(), false);
});

pageTest('explodes, and what is exploded comes together before it is grabbed', async ({ page, server }) => {
  const before = await picture(page);
  await page.keyboard.press('u');
  await changes(page, before, 'exploded');
  await page.locator('[data-node="5"]').click();
  await page.keyboard.press('g');
  await eventually('together', async () => page.locator('section[aria-label="Exploded view"]').isHidden());
  assert.equal(server.last('Grab'), undefined);
});

pageTest('connects again when the server comes back, and looks as before', async (opened) => {
  const { page } = opened;
  await page.locator('[data-node="4"]').click();
  await page.keyboard.press('h');
  const first = opened.server;
  await opened.drop(1001);
  await eventually('another server', () => opened.server !== first && opened.server.received.some(({ kind }) => kind === 'Enter'));
  await eventually('the message goes', async () => page.locator('.overlay').isHidden());
  await hover(page, kNut, /bolt M16|plate/);  // the nut is still hidden
});

pageTest('who is not let in is told, and does not try again', async (opened) => {
  const first = opened.server;
  await opened.drop(1008);
  await eventually('told', async () => (await opened.page.locator('.overlay').textContent())!.includes('does not let'));
  await opened.page.waitForTimeout(800);
  assert.equal(opened.server, first);
});

pageTest('a connection that ends lets go', async (opened) => {
  const { page } = opened;
  await page.mouse.move(...kBlock);
  await page.mouse.down();
  await page.mouse.move(760, 430, { steps: 4 });
  const first = opened.server;
  await opened.drop(1011);
  await eventually('another server', () => opened.server !== first);
  await page.mouse.move(800, 430, { steps: 4 });
  await page.mouse.up();
  await eventually('the message goes', async () => page.locator('.overlay').isHidden());
  assert.equal(opened.server.last('Drag'), undefined);
  await drag(page, kBlock, [760, 430]);
  await eventually('taken anew', () => opened.server.last('Grab') !== undefined);
});

pageTest('help lists every key and closes', async ({ page }) => {
  await page.keyboard.press('?');
  await eventually('open', async () => page.locator('dialog.help').isVisible());
  assert.ok((await page.locator('dialog.help dt').count()) > 30);
  await page.keyboard.press('Escape');
  await eventually('closed', async () => !(await page.locator('dialog.help').isVisible()));
});

pageTest('dark where the system is, light when asked, remembered', async ({ page }) => {
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
  assert.equal(await theme(), 'dark');
  await page.keyboard.press('l');
  assert.equal(await theme(), 'light');
  await page.reload();
  await eventually('light again', async () => await theme() === 'light');
}, { colorScheme: 'dark' });

pageTest('without motion views change at once', async ({ page }) => {
  // On a busy machine a frame may come late, but not each time; a view that glides is never there at once.
  const changesAtOnce = async (key: string) => {
    await page.keyboard.press(key);
    await drawn(page);
    const soon = await page.locator('canvas.scene').screenshot();
    await page.waitForTimeout(500);
    return (await page.locator('canvas.scene').screenshot()).equals(soon);
  };
  let atOnce = false;
  for (const key of ['5', '1', '2', '3', '4']) atOnce ||= await changesAtOnce(key);
  assert.ok(atOnce);
}, { reducedMotion: 'reduce' });

pageTest('fingers turn, pinch and drag', async ({ page, server }) => {
  const touch = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: (readonly [number, number])[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const before = await picture(page);
  await send('touchStart', [600, 300], [700, 300]);
  for (let i = 1; i <= 5; ++i) await send('touchMove', [600 - 15 * i, 300], [700 + 15 * i, 300]);
  await send('touchEnd');
  await changes(page, before, 'pinching');
  await page.keyboard.press('Home');
  await picture(page);
  await send('touchStart', kBlock);
  for (let i = 1; i <= 6; ++i) await send('touchMove', [kBlock[0] + 10 * i, kBlock[1]]);
  await send('touchEnd');
  await eventually('a finger drags', () => server.last('Release') !== undefined);
  assert.equal(server.last('Grab')!.node, 5);
}, { hasTouch: true });

/** Stands in for navigator.hid: one device that was allowed before; the page's `report` makes it speak. */
function installDevice(): void {
  const device = Object.assign(new EventTarget(), { opened: false, productName: 'stand-in', open: () => Promise.resolve() });
  Object.defineProperty(navigator, 'hid', { value: { getDevices: () => Promise.resolve([device]), requestDevice: () => Promise.resolve([device]) } });
  Object.assign(window, {
    report(reportId: number, values: number[]) {
      const data = new DataView(new ArrayBuffer(2 * values.length));
      values.forEach((value, k) => { data.setInt16(2 * k, value, true); });
      device.dispatchEvent(Object.assign(new Event('inputreport'), { reportId, data }));
    },
  });
}

pageTest('a six-axis mouse moves the view, takes a part and moves that', async (opened) => {
  const { page } = opened;
  await page.addInitScript(installDevice);
  await page.reload();
  await eventually('loaded', async () => page.locator('.overlay').isHidden());
  const report = (id: number, ...values: number[]) =>
    page.evaluate(([reportId, numbers]) => {
      (window as unknown as { report(id: number, values: number[]): void }).report(reportId, numbers);
    }, [id, values] as const);
  const before = await picture(page);
  await report(1, 300, 0, 0);
  await eventually('pushed to the right', async () => !(await page.locator('canvas.scene').screenshot()).equals(before));
  await report(1, 0, 0, 0);
  await page.keyboard.press('Home');
  await page.locator('[data-node="5"]').click();
  await report(3, 1);
  await report(3, 0);
  const { server } = opened;
  await eventually('taken', () => server.last('Grab')?.node === 5);
  await report(1, 0, 0, -350);
  await eventually('lifted', () => server.poseOf(5).translation[2] > 1.5);
  await report(1, 0, 0, 0);
  await report(2, 0, 0, 350);
  await eventually('turned', () => turned(server.poseOf(5)) > 0.1);
  await report(2, 0, 0, 0);
  await report(3, 1);
  await eventually('let go', () => server.last('Release') !== undefined);
});
