import { timeAxisLabels } from './time-axis';

const berlin = timeAxisLabels('Europe/Berlin');
const from = (first: string, stepHours: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Date.parse(first) + i * stepHours * 3_600_000);

it('names days in a period of weeks, also where a day has 23 or 25 hours', () => {
  const midnights = ['2026-10-23T22:00Z', '2026-10-24T22:00Z', '2026-10-25T23:00Z', '2026-10-26T23:00Z'].map(
    Date.parse,
  );
  expect(berlin(midnights)).toEqual(['24 Oct', '25 Oct', '26 Oct', '27 Oct']);
  // Clocks in Santiago have no midnight on that day.
  const santiago = timeAxisLabels('America/Santiago');
  expect(santiago(['2026-09-05T04:00Z', '2026-09-06T04:00Z', '2026-09-07T03:00Z'].map(Date.parse))).toEqual([
    '5 Sept',
    '6 Sept',
    '7 Sept',
  ]);
});

it('says where a day begins between times', () => {
  expect(berlin(from('2026-06-01T20:00Z', 1, 3))).toEqual(['22:00', '23:00', '2 Jun']);
});

it('tells the hour that comes twice apart, and shows the one that is left out', () => {
  expect(berlin(from('2026-10-24T23:00Z', 1, 4))).toEqual(['01:00', '02:00', '02:00 CET', '03:00']);
  expect(berlin(from('2026-03-29T00:00Z', 1, 3))).toEqual(['01:00', '03:00 CEST', '04:00']);
});
