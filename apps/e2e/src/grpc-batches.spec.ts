import { createTenant, eventually, startTcpProxy, type TestTenant } from '@spooled/testing';
import { randomUUID } from 'node:crypto';
import { GrpcCaller, type Message } from './grpc-caller.js';
import { newQueue } from './job-steps.js';
import { RestCaller } from './rest-caller.js';
import { useStack } from './use-rest.js';

const stack = useStack();
let tenant: TestTenant;
let grpc: GrpcCaller;
let rest: RestCaller;
const opened: GrpcCaller[] = [];

beforeEach(async () => {
  tenant = await createTenant(stack.databaseUrls.superuserUrl);
  rest = new RestCaller(stack.baseUrl, tenant.key);
  grpc = open();
});
afterEach(() => {
  for (const caller of opened.splice(0)) caller.close();
});

function open(key = tenant.key, address = stack.grpcAddresses[0]!): GrpcCaller {
  const caller = new GrpcCaller(address, { 'x-api-key': key });
  opened.push(caller);
  return caller;
}

const json = (text: string): Buffer => Buffer.from(text);
const refused = (details: RegExp) => ({ code: 'INVALID_ARGUMENT', details: expect.stringMatching(details) });

async function enqueue(queue_name: string, payloads: string[], more: object = {}): Promise<string[]> {
  const jobs = payloads.map((payload) => ({ payload: json(payload), ...more }));
  const { jobs: created } = await grpc.call('BatchService/EnqueueMany', { queue_name, jobs });
  return created.map(({ job_id }: Message) => job_id);
}
const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `{"n":${i}}`);

const stream = (queue_names: string[], more: object = {}, worker = grpc) =>
  worker.serverStream('BatchService/StreamBatches', { queue_names, worker_id: 'w1', ...more });
type Stream = ReturnType<typeof stream>;

/** The next jobs of a stream, over as many messages as it takes. */
async function take(jobs: Stream, count: number): Promise<Message[]> {
  const taken: Message[] = [];
  while (taken.length < count) taken.push(...(await jobs.next()).jobs);
  return taken;
}

const complete = ({ id, lease_id }: Message, result = '') => ({
  job_id: id,
  lease_id,
  complete: { result: json(result) },
});
const fail = ({ id, lease_id }: Message, more: object = {}) => ({
  job_id: id,
  lease_id,
  fail: { error: 'boom', ...more },
});
const settle = async (settlements: object[], worker = grpc): Promise<Message[]> =>
  (await worker.call('BatchService/SettleMany', { worker_id: 'w1', settlements })).results;
/** The job as it is sent, before its numbers are parsed. */
const textOf = async (id: string): Promise<string> => {
  const headers = { authorization: `Bearer ${tenant.key}` };
  return (await fetch(`${stack.baseUrl}/api/v1/jobs/${id}`, { headers })).text();
};
const jobOf = async (id: string) => (await rest.get(`/jobs/${id}`)).body;

describe('EnqueueMany', () => {
  it('BX-19 creates all jobs, with any JSON and all digits of its numbers', async () => {
    const queue = newQueue();
    const payloads = ['{"n":9007199254740993}', '[1,{"a":null}]', '"text"', '1.50', 'false'];
    const ids = await enqueue(queue, payloads, { priority: 7, max_retries: 0, tags: json('{"team":"a"}') });
    const stored = await Promise.all(ids.map((id) => textOf(id)));
    stored.forEach((text, i) => expect(text).toContain(`"payload":${payloads[i]}`));
    expect(await jobOf(ids[0]!)).toMatchObject({ priority: 7, max_retries: 0, tags: { team: 'a' }, queue_name: queue });
  });

  it('BX-19 returns the job that has the idempotency key', async () => {
    const jobs = [{ payload: json('{}'), idempotency_key: 'once' }];
    const request = { queue_name: newQueue(), jobs };
    const [first] = (await grpc.call('BatchService/EnqueueMany', request)).jobs;
    const [second] = (await grpc.call('BatchService/EnqueueMany', request)).jobs;
    expect([first.created, second.created, second.job_id]).toEqual([true, false, first.job_id]);
  });

  it('SP-14 refuses all jobs for one that is invalid, and names the field', async () => {
    const queue_name = newQueue();
    const refusal = (...jobs: object[]) => grpc.refusal('BatchService/EnqueueMany', { queue_name, jobs });
    const good = { payload: json('{}') };
    expect(await refusal(good, { payload: json('{"a":') })).toEqual(refused(/jobs\[1\]\.payload/));
    expect(await refusal(good, { payload: json('1e400') })).toEqual(refused(/jobs\[1\]\.payload.*double/));
    expect(await refusal(good, {})).toEqual(refused(/jobs\[1\]\.payload.*required/));
    expect(await refusal({ ...good, priority: 101 })).toEqual(refused(/jobs\[0\]\.priority/));
    expect(await refusal({ ...good, tags: json('{') })).toEqual(refused(/jobs\[0\]\.tags/));
    expect(await refusal(...Array<object>(101).fill(good))).toEqual(refused(/jobs.*100/));
    expect((await rest.get(`/jobs?queue_name=${queue_name}`)).body).toEqual([]);
  });
});

describe('StreamBatches', () => {
  it('BX-19 pushes jobs in batches, each under a lease, until `prefetch` are unsettled', async () => {
    const queue = newQueue();
    await enqueue(queue, numbers(40));
    const jobs = stream([queue], { prefetch: 30, batch_size: 8 });
    const taken = await take(jobs, 30);
    expect(new Set(taken.map(({ lease_id }) => lease_id)).size).toBe(30);
    expect(taken.map(({ payload }) => JSON.parse(String(payload)).n).sort((a, b) => a - b)).toEqual([
      ...Array(30).keys(),
    ]);
    expect(await jobOf(taken[0].id)).toMatchObject({ status: 'processing', assigned_worker_id: 'w1' });
    // Nothing more before one is settled.
    expect((await grpc.call('GetQueueStats', { queue_name: queue })).pending).toBe('10');
    expect(jobs.messages).toEqual([]);
    await settle(taken.slice(0, 20).map((job) => complete(job)));
    const rest10 = await take(jobs, 10);
    expect(rest10.length).toBe(10);
    await settle([...taken.slice(20), ...rest10].map((job) => complete(job)));
    await eventually(async () =>
      expect((await grpc.call('GetQueueStats', { queue_name: queue })).completed).toBe('40'),
    );
  });

  it('BX-19 sends batches of the asked size at most', async () => {
    const queue = newQueue();
    await enqueue(queue, numbers(50));
    const jobs = stream([queue], { prefetch: 50, batch_size: 8 });
    const sizes: number[] = [];
    for (let sum = 0; sum < 50; sum += sizes.at(-1)!) sizes.push((await jobs.next()).jobs.length);
    expect(Math.max(...sizes)).toBe(8);
  });

  it('BX-19 sends the jobs of one request in one message, if they fit', async () => {
    const queue = newQueue();
    const jobs = stream([queue], { prefetch: 200 });
    await jobs.admitted;
    await enqueue(queue, numbers(100));
    expect((await jobs.next()).jobs).toHaveLength(100);
  });

  it('BX-19 serves several queues in turn, and wakes for jobs in any of them', async () => {
    const [one, two, three] = [newQueue(), newQueue(), newQueue()];
    const jobs = stream([one, two, three]);
    await jobs.admitted;
    for (const queue of [three, one, two, three]) {
      const [id] = await enqueue(queue, ['{}']);
      expect(await take(jobs, 1)).toMatchObject([{ id, queue_name: queue }]);
    }
  });

  it('BX-19 a queue with many jobs does not keep the others waiting', async () => {
    const [many, few] = [newQueue(), newQueue()];
    await enqueue(many, numbers(100));
    const jobs = stream([many, few], { prefetch: 20, batch_size: 20 });
    const first = await take(jobs, 20);
    const [late] = await enqueue(few, ['{}']);
    await settle(first.map((job) => complete(job)));
    const next = await take(jobs, 20);
    expect(next.map(({ id }) => id)).toContain(late);
  });

  it('BX-02 the jobs of a worker whose connection breaks are claimable at once, at the cost of no attempt', async () => {
    const queue = newQueue();
    await enqueue(queue, numbers(5));
    const line = await startTcpProxy(`http://${stack.grpcAddresses[0]}`);
    const taken = await take(stream([queue], {}, open(tenant.key, line.address)), 5);
    line.close();
    const again = await take(stream([queue], { worker_id: 'w2' }), 5);
    expect(again.map(({ id }) => id).sort()).toEqual(taken.map(({ id }) => id).sort());
    expect(again.map(({ retry_count }) => retry_count)).toEqual([0, 0, 0, 0, 0]);
  });

  it('SP-14 refuses invalid requests, and SP-68 queues outside of the key’s scope', async () => {
    const ends = (request: object, worker = grpc) =>
      worker.serverStream('BatchService/StreamBatches', { worker_id: 'w1', queue_names: ['q'], ...request }).end;
    expect(await ends({ queue_names: [] })).toEqual(refused(/queue_names/));
    expect(await ends({ queue_names: ['-'] })).toEqual(refused(/queue_names\[0\]/));
    expect(await ends({ worker_id: '' })).toEqual(refused(/Worker ID/));
    expect(await ends({ prefetch: 1001 })).toEqual(refused(/prefetch/));
    expect(await ends({ batch_size: 101 })).toEqual(refused(/batch_size/));
    expect(await ends({ lease_duration_secs: 4 })).toEqual(refused(/lease_duration_secs/));
    const scoped = open(await tenant.keyFor('mine'));
    expect(await ends({ queue_names: ['mine', 'other'] }, scoped)).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await open(`sk_test_${'A'.repeat(43)}`).serverStream('BatchService/StreamBatches', {}).end).toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  it('KF-04 pushes and settles no job of another organization', async () => {
    const queue = newQueue();
    const [id] = await enqueue(queue, ['{"own":true}']);
    const other = await createTenant(stack.databaseUrls.superuserUrl);
    const otherCaller = open(other.key);
    const foreign = stream([queue], {}, otherCaller);
    await foreign.admitted;
    const [job] = await take(stream([queue]), 1);
    expect(job.id).toBe(id);
    expect(await settle([complete(job)], otherCaller)).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect(await settle([complete(job)])).toMatchObject([{ code: '' }]);
    expect(foreign.messages).toEqual([]);
    foreign.stream.cancel();
  });
});

describe('SettleMany', () => {
  it('BX-19 settles each job on its own, and says what became of it', async () => {
    const queue = newQueue();
    await enqueue(queue, numbers(5), { max_retries: 3 });
    const [done, retried, dead, lost, invalid] = await take(stream([queue]), 5);
    const results = await settle([
      complete(done, '{"total":9007199254740993}'),
      fail(retried),
      fail(dead, { retry: false }),
      complete({ ...lost, lease_id: randomUUID() }),
      complete(invalid, '{'),
      complete({ id: randomUUID(), lease_id: randomUUID() }),
      { job_id: randomUUID(), lease_id: randomUUID() },
    ]);
    expect(results).toMatchObject([
      { code: '', message: '' },
      { code: '', will_retry: true, next_retry_delay_secs: expect.any(Number) },
      { code: '', will_retry: false },
      { code: 'LEASE_EXPIRED' },
      { code: 'INVALID_ARGUMENT', message: expect.stringContaining('result') },
      { code: 'NOT_FOUND' },
      { code: 'INVALID_ARGUMENT', message: expect.stringContaining('outcome') },
    ]);
    expect(await textOf(done.id)).toContain('"result":{"total":9007199254740993}');
    expect(await jobOf(dead.id)).toMatchObject({ status: 'deadletter', last_error: 'boom' });
    expect(await jobOf(lost.id)).toMatchObject({ status: 'processing' });
    // A repeated request reports that the job is completed.
    expect(await settle([complete(done)])).toMatchObject([{ code: 'CONFLICT' }]);
  });

  it('BX-19 succeeds without settlements, so that a client can ask whether the server has it', async () => {
    expect(await settle([])).toEqual([]);
  });

  it('SP-14 refuses more than 100 settlements, and a job that occurs twice', async () => {
    const one = () => ({ job_id: randomUUID(), lease_id: randomUUID(), complete: {} });
    const refusal = (settlements: object[]) =>
      grpc.refusal('BatchService/SettleMany', { worker_id: 'w1', settlements });
    expect(await refusal(Array.from({ length: 101 }, one))).toEqual(refused(/settlements/));
    const job = one();
    expect(await refusal([job, { ...job, job_id: job.job_id.toUpperCase() }])).toEqual(refused(/each job once/));
  });
});
