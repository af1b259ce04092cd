// SPDX-License-Identifier: Apache-2.0
// Icons of the panels, as ui/icons.ts.

export const panelIcons = {
  record: 'M12 4.500a7.500 7.500 0 1 0 0 15 7.500 7.500 0 0 0 0-15z M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  budget: 'M4 15a8 8 0 1 1 16 0 M12 15l4-5 M4 19h16',
  volumes: 'M3.500 3.500h17v17h-17z M3.500 12h17 M12 12v8.500 M6.500 6.500h4v3h-4z',
  clashes: 'M4 4h16v16H4z M4 9.300h16 M4 14.700h16 M9.300 4v16 M14.700 4v16 M10.500 10.500l3 3 M13.500 10.500l-3 3',
  film: 'M4 5h16v14H4z M8 5v14 M16 5v14 M4 9.500h4 M4 14.500h4 M16 9.500h4 M16 14.500h4',
  play: 'M8 5.500v13l10.500-6.500z',
  pause: 'M8.500 5.500v13 M15.500 5.500v13',
  back: 'M17 6v12l-8-6z M6.500 6v12',
  on: 'M7 6v12l8-6z M17.500 6v12',
  start: 'M18.500 6v12l-6.500-6z M12 6v12l-6.500-6z',
  previous: 'M13.500 6.500 8 12l5.500 5.500 M18 9.500v5',
  next: 'M10.500 6.500 16 12l-5.500 5.500 M6 9.500v5',
  free: 'M5 12.500l4.500 4.500L19 7.500',
  contact: 'M6.500 6.500l11 11 M17.500 6.500l-11 11',
  undecided: 'M9.200 9a3 3 0 1 1 4.400 2.600c-1.100.6-1.600 1.200-1.600 2.500 M12 17.800v.1',
} as const;
