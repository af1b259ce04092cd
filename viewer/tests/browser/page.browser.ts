// SPDX-License-Identifier: Apache-2.0
// The page: its contents, navigation and connection.
import assert from 'node:assert/strict';
import { changes, drag, hover, kBlock, kBoltSide, kNothing, kNut, kPlate, pageTest, picture, turned } from './page_test';
import { drawn, eventually } from './patience';

pageTest('loads, draws, names parts under the pointer', async ({ page, server }) => {
  assert.equal(server.received[0]?.kind, 'Enter');
  assert.equal(await page.title(), 'nut and bolt · Touché');
  await hover(page, kNut, 'nut M16');
  await hover(page, kPlate, 'joint › plate');
  await hover(page, kNothing, /^Drag a part/);
  await eventually('the viewpoint is reported', () => server.last('Viewpoint') !== undefined);
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
  await eventually('the distance goes', async () => !(await page.locator('.label3d').isVisible()));
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

pageTest('connects again when the server comes back, and restores the view', async (opened) => {
  const { page } = opened;
  await page.locator('[data-node="4"]').click();
  await page.keyboard.press('h');
  const first = opened.server;
  await opened.drop(1001);
  await eventually('another server', () => opened.server !== first && opened.server.received.some(({ kind }) => kind === 'Enter'));
  await eventually('the message goes', async () => page.locator('.overlay').isHidden());
  await hover(page, kNut, /bolt M16|plate/);  // the nut is still hidden
});

pageTest('a page that is not let in says so, and does not try again', async (opened) => {
  const first = opened.server;
  await opened.drop(1008);
  await eventually('the page says so', async () => (await opened.page.locator('.overlay').textContent())!.includes('does not let'));
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

pageTest('dark where the system is, light when chosen, remembered', async ({ page }) => {
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
  assert.equal(await theme(), 'dark');
  await page.keyboard.press('l');
  await eventually('light', async () => await theme() === 'light');
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
