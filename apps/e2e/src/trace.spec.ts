import { eventually, type Stack, startStack } from '@spooled/testing';
import { TraceCollector } from './trace-collector.js';

describe('tracing', () => {
  const collector = new TraceCollector();
  let stack: Stack;

  beforeAll(async () => {
    const endpoint = await collector.start();
    // Spans are exported every 100 ms instead of every 5 s.
    stack = await startStack({
      webhooks: 0,
      realtime: 0,
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '100' },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await collector.stop();
  });

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
