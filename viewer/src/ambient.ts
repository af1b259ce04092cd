// SPDX-License-Identifier: Apache-2.0
// Ambient occlusion: light from all sides that does not reach into corners and gaps. It is computed
// from the depths of the picture, at half its resolution, smoothed along surfaces, and multiplied
// onto the picture.
import {
  BufferAttribute, BufferGeometry, CustomBlending, DepthStencilFormat, DepthTexture, Matrix4, Mesh, NearestFilter, NoBlending,
  Scene, ShaderMaterial, SrcColorFactor, UnsignedInt248Type, Vector2, WebGLRenderTarget, ZeroFactor,
} from 'three';
import type { Camera, OrthographicCamera, PerspectiveCamera, WebGLRenderer } from 'three';

/** What casts and gets this shade is on this layer, too: opaque parts and what caps them. */
export const kShadedLayer = 1;

const kVertex = 'varying vec2 at; void main() { at = 0.5 * position.xy + 0.5; gl_Position = vec4(position.xy, 0.0, 1.0); }';

const kPlace = `
  uniform sampler2D depths;
  uniform mat4 fromClip;
  vec3 placeAt(vec2 uv) {
    vec4 p = fromClip * vec4(2.0 * vec3(uv, texture2D(depths, uv).r) - 1.0, 1.0);
    return p.xyz / p.w;
  }`;

// Each pixel samples points on a spiral around it. Nearby points in front of its surface's plane darken it.
const kShade = `
  varying vec2 at;
  uniform vec2 pixel;
  uniform float reach;        // in the world
  uniform vec2 scale;         // of a length at distance 1 in texture coordinates
  uniform float perspective;
  ${kPlace}
  void main() {
    if (texture2D(depths, at).r >= 1.0) { gl_FragColor = vec4(1.0); return; }
    vec3 p = placeAt(at);
    // Of both neighbours on a line the one at nearly the same depth is on the same surface.
    vec3 r = placeAt(at + vec2(pixel.x, 0.0)) - p, l = p - placeAt(at - vec2(pixel.x, 0.0));
    vec3 u = placeAt(at + vec2(0.0, pixel.y)) - p, d = p - placeAt(at - vec2(0.0, pixel.y));
    vec3 n = normalize(cross(abs(r.z) < abs(l.z) ? r : l, abs(u.z) < abs(d.z) ? u : d));
    vec2 span = reach * scale / mix(1.0, -p.z, perspective);
    float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    float shade = 0.0;
    const int kSamples = 18;
    for (int i = 0; i < kSamples; ++i) {
      float part = (float(i) + 0.5) / float(kSamples);
      float angle = turn + 6.2831853 * 5.0 * part;
      vec3 v = placeAt(at + part * span * vec2(cos(angle), sin(angle))) - p;
      float near = max(0.0, 1.0 - dot(v, v) / (reach * reach));
      shade += near * near * max(0.0, dot(v, n) / (length(v) + 1e-3 * reach) - 0.08);
    }
    gl_FragColor = vec4(vec3(clamp(1.0 - 2.1 * shade / float(kSamples), 0.0, 1.0)), 1.0);
  }`;

const kSmooth = `
  varying vec2 at;
  uniform sampler2D shades;
  uniform vec2 pixel;
  uniform float reach;
  ${kPlace}
  void main() {
    float here = placeAt(at).z;
    float sum = 0.0, weights = 0.0;
    for (int y = -2; y <= 2; ++y) {
      for (int x = -2; x <= 2; ++x) {
        vec2 uv = at + vec2(x, y) * pixel;
        float weight = max(1e-4, 1.0 - abs(placeAt(uv).z - here) / (0.5 * reach));
        sum += weight * texture2D(shades, uv).r;
        weights += weight;
      }
    }
    gl_FragColor = vec4(vec3(sum / weights), 1.0);
  }`;

export class AmbientOcclusion {
  private readonly depths: WebGLRenderTarget;
  private readonly shades = new WebGLRenderTarget(1, 1, { depthBuffer: false, minFilter: NearestFilter, magFilter: NearestFilter });
  private readonly shade: ShaderMaterial;
  private readonly smooth: ShaderMaterial;
  private readonly square: Mesh;
  private readonly scene = new Scene();
  private readonly size = new Vector2();

  constructor() {
    const depthTexture = new DepthTexture(1, 1, UnsignedInt248Type);
    depthTexture.format = DepthStencilFormat;
    this.depths = new WebGLRenderTarget(1, 1, { depthTexture, stencilBuffer: true });
    const common = {
      depths: { value: depthTexture }, fromClip: { value: new Matrix4() }, pixel: { value: new Vector2() }, reach: { value: 1 },
    };
    this.shade = new ShaderMaterial({
      vertexShader: kVertex, fragmentShader: kShade, depthTest: false, depthWrite: false, blending: NoBlending,
      uniforms: { ...common, scale: { value: new Vector2() }, perspective: { value: 1 } },
    });
    this.smooth = new ShaderMaterial({
      vertexShader: kVertex, fragmentShader: kSmooth, depthTest: false, depthWrite: false,
      blending: CustomBlending, blendSrc: ZeroFactor, blendDst: SrcColorFactor, transparent: true,
      uniforms: { ...common, shades: { value: this.shades.texture } },
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.square = new Mesh(geometry, this.shade);
    this.square.frustumCulled = false;
    this.scene.add(this.square);
  }

  /** Darkens what was just drawn on the canvas. `reach` is how far things shade each other. */
  apply(renderer: WebGLRenderer, scene: Scene, camera: PerspectiveCamera | OrthographicCamera, reach: number): void {
    renderer.getDrawingBufferSize(this.size);
    const width = Math.max(1, Math.ceil(this.size.x / 2));
    const height = Math.max(1, Math.ceil(this.size.y / 2));
    this.depths.setSize(width, height);
    this.shades.setSize(width, height);
    const { shade } = this;
    const projection = camera.projectionMatrix.elements;
    (shade.uniforms['fromClip']!.value as Matrix4).copy(camera.projectionMatrixInverse);
    (shade.uniforms['pixel']!.value as Vector2).set(1 / width, 1 / height);
    shade.uniforms['reach']!.value = reach;
    (shade.uniforms['scale']!.value as Vector2).set(projection[0]! / 2, projection[5]! / 2);
    shade.uniforms['perspective']!.value = 'isPerspectiveCamera' in camera ? 1 : 0;

    const clears = renderer.autoClear;
    camera.layers.set(kShadedLayer);
    renderer.setRenderTarget(this.depths);
    renderer.render(scene, camera);
    camera.layers.set(0);
    this.pass(renderer, camera, shade, this.shades);
    renderer.autoClear = false;
    this.pass(renderer, camera, this.smooth, null);
    renderer.autoClear = clears;
  }

  private pass(renderer: WebGLRenderer, camera: Camera, material: ShaderMaterial, to: WebGLRenderTarget | null): void {
    this.square.material = material;
    renderer.setRenderTarget(to);
    renderer.render(this.scene, camera);
  }
}

/** Whether pictures are computed by the processor: every pass counts then. */
export function drawsInSoftware(renderer: WebGLRenderer): boolean {
  const context = renderer.getContext();
  const extension = context.getExtension('WEBGL_debug_renderer_info');
  const name = String(context.getParameter(extension ? extension.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
