// SPDX-License-Identifier: Apache-2.0
// Makes the pictures of docs/viewer.md: node viewer/tools/pictures.mjs [--touche build/touche]
// [--out docs/images] [NAME...]. Scenes are generated in out/pictures. Needs Chromium; pngquant makes
// the files a third of their size where it is installed.
import {spawn, spawnSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {chromium} from 'playwright-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const {values: options, positionals: names} = parseArgs({
  allowPositionals: true,
  options: {
    touche: {type: 'string', default: join(root, 'build', 'touche')},
    out: {type: 'string', default: join(root, 'docs', 'images')},
  },
});
const kSize = {width: 1280, height: 800};
const kPatience = 120_000;  // ms: pictures are drawn by the processor

// What is opened, and what is done before the picture is taken.
const pictures = {
  'viewer-headlamp': {
    scene: ['headlamp', '--triangles', '200000'],
    async prepare(page) {
      await scrub(page, 0.44);
      await select(page, 'engine bay');
      await page.keyboard.press('h');
      await page.mouse.click(640, 700);
    },
  },
  'viewer-proof': {
    scene: ['nut-bolt', '--pitch-error', '0.05'],
    async prepare(page) {
      await page.keyboard.press('Shift+R');
      await page.getByText('First contact', {exact: true}).waitFor({timeout: kPatience});
      await page.keyboard.press('k');
    },
  },
  'viewer-section': {
    scene: ['nut-bolt', '--clearance', '0.1'],
    async prepare(page) {
      await select(page, 'nut', 1);
      await page.keyboard.press('Shift+V');
      await page.getByLabel('Show volumes in the scene').check();
      await page.keyboard.press('s');
    },
  },
  'viewer-contact': {
    scene: ['nut-bolt', '--clearance', '0.1'],
    dark: true,
    async prepare(page) {
      await page.mouse.move(560, 330);
      await page.mouse.down();
      await page.mouse.move(640, 300, {steps: 4});
      await page.mouse.move(800, 270, {steps: 8});
    },
  },
  'viewer-report': {
    scene: ['nut-bolt', '--pitch-error', '0.05'],
    report: true,
    async prepare(page) {
      await page.getByRole('button', {name: 'View in 3D'}).click();
      const viewer = page.frameLocator('section.viewer iframe');
      await viewer.getByRole('treeitem').first().waitFor();
      await page.waitForTimeout(2000);
      await page.keyboard.press('k');
      await page.locator('section.viewer').evaluate((section) => section.scrollIntoView());
    },
  },
};

async function select(page, name, which = 0) {
  await page.getByRole('treeitem', {name, exact: true}).nth(which).click();
}

async function scrub(page, share) {
  const slider = await page.getByRole('slider', {name: /path|time/i}).first().boundingBox();
  await page.mouse.click(slider.x + share * slider.width, slider.y + slider.height / 2);
}

// The page of a report, or that of a server.
async function open(study, report) {
  if (!report) return serve(study);
  const out = join(dirname(study), 'report');
  const {status} = spawnSync(options.touche, ['study', study, '--out', out], {stdio: ['ignore', 'ignore', 'inherit']});
  if (status > 1) throw new Error(`${study}: there is no report`);
  return {url: pathToFileURL(join(out, 'report.html')).href};
}

async function serve(study) {
  const program = spawn(options.touche, ['view', study, '--no-browser'], {stdio: ['ignore', 'pipe', 'inherit']});
  let text = '';
  for await (const piece of program.stdout) {
    text += piece;
    if (text.includes('Ctrl-C')) break;
  }
  return {program, url: text.split('\n')[0]};
}

async function take(browser, name, {scene, dark, report, prepare}) {
  const folder = join(root, 'out', 'pictures', name);
  const made = spawnSync(options.touche, ['scene', ...scene, '--out', folder], {stdio: ['ignore', 'ignore', 'inherit']});
  if (made.status !== 0) throw new Error(`${name}: the scene cannot be made`);
  const {program, url} = await open(join(folder, 'study.json'), report);
  try {
    const page = await browser.newPage({viewport: kSize, colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce'});
    page.setDefaultTimeout(kPatience);
    await page.goto(url);
    if (!report) await page.getByRole('treeitem').first().waitFor();
    await page.waitForTimeout(3000);  // until meshes have come and are drawn
    await prepare(page);
    await page.waitForTimeout(3000);
    const file = join(options.out, `${name}.png`);
    await page.screenshot({path: file, timeout: kPatience});
    await page.close();
    spawnSync('pngquant', ['--force', '--ext', '.png', '--skip-if-larger', '128', file]);
    console.log(file);
  } finally {
    program?.kill('SIGINT');
  }
}

mkdirSync(options.out, {recursive: true});
const browser = await chromium.launch({
  executablePath: process.env.TOUCHE_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking'],
});
try {
  for (const [name, picture] of Object.entries(pictures))
    if (names.length === 0 || names.includes(name)) await take(browser, name, picture);
} finally {
  await browser.close();
}
