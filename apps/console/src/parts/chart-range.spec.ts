import { isEmptyRange, periodWith, rangeOf, within } from './chart-range';

const at = (time: string) => ({ at: `2026-11-24T${time}Z` });

it('a range that is drawn is widened to whole minutes', () => {
  const [from, to] = [Date.parse('2026-11-24T10:00:31Z'), Date.parse('2026-11-24T10:02:01Z')];
  expect(rangeOf(from, to)).toEqual({ from: '2026-11-24T10:00:00.000Z', to: '2026-11-24T10:03:00.000Z' });
});

it('a range has its beginning, not its end, and may be open', () => {
  const rows = ['10:00:00', '10:01:00', '10:02:00'].map(at);
  const [from, to] = [rows[1]!.at, rows[2]!.at];
  expect(within(rows, { from, to })).toEqual([rows[1]]);
  expect(within(rows, { from })).toEqual(rows.slice(1));
  expect(within(rows, {})).toEqual(rows);
  expect([isEmptyRange({ from, to }), isEmptyRange({ from: to, to }), isEmptyRange({ to })]).toEqual([
    false,
    true,
    false,
  ]);
});

it('a range that an older link has widens the period as far as charts go back', () => {
  const now = Date.parse('2026-11-24T12:00:00Z');
  const of = (period: 'hour' | 'month', range: object) => periodWith(period, range, now);
  expect(of('hour', {})).toBe('hour');
  expect(of('hour', { from: '2026-11-24T11:00:00Z' })).toBe('hour');
  expect(of('hour', { from: '2026-11-24T10:59:59Z', to: '2026-11-24T11:30:00Z' })).toBe('day');
  expect(of('hour', { to: '2026-11-22T00:00:00Z' })).toBe('month');
  expect(of('hour', { from: '2020-01-01T00:00:00Z' })).toBe('month');
  expect(of('month', { from: '2026-11-24T11:59:00Z' })).toBe('month');
});
