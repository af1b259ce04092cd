// SPDX-License-Identifier: Apache-2.0
// The strip below the scene: play, and a scrubber whose ground is the clearance along the path.
import type { App } from '../app';
import type { Timeline } from '../protocol';
import type { State } from '../state';
import { element, fill, icon, setAttributes } from '../ui/dom';
import { bandAt, bandPath, clearanceScale, contactMarks, floorPath, niceTicks, spans } from './chart';
import type { Mark, Scale } from './chart';
import { bracket, figure } from './figures';
import { pairNames } from './names';
import { kSpeeds, placeOf, scrub, setSpeed, showContact } from './playback';
import { svg } from './svg';
import { panelIcons } from './ui_icons';

const kSide = { left: 46, right: 14 };
const kPlot = { top: 12, height: 66 };  // of the clearance, where there is one
const kTrack = 7;
const kMarkGap = 7;
const kMostKeys = 240;  // that are drawn

export function buildTimeline(app: App): HTMLElement {
  return new TimelineStrip(app).box;
}

/** A position on a timeline in words. */
export function placeText(timeline: Timeline, place: number): string {
  const digits = Math.max(0, Math.min(6, 5 - Math.floor(Math.log10(Math.max(1e-9, timeline.end - timeline.start)) + 1)));
  return timeline.seconds ? `${place.toFixed(digits)} s` : `s = ${place.toFixed(digits)}`;
}

class TimelineStrip {
  readonly box = element('section', { 'class': 'timeline', 'aria-label': 'Time', 'hidden': true });
  private readonly chart = element('div', { 'class': 'chart', 'role': 'slider', 'tabindex': 0, 'aria-orientation': 'horizontal' });
  private readonly drawing = svg('svg', { 'aria-hidden': 'true' });
  private readonly ground = svg('g');
  private readonly head = svg('g', { 'class': 'head' });
  private readonly tip = element('div', { 'class': 'tip', 'hidden': true });
  private width = 0;
  private marks: Mark[] = [];
  private scale: Scale | null = null;
  private pending = false;

  constructor(private readonly app: App) {
    const { store } = app;
    this.drawing.append(this.ground, this.head);
    this.chart.append(this.drawing, this.tip);
    this.box.append(this.transport(), this.chart);
    new ResizeObserver(() => { this.layout(store.get()); }).observe(this.chart);
    store.subscribe(['timeline'], ({ timeline }) => {
      this.box.hidden = !timeline;
      document.body.classList.toggle('with-timeline', timeline !== null);
    });
    store.subscribe(['timeline', 'proof', 'hello'], (state) => {
      document.body.classList.toggle('with-clearance', (state.proof?.profile.length ?? 0) > 0);
      this.layout(state);
    });
    store.subscribe(['position', 'scrubTo', 'timeline', 'contactShown', 'proof'], (state) => { this.mark(state); });
    this.listen();
  }

  private transport(): HTMLElement {
    const { store, commands } = this.app;
    const tool = (id: string, picture: string) => {
      const command = commands.get(id);
      const made = element('button', {
        'type': 'button', 'class': 'tool', 'title': `${command.title} (${command.keys?.[0] ?? ''})`, 'aria-label': command.title,
        'data-command': id, 'onclick': () => { commands.run(id); },
      }, icon(picture));
      store.subscribe(['timeline', 'grabbed', 'proof'], (state) => { made.disabled = !(command.enabled?.(state) ?? true); });
      return made;
    };
    const play = tool('play.toggle', panelIcons.play);
    store.subscribe(['playing'], ({ playing }) => {
      fill(play, icon(playing === 0 ? panelIcons.play : panelIcons.pause));
      play.setAttribute('aria-label', playing === 0 ? 'Play' : 'Pause');
    });
    const speed = element('select', { 'class': 'tool', 'aria-label': 'Speed', 'title': 'Speed (< slower, > faster)' },
      ...kSpeeds.map((value) => element('option', { 'value': value }, `${value}×`)));
    speed.addEventListener('change', () => { setSpeed(this.app, Number(speed.value)); });
    store.subscribe(['playSpeed'], ({ playSpeed }) => { speed.value = String(playSpeed); });
    const place = element('output', { 'class': 'place' });
    const here = element('output', { 'class': 'here' });
    store.subscribe(['position', 'scrubTo', 'timeline', 'proof', 'hello'], (state) => {
      place.textContent = state.timeline ? placeText(state.timeline, placeOf(state)) : '';
      here.textContent = this.clearance(state, placeOf(state));
    });
    const contacts = element('div', { 'class': 'group', 'role': 'group', 'aria-label': 'Contacts' },
      tool('contact.previous', panelIcons.previous), tool('contact.next', panelIcons.next));
    store.subscribe(['proof'], ({ proof }) => { contacts.hidden = !proof || proof.contacts.length === 0; });
    return element('div', { 'class': 'transport' },
      element('div', { 'class': 'group', 'role': 'group', 'aria-label': 'Play' },
        tool('play.start', panelIcons.start), tool('play.back', panelIcons.back), play, tool('play.on', panelIcons.on), speed),
      place, contacts, here);
  }

  private clearance(state: Readonly<State>, place: number): string {
    const band = state.proof ? bandAt(state.proof.profile, place) : null;
    if (!band) return '';
    if (band.upper === 0) return 'in contact';
    return `clearance ${bracket(band.lower, band.upper, state.hello?.unit)}`;
  }

  /** Position of s in pixels. */
  private x(timeline: Timeline, s: number): number {
    const inner = Math.max(1, this.width - kSide.left - kSide.right);
    return kSide.left + (inner * (s - timeline.start)) / Math.max(1e-300, timeline.end - timeline.start);
  }

  private placeAt(timeline: Timeline, clientX: number): number {
    const inner = Math.max(1, this.width - kSide.left - kSide.right);
    const share = (clientX - this.chart.getBoundingClientRect().left - kSide.left) / inner;
    return timeline.start + Math.min(1, Math.max(0, share)) * (timeline.end - timeline.start);
  }

  private layout(state: Readonly<State>): void {
    const { timeline, proof, hello } = state;
    this.width = this.chart.clientWidth;
    if (!timeline || this.width === 0) return;
    const profile = proof?.profile ?? [];
    this.scale = profile.length > 0 ? clearanceScale(profile, 10 * (hello?.tolerance ?? 0)) : null;
    const bottom = this.scale ? kPlot.top + kPlot.height : kPlot.top;
    const height = bottom + kTrack + 20;
    setAttributes(this.drawing, { 'width': this.width, height, 'viewBox': `0 0 ${this.width} ${height}` });
    const x = (s: number) => this.x(timeline, s);
    const parts: SVGElement[] = [];

    if (this.scale) {
      const scale = this.scale;
      const y = (c: number) => bottom - kPlot.height * scale.of(c);
      for (const tick of scale.ticks) {
        parts.push(svg('line', { 'class': 'grid', 'x1': kSide.left, 'x2': this.width - kSide.right, 'y1': y(tick), 'y2': y(tick) }));
        if (y(tick) < bottom - 14) {
          parts.push(svg('text', { 'class': 'tick', 'x': kSide.left - 6, 'y': y(tick) + 3.5, 'text-anchor': 'end' }, figure(tick)));
        }
      }
      parts.push(svg('text', { 'class': 'tick', 'x': kSide.left - 6, 'y': bottom + 3, 'text-anchor': 'end' }, hello?.unit ?? ''));
      const ceiling = (c: number) => y(Number.isFinite(c) ? c : scale.top);
      parts.push(svg('path', { 'class': 'proved', 'd': areaBelow(floorPath(profile, x, ceiling), bottom) }));
      parts.push(svg('path', { 'class': 'band', 'd': bandPath(profile, x, ceiling) }));
      parts.push(svg('path', { 'class': 'floor', 'd': floorPath(profile, x, ceiling) }));
    }
    const known = proof ? spans(proof, timeline.start, timeline.end) : [{ from: timeline.start, to: timeline.end, kind: 'undecided' as const }];
    for (const { from, to, kind } of known) {
      parts.push(svg('rect', {
        'class': `span ${proof ? kind : 'plain'}`, 'x': x(from), 'width': Math.max(0.5, x(to) - x(from)), 'y': bottom, 'height': kTrack,
      }));
    }
    if (timeline.keys.length <= kMostKeys) {
      for (const key of timeline.keys) {
        parts.push(svg('line', { 'class': 'key', 'x1': x(key), 'x2': x(key), 'y1': bottom + kTrack, 'y2': bottom + kTrack + 3 }));
      }
    }
    for (const tick of niceTicks(timeline.start, timeline.end, Math.max(2, Math.min(10, this.width / 110)))) {
      parts.push(svg('text', { 'class': 'tick', 'x': x(tick), 'y': bottom + kTrack + 16, 'text-anchor': 'middle' },
        figure(tick, 6) + (timeline.seconds ? ' s' : '')));
    }
    this.marks = contactMarks(proof?.contacts ?? [], x, kMarkGap);
    for (const { at, allowed } of this.marks) {
      parts.push(svg('path', { 'class': `mark ${allowed ? 'allowed' : 'contact'}`, 'd': `M${at - 5} ${bottom - 11}h10l-5 9z` }));
    }
    this.ground.replaceChildren(...parts);
    this.mark(state);
  }

  /** What changes while it plays. */
  private mark(state: Readonly<State>): void {
    const { timeline, proof, contactShown } = state;
    if (!timeline || this.width === 0) return;
    const place = placeOf(state);
    const at = this.x(timeline, place);
    const height = Number(this.drawing.getAttribute('height') ?? 0);
    const shown = contactShown === null ? undefined : proof?.contacts[contactShown];
    this.head.replaceChildren(
      ...(shown ? [svg('line', { 'class': 'shown', 'x1': this.x(timeline, shown.sUpper), 'x2': this.x(timeline, shown.sUpper), 'y1': 4, 'y2': height - 18 })] : []),
      svg('line', { 'x1': at, 'x2': at, 'y1': 4, 'y2': height - 16 }), svg('circle', { 'cx': at, 'cy': 5.5, 'r': 5 }));
    const about = this.clearance(state, place);
    setAttributes(this.chart, {
      'aria-label': timeline.seconds ? 'Time' : 'Position on the path', 'aria-valuemin': timeline.start, 'aria-valuemax': timeline.end,
      'aria-valuenow': place, 'aria-valuetext': placeText(timeline, place) + (about ? `, ${about}` : ''),
    });
  }

  private listen(): void {
    const { store } = this.app;
    const { chart } = this;
    chart.addEventListener('pointerdown', (event) => {
      const { timeline, playing, proof } = store.get();
      if (!timeline || event.button !== 0) return;
      const hit = this.markAt(event);
      if (hit) {
        showContact(this.app, hit.contacts.find((i) => !proof?.contacts[i]?.allowed) ?? hit.contacts[0]!);
        return;
      }
      if (playing !== 0) this.app.send({ kind: 'Play', speed: 0 });
      chart.setPointerCapture(event.pointerId);
      this.drag(this.placeAt(timeline, event.clientX));
    });
    chart.addEventListener('pointermove', (event) => {
      const { timeline, scrubTo } = store.get();
      if (!timeline) return;
      if (scrubTo !== null && chart.hasPointerCapture(event.pointerId)) this.drag(this.placeAt(timeline, event.clientX));
      this.hover(event);
    });
    const end = () => {
      const { scrubTo } = store.get();
      if (scrubTo === null) return;
      scrub(this.app, scrubTo);
      store.update({ scrubTo: null });
    };
    chart.addEventListener('pointerup', end);
    chart.addEventListener('lostpointercapture', end);
    chart.addEventListener('pointerleave', () => { this.tip.hidden = true; });
    chart.addEventListener('keydown', (event) => { this.key(event); });
  }

  /** The world is queried once per picture, however often the pointer moves. */
  private drag(place: number): void {
    this.app.store.update({ scrubTo: place, contactShown: null });
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      const { scrubTo } = this.app.store.get();
      if (scrubTo !== null) this.app.send({ kind: 'Scrub', value: scrubTo });
    });
  }

  private key(event: KeyboardEvent): void {
    const state = this.app.store.get();
    const { timeline } = state;
    if (!timeline || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = (timeline.end - timeline.start) / (event.shiftKey ? 1000 : 100);
    const place = placeOf(state);
    const goals: Record<string, number> = {
      ArrowRight: place + step, ArrowUp: place + step, ArrowLeft: place - step, ArrowDown: place - step,
      PageUp: place + 10 * step, PageDown: place - 10 * step, Home: timeline.start, End: timeline.end,
    };
    const goal = goals[event.key];
    if (goal === undefined) return;
    event.preventDefault();
    this.app.store.update({ contactShown: null });
    scrub(this.app, goal);
  }

  private markAt(event: PointerEvent): Mark | undefined {
    const box = this.chart.getBoundingClientRect();
    const at = event.clientX - box.left;
    const bottom = this.scale ? kPlot.top + kPlot.height : kPlot.top;
    if (Math.abs(event.clientY - box.top - (bottom - 6)) > 9) return undefined;
    return this.marks.filter((mark) => Math.abs(mark.at - at) < 7).sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0];
  }

  private hover(event: PointerEvent): void {
    const state = this.app.store.get();
    const { timeline, proof, nodes } = state;
    if (!timeline) return;
    const hit = this.markAt(event);
    const place = this.placeAt(timeline, event.clientX);
    const lines = [placeText(timeline, place), this.clearance(state, place)];
    if (hit && proof) {
      for (const i of hit.contacts.slice(0, 3)) {
        const contact = proof.contacts[i]!;
        lines.push(`${pairNames(nodes, contact.a, contact.b).join(' meets ')}${contact.allowed ? ' (allowed)' : ''}`);
      }
      if (hit.contacts.length > 3) lines.push(`and ${hit.contacts.length - 3} more`);
    }
    this.chart.classList.toggle('on-mark', hit !== undefined);
    this.tip.hidden = false;
    fill(this.tip, ...lines.filter(Boolean).map((line) => element('div', {}, line)));
    const box = this.chart.getBoundingClientRect();
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.min(this.width - half, Math.max(half, event.clientX - box.left))}px`;
  }
}

/** The area between a line of `floorPath` and the bottom. */
function areaBelow(line: string, bottom: number): string {
  return line.split('M').filter(Boolean).map((run) => {
    const points = run.split('L');
    const from = points[0]!.split(' ')[0]!;
    const to = points.at(-1)!.split(' ')[0]!;
    return `M${from} ${bottom}L${run}L${to} ${bottom}Z`;
  }).join('');
}
