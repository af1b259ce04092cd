// SPDX-License-Identifier: Apache-2.0
// How a step is run (figure D.1 of the thesis): tolerance, budget and how pairs share it, what to
// say when time is up, how a part answers to contacts; and what the last steps took.
import type { App } from '../app';
import type { Guess, Mode, SetBudget, Share } from '../protocol';
import type { State } from '../state';
import { element } from '../ui/dom';
import { choice, explainedSelect, figures, note, numberField, section, toggle } from './fields';
import { count, figure, grouped, milliseconds } from './figures';
import { svg } from './svg';

const kShares: { value: Share; title: string; about: string }[] = [
  { value: 'one_queue', title: 'One queue', about: 'all pairs in short turns, the least proved first' },
  { value: 'equal', title: 'Equal', about: 'every pair gets the same' },
  { value: 'by_distance', title: 'By distance', about: 'the more, the nearer a pair is to the eye' },
];
const kGuesses: { value: Guess; title: string; about: string }[] = [
  { value: 'none', title: 'No guess', about: 'undecided pairs are reported as undecided' },
  { value: 'proved_time', title: 'Proved time', about: 'they meet as soon as no proof says otherwise' },
  { value: 'volumes', title: 'Volumes', about: 'when the next bounding volumes meet' },
  { value: 'faces', title: 'Faces', about: 'when one face of each of these volumes meets' },
];
const kModes: { value: Mode; title: string; about: string }[] = [
  { value: 'free', title: 'Go through', about: 'contacts are reported, no part is held back' },
  { value: 'stop', title: 'Stop', about: 'at the first contact; the path up to it is proved' },
  { value: 'contact', title: 'Contact simulation', about: 'slides and tips as contacts allow; the path is proved' },
];

/** What is wrong with a budget; null: nothing. As the server judges. */
export function budgetError(budget: Pick<SetBudget, 'tolerance' | 'clearance' | 'milliseconds'>): string | null {
  if (!(budget.tolerance > 0)) return 'The tolerance is more than 0.';
  if (!(budget.clearance > 1.5 * budget.tolerance)) return 'The clearance is more than 1.5 times the tolerance.';
  if (!(budget.milliseconds >= 0.1 && budget.milliseconds <= 1000)) return 'The budget is from 0.1 to 1000 ms.';
  return null;
}

export function buildBudgetPanel(app: App): HTMLElement {
  const { store } = app;
  const now = (): SetBudget | null => {
    const { budget } = store.get();
    if (!budget) return null;
    const { tolerance, clearance, milliseconds: ms, share, guess } = budget;
    return { kind: 'SetBudget', tolerance, clearance, milliseconds: ms, share, guess };
  };
  const send = (change: Partial<Omit<SetBudget, 'kind'>>) => {
    const { budget } = store.get();
    if (!budget) return;
    // Another change may follow before the server has confirmed this one.
    store.update({ budget: { ...budget, ...change } });
    app.send({ ...now()!, ...change });
  };
  const unit = store.get().hello?.unit ?? '';
  const checked = (name: 'tolerance' | 'clearance' | 'milliseconds') => (value: number) => {
    const budget = now();
    return budget ? budgetError({ ...budget, [name]: value }) : null;
  };
  const tolerance = numberField('Tolerance', unit, (value) => { send({ tolerance: value }); }, checked('tolerance'));
  const clearance = numberField('Clearance', unit, (value) => { send({ clearance: value }); }, checked('clearance'));
  const budget = numberField('Budget', 'ms', (value) => { send({ milliseconds: value }); }, checked('milliseconds'));
  const share = explainedSelect('Shared by pairs', kShares, (value) => { send({ share: value }); });
  const guess = explainedSelect('When time is up', kGuesses, (value) => { send({ guess: value }); });
  const response = choice('Response', kModes, (mode) => { store.update({ mode }); });
  const openPairs = toggle('Show open pairs of volumes', (on) => {
    store.update({ openPairsOn: on });
    app.send({ kind: 'ShowOpenPairs', on });
  });
  const openCount = note();

  store.subscribe(['budget'], (state) => {
    if (!state.budget) return;
    tolerance.set(state.budget.tolerance);
    clearance.set(state.budget.clearance);
    budget.set(state.budget.milliseconds);
    share.set(state.budget.share);
    guess.set(state.budget.guess);
  });
  store.subscribe(['mode'], ({ mode }) => { response.set(mode); });
  store.subscribe(['openPairs', 'openPairsOn'], (state) => {
    openPairs.input.checked = state.openPairsOn;
    openCount.hidden = !state.openPairsOn;
    openCount.textContent = state.openPairs && state.openPairs.count > 0 ? `${count(state.openPairs.count, 'pair is', 'pairs are')} not proved apart at this instant.` :
      'Hold a part to see which volumes are not proved apart.';
  });
  return element('div', {}, lastSteps(app),
    section('Step', tolerance.box, clearance.box, budget.box, share.box, guess.box), section('Method', response.box),
    section('Open pairs', openPairs.box, openCount));
}

const kChart = { width: 276, height: 64 };

function lastSteps(app: App): HTMLElement {
  const bars = svg('path', { 'class': 'bars' });
  const late = svg('path', { 'class': 'bars late' });
  const line = svg('line', { 'class': 'limit', 'x1': 0, 'x2': kChart.width });
  const label = svg('text', { 'class': 'tick', 'x': kChart.width - 3, 'text-anchor': 'end' });
  const chart = svg('svg', { 'class': 'steps', 'viewBox': `0 0 ${kChart.width} ${kChart.height}`, 'role': 'img', 'aria-label': 'Time of the last steps' },
    bars, late, line, label);
  const used = element('output', {});
  const slowest = element('output', {});
  const pairs = element('output', {});
  const undecided = element('output', {});
  const guessed = element('output', {});
  app.store.subscribe(['steps', 'budget'], (state) => {
    const { budget, steps } = state;
    if (!budget) return;
    const top = Math.max(budget.milliseconds * 1.15, ...steps) * 1.02;
    const y = (value: number) => kChart.height - (value / top) * (kChart.height - 4);
    const width = kChart.width / 180;
    const draw = (which: (value: number) => boolean) => steps.map((value, i) => which(value) && value > 0 ?
      `M${(kChart.width - (steps.length - i) * width).toFixed(1)} ${kChart.height}V${y(value).toFixed(1)}h${(width * 0.8).toFixed(2)}V${kChart.height}Z` : '').join('');
    bars.setAttribute('d', draw((value) => value <= budget.milliseconds));
    late.setAttribute('d', draw((value) => value > budget.milliseconds));
    for (const end of ['y1', 'y2']) line.setAttribute(end, String(y(budget.milliseconds)));
    label.setAttribute('y', String(y(budget.milliseconds) - 3));
    label.textContent = `budget ${figure(budget.milliseconds, 3)} ms`;
    used.textContent = milliseconds(budget.used);
    slowest.textContent = milliseconds(budget.slowest);
    pairs.textContent = grouped(budget.pairs);
    undecided.textContent = grouped(budget.undecided);
    undecided.classList.toggle('warn', budget.undecided > 0);
    guessed.textContent = grouped(budget.guessed);
    chart.classList.toggle('empty', steps.length === 0);
  });
  return section('Last steps', element('div', { 'class': 'steps-box' }, chart), figures([
    ['Last step', used], ['Slowest of 600', slowest], ['Pairs that came near', pairs], ['Undecided', undecided], ['Guessed to meet', guessed],
  ]));
}

/** Whether there is a budget to speak of. */
export function hasBudget(state: Readonly<State>): boolean {
  return state.budget !== null;
}
