// SPDX-License-Identifier: Apache-2.0
// Elements in one expression.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

/** An element with attributes and children. A function is listened to: `onclick`, `oninput`; true
 * sets an attribute without a value, false and undefined none; `class` may be empty. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  append(made, children);
  return made;
}

export function setAttributes(to: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') to.addEventListener(name.slice(2), value);
    else if (value === true) to.setAttribute(name, '');
    else if (value === false || value === undefined) to.removeAttribute(name);
    else to.setAttribute(name, String(value));
  }
}

function append(to: Node, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    to.appendChild(typeof child === 'string' ? document.createTextNode(child) : child);
  }
}

/** A drawing of 24 by 24 units from one path of strokes. */
export function icon(path: string): SVGSVGElement {
  const kSvg = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(kSvg, 'svg');
  setAttributes(svg, { 'viewBox': '0 0 24 24', 'class': 'icon', 'aria-hidden': 'true', 'focusable': 'false' });
  const line = document.createElementNS(kSvg, 'path');
  line.setAttribute('d', path);
  svg.appendChild(line);
  return svg;
}

/** Replaces all children. */
export function fill(target: Element, ...children: Child[]): void {
  target.textContent = '';
  append(target, children);
}
