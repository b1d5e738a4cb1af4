import type { ClaimedJob } from '@spooled/contracts';
import { Displacement } from '../callback/call-capacity.js';
import { type CappedPushQueue, PushDispatcher, type PushDispatcherOptions } from './push-dispatcher.js';
import type { PostponedJob, PushJob } from './push-work.js';
import type { Reachability } from './receiver-circuits.js';

interface Call {
  organizationId: string;
  queue: string;
  jobId: string;
  url: string;
  end(reached?: Reachability): void;
}

/** A dispatcher over in-memory queues; calls end when the test ends them. */
export class DispatcherFixture {
  readonly calls: Call[] = [];
  readonly claims: { organizationId: string; queue: string; limit: number }[] = [];
  readonly released: string[] = [];
  readonly displaced: string[] = [];
  readonly postponed: PostponedJob[] = [];
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
      postpone: (_organizationId: string, jobs: PostponedJob[]) => Promise.resolve(void this.postponed.push(...jobs)),
    };
    const calls = {
      run: (
        { organizationId, job }: { organizationId: string; job: ClaimedJob },
        { url }: { url: string | null },
        abort: AbortSignal,
      ) =>
        new Promise<Reachability>((resolve) => {
          const end = (reached: Reachability = 'answered') => {
            this.calls.splice(this.calls.indexOf(call), 1);
            resolve(reached);
          };
          const call = { organizationId, queue: job.queueName, jobId: job.id, url: url ?? '', end };
          this.calls.push(call);
          abort.addEventListener('abort', () => {
            if (abort.reason instanceof Displacement) this.displaced.push(call.jobId);
            end('unknown');
          });
        }),
    };
    const claims = {
      claim: async <T>(_claimant: object, wanted: number, claim: (limit: number) => Promise<T[]>) => ({
        jobs: await claim(wanted),
        retryInMs: 0,
      }),
    };
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    this.dispatcher = new PushDispatcher(work, calls, claims, log, {
      maxConcurrent: 8,
      maxBytes: Infinity,
      maxPerClaim: 10,
      breaker: { failures: 3, firstPauseMs: 1, maxPauseMs: 20 },
      subscribe: (organizationId, queue, onWork) => {
        this.listeners.set(`${organizationId} ${queue}`, onWork);
        return () => this.listeners.delete(`${organizationId} ${queue}`);
      },
      ...options,
    });
  }

  /** Sets push queues named `organization/queue`, each with this many more jobs. */
  add(queues: Record<string, number>, settings: object = {}, maxCalls: number | null = null): void {
    const rows = Object.entries(queues).map(([name, count]): CappedPushQueue => {
      const [organizationId, queueName] = name.split('/') as [string, string];
      for (let n = 0; n < count; n++) {
        const job = { id: `${name}#${this.nextId++}`, queueName, payload: '{}' };
        this.jobsOf(organizationId, queueName).push(job as ClaimedJob);
      }
      const hasWork = this.jobsOf(organizationId, queueName).length > 0;
      return {
        organizationId,
        queueName,
        hasWork,
        maxCalls,
        settings: { callback_url: 'http://one/', concurrency: 100, ...settings },
      };
    });
    this.dispatcher.update(rows);
  }

  /** Adds jobs with a receiver of their own to a queue. */
  addOwn(name: string, count: number, url: string): void {
    const [organizationId, queueName] = name.split('/') as [string, string];
    const own = { queueName, payload: '{}', settings: { callback_url: url } } as Partial<PushJob>;
    for (let n = 0; n < count; n++)
      this.jobsOf(organizationId, queueName).push({ id: `own#${this.nextId++}`, ...own } as PushJob);
  }

  wake(organizationId: string, queue: string): void {
    this.listeners.get(`${organizationId} ${queue}`)?.();
  }

  running(organizationId: string): number {
    return this.calls.filter((call) => call.organizationId === organizationId).length;
  }

  /** Resolves when all calls that can start have started. */
  async settled(): Promise<void> {
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
  }

  private jobsOf(organizationId: string, queue: string): ClaimedJob[] {
    const key = `${organizationId} ${queue}`;
    if (!this.waiting.has(key)) this.waiting.set(key, []);
    return this.waiting.get(key)!;
  }
}
