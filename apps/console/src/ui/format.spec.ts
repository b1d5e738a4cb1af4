import {
  durationAxis,
  formatBounded,
  formatBytes,
  formatDuration,
  formatPerSecond,
  formatRate,
  formatRelative,
  formatShort,
  linkText,
  rateAxis,
  sumOf,
} from './format';

it.each([
  [14.4, '14 ms'],
  [999.7, '1.0 s'],
  [3_240, '3.2 s'],
  [59_000, '59 s'],
  [125_000, '2 min 5 s'],
  [7_500_000, '2 h 5 min'],
  [90_000_000, '1 d 1 h'],
  [-2_000, '−2.0 s'],
])('shows %d ms in its two largest units: %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

it.each([
  [0.5, '0.5/s'],
  [0.016, '0.016/s'],
  [125, '125/s'],
  [1_250, '1,250/s'],
])('shows a limit of %d jobs per second as it was set: %s', (limit, text) => expect(formatPerSecond(limit)).toBe(text));

it('shows a bounded count as more than its bound, and never as a number that is none', () => {
  const [exact, cut] = [
    { count: 12_345, atLeast: false },
    { count: 10_000, atLeast: true },
  ];
  expect([exact, cut, sumOf(exact, cut)].map(formatBounded)).toEqual(['12,345', 'over 10,000', 'over 22,345']);
  expect([4_000, 0].map((count) => formatBounded({ count, atLeast: true }))).toEqual(['at least 4,000', 'unknown']);
});

it.each([
  [0, '0/h'],
  [12, '12/h'],
  [90, '1.5/min'],
  [36_000, '10/s'],
])('shows %d jobs per hour in a unit that is easy to read: %s', (rate, text) => expect(formatRate(rate)).toBe(text));

it.each([
  [
    [0, 20, 40],
    ['0 ms', '20 ms', '40 ms'],
  ],
  [
    [0, 30_000, 60_000],
    ['0 s', '30 s', '60 s'],
  ],
  [
    [0, 1_800_000, 3_600_000],
    ['0 min', '30 min', '60 min'],
  ],
  [
    [0, 43_200_000, 86_400_000],
    ['0 h', '12 h', '24 h'],
  ],
])('marks an axis of durations in one unit: %p', (values, labels) => {
  expect(durationAxis.labels(values)).toEqual(labels);
  expect(durationAxis.steps).toContain(values[1]);
});

it.each([
  [
    [0, 0.5, 1],
    ['0/s', '0.5/s', '1/s'],
  ],
  [
    [0, 0.05, 0.1],
    ['0/min', '3/min', '6/min'],
  ],
  [
    [0, 0.005, 0.01],
    ['0/h', '18/h', '36/h'],
  ],
])('marks an axis of rates in one unit: %p', (values, labels) => expect(rateAxis.labels(values)).toEqual(labels));

it('says how long ago or in what time', () => {
  expect([-500, -61_000, 7_200_000].map((distance) => formatRelative(1e12 + distance, 1e12))).toEqual([
    'now',
    '1 min ago',
    'in 2 h',
  ]);
});

it('shortens only large counts', () => {
  expect([0, 9_999, 12_345, 2_500_000].map(formatShort)).toEqual(['0', '9,999', '12.3K', '2.5M']);
});

it('shows bytes in the unit that is easy to read', () => {
  expect([0, 1_023, 65_536, 1_572_864].map(formatBytes)).toEqual(['0 B', '1,023 B', '64 KiB', '1.5 MiB']);
});

it.each([
  ['Nightly report', 'Nightly report'],
  ['👍', '👍'],
  ['\u200B\u{E0020}', 'U+200B U+E0020'],
  [' ', 'U+0020'],
  ['', ''],
])('gives a link to %j a text that can be seen', (name, text) => expect(linkText(name)).toBe(text));
