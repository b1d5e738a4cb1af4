import type { ClaimedJob } from '@spooled/contracts';
import type { PushQueueRow } from '@spooled/data-access';
import { eventually } from '@spooled/testing';
import type { Reached } from './receiver-circuits.js';
import { PushDispatcher, type PushDispatcherOptions } from './push-dispatcher.js';

interface Call {
  organizationId: string;
  queue: string;
  jobId: string;
  url: string;
  end(reached?: Reached): void;
}

/** A dispatcher over queues in memory; calls end when the test says so. */
class Bench {
  readonly calls: Call[] = [];
  readonly claims: { organizationId: string; queue: string; limit: number }[] = [];
  readonly released: string[] = [];
  readonly dispatcher: PushDispatcher;
  private readonly waiting = new Map<string, ClaimedJob[]>();
  private readonly listeners = new Map<string, () => void>();
  private nextId = 0;

  constructor(options: Partial<PushDispatcherOptions> = {}) {
    const work = {
      claim: (organizationId: string, queue: string, limit: number) => {
        this.claims.push({ organizationId, queue, limit });
        return Promise.resolve(this.jobsOf(organizationId, queue).splice(0, limit));
      },
      release: (organizationId: string, jobs: ClaimedJob[]) => {
        for (const job of jobs) this.jobsOf(organizationId, job.queueName).push(job);
        this.released.push(...jobs.map(({ id }) => id));
        return Promise.resolve();
      },
    };
    const calls = {
      run: ({ organizationId, job }: { organizationId: string; job: ClaimedJob }, { url }: { url: string }) =>
        new Promise<Reached>((resolve) => {
          const end = (reached: Reached = 'answered') => {
            this.calls.splice(this.calls.indexOf(call), 1);
            resolve(reached);
          };
          const call = { organizationId, queue: job.queueName, jobId: job.id, url, end };
          this.calls.push(call);
        }),
      interrupt: () => this.calls.slice().forEach((call) => call.end('unknown')),
    };
    const rates = {
      claim: async <T>(_org: string, _queue: string, wanted: number, claim: (limit: number) => Promise<T[]>) => ({
        jobs: await claim(wanted),
        retryInMs: 0,
      }),
    };
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    this.dispatcher = new PushDispatcher(work, calls, rates, log, {
      maxConcurrent: 8,
      breaker: { failures: 3, firstPauseMs: 1, maxPauseMs: 20 },
      listen: (organizationId, queue, onWork) => {
        this.listeners.set(`${organizationId} ${queue}`, onWork);
        return () => this.listeners.delete(`${organizationId} ${queue}`);
      },
      ...options,
    });
  }

  /** Push queues as `organization/queue`, each with so many jobs more. */
  add(queues: Record<string, number>, settings: object = {}): void {
    const rows = Object.entries(queues).map(([name, count]): PushQueueRow => {
      const [organizationId, queueName] = name.split('/') as [string, string];
      for (let n = 0; n < count; n++) {
        this.jobsOf(organizationId, queueName).push({ id: `${name}#${this.nextId++}`, queueName } as ClaimedJob);
      }
      const hasWork = this.jobsOf(organizationId, queueName).length > 0;
      return {
        organizationId,
        queueName,
        hasWork,
        settings: { callback_url: 'http://one/', concurrency: 100, ...settings },
      };
    });
    this.dispatcher.update(rows);
  }

  wake(organizationId: string, queue: string): void {
    this.listeners.get(`${organizationId} ${queue}`)?.();
  }

  running(organizationId: string): number {
    return this.calls.filter((call) => call.organizationId === organizationId).length;
  }

  /** All that can begin has begun. */
  async settled(): Promise<void> {
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
  }

  private jobsOf(organizationId: string, queue: string): ClaimedJob[] {
    const key = `${organizationId} ${queue}`;
    if (!this.waiting.has(key)) this.waiting.set(key, []);
    return this.waiting.get(key)!;
  }
}

describe('places of one process', () => {
  it('MQ-11 are never taken by one tenant alone: another begins at once while the first one hangs', async () => {
    const bench = new Bench();
    bench.add({ 'slow/a': 100, 'slow/b': 100, 'fast/a': 0 });
    await bench.settled();
    expect(bench.running('slow')).toBe(4);
    bench.add({ 'slow/a': 0, 'slow/b': 0, 'fast/a': 50 });
    for (let done = 0; done < 50; done++) {
      await bench.settled();
      expect(bench.running('fast')).toBeGreaterThan(0);
      bench.calls.find(({ organizationId }) => organizationId === 'fast')!.end();
    }
    expect(bench.running('slow')).toBeLessThanOrEqual(4);
  });

  it('MQ-11 go to tenants in turn, however many queues one of them has', async () => {
    const bench = new Bench({ maxConcurrent: 1 });
    const queues = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`big/q${i}`, 5]));
    bench.add({ ...queues, 'small/q': 5 });
    const served: string[] = [];
    for (let done = 0; done < 10; done++) {
      await bench.settled();
      served.push(bench.calls[0]!.organizationId);
      bench.calls[0]!.end();
    }
    expect(served).toEqual(Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? 'big' : 'small')));
  });

  it('MQ-11 go to the queues of one tenant in turn', async () => {
    const bench = new Bench({ maxConcurrent: 1 });
    bench.add({ 'org/a': 5, 'org/b': 5, 'org/c': 5 });
    const served: string[] = [];
    for (let done = 0; done < 6; done++) {
      await bench.settled();
      served.push(bench.calls[0]!.queue);
      bench.calls[0]!.end();
    }
    expect(served).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('are all free again after claims that failed or brought nothing', async () => {
    const bench = new Bench();
    bench.add({ 'org/a': 0 });
    for (let n = 0; n < 20; n++) {
      bench.wake('org', 'a');
      await bench.settled();
    }
    expect(bench.claims).toHaveLength(20);
    bench.add({ 'org/a': 100 });
    await bench.settled();
    expect(bench.running('org')).toBe(4);
  });
});

describe('a receiver that does not answer', () => {
  /** Lets the three calls that run fail, which opens the circuit. */
  async function opened(options: Partial<PushDispatcherOptions> = {}): Promise<Bench> {
    const bench = new Bench({ maxConcurrent: 64, ...options });
    bench.add({ 'org/a': 20 }, { concurrency: 3 });
    await bench.settled();
    for (const call of bench.calls.slice()) call.end('unreachable');
    return bench;
  }

  it('gets one trial call after a pause, then all again once it answers', async () => {
    const bench = await opened();
    await eventually(() => expect([bench.dispatcher.openCircuits, bench.calls.length]).toEqual([1, 1]));
    bench.wake('org', 'a');
    await bench.settled();
    expect(bench.calls).toHaveLength(1);
    bench.calls[0]!.end('answered');
    await eventually(() => expect([bench.dispatcher.openCircuits, bench.calls.length]).toEqual([0, 3]));
  });

  it('costs no attempts while its circuit is open, and hinders no other queue', async () => {
    const bench = await opened({ breaker: { failures: 3, firstPauseMs: 60_000, maxPauseMs: 60_000 } });
    await bench.settled();
    const claims = bench.claims.length;
    for (let n = 0; n < 5; n++) bench.wake('org', 'a');
    bench.add({ 'org/a': 0, 'org/b': 2 });
    await bench.settled();
    expect(bench.claims.slice(claims).map(({ queue }) => queue)).not.toContain('a');
    expect(bench.calls.map(({ queue }) => queue)).toEqual(['b', 'b']);
    await bench.dispatcher.stop(0);
    expect(bench.dispatcher.openCircuits).toBe(0);
  });

  it('is called at once when another URL is saved', async () => {
    const bench = await opened({ breaker: { failures: 3, firstPauseMs: 60_000, maxPauseMs: 60_000 } });
    await bench.settled();
    bench.add({ 'org/a': 0 }, { concurrency: 3, callback_url: 'http://two/' });
    await bench.settled();
    expect(bench.calls.map(({ url }) => url)).toEqual(['http://two/', 'http://two/', 'http://two/']);
    await bench.dispatcher.stop(0);
  });
});

it('gives back what it claimed while it began to stop', async () => {
  const bench = new Bench();
  bench.add({ 'org/a': 3 });
  await bench.dispatcher.stop(1_000);
  expect([bench.calls, bench.released]).toEqual([[], ['org/a#0', 'org/a#1', 'org/a#2']]);
});
