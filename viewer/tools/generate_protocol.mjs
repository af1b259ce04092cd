// SPDX-License-Identifier: Apache-2.0
// Makes both sides' readers and writers, and their description, from the one schema:
//   node generate_protocol.mjs [--cpp FOLDER] [--ts FILE] [--markdown FILE] [--check]
//                               [--samples FILE]
// FOLDER gets protocol.h and protocol.cpp. With --check nothing is written: it fails where a file
// is not what it would be. Files that are what they should be are left alone. The samples are for
// tests: random messages, of each its length as u32 and its bytes.
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

import {header, source} from './protocol/cpp.mjs';
import {markdown} from './protocol/markdown.mjs';
import {samplesFile} from './protocol/samples.mjs';
import {readSchema} from './protocol/schema.mjs';
import {typescript} from './protocol/typescript.mjs';

const {values: options} = parseArgs({
  options: {
    cpp: {type: 'string'}, ts: {type: 'string'}, markdown: {type: 'string'},
    samples: {type: 'string'}, check: {type: 'boolean', default: false},
  },
});
const here = dirname(fileURLToPath(import.meta.url));
const schema = readSchema(join(here, '../protocol/messages.json'));

const files = [];
if (options.cpp) {
  files.push([join(options.cpp, 'protocol.h'), header(schema)]);
  files.push([join(options.cpp, 'protocol.cpp'), source(schema)]);
}
if (options.ts) files.push([options.ts, typescript(schema)]);
if (options.markdown) files.push([options.markdown, markdown(schema)]);
if (options.samples) writeFileSync(options.samples, samplesFile(schema, 20));
for (const [file, text] of files) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (options.check) {
    console.error(`${file} is not what viewer/tools/generate_protocol.mjs makes of the schema`);
    process.exitCode = 1;
    continue;
  }
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, text);
}
