import type { EventEnvelope } from '@spooled/contracts';
import { completed, created, heartbeat } from '../realtime.fixture.js';
import { EventFilter, maySee, readEventNames, type Subscription } from './event-filter.js';
import { errorEvent, healthEvent, LiveEvent, pingEvent } from './live-event.js';

const any: Subscription = { queueName: null, jobId: null, workerId: null, events: null };
const event = (envelope: EventEnvelope) => new LiveEvent(envelope);

describe('EventFilter', () => {
  it('lets everything through until something is asked for, and again when all is taken back', () => {
    const filter = new EventFilter();
    expect(filter.wants(event(created('j')))).toBe(true);
    filter.add({ ...any, queueName: 'reports' });
    expect(filter.wants(event(created('j', 'emails')))).toBe(false);
    filter.remove(any);
    expect(filter.wants(event(created('j', 'emails')))).toBe(true);
  });

  it('drops events that lack what is asked for, but never the conversation itself', () => {
    const filter = new EventFilter(readEventNames(['job.created']));
    filter.add({ ...any, queueName: 'emails' });
    expect(filter.wants(event(heartbeat('w')))).toBe(false);
    expect(filter.wants(healthEvent(true, true))).toBe(false);
    expect(filter.wants(pingEvent())).toBe(true);
    expect(filter.wants(errorEvent('no'))).toBe(true);
  });

  it('joins subscriptions by OR and the fields of one by AND', () => {
    const filter = new EventFilter();
    filter.add({ ...any, queueName: 'emails', jobId: 'j-1' });
    filter.add({ ...any, workerId: 'w-1' });
    expect(filter.wants(event(created('j-1', 'emails')))).toBe(true);
    expect(filter.wants(event(created('j-2', 'emails')))).toBe(false);
    expect(filter.wants(event(heartbeat('w-1')))).toBe(true);
  });

  it('refuses more subscriptions than it can hold each event against, and counts repeated ones once', () => {
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
    expect(new EventFilter(readEventNames(names)).wants(event(created('j')))).toBe(wanted);
  });
});

describe('maySee', () => {
  it('keeps events of other queues, and events of no queue, from scoped keys', () => {
    expect(maySee(event(completed('j')), ['emails'])).toBe(true);
    expect(maySee(event(created('j', 'reports')), ['emails'])).toBe(false);
    expect(maySee(event(heartbeat('w')), ['emails'])).toBe(false);
    expect(maySee(healthEvent(true, true), ['emails'])).toBe(true);
    expect(maySee(event(heartbeat('w')), null)).toBe(true);
  });
});
