import { adminActor, formatActor, parseActor, systemActor } from './actor.js';

describe('actors as text', () => {
  it.each([
    [
      'a key with a name of many words',
      formatActor('key', 'k-1', 'Nightly  import: a b'),
      ['key', 'k-1', 'Nightly  import: a b'],
    ],
    ['a schedule without a name', formatActor('schedule', 's-1'), ['schedule', 's-1', null]],
    ['a name of several lines', formatActor('key', 'k-1', 'a\nb'), ['key', 'k-1', 'a\nb']],
    ['an id with spaces', formatActor('worker', 'pod 7'), ['worker', 'pod_7', null]],
    ['the admin', adminActor, ['admin', null, null]],
    ['a task', systemActor('lease-recovery'), ['system', 'lease-recovery', null]],
  ])('keep %s', (_, text, [kind, id, name]) => {
    expect(parseActor(text)).toEqual({ kind, id, name });
  });

  it('are cut between code points', () => {
    const { id, name } = parseActor(formatActor('key', 'i'.repeat(1000), '😀'.repeat(1000)))!;
    expect([id!.length, name]).toEqual([128, '😀'.repeat(100)]);
  });

  it.each([null, '', 'key', 'visitor 1 x', '{}'])('are unknown for %p', (text) => {
    expect(parseActor(text)).toBeNull();
  });
});
