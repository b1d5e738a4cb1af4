import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  needsRedis,
  createTenant,
  eventually,
  Receiver,
  root,
  services,
  type Stack,
  startStack,
} from '@spooled/testing';
import pg from 'pg';
import WebSocket from 'ws';
import { GrpcCaller, struct } from './grpc-caller.js';
import { JobSteps, newQueue } from './job-steps.js';
import { RestCaller } from './rest-caller.js';
import { TraceCollector } from './trace-collector.js';

/** Metrics that stay at zero in a system without faults, and where they are tested. */
const onlyOnFaults: Record<string, string> = {
  spooled_requests_shed_total: 'counts refusals of a server at capacity: shed-requests.spec.ts',
  spooled_events_dropped_total: 'counts losses while Redis is away or too slow: below',
  spooled_push_circuits_open: 'counts receivers that do not respond: below',
  spooled_push_queues_waiting: 'counts queues that wait for calls: push-dispatcher.spec.ts',
  spooled_push_calls_in_flight: 'is zero between calls: push.spec.ts',
  spooled_webhook_deliveries_in_flight: 'is zero between attempts: deliverer.spec.ts',
  spooled_unsent_bytes: 'is zero while clients read: unsent-responses.spec.ts',
  spooled_command_backlog_age_seconds: 'is zero while engines keep up: command-stream.spec.ts',
};

/** Exported by Prometheus itself for each target. */
const notOurs = new Set(['up']);

/** The metrics that operators look at, by the names that a service exports. */
function watchedMetrics(): string[] {
  const texts = ['alerts.yaml', 'dashboard.json'].map((file) =>
    readFileSync(join(root, 'deploy/monitoring', file), 'utf8'),
  );
  const names = texts.join('\n').matchAll(/\b((?:spooled|process|nodejs)_[a-z0-9_]+)/g);
  const withoutSuffix = [...names].map(([name]) => name.replace(/_bucket$|_sum$|_count$/, ''));
  return [...new Set(withoutSuffix)].filter((name) => !notOurs.has(name)).sort();
}

/** The highest sum of a metric's series over all scrapes so far; of a histogram: of its observations. */
class Scraper {
  private readonly highest = new Map<string, number>();

  constructor(private readonly stack: Stack) {}

  async scrape(): Promise<void> {
    const texts = await Promise.all(services.map((service) => this.stack.metrics(service)));
    for (const [, name, value] of texts.join('\n').matchAll(/^([a-z]\w*)(?:\{.*\})? ([-+.\de]+|NaN)$/gm)) {
      const base = name!.replace(/_count$/, '');
      this.highest.set(base, Math.max(this.highest.get(base) ?? 0, Number(value)));
    }
  }

  /** Null without any series. */
  of(name: string): number | null {
    return this.highest.get(name) ?? null;
  }
}

/** With all that an operator may turn on. */
let stack: Stack;
const collector = new TraceCollector();

beforeAll(async () => {
  const endpoint = await collector.start();
  stack = await startStack({
    env: {
      TASK_GAUGES_INTERVAL_MS: '100',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      // Spans are exported every 100 ms instead of every 5 s.
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    // The primary itself: the metric of its lag moves, and no list is read there (stale-read.faults.spec.ts).
    envOf: ({ databaseUrl }) => ({ DATABASE_REPLICA_URL: databaseUrl }),
  });
});
afterAll(async () => {
  await stack?.stop();
  await collector.stop();
});

describe('tracing', () => {
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const response = await fetch(`${stack.baseUrl}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as T;
  };

  it('SP-06 KF-21 KF-22 BX-07 one trace covers a job: request, transport, engine, queue wait and each attempt', async () => {
    const { id } = await post<{ id: string }>('/jobs', { queue_name: 'traced', payload: {}, max_retries: 1 });
    const claim = async () => {
      const { jobs } = await post<{ jobs: { id: string }[] }>('/jobs/claim', { queue_name: 'traced', worker_id: 'w1' });
      expect(jobs.map((job) => job.id)).toEqual([id]);
    };
    await claim();
    await post(`/jobs/${id}/fail`, { worker_id: 'w1', error: 'not yet' });
    await eventually(claim);
    await post(`/jobs/${id}/complete`, { worker_id: 'w1' });

    const runsCommands = stack.services.includes('engine') ? 'engine' : 'gateway';
    const request = 'gateway: POST /api/v1/jobs';
    const command = `${request} > gateway: command job.enqueue`;
    const expected = [
      request,
      command,
      // A gateway that runs a command itself has one span for both.
      ...(runsCommands === 'engine' ? [`${command} > engine: run job.enqueue`] : []),
      `${command} > ${runsCommands}: queue wait`,
      `${command} > ${runsCommands}: attempt`,
      `${command} > ${runsCommands}: queue wait`,
      `${command} > ${runsCommands}: attempt`,
    ];
    // Each process exports its spans separately.
    await eventually(() => {
      const own = collector.spans.filter(({ attributes }) => attributes['spooled.job_id'] === id);
      expect(own).toHaveLength(4);
      expect(new Set(own.map(({ traceId }) => traceId)).size).toBe(1);
      const spans = collector.spans.filter(({ traceId }) => traceId === own[0]!.traceId);
      expect(spans.map((span) => collector.pathTo(span).join(' > ')).sort()).toEqual(expected.sort());
    });
    const run = runsCommands === 'engine' ? 'run' : 'command';
    await eventually(() => {
      const ran = collector.spans.filter(({ name }) => name.startsWith(`${run} job.`));
      expect(new Set(ran.map(({ service, name }) => `${service}: ${name}`))).toEqual(
        new Set(['enqueue', 'claim', 'fail', 'complete'].map((step) => `${runsCommands}: ${run} job.${step}`)),
      );
    });
  });

  it('SP-105 the trace id is in the log lines of the request', async () => {
    await post('/jobs', { queue_name: 'traced', payload: {} });
    const line = await eventually(() => {
      const found = stack.logs('gateway').find((text) => text.includes('"trace_id"') && text.includes('/api/v1/jobs'));
      expect(found).toBeDefined();
      return JSON.parse(found!) as Record<string, unknown>;
    });
    expect(line).toMatchObject({
      organization_id: stack.organizationId,
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });
});

needsRedis('has all services, and the metrics of all').describe(
  'SP-105 a system with a little of all kinds of work',
  () => {
    let rest: RestCaller;
    let organizationId: string;
    let key: string;
    let receiver: Receiver;
    let grpc: GrpcCaller;
    let socket: WebSocket;

    beforeAll(async () => {
      const tenant = await createTenant(stack.databaseUrls.superuserUrl);
      ({ organizationId, key } = tenant);
      rest = new RestCaller(stack.baseUrl, tenant.key);
      grpc = new GrpcCaller(stack.grpcAddresses[0]!, { 'x-api-key': tenant.key });
      receiver = await Receiver.open();
      const address = `${stack.baseUrl.replace('http', 'ws')}/api/v1/ws`;
      socket = new WebSocket(address, { headers: { authorization: `Bearer ${tenant.key}` } });
      await new Promise((message) => socket.once('message', message));
    });
    afterAll(async () => {
      grpc?.close();
      socket?.terminate();
      await receiver?.close();
    });

    /** Each kind of work once. */
    async function work(): Promise<void> {
      const jobs = new JobSteps(rest);
      const hook = { name: 'hook', url: receiver.url(), events: ['job.completed'] };
      expect(await rest.post('/outgoing-webhooks', hook)).toMatchObject({ status: 201 });
      await jobs.create({ queue_name: newQueue() });
      await rest.post('/workers/register', { queue_name: newQueue(), hostname: 'here', worker_id: 'w1' });

      const queue = newQueue();
      const done = await jobs.create({ queue_name: queue });
      await jobs.claim(queue);
      expect(await rest.post(`/jobs/${done}/heartbeat`, { worker_id: 'w1' })).toMatchObject({ status: 200 });
      const lines = [{ number: 1, age_ms: 0, level: 'info', message: 'half of it is done' }];
      expect(await rest.post(`/jobs/${done}/logs`, { worker_id: 'w1', lines })).toMatchObject({ status: 200 });
      expect(await rest.post(`/jobs/${done}/complete`, { worker_id: 'w1' })).toMatchObject({ status: 200 });

      const failing = newQueue();
      const failed = await jobs.create({ queue_name: failing, max_retries: 3 });
      await jobs.claim(failing);
      await rest.post(`/jobs/${failed}/fail`, { worker_id: 'w1', error: 'again' });
      await jobs.createDeadLetter(newQueue());
      const held = newQueue();
      await jobs.create({ queue_name: held });
      await jobs.claim(held);

      await rest.put(`/queues/${newQueue()}/config`, { settings: {} });
      const pushed = newQueue();
      await rest.put(`/queues/${pushed}/config`, { settings: { callback_url: receiver.url('/work') } });
      await jobs.create({ queue_name: pushed });
      const tick = { name: 'tick', cron_expression: '* * * * * *', queue_name: newQueue(), payload_template: {} };
      expect(await rest.post('/schedules', tick)).toMatchObject({ status: 201 });
      const agreed = newQueue();
      await rest.put(`/queues/${agreed}/payload-contract`, { schema: { type: 'object' } });
      expect(await rest.post('/jobs', { queue_name: agreed, payload: 1 })).toMatchObject({ status: 400 });
      await rest.post(`/webhooks/${organizationId}/custom`, { queue_name: newQueue(), payload: {} });
      await grpc.call('Enqueue', { queue_name: newQueue(), payload: struct({}) });
    }

    /** Scrapes while a request waits for a lock. */
    async function scrapeDuringRequest(scraper: Scraper): Promise<void> {
      const holder = new pg.Client({ connectionString: stack.databaseUrls.superuserUrl });
      await holder.connect();
      try {
        await holder.query('BEGIN; LOCK TABLE queue_config IN EXCLUSIVE MODE');
        const waiting = rest.put(`/queues/${newQueue()}/config`, { settings: {} });
        await eventually(
          async () => {
            const { rows } = await holder.query(
              `SELECT 1 FROM pg_locks WHERE relation = 'queue_config'::regclass AND NOT granted`,
            );
            expect(rows).not.toEqual([]);
          },
          { everyMs: 20 },
        );
        await scraper.scrape();
        await holder.query('COMMIT');
        await waiting;
      } finally {
        await holder.end();
      }
    }

    it('moves every metric of the dashboard and of the alerts, except those that count faults', async () => {
      const names = watchedMetrics();
      expect(names.length).toBeGreaterThan(30);
      const scraper = new Scraper(stack);
      await work();
      // A claim that waits, and a stream that its client ends.
      const disconnected = new AbortController();
      const claim = fetch(`${stack.baseUrl}/api/v1/jobs/claim`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ queue_name: newQueue(), worker_id: 'w1', wait_seconds: 30 }),
        signal: disconnected.signal,
      }).catch(() => undefined);
      socket.terminate();
      await scrapeDuringRequest(scraper);
      await eventually(
        async () => {
          await scraper.scrape();
          const silent = names.filter((name) => {
            const value = scraper.of(name);
            return value === null || (!(value > 0) && !(name in onlyOnFaults));
          });
          expect(silent).toEqual([]);
        },
        { timeoutMs: 30_000, everyMs: 200 },
      );
      expect(receiver.calls.length).toBeGreaterThan(0);
      disconnected.abort();
      await claim;
    });

    it('moves the metrics of a receiver that does not respond, and of events that Redis cannot carry', async () => {
      const scraper = new Scraper(stack);
      const closed = await Receiver.open();
      const callback_url = closed.url();
      await closed.close();
      const queue_name = newQueue();
      const backoff = { retry_strategy: 'fixed', retry_delay_ms: 10, retry_jitter_ms: 0 };
      await rest.put(`/queues/${queue_name}/config`, { settings: { callback_url, ...backoff } });
      const jobs = Array.from({ length: 12 }, () => ({ payload: {}, max_retries: 100 }));
      expect(await rest.post('/jobs/bulk', { queue_name, jobs })).toMatchObject({ status: 200 });
      const moved = (name: string) =>
        eventually(
          async () => {
            await scraper.scrape();
            expect(scraper.of(name)).toBeGreaterThan(0);
          },
          { timeoutMs: 20_000, everyMs: 250 },
        );
      await moved('spooled_push_circuits_open');
      await stack.redis!.kill();
      expect((await rest.post('/jobs', { queue_name: newQueue(), payload: {} })).status).toBe(201);
      await moved('spooled_events_dropped_total');
    });

    it('has no exception for a metric that nobody watches', () => {
      const watched = new Set(watchedMetrics());
      expect(Object.keys(onlyOnFaults).filter((name) => !watched.has(name))).toEqual([]);
    });
  },
);
