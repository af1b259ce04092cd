// SPDX-License-Identifier: Apache-2.0
// The schema as TypeScript: an interface for each message, distinguished by `kind`; encode, decode.
import {kPlain, leastSize} from './schema.mjs';

const kArrays = {
  u8: 'Uint8Array', i8: 'Int8Array', u16: 'Uint16Array', u32: 'Uint32Array', i32: 'Int32Array',
  f32: 'Float32Array', f64: 'Float64Array',
};
const camel = (name) => name.replace(/_([a-z0-9])/g, (_, c) => c.toUpperCase());

function typeName(type) {
  if (type.kind === 'array') {
    return type.of === 'basic' && kPlain.has(type.base) ?
        kArrays[type.base] : `${typeName({base: type.base, kind: type.of})}[]`;
  }
  if (type.kind === 'text') return 'string';
  if (type.kind !== 'basic') return type.base;
  return {bool: 'boolean', vec3: 'Vec3', pose: 'Pose'}[type.base] ?? 'number';
}

function shape({name, doc, fields, id}) {
  const lines = [`/** ${doc} */`, `export interface ${name} {`];
  if (id !== undefined) lines.push(`  kind: '${name}';`);
  for (const field of fields) {
    if (field.doc) lines.push(`  /** ${field.doc} */`);
    lines.push(`  ${camel(field.name)}: ${typeName(field.type)};`);
  }
  lines.push('}');
  return lines.join('\n');
}

function readOne(type) {
  if (type.kind === 'text') return `input.text(${type.max})`;
  if (type.kind === 'enum') return `input.choice(k${type.base})`;
  if (type.kind === 'record') return `read${type.base}(input)`;
  return `input.${type.base}()`;
}
function read(schema, {type}) {
  if (type.kind !== 'array') return readOne(type);
  if (type.of === 'basic' && kPlain.has(type.base)) return `input.${type.base}s(${type.max})`;
  const element = {base: type.base, kind: type.of};
  return `input.array(${type.max}, ${leastSize(schema, element)}, () => ${readOne(element)})`;
}

function writeOne(type, value) {
  if (type.kind === 'text') return `output.text(${value}, ${type.max})`;
  if (type.kind === 'enum') return `output.choice(k${type.base}, ${value})`;
  if (type.kind === 'record') return `write${type.base}(output, ${value})`;
  return `output.${type.base}(${value})`;
}
function write({name, type}) {
  const value = `m.${camel(name)}`;
  if (type.kind !== 'array') return writeOne(type, value);
  if (type.of === 'basic' && kPlain.has(type.base)) {
    return `output.${type.base}s(${value}, ${type.max})`;
  }
  return `output.array(${value}, ${type.max}, (x) => ${writeOne({base: type.base, kind: type.of}, 'x')})`;
}

function functions(schema, s) {
  const kind = s.id === undefined ? [] : [`    kind: '${s.name}',`];
  const values = s.fields.map((f) => `    ${camel(f.name)}: ${read(schema, f)},`);
  const input = s.fields.length > 0 ? 'input' : '_input';
  const output = s.fields.length > 0 ? ['output', 'm'] : ['_output', '_m'];
  return `function read${s.name}(${input}: Reader): ${s.name} {
  return {
${[...kind, ...values].join('\n')}
  };
}
function write${s.name}(${output[0]}: Writer, ${output[1]}: ${s.name}): void {
${s.fields.map((f) => `  ${write(f)};`).join('\n')}
}`;
}

export function typescript(schema) {
  const messages = [...schema.server, ...schema.client];
  const union = (name, list) => `export type ${name} =\n${list.map((m) => `  | ${m.name}`).join('\n')};`;
  const decode = (name, variant, list) => `/** The message. Throws ProtocolError for bytes that are no message. */
export function ${name}(bytes: ArrayBuffer | Uint8Array): ${variant} {
  const input = new Reader(bytes);
  const id = input.u8();
  let message: ${variant};
  switch (id) {
${list.map((m) => `    case ${m.id}: message = read${m.name}(input); break;`).join('\n')}
    default: throw new ProtocolError(0, 'there is no such message');
  }
  input.finish();
  return message;
}`;
  return `// SPDX-License-Identifier: Apache-2.0
// Made from viewer/protocol/messages.json by viewer/tools/generate_protocol.mjs.
import {ProtocolError, Reader, Writer} from './wire.js';
import type {Pose, Vec3} from './wire.js';

export {ProtocolError};
export type {Pose, Vec3};

export const kVersion = ${schema.version};
/** In place of a node, mesh, face or number where there is none. */
export const kNone = 4294967295;

${schema.enums.map(({name, doc, values}) => `/** ${doc} */
export const k${name} = [${values.map((v) => `'${v.name}'`).join(', ')}] as const;
export type ${name} = typeof k${name}[number];`).join('\n\n')}

${[...schema.records, ...messages].map(shape).join('\n\n')}

${union('ServerMessage', schema.server)}
${union('ClientMessage', schema.client)}

${[...schema.records, ...messages].map((s) => functions(schema, s)).join('\n\n')}

/** The bytes of a message. */
export function encode(message: ServerMessage | ClientMessage): Uint8Array {
  const output = new Writer();
  switch (message.kind) {
${messages.map((m) => `    case '${m.name}': output.u8(${m.id}); write${m.name}(output, message); break;`).join('\n')}
  }
  return output.take();
}

${decode('decodeServer', 'ServerMessage', schema.server)}

${decode('decodeClient', 'ClientMessage', schema.client)}
`;
}
