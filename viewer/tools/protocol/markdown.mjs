// SPDX-License-Identifier: Apache-2.0
// The schema as docs/protocol.md.

function table(fields) {
  if (fields.length === 0) return 'It has no fields.\n';
  const rows = fields.map(({name, text, doc}) => `| \`${name}\` | \`${text}\` | ${doc} |`);
  return `| field | type | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}
const struct = ({name, doc, fields, id}) =>
  `### ${name}${id === undefined ? '' : ` (${id})`}\n\n${doc ? `${doc}\n\n` : ''}${table(fields)}`;

export function markdown(schema) {
  return `<!-- Made from viewer/protocol/messages.json by viewer/tools/generate_protocol.mjs. -->
# What the viewer's page and program say to each other

Version ${schema.version}. The page connects by WebSocket; every message is one binary WebSocket
message. The one schema of all messages is \`viewer/protocol/messages.json\`; from it come the
program's reader and writer (C++), the page's (TypeScript), and this page. Versions that differ do
not talk: the program answers \`Enter\` with a notice and closes the connection.

## Values

All numbers are little endian, and nothing is padded. The first byte of a message is its number,
which stands behind its name below; its fields follow in the order of the table. Bytes that are
left over, or missing, make the whole message invalid, as do values out of range.

| type | bytes | |
|---|---|---|
| \`u8\`, \`u16\`, \`u32\`, \`i8\`, \`i32\` | 1, 2, 4, 1, 4 | unsigned and signed integers |
| \`f32\`, \`f64\` | 4, 8 | finite floating-point numbers |
| \`bound\` | 8 | an \`f64\` that may be infinite |
| \`bool\` | 1 | 0 or 1 |
| \`vec3\` | 24 | x, y, z as \`f64\` |
| \`pose\` | 56 | translation as \`vec3\`, then a unit quaternion w, x, y, z as \`f64\` |
| \`text[n]\` | 4 + length | length in bytes as \`u32\`, at most n; then UTF-8 |
| \`T[n]\` | 4 + … | count as \`u32\`, at most n; then that many values |
| a choice | 1 | the number of one of its values, from 0 |
| a record | | its fields, one after the other |

## Choices

${schema.enums.map(({name, doc, values}) => `### ${name}\n\n${doc}\n\n| number | value | meaning |\n|---|---|---|\n${
    values.map((v, at) => `| ${at} | \`${v.name}\` | ${v.doc} |`).join('\n')}\n`).join('\n')}
## Records

${schema.records.map(struct).join('\n')}
## From the program to the page

${schema.server.map(struct).join('\n')}
## From the page to the program

${schema.client.map(struct).join('\n')}`;
}
