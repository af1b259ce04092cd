// SPDX-License-Identifier: Apache-2.0
// Random messages as bytes, with the values that are in them: what both sides must read the same.
// It follows docs/protocol.md and shares nothing with the readers and writers that are tested.

/** The same numbers in [0, 1) each time: mulberry32. */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const kTexts = ['', 'a', 'Gehäuse', 'M8 × 1.25', '灯', '🔩'];
const kIntegers = {
  u8: [0, 255, 1, 'setUint8'], i8: [-128, 127, 1, 'setInt8'], u16: [0, 65535, 2, 'setUint16'],
  u32: [0, 4294967295, 4, 'setUint32'], i32: [-2147483648, 2147483647, 4, 'setInt32'],
};
const camel = (name) => name.replace(/_([a-z0-9])/g, (_, c) => c.toUpperCase());

class Sampler {
  constructor(schema, random) {
    this.schema = schema;
    this.random = random;
    this.bytes = [];
  }
  below(count) { return Math.floor(this.random() * count); }
  put(size, write) {
    const view = new DataView(new ArrayBuffer(size));
    write(view);
    this.bytes.push(...new Uint8Array(view.buffer));
  }
  f64(value) {
    this.put(8, (view) => view.setFloat64(0, value, true));
    return value;
  }
  text(most) {
    const short = kTexts.map((text) => [text, new TextEncoder().encode(text)])
        .filter(([, utf8]) => utf8.length <= most);
    return short[this.below(short.length)];
  }
  value(type) {
    if (type in kIntegers) {
      const [lo, hi, size, set] = kIntegers[type];
      const value = [lo, hi, lo + this.below(hi - lo + 1)][this.below(3)];
      this.put(size, (view) => view[set](0, value, true));
      return value;
    }
    const real = () => (this.random() - 0.5) * 10 ** (this.below(13) - 6);
    switch (type) {
      case 'bool': {
        const value = this.below(2);
        this.bytes.push(value);
        return value === 1;
      }
      case 'f32': {
        const value = Math.fround(real());
        this.put(4, (view) => view.setFloat32(0, value, true));
        return value;
      }
      case 'f64': return this.f64(real());
      case 'bound': return this.f64(this.below(3) === 0 ? Infinity : real());
      case 'vec3': return [this.f64(real()), this.f64(real()), this.f64(real())];
      case 'pose': {
        const translation = this.value('vec3');
        // Exactly of unit length, so that nobody makes it so by changing it.
        const rotation = [[1, 0, 0, 0], [0, 1, 0, 0], [0.5, 0.5, -0.5, 0.5]][this.below(3)];
        rotation.forEach((x) => this.f64(x));
        return {translation, rotation};
      }
    }
    const choice = this.schema.enums.find((e) => e.name === type);
    if (choice) {
      const number = this.below(choice.values.length);
      this.bytes.push(number);
      return choice.values[number].name;
    }
    return this.fields(this.schema.records.find((r) => r.name === type));
  }
  fields({fields}) {
    const value = {};
    for (const {name, type} of fields) {
      if (type.kind === 'text') {
        const [text, utf8] = this.text(type.max);
        this.put(4, (view) => view.setUint32(0, utf8.length, true));
        this.bytes.push(...utf8);
        value[camel(name)] = text;
      } else if (type.kind === 'array') {
        const count = this.below(4);
        this.put(4, (view) => view.setUint32(0, count, true));
        value[camel(name)] = Array.from({length: count}, () => this.value(type.base));
      } else {
        value[camel(name)] = this.value(type.base);
      }
    }
    return value;
  }
}

/** `each` samples of every message: its side, bytes, and what decoding them must give. */
export function samples(schema, each, seed = 1) {
  const random = randomNumbers(seed);
  const all = [];
  for (const side of ['server', 'client']) {
    for (const message of schema[side]) {
      for (let i = 0; i < each; ++i) {
        const sampler = new Sampler(schema, random);
        sampler.bytes.push(message.id);
        const values = sampler.fields(message);
        all.push({side, bytes: Uint8Array.from(sampler.bytes), value: {kind: message.name, ...values}});
      }
    }
  }
  return all;
}

/** The same as a file: of each sample its length as u32, then its bytes. */
export function samplesFile(schema, each) {
  const parts = samples(schema, each).flatMap(({bytes}) => {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, bytes.length, true);
    return [length, bytes];
  });
  return Buffer.concat(parts);
}
