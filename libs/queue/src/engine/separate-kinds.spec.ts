import type { CommandKind } from '@spooled/contracts';
import { separateKinds } from './separate-kinds.js';

const one = (kind: CommandKind, jobs: number) => ({ command: { kind }, jobs });
const enqueue = (jobs: number) => one('job.enqueue', jobs);
const claim = (jobs: number) => one('job.claim', jobs);
const settle = (jobs: number) => one('job.complete', jobs);

describe('commands of a batch in transactions of their own', () => {
  it('are the enqueues, the claims and all others, each in their order', () => {
    const [first, second] = [enqueue(30), enqueue(20)];
    const [complete, fail, claims] = [settle(49), one('job.fail', 1), claim(50)];
    expect(separateKinds([first, complete, claims, second, fail], 3)).toEqual([
      [first, second],
      [complete, fail],
      [claims],
    ]);
  });

  it('are those with at least 50 jobs; the others stay together', () => {
    const [large, small, other] = [enqueue(50), claim(49), settle(1)];
    expect(separateKinds([small, large, other], 3)).toEqual([[large], [small, other]]);
    const together = [enqueue(49), small, other];
    expect(separateKinds(together, 3)).toEqual([together]);
  });

  it.each([
    { most: 1, parts: [['job.enqueue', 'job.claim', 'job.complete']] },
    { most: 2, parts: [['job.enqueue'], ['job.claim', 'job.complete']] },
    { most: 3, parts: [['job.enqueue'], ['job.claim'], ['job.complete']] },
    { most: 4, parts: [['job.enqueue'], ['job.claim'], ['job.complete']] },
  ])('are at most as many as may run: $most', ({ most, parts }) => {
    const batch = [enqueue(60), claim(60), settle(60)];
    expect(separateKinds(batch, most).map((part) => part.map(({ command }) => command.kind))).toEqual(parts);
  });

  it('are together for the kinds that are neither enqueues nor claims, however many jobs they have', () => {
    const others = [settle(60), one('job.fail', 60), one('job.renew', 60)];
    expect(separateKinds([enqueue(60), ...others], 5)).toEqual([[enqueue(60)], others]);
  });

  it('leave one place for the small ones when all but one kind are large', () => {
    const [small, a, b] = [settle(1), enqueue(60), claim(60)];
    expect(separateKinds([small, a, b], 2)).toEqual([[a], [small, b]]);
    expect(separateKinds([small, a, b], 3)).toEqual([[a], [b], [small]]);
  });

  it('remain one transaction when there is one kind only', () => {
    const batch = [enqueue(60), enqueue(60)];
    expect(separateKinds(batch, 3)).toEqual([batch]);
  });
});
