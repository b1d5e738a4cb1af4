import type { Command, CommandKind } from '@spooled/contracts';
import { markRedelivered, type Numbered, split } from './numbered.js';

const entry = (number: number, kind: CommandKind, organizationId = 'a'): Numbered => ({
  number,
  command: { kind, organizationId } as Command,
});
const numbersOf = (groups: Numbered[][]) => groups.map((group) => group.map(({ number }) => number));

describe('commands of a transaction that runs again', () => {
  const entries = (['job.enqueue', 'job.claim', 'job.fail', 'job.complete'] as const).map((kind, i) => entry(i, kind));
  const marked = (previous: 'none' | 'undone' | 'unknown') =>
    markRedelivered(entries, previous).map(({ number, command }) => [number, command.redelivered ?? false]);

  it('look for their own work after an unknown outcome', () => {
    expect(marked('unknown')).toEqual([0, 1, 2, 3].map((number) => [number, true]));
  });

  it('look for it after a conflict when they create jobs or fail one, as another delivery may have done that', () => {
    expect(marked('undone')).toEqual([
      [0, true],
      [1, false],
      [2, true],
      [3, false],
    ]);
  });

  it('are unchanged in the first run, and remain so when a copy is marked', () => {
    expect(markRedelivered(entries, 'none')).toEqual(entries);
    markRedelivered(entries, 'unknown');
    expect(entries.every(({ command }) => command.redelivered === undefined)).toBe(true);
  });
});

describe('a transaction that has failed', () => {
  it('is split by kind and organization, in order', () => {
    const entries = [
      entry(0, 'job.claim', 'b'),
      entry(1, 'job.claim', 'a'),
      entry(2, 'job.enqueue', 'b'),
      entry(3, 'job.claim', 'b'),
    ];
    expect(numbersOf(split(entries))).toEqual([[0, 3], [1], [2]]);
  });

  it('of one kind and organization is split into its commands', () => {
    expect(numbersOf(split([entry(0, 'job.claim'), entry(1, 'job.claim')]))).toEqual([[0], [1]]);
    expect(numbersOf(split([entry(7, 'job.claim')]))).toEqual([[7]]);
  });
});
