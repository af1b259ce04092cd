// SPDX-License-Identifier: Apache-2.0
// What is behind everything: a calm gradient, part of the picture so that screenshots have it.
import { BufferAttribute, BufferGeometry, Color, Mesh, ShaderMaterial } from 'three';

export class Backdrop {
  readonly mesh: Mesh;
  private readonly material: ShaderMaterial;

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.material = new ShaderMaterial({
      uniforms: { above: { value: new Color() }, below: { value: new Color() } },
      vertexShader: `varying vec2 at;
        void main() { at = position.xy; gl_Position = vec4(position.xy, 1.0, 1.0); }`,
      fragmentShader: `uniform vec3 above; uniform vec3 below; varying vec2 at;
        void main() {
          float t = smoothstep(-1.0, 1.0, at.y - 0.12 * at.x * at.x);
          gl_FragColor = vec4(mix(below, above, t), 1.0);
          #include <colorspace_fragment>
          // Less than a step of 8 bits of noise: else the gradient would show bands.
          gl_FragColor.rgb += (fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5) / 255.0;
        }`,
      depthTest: false, depthWrite: false,
    });
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1000;
  }

  setColours(above: Color, below: Color): void {
    (this.material.uniforms['above']!.value as Color).copy(above);
    (this.material.uniforms['below']!.value as Color).copy(below);
  }
}
