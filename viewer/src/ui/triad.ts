// SPDX-License-Identifier: Apache-2.0
// The axes of the world in a corner; a press looks along one.
import type { App } from '../app';
import { kAxes } from '../drag_math';
import { setAttributes, element } from './dom';

const kSvg = 'http://www.w3.org/2000/svg';
const kRadius = 30;

export function buildTriad(app: App): HTMLElement {
  const svg = document.createElementNS(kSvg, 'svg');
  setAttributes(svg, { 'viewBox': '-44 -44 88 88', 'class': 'triad-drawing', 'role': 'img', 'aria-label': 'Axes of the world' });
  const views = { x: ['view.right', 'view.left'], y: ['view.back', 'view.front'], z: ['view.top', 'view.bottom'] } as const;
  const axes = (['x', 'y', 'z'] as const).map((name) => {
    const group = document.createElementNS(kSvg, 'g');
    group.setAttribute('class', `axis ${name}`);
    const line = document.createElementNS(kSvg, 'line');
    const knob = document.createElementNS(kSvg, 'circle');
    const label = document.createElementNS(kSvg, 'text');
    setAttributes(knob, { r: 9 });
    setAttributes(label, { 'text-anchor': 'middle', 'dominant-baseline': 'central' });
    label.textContent = name.toUpperCase();
    group.append(line, knob, label);
    let forwards = true;
    knob.addEventListener('click', () => { app.commands.run(views[name][forwards ? 0 : 1]); });
    return {
      group,
      place(x: number, y: number, depth: number) {
        forwards = depth < 0.98;  // when looking along the axis, a click turns to the opposite side
        setAttributes(line, { x1: 0, y1: 0, x2: kRadius * x, y2: -kRadius * y });
        setAttributes(knob, { cx: kRadius * x, cy: -kRadius * y });
        setAttributes(label, { x: kRadius * x, y: -kRadius * y });
      },
      direction: kAxes[name],
    };
  });
  app.stage.onFrame(() => {
    const [right, up, back] = app.stage.rig.axes();
    const ordered = axes.map((axis) => ({ axis, depth: axis.direction.dot(back) })).sort((a, b) => a.depth - b.depth);
    for (const { axis, depth } of ordered) axis.place(axis.direction.dot(right), axis.direction.dot(up), depth);
    if (ordered.some(({ axis }, i) => svg.children[i] !== axis.group)) svg.replaceChildren(...ordered.map(({ axis }) => axis.group));
    return false;
  });
  return element('div', { 'class': 'triad', 'title': 'View along an axis' }, svg as unknown as HTMLElement);
}
