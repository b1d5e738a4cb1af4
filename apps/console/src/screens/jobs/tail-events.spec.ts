import type { RealtimeEvent } from '@spooled/sdk/browser';
import { type TailEvent, tailEvent, tailFilter } from './tail-events';

const job = { jobId: '019a1b2c-0000-7000-8000-000000000001', queueName: 'emails', timestamp: '2026-01-01T00:00:00Z' };
const event = (name: string, data: object = {}): RealtimeEvent =>
  ({ name, data: { ...job, ...data } }) as unknown as RealtimeEvent;

it('says what happened to a job once, although some events say it twice', () => {
  expect(tailEvent(event('job.created', { priority: 5 }))).toMatchObject({ what: 'Created', detail: 'Priority 5' });
  expect(tailEvent(event('job.status', { oldStatus: '', newStatus: 'pending' }))).toBeNull();
  expect(tailEvent(event('job.status', { oldStatus: 'pending', newStatus: 'processing' }))).toMatchObject({
    what: 'Started',
  });
  expect(tailEvent(event('job.completed', { durationMs: 1500 }))).toMatchObject({ detail: 'Ran 1.5 s' });
  expect(tailEvent(event('job.status', { oldStatus: 'processing', newStatus: 'completed' }))).toBeNull();
  expect(tailEvent(event('job.progress', { progress: 10 }))).toBeNull();
  expect(tailEvent(event('queue.paused'))).toBeNull();
  expect(tailEvent(event('job.status', { oldStatus: 'pending', newStatus: 'of the future' }))).toBeNull();
});

it('keeps no document and no long text', () => {
  const completed = tailEvent(event('job.completed', { durationMs: 1, result: { secret: 'x'.repeat(10_000) } }))!;
  expect(JSON.stringify(completed)).not.toContain('secret');
  expect(tailEvent(event('job.failed', { error: 'x'.repeat(10_000) }))!.detail).toHaveLength(300);
});

it('matches the filters of the list that events can be compared with', () => {
  const one: TailEvent = tailEvent(event('job.failed', { error: 'x' }))!;
  const matches = (search: object): boolean => tailFilter(search)(one);
  expect(matches({})).toBe(true);
  expect([matches({ queue: 'emails' }), matches({ queue: 'email' })]).toEqual([true, false]);
  expect([matches({ status: 'completed,failed' }), matches({ status: 'completed' })]).toEqual([true, false]);
  expect([matches({ search: '019A1B2C' }), matches({ search: 'MAIL' }), matches({ search: '0001' })]).toEqual([
    true,
    true,
    false,
  ]);
});
