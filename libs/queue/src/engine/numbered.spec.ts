import type { Command, CommandKind } from '@spooled/contracts';
import { markRedelivered, type Numbered, split } from './numbered.js';

const entry = (number: number, kind: CommandKind, organizationId = 'a'): Numbered => ({
  number,
  command: { kind, organizationId } as Command,
});
const numbersOf = (groups: Numbered[][]) => groups.map((group) => group.map(({ number }) => number));

describe('commands of a transaction that runs again', () => {
  /** Those that are marked. */
  const marked = (previous: 'none' | 'undone' | 'unknown') => {
    const kinds = ['job.enqueue', 'job.claim', 'job.fail', 'job.complete'] as const;
    const entries = kinds.map((kind, i) => entry(i, kind));
    markRedelivered(entries, previous);
    return entries.flatMap(({ command }) => (command.redelivered === true ? [command.kind] : []));
  };

  it('look for their own work after an unknown outcome', () => {
    expect(marked('unknown')).toEqual(['job.enqueue', 'job.claim', 'job.fail', 'job.complete']);
  });

  it('look for it after a conflict when they create jobs or fail one, as another delivery may have done that', () => {
    expect(marked('undone')).toEqual(['job.enqueue', 'job.fail']);
  });

  it('are unchanged in the first run', () => {
    expect(marked('none')).toEqual([]);
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
