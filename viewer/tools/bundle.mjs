// SPDX-License-Identifier: Apache-2.0
// Makes the viewer's bundle: what a browser loads, minified, nothing else beside it.
//   node bundle.mjs [--out FOLDER] [--source-map]
// FOLDER (default: viewer/dist) gets index.html, main.js, main.css, icon.svg and licences.txt. Sizes are printed;
// more than 1 MB in all is an error.
import {build} from 'esbuild';
import {copyFileSync, existsSync, mkdirSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

import {licences, packagesOf} from './licences.mjs';

const kLimit = 1e6;
const {values: options} = parseArgs({
  options: {
    'out': {type: 'string'},
    'source-map': {type: 'boolean', default: false},
  },
});
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = resolve(options.out ?? join(root, 'dist'));
const entries = ['main', 'report'].filter((name) => existsSync(join(root, 'src', `${name}.ts`)));

mkdirSync(out, {recursive: true});
const {metafile} = await build({
  absWorkingDir: root,
  entryPoints: entries.map((name) => `src/${name}.ts`),
  outdir: out,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2022'],
  charset: 'utf8',
  legalComments: 'inline',
  sourcemap: options['source-map'],
  logLevel: 'warning',
  metafile: true,
});
for (const name of ['index.html', 'icon.svg']) copyFileSync(join(root, name), join(out, name));

writeFileSync(join(out, 'licences.txt'), licences(root, packagesOf(metafile)));

const bundles = {main: ['index.html', 'icon.svg', 'main.js', 'main.css', 'licences.txt'], report: ['report.js', 'report.css']};
for (const entry of entries) {
  let total = 0;
  for (const name of bundles[entry]) {
    if (!existsSync(join(out, name))) continue;
    const bytes = statSync(join(out, name)).size;
    total += bytes;
    console.log(`${String(bytes).padStart(9)} ${name}`);
  }
  if (total <= kLimit) continue;
  console.error(`bundle ${entry}: ${total} bytes are more than ${kLimit}`);
  process.exitCode = 1;
}
