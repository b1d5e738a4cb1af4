import { comparableSince, compareWithDue } from './due-runs';

const at = (time: string): string => `2026-01-01T${time}Z`;
const due = ['08:00:00', '09:00:00', '10:00:00', '11:00:00'].map(at);
const compare = (begun: string[], now: string) =>
  compareWithDue(due, begun.map(at), new Date(at(now)).getTime()).map((run) => [run.at.slice(11, 16), run.delayMs]);

it('has nothing to say about runs on time', () => {
  expect(compare(['10:00:00.400', '09:00:00.100', '08:00:00.900'], '10:30:00')).toEqual([]);
});

it('names the times without a run and with a late one', () => {
  expect(compare(['08:00:00.100', '10:12:00'], '10:30:00')).toEqual([
    ['09:00', null],
    ['10:00', 720_000],
  ]);
});

it('does not call a time missed before the next one', () => {
  expect(compare(['08:00:00.100'], '09:30:00')).toEqual([]);
});

it('compares since the last change of the schedule and the oldest run that is known', () => {
  const runs = [at('10:00:00'), at('09:00:00'), at('08:00:00')].map((startedAt) => ({ startedAt }));
  expect(comparableSince(at('07:00:00'), runs, 2)).toBe(at('09:00:00'));
  expect(comparableSince(at('09:30:00'), runs, 3)).toBe(at('09:30:00'));
  expect(comparableSince(at('09:30:00'), [], 3)).toBeNull();
});
