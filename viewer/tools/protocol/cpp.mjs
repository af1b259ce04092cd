// SPDX-License-Identifier: Apache-2.0
// The schema as C++: a struct for each message, encode() and parse().
import {kPlain, leastSize} from './schema.mjs';

const kNotice = `// SPDX-License-Identifier: Apache-2.0
// Made from viewer/protocol/messages.json by viewer/tools/generate_protocol.mjs.
`;
const kTypes = {
  u8: 'std::uint8_t', i8: 'std::int8_t', u16: 'std::uint16_t', u32: 'std::uint32_t',
  i32: 'std::int32_t', f32: 'float', f64: 'double', bound: 'double', bool: 'bool', vec3: 'Vec3',
  pose: 'Pose',
};

function typeName(type) {
  if (type.kind === 'text') return 'std::string';
  if (type.kind === 'array') return `std::vector<${kTypes[type.base] ?? type.base}>`;
  return kTypes[type.base] ?? type.base;
}

function initial(type) {
  if (type.base === 'vec3' && type.kind === 'basic') return ' = Vec3::Zero()';
  if (type.kind !== 'basic' || type.base === 'pose') return ' = {}';
  return type.base === 'bool' ? ' = false' : ' = 0';
}

function struct({name, doc, fields, id}) {
  const lines = [`/// ${doc}`.trimEnd(), `struct ${name} {`];
  if (id !== undefined) lines.push(`  static constexpr std::uint8_t kId = ${id};`);
  for (const field of fields) {
    const comment = field.doc ? `  ///< ${field.doc}` : '';
    lines.push(`  ${typeName(field.type)} ${field.name}${initial(field.type)};${comment}`);
  }
  lines.push('};');
  return lines.join('\n');
}

export function header(schema) {
  const variant = (name, messages) =>
    `using ${name} = std::variant<${messages.map((m) => m.name).join(', ')}>;`;
  return `${kNotice}#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "viewer/wire.h"

namespace touche::viewer::protocol {

inline constexpr std::uint32_t kVersion = ${schema.version};
inline constexpr std::uint32_t kNoNode = 4294967295U;

${schema.enums.map(({name, doc, values}) => `/// ${doc}
enum class ${name} : std::uint8_t {
${values.map((v) => `  ${v.name},  ///< ${v.doc}`).join('\n')}
};`).join('\n\n')}

${[...schema.records, ...schema.server, ...schema.client].map(struct).join('\n\n')}

${variant('ServerMessage', schema.server)}
${variant('ClientMessage', schema.client)}

/// The bytes of a message. Throws InvalidInput for texts and arrays longer than the schema allows.
${[...schema.server, ...schema.client].map((m) =>
    `[[nodiscard]] std::vector<std::byte> encode(const ${m.name}& message);`).join('\n')}
[[nodiscard]] std::vector<std::byte> encode(const ServerMessage& message);
[[nodiscard]] std::vector<std::byte> encode(const ClientMessage& message);

/// The message. Throws ProtocolError for bytes that are no message.
[[nodiscard]] ServerMessage parse_server(std::span<const std::byte> bytes);
[[nodiscard]] ClientMessage parse_client(std::span<const std::byte> bytes);

}  // namespace touche::viewer::protocol
`;
}

function readOne(schema, type) {
  if (type.kind === 'text') return `in.text(${type.max})`;
  if (type.kind === 'enum') {
    const count = schema.enums.find((e) => e.name === type.base).values.length;
    return `in.choice<${type.base}>(${count})`;
  }
  if (type.kind === 'record') return `read_${type.base}(in)`;
  if (kPlain.has(type.base)) return `in.number<${kTypes[type.base]}>()`;
  return {bool: 'in.boolean()', bound: 'in.bound()', vec3: 'in.vec3()', pose: 'in.pose()'}[type.base];
}

function read(schema, {name, type}) {
  if (type.kind !== 'array') return `  m.${name} = ${readOne(schema, type)};`;
  if (type.of === 'basic' && kPlain.has(type.base)) {
    return `  in.numbers(m.${name}, ${type.max});`;
  }
  const element = {base: type.base, kind: type.of};
  return `  m.${name}.resize(in.count(${type.max}, ${leastSize(schema, element)}));
  for (auto& x : m.${name}) x = ${readOne(schema, element)};`;
}

function writeOne(type, value) {
  if (type.kind === 'text') return `out.text(${value}, ${type.max});`;
  if (type.kind === 'enum') return `out.number(static_cast<std::uint8_t>(${value}));`;
  if (type.kind === 'record') return `write(out, ${value});`;
  if (kPlain.has(type.base)) return `out.number(${value});`;
  return {bool: `out.boolean(${value});`, bound: `out.number(${value});`,
          vec3: `out.vec3(${value});`, pose: `out.pose(${value});`}[type.base];
}

function write({name, type}) {
  if (type.kind !== 'array') return `  ${writeOne(type, `m.${name}`)}`;
  if (type.of === 'basic' && kPlain.has(type.base)) {
    return `  out.numbers(m.${name}, ${type.max});`;
  }
  return `  out.count(m.${name}.size(), ${type.max});
  for (const auto& x : m.${name}) ${writeOne({base: type.base, kind: type.of}, 'x')}`;
}

export function source(schema) {
  const reader = (s) => `[[maybe_unused]] ${s.name} read_${s.name}([[maybe_unused]] Reader& in) {
  ${s.name} m;
${s.fields.map((f) => read(schema, f)).join('\n')}
  return m;
}`;
  const writer = (s) => `[[maybe_unused]] void write([[maybe_unused]] Writer& out, [[maybe_unused]] const ${s.name}& m) {
${s.fields.map(write).join('\n')}
}`;
  const parse = (variant, messages) => `${variant} parse_${variant === 'ServerMessage' ? 'server' : 'client'}(std::span<const std::byte> bytes) {
  Reader in(bytes);
  ${variant} message;
  switch (in.number<std::uint8_t>()) {
${messages.map((m) => `    case ${m.id}: message = read_${m.name}(in); break;`).join('\n')}
    default: throw ProtocolError(0, "there is no such message");
  }
  in.finish();
  return message;
}`;
  const all = [...schema.records, ...schema.server, ...schema.client];
  return `${kNotice}#include "viewer/protocol.h"

namespace touche::viewer::protocol {
namespace {

${all.map((s) => `${reader(s)}\n${writer(s)}`).join('\n\n')}

}  // namespace

${[...schema.server, ...schema.client].map((m) => `std::vector<std::byte> encode(const ${m.name}& message) {
  Writer out;
  out.number(${m.name}::kId);
  write(out, message);
  return out.take();
}`).join('\n')}

std::vector<std::byte> encode(const ServerMessage& message) {
  return std::visit([](const auto& m) { return encode(m); }, message);
}
std::vector<std::byte> encode(const ClientMessage& message) {
  return std::visit([](const auto& m) { return encode(m); }, message);
}

${parse('ServerMessage', schema.server)}

${parse('ClientMessage', schema.client)}

}  // namespace touche::viewer::protocol
`;
}
