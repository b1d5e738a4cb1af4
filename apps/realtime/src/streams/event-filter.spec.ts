import type { EventEnvelope } from '@spooled/contracts';
import { completed, created, heartbeat } from '../realtime.fixture.js';
import { EventFilter, maySee, readEventNames, type Subscription } from './event-filter.js';
import { errorEvent, healthEvent, LiveEvent, pingEvent } from './live-event.js';

const any: Subscription = { queueName: null, jobId: null, workerId: null, events: null };
const event = (envelope: EventEnvelope) => new LiveEvent(envelope);

describe('EventFilter', () => {
  it('passes everything without subscriptions, and again after all are removed', () => {
    const filter = new EventFilter();
    expect(filter.matches(event(created('j')))).toBe(true);
    filter.add({ ...any, queueName: 'reports' });
    expect(filter.matches(event(created('j', 'emails')))).toBe(false);
    filter.remove(any);
    expect(filter.matches(event(created('j', 'emails')))).toBe(true);
  });

  it('drops events without a requested field, but never protocol events', () => {
    const filter = new EventFilter(readEventNames(['job.created']));
    filter.add({ ...any, queueName: 'emails' });
    expect(filter.matches(event(heartbeat('w')))).toBe(false);
    expect(filter.matches(healthEvent(true, true))).toBe(false);
    expect(filter.matches(pingEvent())).toBe(true);
    expect(filter.matches(errorEvent('no'))).toBe(true);
  });

  it('joins subscriptions by OR and the fields of one by AND', () => {
    const filter = new EventFilter();
    filter.add({ ...any, queueName: 'emails', jobId: 'j-1' });
    filter.add({ ...any, workerId: 'w-1' });
    expect(filter.matches(event(created('j-1', 'emails')))).toBe(true);
    expect(filter.matches(event(created('j-2', 'emails')))).toBe(false);
    expect(filter.matches(event(heartbeat('w-1')))).toBe(true);
  });

  it('refuses subscriptions beyond the maximum, and counts duplicates once', () => {
    const filter = new EventFilter();
    for (let i = 0; i < 500; i++) {
      expect(filter.add({ ...any, jobId: `j-${i}` })).toBe(true);
      expect(filter.add({ ...any, jobId: `j-${i}` })).toBe(true);
    }
    expect(filter.add({ ...any, jobId: 'one too many' })).toBe(false);
  });
});

describe('readEventNames', () => {
  it.each([
    [['JOB.Created'], 'JobCreated', true],
    [['JobCreated'], 'JobCreated', true],
    [['job.completed'], 'JobCreated', false],
    [['job.unheard.of'], 'JobCreated', false],
    [['job.completed', '*'], 'JobCreated', true],
    [['', ' '], 'JobCreated', true],
  ])('%j: %s comes through = %s', (names, _type, wanted) => {
    expect(new EventFilter(readEventNames(names)).matches(event(created('j')))).toBe(wanted);
  });
});

describe('maySee', () => {
  it('hides events of other queues, and events without a queue, from scoped keys', () => {
    expect(maySee(event(completed('j')), ['emails'])).toBe(true);
    expect(maySee(event(created('j', 'reports')), ['emails'])).toBe(false);
    expect(maySee(event(heartbeat('w')), ['emails'])).toBe(false);
    expect(maySee(healthEvent(true, true), ['emails'])).toBe(true);
    expect(maySee(event(heartbeat('w')), null)).toBe(true);
  });
});
