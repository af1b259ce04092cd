// SPDX-License-Identifier: Apache-2.0
// Reads viewer/protocol/messages.json and refuses what the writers cannot express.
import {readFileSync} from 'node:fs';

/** Bytes of the types that have a fixed size. */
export const kSizes = {
  u8: 1, i8: 1, bool: 1, u16: 2, u32: 4, i32: 4, f32: 4, f64: 8, bound: 8, vec3: 24, pose: 56,
};
/** Types whose arrays are read and written in one piece. */
export const kPlain = new Set(['u8', 'i8', 'u16', 'u32', 'i32', 'f32', 'f64']);

const kFirstId = {server: 1, client: 128};

function parseType(text, known, place) {
  const match = /^([A-Za-z][A-Za-z0-9]*)(?:\[(\d+)\])?$/.exec(text);
  if (!match) throw new Error(`${place}: no type: ${text}`);
  const [, base, count] = match;
  const max = count === undefined ? undefined : Number(count);
  if (base === 'text') {
    if (max === undefined) throw new Error(`${place}: a text needs a largest length`);
    return {base, max, kind: 'text'};
  }
  let kind = known.get(base);
  if (base in kSizes) kind = 'basic';
  if (!kind) throw new Error(`${place}: unknown type ${base}`);
  return max === undefined ? {base, kind} : {base, kind: 'array', of: kind, max};
}

/** The least number of bytes that a value of a type takes. */
export function leastSize(schema, type) {
  if (type.kind === 'text' || type.kind === 'array') return 4;
  if (type.kind === 'enum') return 1;
  if (type.kind === 'basic') return kSizes[type.base];
  return schema.records.find((r) => r.name === type.base).fields
      .reduce((sum, field) => sum + leastSize(schema, field.type), 0);
}

/** The schema as lists: enums, records, server, client; fields with their types taken apart. */
export function readSchema(file) {
  const json = JSON.parse(readFileSync(file, 'utf8'));
  const known = new Map();
  for (const name of Object.keys(json.enums)) known.set(name, 'enum');
  const structs = (group, firstId) =>
    Object.entries(json[group]).map(([name, {doc, fields}], at) => {
      if (known.has(name)) throw new Error(`${group}.${name}: the name is used twice`);
      const seen = new Set();
      const parsed = fields.map(([field, type, fieldDoc]) => {
        const place = `${group}.${name}.${field}`;
        if (!/^[a-z][a-z0-9_]*$/.test(field) || seen.has(field)) {
          throw new Error(`${place}: no name, or one that is used twice`);
        }
        seen.add(field);
        return {name: field, type: parseType(type, known, place), text: type, doc: fieldDoc};
      });
      known.set(name, group === 'records' ? 'record' : 'message');
      return {name, doc, fields: parsed, id: firstId === undefined ? undefined : firstId + at};
    });
  const enums = Object.entries(json.enums).map(([name, {doc, values}]) => ({
    name, doc, values: values.map(([value, valueDoc]) => ({name: value, doc: valueDoc})),
  }));
  const records = structs('records');
  const server = structs('server', kFirstId.server);
  const client = structs('client', kFirstId.client);
  if (server.length >= kFirstId.client - 1 || client.length > 127) throw new Error('too many messages');
  return {version: json.version, enums, records, server, client};
}
