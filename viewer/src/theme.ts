// SPDX-License-Identifier: Apache-2.0
// Dark and light: what the system prefers, unless the user chose.

export type Theme = 'auto' | 'light' | 'dark';

const kKey = 'touche-theme';

export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(kKey);
    return stored === 'light' || stored === 'dark' ? stored : 'auto';
  } catch {
    return 'auto';  // storage is switched off
  }
}

/** The other of what is seen now. */
export function otherTheme(theme: Theme): Theme {
  return isDark(theme) ? 'light' : 'dark';
}

export function isDark(theme: Theme): boolean {
  return theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = isDark(theme) ? 'dark' : 'light';
  try {
    if (theme !== 'auto') localStorage.setItem(kKey, theme);
  } catch {
    // The choice lasts as long as the page.
  }
}

/** Calls back when the system changes its preference. */
export function onSystemTheme(listener: () => void): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', listener);
}

export function reducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
