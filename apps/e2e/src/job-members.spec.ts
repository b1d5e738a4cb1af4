import { jobSchemas } from '@spooled/contracts';
import { EmbeddedSpooled } from '@spooled/embedded';
import { ValidationError } from '@spooled/sdk';
import { fromWire } from '@spooled/sdk/internal';
import { createTenant, type TestTenant } from '@spooled/testing';
import pg from 'pg';
import { GrpcCaller, published } from './grpc-caller.js';
import { newQueue } from './job-steps.js';
import { RestCaller, type RestResponse } from './rest-caller.js';
import { useStack } from './use-rest.js';

// Each member of a job, sent in each way in, has its effect or is refused. What a job stores is used alike, however it was created.

type Body = Record<string, unknown>;
/** A job as it is stored. */
type Row = Record<string, unknown> & { settings: Body | null };
/** What became of a job: its id, or the names of the members that were refused. */
type Outcome = { id: string } | { refused: string[] };

interface Member {
  value: unknown;
  /** Members that it needs. */
  beside?: Body;
  stored: (row: Row) => unknown;
  /** Default: `value`. */
  as?: unknown;
}

const callback_url = 'https://example.com/job';
const completion_webhook = 'https://example.com/done';
const called = { beside: { callback_url } };
const later = '2100-01-01T00:00:00.000Z';
const instant = (value: unknown) => new Date(value as string).toISOString();

const stack = useStack();
let tenant: TestTenant;
let rest: RestCaller;
let grpc: GrpcCaller;
/** Sends incoming webhooks. */
let sender: RestCaller;
let embedded: EmbeddedSpooled;
let superuser: pg.Client;
/** Served by workers; none is there. */
let queue: string;
/** Paused; each of its jobs needs its own receiver. */
let pushing: string;
let parent: string;

beforeAll(async () => {
  const { superuserUrl, appUrl: databaseUrl, systemUrl } = stack.databaseUrls;
  tenant = await createTenant(superuserUrl);
  rest = new RestCaller(stack.baseUrl, tenant.key);
  const { webhook_token } = (await rest.get('/organizations/webhook-token')).body;
  sender = new RestCaller(stack.baseUrl, null, { 'x-webhook-token': webhook_token });
  grpc = new GrpcCaller(stack.grpcAddresses[0]!, { 'x-api-key': tenant.key });
  embedded = await EmbeddedSpooled.open({ databaseUrl, systemUrl, organization: tenant.organizationId });
  superuser = new pg.Client({ connectionString: superuserUrl });
  await superuser.connect();
  [queue, pushing] = [newQueue(), newQueue()];
  await rest.put(`/queues/${pushing}/config`, { enabled: false, settings: { push: true } });
  parent = (await rest.post('/jobs', { queue_name: queue, payload: {} })).body.id as string;
});
afterAll(async () => {
  grpc?.close();
  await embedded?.close(0);
  await superuser?.end();
});

const members: Record<string, () => Member> = {
  priority: () => ({ value: 7, stored: ({ priority }) => priority }),
  max_retries: () => ({ value: 9, stored: ({ max_retries }) => max_retries }),
  timeout_seconds: () => ({ value: 77, stored: ({ timeout_seconds }) => timeout_seconds }),
  scheduled_at: () => ({ value: later, stored: ({ scheduled_at }) => instant(scheduled_at) }),
  expires_at: () => ({ value: later, stored: ({ expires_at }) => instant(expires_at) }),
  idempotency_key: () => ({ value: newQueue(), stored: ({ idempotency_key }) => idempotency_key }),
  tags: () => ({ value: { team: 'x' }, stored: ({ tags }) => tags }),
  parent_job_id: () => ({ value: parent, stored: ({ parent_job_id }) => parent_job_id }),
  completion_webhook: () => ({ value: completion_webhook, stored: (row) => row.completion_webhook }),
  completion_webhook_secret: () => ({
    value: 'shh',
    beside: { completion_webhook },
    stored: (row) => row.completion_webhook_secret,
  }),
  callback_url: () => ({
    value: 'https://example.com/own',
    ...called,
    stored: ({ settings }) => settings?.callback_url,
  }),
  callback_headers: () => ({ value: { 'X-A': 'b' }, ...called, stored: ({ settings }) => settings?.callback_headers }),
  callback_secret: () => ({ value: 'shh', ...called, stored: ({ settings }) => settings?.callback_secret }),
  callback_timeout_seconds: () => ({
    value: 5,
    ...called,
    stored: ({ settings }) => settings?.callback_timeout_seconds,
  }),
  backoff: () => ({
    value: { strategy: 'fixed', delay_ms: 10 },
    stored: ({ settings }) => [settings?.retry_strategy, settings?.retry_delay_ms],
    as: ['fixed', 10],
  }),
};

const outcomeOf = ({ status, body }: RestResponse, id: (body: Body) => unknown, path = ''): Outcome => {
  if (status < 300) return { id: id(body as Body) as string };
  expect(status).toBe(400);
  return { refused: Object.keys(body.details as object).map((name) => name.replace(path, '')) };
};
const runOf = async (scheduled: RestResponse): Promise<Outcome> => {
  const made = outcomeOf(scheduled, ({ id }) => id);
  if ('refused' in made) return made;
  return outcomeOf(await rest.post(`/schedules/${made.id}/trigger`), ({ job_id }) => job_id);
};
const newSchedule = () => ({ name: newQueue(), cron_expression: '0 0 1 1 *', payload_template: {} });

/** The members of a message; the others cannot be sent. */
const fieldsOf = (message: string): string[] =>
  (published[`spooled.v1.${message}`] as unknown as { type: { field: { name: string }[] } }).type.field.map(
    ({ name }) => name,
  );
async function call(method: string, message: string, sent: Body, request: (job: Body) => object): Promise<Outcome> {
  const absent = Object.keys(sent).filter((name) => !fieldsOf(message).includes(name));
  if (absent.length > 0) return { refused: absent };
  const times = Object.entries(sent).flatMap(([name, value]) =>
    name.endsWith('_at') ? [[name, { seconds: Date.parse(value as string) / 1000 }]] : [],
  );
  const { job_id, jobs } = await grpc.call(method, request({ ...sent, ...Object.fromEntries(times) }));
  return { id: job_id ?? jobs[0].job_id };
}
async function locally(create: () => Promise<string>): Promise<Outcome> {
  try {
    return { id: await create() };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { refused: Object.keys(error.details) };
  }
}
const local = (sent: Body) => fromWire({ payload: {}, ...sent }) as { payload: object };

const waysIn: Record<string, (queue_name: string, sent: Body) => Promise<Outcome>> = {
  'POST /jobs': async (queue_name, sent) =>
    outcomeOf(await rest.post('/jobs', { queue_name, payload: {}, ...sent }), ({ id }) => id),
  'POST /jobs/bulk': async (queue_name, sent) =>
    outcomeOf(
      await rest.post('/jobs/bulk', { queue_name, jobs: [{ payload: {}, ...sent }] }),
      ({ succeeded }) => (succeeded as Body[])[0]!.job_id,
      'jobs[0].',
    ),
  'POST /workflows': async (queue_name, sent) =>
    outcomeOf(
      await rest.post('/workflows', { name: 'flow', jobs: [{ key: 'a', queue_name, payload: {}, ...sent }] }),
      ({ job_ids }) => (job_ids as Body[])[0]!.job_id,
      'jobs[0].',
    ),
  'POST /schedules': async (queue_name, sent) =>
    runOf(await rest.post('/schedules', { ...newSchedule(), queue_name, ...sent })),
  'PUT /schedules/{id}': async (queue_name, sent) => {
    const needed = queue_name === pushing ? { callback_url } : {};
    const { body } = await rest.post('/schedules', { ...newSchedule(), queue_name, ...needed });
    return runOf(await rest.put(`/schedules/${body.id}`, sent));
  },
  'POST /webhooks/{org}/custom': async (queue_name, sent) =>
    outcomeOf(
      await sender.post(`/webhooks/${tenant.organizationId}/custom`, { queue_name, payload: {}, ...sent }),
      ({ job_id }) => job_id,
    ),
  'gRPC Enqueue': (queue_name, sent) => call('Enqueue', 'EnqueueRequest', sent, (job) => ({ queue_name, ...job })),
  'gRPC EnqueueMany': (queue_name, sent) => {
    const documents = {
      payload: Buffer.from('{}'),
      ...(sent.tags ? { tags: Buffer.from(JSON.stringify(sent.tags)) } : {}),
    };
    const request = (job: Body) => ({ queue_name, jobs: [{ ...job, ...documents }] });
    return call('BatchService/EnqueueMany', 'NewBatchJob', sent, request);
  },
  'embedded create': (queueName, sent) =>
    locally(async () => (await embedded.jobs.create({ queueName, ...local(sent) })).id),
  'embedded createMany': (queueName, sent) =>
    locally(async () => (await embedded.jobs.createMany({ queueName, jobs: [local(sent)] })).succeeded[0]!.jobId),
};

const perRun = ['scheduled_at', 'expires_at', 'idempotency_key', 'parent_job_id'];
const completion = ['completion_webhook', 'completion_webhook_secret'];
const callback = ['callback_url', 'callback_headers', 'callback_secret', 'callback_timeout_seconds'];
const ofProducers = ['parent_job_id', ...completion, ...callback, 'backoff'];
const ofSchedules = [...perRun, ...completion];
/** The members that a way in does not take. The other ways take all. */
const refused: Record<string, string[]> = {
  'POST /workflows': ['idempotency_key', 'parent_job_id'],
  'POST /schedules': ofSchedules,
  'PUT /schedules/{id}': ofSchedules,
  'POST /webhooks/{org}/custom': [
    'max_retries',
    'timeout_seconds',
    'scheduled_at',
    'expires_at',
    'tags',
    ...ofProducers,
  ],
  'gRPC Enqueue': ['expires_at', ...ofProducers],
  'gRPC EnqueueMany': ofProducers,
};

it('MQ-04 has a row for each member of a job', () => {
  const { queue_name: _queue, payload: _payload, ...others } = jobSchemas.createJobBody.shape;
  expect(Object.keys(members).sort()).toEqual(Object.keys(others).sort());
});

describe.each(Object.keys(waysIn))('MQ-04 %s', (way) => {
  it.each(Object.keys(members))('takes or refuses %s', async (name) => {
    const { value, beside = {}, stored, as = value } = members[name]!();
    const target = callback.includes(name) ? pushing : queue;
    const outcome = await waysIn[way]!(target, { ...beside, [name]: value });
    if (refused[way]?.includes(name))
      return expect(outcome).toEqual({ refused: expect.arrayContaining([name]) as unknown });
    expect(outcome).toEqual({ id: expect.any(String) as unknown });
    const { id } = outcome as { id: string };
    const { rows } = await superuser.query<{ job: Row }>('SELECT to_jsonb(j) AS job FROM jobs j WHERE id = $1', [id]);
    expect(stored(rows[0]!.job)).toEqual(as);
  });

  it('MQ-04 refuses a job that would be pushed to no receiver', async () => {
    if (way === 'PUT /schedules/{id}') {
      expect(await waysIn[way]!(pushing, { callback_url: null })).toEqual({ refused: ['callback_url'] });
    } else if (way.startsWith('gRPC')) {
      await expect(waysIn[way]!(pushing, {})).rejects.toThrow('each job needs one');
    } else expect(await waysIn[way]!(pushing, {})).toEqual({ refused: ['callback_url'] });
  });
});
