// SPDX-License-Identifier: Apache-2.0
// The licences of the packages that a bundle contains, as their authors wrote them.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/** The packages (`name`, or `@scope/name`) whose files are inputs of what esbuild made. */
export function packagesOf(metafile) {
  const packages = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const inside = input.split('node_modules/').at(-1);
    if (inside === input) continue;
    const parts = inside.split('/');
    packages.add(parts[0].startsWith('@') ? `${parts[0]}/${parts[1]}` : parts[0]);
  }
  return [...packages].sort();
}

/** One text of all of them. A package without a licence is an error: it must not be shipped. */
export function licences(root, packages) {
  const texts = packages.map((name) => {
    const folder = join(root, 'node_modules', name);
    const {version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).sort().find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    if (!file || !existsSync(join(folder, file))) throw new Error(`${name} has no file with its licence`);
    const text = readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `The page of touche view contains, besides Touché itself (Apache-2.0):\n\n${texts.join(`\n${'-'.repeat(79)}\n\n`)}`;
}
