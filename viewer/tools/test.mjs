// SPDX-License-Identifier: Apache-2.0
// Runs tests of the viewer: node test.mjs [--browser [--bundle FOLDER]] [--grep PATTERN] [NAME...]. Without
// --browser tests the modules, in Node; with it the bundle (default: dist), in a headless browser; exit code
// 77 says that there is none. Tests are TypeScript, so esbuild makes one file of each first.
import {build} from 'esbuild';
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const {values: options, positionals: names} = parseArgs({
  allowPositionals: true,
  options: {browser: {type: 'boolean', default: false}, bundle: {type: 'string'}, grep: {type: 'string'}},
});
const kBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
if (options.browser && !process.env.TOUCHE_BROWSER && !kBrowsers.some((path) => existsSync(path))) {
  console.log('Skipped: there is no Chromium. "./dev setup test" installs it.');
  process.exit(77);
}
const inside = options.browser ? 'tests/browser' : 'tests';
const tests = readdirSync(join(root, inside))
    .filter((file) => file.endsWith(options.browser ? '.browser.ts' : '.test.ts'))
    .filter((file) => names.length === 0 || names.some((name) => file.startsWith(name)));
if (tests.length === 0) throw new Error('no test has such a name');

spawnSync(process.execPath, [join(root, 'tools/generate_protocol.mjs'), '--ts', join(root, 'src/protocol.ts')], {stdio: 'inherit'});
// Beside the packages, which the tests of the browser import.
mkdirSync(join(root, 'node_modules/.cache'), {recursive: true});
const folder = mkdtempSync(join(root, 'node_modules/.cache/tests-'));
try {
  await build({
    absWorkingDir: root,
    entryPoints: tests.map((file) => `${inside}/${file}`),
    outdir: folder,
    outExtension: {'.js': '.mjs'},
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const files = readdirSync(folder).map((file) => join(folder, file));
  const run = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...(options.grep ? [`--test-name-pattern=${options.grep}`] : []), ...files], {
    cwd: root,
    stdio: 'inherit',
    env: {...process.env, TOUCHE_VIEWER_BUNDLE: resolve(options.bundle ?? join(root, 'dist'))},
  });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(folder, {recursive: true});
}
