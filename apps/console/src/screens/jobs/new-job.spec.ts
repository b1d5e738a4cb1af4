import { emptyJobForm, formOfCopy, type NewJobForm, readJobForm } from './new-job';

const now = Date.parse('2026-11-26T10:00:00Z');
const read = (part: Partial<NewJobForm>) => readJobForm({ ...emptyJobForm, queueName: 'mail', ...part }, now);

it('leaves what is empty to the server', () => {
  expect(read({})).toEqual({ job: { queueName: 'mail', payload: {} }, problems: {} });
  expect(read({ queueName: ' ' })).toEqual({ job: null, problems: {} });
});

it('reads every field', () => {
  const { job, problems } = read({
    payload: '{"id": 9007199254740993}',
    jobType: 'welcome',
    priority: '-5',
    delay: '90',
    idempotencyKey: ' order-1 ',
    maxRetries: '0',
    timeoutSeconds: '30',
    tags: '{"customer": "acme"}',
  });
  expect(problems).toEqual({});
  expect(job).toEqual({
    queueName: 'mail',
    payload: { job_type: 'welcome', id: 9007199254740993n },
    priority: -5,
    scheduledAt: '2026-11-26T10:01:30.000Z',
    idempotencyKey: 'order-1',
    maxRetries: 0,
    timeoutSeconds: 30,
    tags: { customer: 'acme' },
  });
});

it.each([
  ['priority', '101'],
  ['priority', '1.5'],
  ['delay', '-1'],
  ['maxRetries', '101'],
  ['timeoutSeconds', '0'],
  ['payload', '{'],
  ['tags', '{'],
] as const)('says what is wrong with %s %j', (name, text) => {
  const { job, problems } = read({ [name]: text });
  expect(job).toBeNull();
  expect(Object.keys(problems)).toEqual([name]);
});

it('takes a time or a delay', () => {
  expect(read({ startAt: '2026-11-27T10:00:00.000Z', delay: '1' }).problems.startAt).toBe('Either a time or a delay');
  expect(read({ startAt: '2026-11-27T10:00:00.000Z' }).job?.scheduledAt).toBe('2026-11-27T10:00:00.000Z');
});

it('takes the type from one place', () => {
  expect(read({ jobType: 'a', payload: '{"job_type":"b"}' }).problems.jobType).toBe('The payload says "b"');
  expect(read({ jobType: 'a', payload: '{"job_type":"a","n":1}' }).job?.payload).toEqual({ job_type: 'a', n: 1 });
  expect(read({ jobType: 'a', payload: '[]' }).problems.jobType).toContain('is an object');
});

it('copies a job without its key', () => {
  const job = { queueName: 'mail', payload: { n: 1n }, priority: 3, maxRetries: 2, timeoutSeconds: 60, tags: ['vip'] };
  expect(readJobForm(formOfCopy(job), now)).toEqual({ job: { ...job, payload: { n: 1 } }, problems: {} });
  expect(formOfCopy({ ...job, tags: null }).tags).toBe('');
});
