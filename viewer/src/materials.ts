// SPDX-License-Identifier: Apache-2.0
// How parts are lit: soft light from the sky, a key light that moves with the viewer, a highlight. One shader
// decodes the quantised vertices, cuts at the section plane and draws glass if required.
import { Color, DoubleSide, ShaderMaterial, Vector4 } from 'three';
import type { IUniform } from 'three';
import type { Palette } from './palette';

/** What all materials have in common, by reference. */
export interface SharedUniforms {
  sky: IUniform<Color>;
  ground: IUniform<Color>;
  edge: IUniform<Color>;
  accent: IUniform<Color>;
  clash: IUniform<Color>;
  plane: IUniform<Vector4>;   // what lies on the side of the normal xyz, at more than w, is cut away
  sectioned: IUniform<number>;
  [name: string]: IUniform;
}

export function sharedUniforms(): SharedUniforms {
  return {
    sky: { value: new Color() }, ground: { value: new Color() }, edge: { value: new Color() },
    accent: { value: new Color() }, clash: { value: new Color() }, plane: { value: new Vector4() }, sectioned: { value: 0 },
  };
}

export function usePalette(shared: SharedUniforms, palette: Palette): void {
  shared.sky.value.copy(palette.sky);
  shared.ground.value.copy(palette.ground);
  shared.edge.value.copy(palette.edge);
  shared.accent.value.copy(palette.accent);
  shared.clash.value.copy(palette.clash);
}

// Positions are scaled to the unit box of their chunk; a normal must not be. Columns of the matrix
// are axes of the part times a size, so their directions are its rotation.
const kVertex = `
  attribute vec2 octahedral;
  varying vec3 vNormal;
  varying vec3 vEye;
  varying vec3 vWorld;
  vec3 unfold(vec2 p) {
    vec3 n = vec3(p, 1.0 - abs(p.x) - abs(p.y));
    if (n.z < 0.0) n.xy = (1.0 - abs(n.yx)) * vec2(n.x >= 0.0 ? 1.0 : -1.0, n.y >= 0.0 ? 1.0 : -1.0);
    return normalize(n);
  }
  void main() {
    mat3 turn = mat3(normalize(modelViewMatrix[0].xyz), normalize(modelViewMatrix[1].xyz), normalize(modelViewMatrix[2].xyz));
    vNormal = turn * unfold(octahedral);
    vec4 eye = modelViewMatrix * vec4(position, 1.0);
    vEye = eye.xyz;
    vWorld = (modelMatrix * vec4(position, 1.0)).xyz;
    gl_Position = projectionMatrix * eye;
  }`;

const kFragment = `
  uniform vec3 sky;
  uniform vec3 ground;
  uniform vec3 accent;
  uniform vec4 plane;
  uniform float sectioned;
  uniform vec3 colour;
  uniform float glass;
  uniform float tint;
  uniform vec3 clash;
  uniform float alarm;
  varying vec3 vNormal;
  varying vec3 vEye;
  varying vec3 vWorld;
  void main() {
    if (sectioned > 0.5 && dot(plane.xyz, vWorld) > plane.w) discard;
    vec3 toEye = isOrthographic ? vec3(0.0, 0.0, 1.0) : normalize(-vEye);
    vec3 n = vNormal;
    #ifdef FLAT
      n = cross(dFdx(vEye), dFdy(vEye));
    #endif
    n = normalize(n);
    if (dot(n, toEye) < 0.0) n = -n;
    vec3 up = normalize((viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz);
    vec3 base = mix(mix(colour, accent, 0.42 * tint), clash, 0.5 * alarm);
    if (sectioned > 0.5 && !gl_FrontFacing) base *= 0.62;  // seen from within
    const vec3 key = vec3(-0.392, 0.588, 0.707);
    const vec3 fill = vec3(0.780, -0.180, 0.600);
    float facing = max(dot(n, toEye), 0.0);
    vec3 light = mix(ground, sky, 0.5 + 0.5 * dot(n, up)) * 0.58;
    float wrapped = max(0.0, (dot(n, key) + 0.25) / 1.25);
    light += vec3(1.0, 0.985, 0.96) * 0.50 * wrapped;
    light += vec3(0.90, 0.95, 1.0) * 0.16 * max(0.0, dot(n, fill));
    light *= 0.80 + 0.20 * facing;
    vec3 lit = base * light;
    float gleam = pow(max(dot(n, normalize(key + toEye)), 0.0), 42.0);
    lit += vec3(0.13) * gleam + sky * 0.07 * pow(1.0 - facing, 4.0);
    lit = mix(lit, accent, 0.10 * tint);
    float alpha = mix(1.0, 0.10 + 0.45 * pow(1.0 - facing, 2.0), glass);
    gl_FragColor = vec4(lit, alpha);
    #include <colorspace_fragment>
  }`;

export interface PartUniforms {
  colour: Color;
  glass: number;  // 1: seen through
  tint: number;   // 0 to 1: how much it is shown as selected
  alarm: number;  // 0 to 1: how much it is shown as clashing
}

export class PartMaterial {
  readonly smooth: ShaderMaterial;
  readonly flat: ShaderMaterial;  // for chunks without normals
  private readonly own: Record<keyof PartUniforms, IUniform>;

  constructor(shared: SharedUniforms, colour: Color) {
    this.own = { colour: { value: colour }, glass: { value: 0 }, tint: { value: 0 }, alarm: { value: 0 } };
    const make = (defines: Record<string, string>) => new ShaderMaterial({
      defines, vertexShader: kVertex, fragmentShader: kFragment, uniforms: { ...shared, ...this.own },
      side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    });
    this.smooth = make({});
    this.flat = make({ FLAT: '' });
  }

  set(values: PartUniforms): void {
    (this.own.colour.value as Color).copy(values.colour);
    this.own.glass.value = values.glass;
    this.own.tint.value = values.tint;
    this.own.alarm.value = values.alarm;
    for (const material of [this.smooth, this.flat]) {
      material.transparent = values.glass > 0;
      material.depthWrite = values.glass === 0;
    }
  }

  dispose(): void {
    this.smooth.dispose();
    this.flat.dispose();
  }
}

/** Thin lines along creases and borders; `own` says how strong and how much selected. */
export function edgeMaterial(shared: SharedUniforms, own: { strength: IUniform<number>; tint: IUniform<number> }): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { ...shared, ...own },
    vertexShader: `
      varying vec3 vWorld;
      void main() {
        vWorld = (modelMatrix * vec4(position, 1.0)).xyz;
        gl_Position = projectionMatrix * (modelViewMatrix * vec4(position, 1.0));
      }`,
    fragmentShader: `
      uniform vec3 edge; uniform vec3 accent; uniform vec4 plane; uniform float sectioned;
      uniform float strength; uniform float tint;
      varying vec3 vWorld;
      void main() {
        if (sectioned > 0.5 && dot(plane.xyz, vWorld) > plane.w) discard;
        gl_FragColor = vec4(mix(edge, accent, tint), mix(strength, 0.95, tint));
        #include <colorspace_fragment>
      }`,
    transparent: true, depthWrite: false,
  });
}
