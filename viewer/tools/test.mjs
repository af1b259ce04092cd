// SPDX-License-Identifier: Apache-2.0
// Runs the tests of the viewer's modules in Node: node test.mjs [NAME...], all by default.
// Tests are TypeScript, so esbuild makes one file of each first.
import {build} from 'esbuild';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const names = process.argv.slice(2);
const tests = readdirSync(join(root, 'tests'))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => names.length === 0 || names.some((name) => file.startsWith(name)));
if (tests.length === 0) throw new Error('no test has such a name');

const folder = mkdtempSync(join(tmpdir(), 'touche-viewer-tests-'));
try {
  await build({
    absWorkingDir: root,
    entryPoints: tests.map((file) => `tests/${file}`),
    outdir: folder,
    outExtension: {'.js': '.mjs'},
    bundle: true,
    platform: 'node',
    format: 'esm',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const files = readdirSync(folder).map((file) => join(folder, file));
  const run = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], {stdio: 'inherit'});
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(folder, {recursive: true});
}
