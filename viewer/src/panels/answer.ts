// SPDX-License-Identifier: Apache-2.0
// The answer about a path: the verdict in words, its numbers, and its contacts.
import type { App } from '../app';
import { kNone } from '../protocol';
import type { PathContact, Proved, Verdict } from '../protocol';
import type { State } from '../state';
import { element, fill, icon } from '../ui/dom';
import { figures } from './fields';
import { bracket, count } from './figures';
import { pairNames } from './names';
import { scrub, showContact } from './playback';
import { panelIcons } from './ui_icons';

const kMostRows = 200;

const kLooks: Record<Verdict, { kind: string; picture: string; title: string }> = {
  free: { kind: 'good', picture: panelIcons.free, title: 'Proved free' },
  contact: { kind: 'bad', picture: panelIcons.contact, title: 'Contact' },
  inside: { kind: 'bad', picture: panelIcons.contact, title: 'One inside the other' },
  open: { kind: 'open', picture: panelIcons.undecided, title: 'Surfaces free, a part is open' },
  undecided: { kind: 'open', picture: panelIcons.undecided, title: 'Undecided' },
  interrupted: { kind: 'open', picture: panelIcons.undecided, title: 'Interrupted' },
};

export function buildAnswer(app: App): HTMLElement {
  const { store } = app;
  const card = element('div', { 'class': 'verdict', 'role': 'status' });
  const numbers = element('div', {});
  const list = element('ol', { 'class': 'contacts' });
  const title = element('h3', {});
  const box = element('section', { 'class': 'block answer', 'aria-label': 'Answer' }, card, numbers, title, list);
  store.subscribe(['proof', 'nodes', 'hello', 'timeline'], (state) => {
    const { proof } = state;
    box.hidden = !proof;
    if (!proof) return;
    drawCard(card, proof);
    fill(numbers, numbersOf(app, proof, state));
    const { contacts } = proof;
    title.textContent = contacts.length === 0 ? '' : count(contacts.length, state.timeline?.seconds ? 'impact' : 'contact');
    title.hidden = contacts.length === 0;
    fill(list, ...contacts.slice(0, kMostRows).map((contact, i) => element('li', {}, contactRow(app, contact, i, state))),
      contacts.length > kMostRows ? element('li', { 'class': 'note' }, `and ${contacts.length - kMostRows} more: they are marked below the scene`) : null);
  });
  store.subscribe(['contactShown', 'proof'], ({ contactShown }) => {
    for (const row of list.querySelectorAll<HTMLElement>('[data-contact]')) {
      const shown = Number(row.dataset['contact']) === contactShown;
      row.setAttribute('aria-current', String(shown));
      if (shown) row.scrollIntoView({ block: 'nearest' });
    }
  });
  return box;
}

function drawCard(card: HTMLElement, proof: Proved): void {
  const look = kLooks[proof.verdict];
  card.className = `verdict ${look.kind}`;
  fill(card, element('span', { 'class': 'badge', 'aria-hidden': 'true' }, icon(look.picture)),
    element('div', {}, element('strong', {}, look.title), element('p', {}, proof.sentence),
      proof.explanation ? element('p', { 'class': 'advice' }, proof.explanation) : null,
      proof.details ? element('details', {}, element('summary', {}, 'Details'), element('p', { 'class': 'details' }, proof.details)) : null));
}

function numbersOf(app: App, proof: Proved, state: Readonly<State>): HTMLElement {
  const seconds = state.timeline?.seconds ?? false;
  const goTo = (text: string, run: () => void) => element('button', { 'type': 'button', 'class': 'link', 'onclick': run }, text);
  const first = Number.isFinite(proof.firstUpper) ?
    goTo(placeBracket(proof.firstLower, proof.firstUpper, seconds), () => {
      const number = proof.contacts.findIndex((c) => (seconds || !c.allowed) && c.sUpper >= proof.firstLower);
      if (number >= 0) showContact(app, number);
      else scrub(app, proof.firstUpper);
    }) : null;
  const thickest = proof.thickest === kNone ? undefined : proof.contacts[proof.thickest];
  const unit = state.hello?.unit ?? '';
  return figures([
    first ? [seconds ? 'First impact' : 'First contact', first] : null,
    thickest ? ['Thickest overlap', goTo(bracket(thickest.thicknessLower, thickest.thicknessUpper, unit), () => { showContact(app, proof.thickest); })] : null,
    least(proof, unit),
    proof.study ? ['Study', element('code', {}, proof.study)] : null,
  ]);
}

function placeBracket(lower: number, upper: number, seconds: boolean): string {
  return seconds ? bracket(lower, upper, 's') : `s = ${bracket(lower, upper)}`;
}

/** The least clearance on the whole path, if all of it is known. */
function least(proof: Proved, unit: string): [string, string] | null {
  if (proof.profile.length === 0) return null;
  const lower = Math.min(...proof.profile.map((band) => band.lower));
  const upper = Math.min(...proof.profile.map((band) => band.upper));
  return upper > 0 ? ['Least clearance', bracket(lower, upper, unit)] : null;
}

function contactRow(app: App, contact: PathContact, number: number, state: Readonly<State>): HTMLElement {
  const unit = state.hello?.unit ?? '';
  const seconds = state.timeline?.seconds ?? false;
  const [a, b] = pairNames(state.nodes, contact.a, contact.b);
  // Unknown values are not shown.
  const { thicknessLower, thicknessUpper } = contact;
  const thick = thicknessUpper === 0 ? 'touching' : thicknessLower > 0 || Number.isFinite(thicknessUpper) ? `${bracket(thicknessLower, thicknessUpper, unit)} thick` : '';
  return element('button', {
    'type': 'button', 'class': `contact ${contact.allowed ? 'allowed' : 'blocking'}`, 'data-contact': number,
    'onclick': () => { showContact(app, number); },
  }, element('span', { 'class': 'pair' }, element('span', {}, a), element('span', { 'class': 'meets' }, '×'), element('span', {}, b)),
  element('span', { 'class': 'where' }, placeBracket(contact.sLower, contact.sUpper, seconds)),
  element('span', { 'class': 'how' }, [contact.allowed && !seconds ? 'allowed' : '', thick].filter(Boolean).join(', ')));
}
