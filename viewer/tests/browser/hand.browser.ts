// SPDX-License-Identifier: Apache-2.0
// Parts in the hand: with the pointer, and with the keys alone.
import assert from 'node:assert/strict';
import { changes, colours, drag, hover, kBlock, kBoltSide, kNothing, kNut, kPlate, pageTest, picture, turned } from './page_test';
import { eventually } from './patience';

pageTest('a drag takes a movable part, follows the pointer and lets go', async (opened) => {
  const { page, server } = opened;
  const drags = () => server.received.filter((message) => message.kind === 'Drag');
  await page.mouse.move(...kBlock);
  await page.mouse.down();
  await page.mouse.move(720, 460);
  // The page sends a drag a frame, and draws as fast as the machine can.
  for (const [x, y] of [[740, 455], [760, 445], [780, 435], [800, 430]] as const) {
    const before = drags().length;
    await page.mouse.move(x, y);
    await eventually('the part follows', () => drags().length > before);
  }
  await page.mouse.up();
  await eventually('Release', () => server.last('Release') !== undefined);
  const grab = server.last('Grab')!;
  assert.equal(grab.node, 5);
  assert.equal(grab.mode, 'contact');
  assert.ok(drags().every((message, i) => i === 0 || message.sequence > drags()[i - 1]!.sequence));
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
