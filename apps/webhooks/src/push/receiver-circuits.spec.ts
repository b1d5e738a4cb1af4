import { ReceiverCircuit } from './receiver-circuits.js';

const open = () => new ReceiverCircuit({ failures: 3, firstPauseMs: 100, maxPauseMs: 350 });
/** The pauses after consecutive calls. */
const pauses = (breaker: ReceiverCircuit, ends: ('answered' | 'unreachable' | 'unknown')[]) =>
  ends.map((reached) => breaker.record(breaker.begin(), reached));

describe('the circuit to a receiver', () => {
  it('opens after consecutive calls without a response, and pauses longer after each failed trial', () => {
    const breaker = open();
    expect(pauses(breaker, ['unreachable', 'unreachable', 'answered', 'unreachable', 'unreachable'])).toEqual([
      0, 0, 0, 0, 0,
    ]);
    expect([breaker.isOpen, breaker.allowance]).toEqual([false, Infinity]);
    expect(pauses(breaker, ['unreachable', 'unreachable', 'unreachable', 'unreachable'])).toEqual([100, 200, 350, 350]);
    expect(breaker.isOpen).toBe(true);
  });

  it('allows one trial at a time, and closes with any response', () => {
    const breaker = open();
    pauses(breaker, ['unreachable', 'unreachable', 'unreachable']);
    expect(breaker.allowance).toBe(0);
    breaker.allowTrial();
    expect(breaker.allowance).toBe(1);
    const trial = breaker.begin();
    expect(breaker.allowance).toBe(0);
    expect([breaker.record(trial, 'answered'), breaker.isOpen, breaker.allowance]).toEqual([0, false, Infinity]);
    // Counting restarts: one failure does not open it.
    expect(pauses(breaker, ['unreachable'])).toEqual([0]);
  });

  it('ignores aborted calls and those that started before it opened', () => {
    const breaker = open();
    const early = breaker.begin();
    pauses(breaker, ['unreachable', 'unknown', 'unreachable', 'unreachable']);
    breaker.allowTrial();
    expect([breaker.record(early, 'unreachable'), breaker.allowance]).toEqual([0, 1]);
    expect(pauses(breaker, ['unknown'])).toEqual([0]);
    expect(breaker.allowance).toBe(1);
  });
});
