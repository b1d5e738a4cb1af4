import type { jobHistorySchemas } from '@spooled/contracts';
import { attemptsOf, statesOf, waitsOf } from './timeline.js';

type JobEvent = jobHistorySchemas.JobEvent;

const at = (second: number) => new Date(second * 1000).toISOString();

/** An event so many seconds after the job was created. */
const event = (event_type: string, second: number, details: object = {}): JobEvent => ({
  id: `${event_type} ${second}`,
  job_id: 'j',
  event_type,
  worker_id: event_type === 'claimed' ? 'w' : null,
  details: { actor: null, ...details },
  created_at: at(second),
});

type Pauses = Parameters<typeof waitsOf>[0]['pauses'];

/** The waits as text: reason, from, to. */
const lines = (events: JobEvent[], second: number, { blocked = false, pauses = [] as Pauses } = {}) =>
  waitsOf({ events, now: at(second), blocked, pauses }).map(
    ({ reason, from, to }) => `${reason} ${Date.parse(from) / 1000}..${to === null ? '' : Date.parse(to) / 1000}`,
  );

const created = event('created', 0);
const claimed = (second: number) => event('claimed', second, { attempt: 1 });
const failed = (second: number, due: number) => event('failed', second, { will_retry: true, scheduled_at: at(due) });

describe('why a job waits', () => {
  it.each<[string, JobEvent[], string[]]>([
    ['in its queue', [created], ['queued 0..']],
    ['until its claim', [created, claimed(3)], ['queued 0..3']],
    ['until it was cancelled', [created, event('cancelled', 3)], ['queued 0..3']],
    ['for its time', [event('created', 0, { scheduled_at: at(500) })], ['scheduled 0..']],
    [
      'for its time, then in its queue',
      [created, event('activated', 4), claimed(5)],
      ['scheduled 0..4', 'queued 4..5'],
    ],
    ['for its next attempt', [created, claimed(1), failed(2, 500)], ['queued 0..1', 'retry_backoff 2..']],
    [
      'after its backoff',
      [created, claimed(1), failed(2, 6), claimed(9)],
      ['queued 0..1', 'retry_backoff 2..6', 'queued 6..9'],
    ],
    [
      'no backoff after a lease that expired',
      [created, claimed(1), event('lease_expired', 2), claimed(3)],
      ['queued 0..1', 'queued 2..3'],
    ],
    [
      'for other jobs, then in its queue',
      [created, event('dependencies_met', 4), claimed(7)],
      ['dependencies 0..4', 'queued 4..7'],
    ],
    [
      'for a job that did not complete',
      [created, event('cancelled', 4, { reason: 'dependency' })],
      ['dependencies 0..4'],
    ],
    ['not while a worker holds it', [created, claimed(1), event('priority_changed', 2)], ['queued 0..1']],
  ])('%s', (_, events, expected) => {
    expect(lines(events, 100)).toEqual(expected);
  });

  it('for other jobs that have not completed yet', () => {
    expect(lines([created, event('dependencies_added', 1)], 9, { blocked: true })).toEqual(['dependencies 0..']);
  });
});

describe('a pause of its queue', () => {
  const pause = (from: number | null, to: number | null) => ({
    from: from === null ? null : at(from),
    to: to === null ? null : at(to),
  });

  it.each<[string, JobEvent[], Pauses, string[]]>([
    ['that has not ended', [created], [pause(2, null)], ['queued 0..2', 'queue_paused 2..']],
    ['since before its creation', [created], [pause(null, null)], ['queue_paused 0..']],
    ['that ended', [created, claimed(9)], [pause(null, 3)], ['queue_paused 0..3', 'queued 3..9']],
    [
      'and another one',
      [created, claimed(9)],
      [pause(1, 3), pause(5, 8)],
      ['queued 0..1', 'queue_paused 1..3', 'queued 3..5', 'queue_paused 5..8', 'queued 8..9'],
    ],
    ['before and after its wait', [created, claimed(3)], [pause(4, 5), pause(6, null)], ['queued 0..3']],
    ['while its worker runs it', [created, claimed(1), event('completed', 9)], [pause(2, 5)], ['queued 0..1']],
    [
      'while it waits for its next attempt anyway',
      [created, claimed(1), failed(2, 6), claimed(9)],
      [pause(3, 7)],
      ['queued 0..1', 'retry_backoff 2..6', 'queue_paused 6..7', 'queued 7..9'],
    ],
  ])('%s', (_, events, pauses, expected) => {
    expect(lines(events, 100, { pauses })).toEqual(expected);
  });
});

it('a last failure ends in the status of a dead letter, and its attempt has its error', () => {
  const last = event('failed', 5, { will_retry: false, error: 'no' });
  const input = { events: [created, claimed(1), last, event('deadlettered', 5)], now: at(9) };
  expect(statesOf(input).map(({ state, duration_ms }) => [state, duration_ms])).toEqual([
    ['pending', 1000],
    ['processing', 4000],
    ['deadletter', null],
  ]);
  expect(attemptsOf(input)).toMatchObject([{ outcome: 'failed', error: 'no', duration_ms: 4000, ended_at: at(5) }]);
});

it('an attempt that runs has lasted until now', () => {
  expect(attemptsOf({ events: [created, claimed(2)], now: at(9) })).toMatchObject([
    { outcome: 'running', ended_at: null, duration_ms: 7000 },
  ]);
});
