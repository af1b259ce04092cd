// SPDX-License-Identifier: Apache-2.0
// Elements of drawings.
import { setAttributes } from '../ui/dom';

const kSvg = 'http://www.w3.org/2000/svg';

type Child = Node | string | null | undefined | false;

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Record<string, string | number | boolean | undefined> = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const made = document.createElementNS(kSvg, tag);
  setAttributes(made, attributes);
  for (const child of children) if (child) made.append(child);
  return made;
}
