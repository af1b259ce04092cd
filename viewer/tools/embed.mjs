// SPDX-License-Identifier: Apache-2.0
// Makes a C++ source of the bundle's files, packed, so that the program needs no files beside it:
//   node embed.mjs BUNDLE_FOLDER OUT.cpp
// It defines the functions of src/viewer/asset.h; ../policy.txt is the page's Content Security Policy,
// a directive a line. The same files give the same source.
import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, extname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const kTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};
const [folder, out] = process.argv.slice(2);
if (!out) throw new Error('usage: node embed.mjs BUNDLE_FOLDER OUT.cpp');

// A string literal compiles faster than a list of numbers. Three digits end an octal escape.
function literal(bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length; start += 32) {
    let line = '';
    for (const byte of bytes.subarray(start, start + 32)) {
      const letter = String.fromCharCode(byte);
      line += /[A-Za-z0-9 ]/.test(letter) ? letter : `\\${byte.toString(8).padStart(3, '0')}`;
    }
    lines.push(`    "${line}"`);
  }
  return lines.join('\n');
}

const names = readdirSync(folder, {recursive: false}).sort()
    .filter((name) => statSync(join(folder, name)).isFile() && !name.endsWith('.map'));
const assets = names.map((name, index) => {
  const type = kTypes[extname(name)];
  if (!type) throw new Error(`${name}: embed.mjs does not know the type of such files`);
  const packed = gzipSync(readFileSync(join(folder, name)), {level: 9});
  packed[9] = 3;  // the system that packed it, always the same one
  return {name, type, index, size: packed.length, text: literal(packed)};
});

const policy = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../policy.txt'), 'utf8')
    .trim().split('\n').join('; ');

mkdirSync(dirname(out), {recursive: true});
writeFileSync(out, `// Made by viewer/tools/embed.mjs.
#include "viewer/asset.h"

#pragma GCC diagnostic ignored "-Woverlength-strings"

namespace touche::viewer {
namespace {

${assets.map((asset) => `constexpr char kAsset${asset.index}[] =\n${asset.text};\n`).join('\n')}
constexpr Asset kAssets[] = {
${assets.map((asset) => `    {"${asset.name}", "${asset.type}", {kAsset${asset.index}, ${asset.size}}},`).join('\n')}
};

}  // namespace

std::span<const Asset> assets() { return kAssets; }

std::string_view page_policy() {
  return
${literal(Buffer.from(policy))};
}

}  // namespace touche::viewer
`);
