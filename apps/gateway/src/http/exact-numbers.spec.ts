import { randomUUID } from 'node:crypto';
import { restDocuments } from '@spooled/contracts';
import {
  adminOrganization,
  call,
  claimed,
  closeRoutes,
  create,
  describedMembers,
  idOf,
  job,
  type Member,
  newOrganization,
  ofJob,
  ofNewOrganization,
  ofOrganization,
  ofSchedule,
  ofWorkflow,
  ofWorkflowJob,
  openRoutes,
  organization,
  schedule,
  succeed,
  webhookDeliveries,
  withoutBlanks,
  worker,
  workflow,
  ofBatch,
  ofBatchCallback,
} from './exact-numbers.fixture.js';

const deepest = 480;
const nested = (number: string) => `${'[{"a":'.repeat(deepest / 2)}${number}${'}]'.repeat(deepest / 2)}`;

/** Numbers that must come back as they were sent. */
const numbers = {
  '2^53+1': '9007199254740993',
  '2^63-1': '9223372036854775807',
  '-2^63': '-9223372036854775808',
  // Beyond the integers of most languages, but not beyond a double: kept as well.
  '2^63': '9223372036854775808',
  '0.1': '0.1',
};

beforeAll(openRoutes);
afterAll(closeRoutes);

/** Every member of a request body that holds a caller's document. */
const members: Record<string, Member> = {
  'POST /jobs payload': {
    write: (document) => call('POST', '/jobs', job(document)),
    read: async (written) => {
      await succeed('PUT', `/jobs/${idOf(written)}/priority`, '{"priority":100}');
      const claim = await succeed('POST', '/jobs/claim', '{"queue_name":"q","worker_id":"w"}');
      return [claim, ...(await ofJob(idOf(written)))];
    },
  },
  'POST /jobs tags': {
    write: (document) => call('POST', '/jobs', `{"queue_name":"q","payload":1,"tags":${document}}`),
    read: (written) => ofJob(idOf(written)),
    isJsonb: true,
  },
  'PUT /queues/{name}/payload-contract schema': {
    write: (document) => call('PUT', `/queues/q-${randomUUID()}/payload-contract`, `{"schema":{"const":${document}}}`),
    read: async (written) => {
      const { queue_name: queue } = JSON.parse(written) as { queue_name: string };
      return [written, await succeed('GET', `/queues/${queue}/payload-contract`)];
    },
  },
  'POST /jobs/bulk jobs.*.payload': {
    write: (document) =>
      call('POST', '/jobs/bulk', `{"queue_name":"q","jobs":[{"payload":1},{"payload":${document}}]}`),
    read: (written) => ofJob((JSON.parse(written) as { succeeded: { job_id: string }[] }).succeeded[1]!.job_id),
    field: 'jobs[1].payload',
  },
  'POST /jobs/bulk jobs.*.tags': {
    write: (document) => call('POST', '/jobs/bulk', `{"queue_name":"q","jobs":[{"payload":1,"tags":${document}}]}`),
    read: (written) => ofJob((JSON.parse(written) as { succeeded: { job_id: string }[] }).succeeded[0]!.job_id),
    field: 'jobs[0].tags',
    isJsonb: true,
  },
  'POST /jobs/{id}/complete result': {
    write: async (document) => {
      const id = await claimed();
      const { status, text } = await call('POST', `/jobs/${id}/complete`, `{"worker_id":"w","result":${document}}`);
      return { status, text: status < 300 ? `{"id":"${id}"}` : text };
    },
    read: async (written) => [...(await ofJob(idOf(written))), await webhookDeliveries()],
  },
  'POST /jobs/{id}/logs lines.*.fields': {
    write: async (document) => {
      const id = await claimed();
      const body = `{"worker_id":"w","lines":[{"number":1,"message":"m"},{"number":2,"message":"m","fields":${document}}]}`;
      const { status, text } = await call('POST', `/jobs/${id}/logs`, body);
      return { status, text: status < 300 ? `{"id":"${id}"}` : text };
    },
    read: async (written) => [await succeed('GET', `/jobs/${idOf(written)}/logs`)],
    field: 'lines[1].fields',
  },
  'POST /jobs/{id}/steps result': {
    write: async (document) => {
      const id = await claimed();
      const body = `{"worker_id":"w","step":"s","result":${document}}`;
      const { status, text } = await call('POST', `/jobs/${id}/steps`, body);
      return { status, text: status < 300 ? `{"id":"${id}"}` : text };
    },
    read: async (written) => [await succeed('GET', `/jobs/${idOf(written)}/steps`)],
  },
  'POST /jobs/{id}/signals payload': {
    write: async (document) => {
      const id = await claimed();
      const { status, text } = await call('POST', `/jobs/${id}/signals`, `{"step":"s","payload":${document}}`);
      return { status, text: status < 300 ? `{"id":"${id}"}` : text };
    },
    read: async (written) => [await succeed('GET', `/jobs/${idOf(written)}/steps`)],
  },
  'POST /signals ': {
    field: 'body',
    write: async (document) => {
      const id = await claimed();
      const { url } = JSON.parse(await succeed('POST', `/jobs/${id}/signal-urls`, '{"step":"s"}')) as { url: string };
      const { status, text } = await call('POST', url.replace('/api/v1', ''), document);
      return { status, text: status < 300 ? `{"id":"${id}"}` : text };
    },
    read: async (written) => [await succeed('GET', `/jobs/${idOf(written)}/steps`)],
  },
  'POST /jobs/complete/bulk jobs.*.result': {
    write: async (document) => {
      const id = await claimed();
      const body = `{"worker_id":"w","jobs":[{"job_id":"${id}","result":${document}}]}`;
      const { status, text } = await call('POST', '/jobs/complete/bulk', body);
      return { status, text: status < 300 ? `{"id":"${id}"}` : text };
    },
    read: async (written) => [...(await ofJob(idOf(written))), await webhookDeliveries()],
    field: 'jobs[0].result',
  },
  'POST /jobs/dlq/replays payload_patch': {
    write: async (document) => {
      const id = await claimed();
      await succeed('POST', `/jobs/${id}/fail`, '{"worker_id":"w","error":"e"}');
      return call('POST', '/jobs/dlq/replays', `{"job_ids":["${id}"],"dry_run":true,"payload_patch":${document}}`);
    },
    read: (written) => Promise.resolve([written]),
    isObject: true,
  },
  'POST /jobs/payload-patches payload_patch': {
    write: async (document) => {
      const id = idOf(await succeed('POST', '/jobs', `{"queue_name":"patched","payload":{}}`));
      return call('POST', '/jobs/payload-patches', `{"job_ids":["${id}"],"dry_run":true,"payload_patch":${document}}`);
    },
    read: (written) => Promise.resolve([written]),
    isObject: true,
  },
  'POST /schedules payload_template': {
    write: (document) => call('POST', '/schedules', `{${schedule(`"payload_template":${document}`)}}`),
    read: async (written) => {
      const triggered = await succeed('POST', `/schedules/${idOf(written)}/trigger`);
      return [...(await ofSchedule(idOf(written))), ...(await ofJob(idOf(triggered, 'job_id')))];
    },
  },
  'POST /schedules tags': {
    write: (document) => call('POST', '/schedules', `{${schedule(`"tags":${document}`)}}`),
    read: async (written) => {
      const triggered = await succeed('POST', `/schedules/${idOf(written)}/trigger`);
      return [...(await ofSchedule(idOf(written))), ...(await ofJob(idOf(triggered, 'job_id')))];
    },
    isJsonb: true,
  },
  'POST /schedules metadata': {
    write: (document) => call('POST', '/schedules', `{${schedule(`"metadata":${document}`)}}`),
    read: (written) => ofSchedule(idOf(written)),
    isJsonb: true,
  },
  ...Object.fromEntries(
    ['payload_template', 'tags', 'metadata'].map((name): [string, Member] => [
      `PUT /schedules/{id} ${name}`,
      {
        write: async (document) => {
          const id = await create('/schedules', `{${schedule('"priority":1')}}`);
          return call('PUT', `/schedules/${id}`, `{"${name}":${document}}`);
        },
        read: async (written) => [written, ...(await ofSchedule(idOf(written)))],
        isJsonb: name !== 'payload_template',
      },
    ]),
  ),
  'POST /batches metadata': {
    write: (document) => call('POST', '/batches', `{"metadata":${document}}`),
    read: ofBatch,
    isJsonb: true,
  },
  ...Object.fromEntries(
    ['on_success', 'on_complete', 'on_death'].flatMap((callback) =>
      ['payload', 'tags'].map((name): [string, Member] => [
        `POST /batches ${callback}.${name}`,
        {
          write: (document) => {
            const member = name === 'payload' ? `"payload":${document}` : `"payload":1,"tags":${document}`;
            return call('POST', '/batches', `{"name":"${callback}","${callback}":{"queue_name":"q",${member}}}`);
          },
          read: ofBatchCallback,
          field: `${callback}.${name}`,
          isJsonb: name === 'tags',
        },
      ]),
    ),
  ),
  ...Object.fromEntries(
    ['payload', 'tags'].map((name): [string, Member] => [
      `POST /batches/{id}/jobs jobs.*.${name}`,
      {
        write: async (document) => {
          const id = await create('/batches', '{}');
          const member = name === 'payload' ? `"payload":${document}` : `"payload":1,"tags":${document}`;
          return call('POST', `/batches/${id}/jobs`, `{"queue_name":"q","jobs":[{${member}}]}`);
        },
        read: (written) => ofJob((JSON.parse(written) as { succeeded: { job_id: string }[] }).succeeded[0]!.job_id),
        field: `jobs[0].${name}`,
        isJsonb: name === 'tags',
      },
    ]),
  ),
  'POST /workflows metadata': {
    write: (document) => call('POST', '/workflows', workflow(`,"metadata":${document}`)),
    read: ofWorkflow,
    isJsonb: true,
  },
  'POST /workflows jobs.*.payload': {
    write: (document) => call('POST', '/workflows', workflow('', `,"payload":${document}`)),
    read: ofWorkflowJob,
    field: 'jobs[0].payload',
  },
  'POST /workflows jobs.*.tags': {
    write: (document) => call('POST', '/workflows', workflow('', `,"tags":${document}`)),
    read: ofWorkflowJob,
    field: 'jobs[0].tags',
    isJsonb: true,
  },
  'PUT /queues/{name}/config settings': {
    write: (document) => call('PUT', '/queues/q/config', `{"settings":${document}}`),
    read: async (written) => [written, await succeed('GET', '/queues/q')],
    isJsonb: true,
    isObject: true,
  },
  'PUT /queues/{name} settings': {
    write: (document) => call('PUT', '/queues/q', `{"settings":${document}}`),
    read: async (written) => [written],
    isJsonb: true,
    isObject: true,
  },
  'PUT /organizations/{id} settings': {
    write: (document) => call('PUT', organization(), `{"settings":${document}}`),
    read: async (written) => [written, ...(await ofOrganization())],
    isJsonb: true,
    isObject: true,
  },
  ...Object.fromEntries(
    (['PUT', 'PATCH'] as const).flatMap((method) =>
      ['settings', 'custom_limits'].map((name): [string, Member] => [
        `${method} /admin/organizations/{id} ${name}`,
        {
          write: (document) => call(method, adminOrganization(), `{"${name}":${document}}`),
          read: async (written) => [written, ...(await ofOrganization())],
          isJsonb: true,
          isObject: true,
        },
      ]),
    ),
  ),
  ...Object.fromEntries(
    ['settings', 'custom_limits'].map((name): [string, Member] => [
      `POST /admin/organizations ${name}`,
      {
        write: (document) => call('POST', '/admin/organizations', newOrganization(`"${name}":${document}`)),
        read: ofNewOrganization,
        isJsonb: true,
        isObject: true,
      },
    ]),
  ),
  'POST /workers/register metadata': {
    write: (document) => call('POST', '/workers/register', `${worker('w').slice(0, -1)},"metadata":${document}}`),
    read: async () => [await succeed('GET', '/workers/w')],
    isJsonb: true,
  },
  'POST /workers/{id}/heartbeat metadata': {
    write: async (document) => {
      await succeed('POST', '/workers/register', worker('w'));
      return call('POST', '/workers/w/heartbeat', `{"current_jobs":0,"metadata":${document}}`);
    },
    read: async () => [await succeed('GET', '/workers/w')],
    isJsonb: true,
  },
};

const cases = Object.entries(members);

it('covers every document that the API description has', () => {
  const described = describedMembers();
  expect([...new Set(described)].sort()).toEqual(Object.keys(members).sort());
  for (const member of described) {
    const path = member.split(' ')[2]!.split('.');
    // The whole body.
    if (path[0] === '') continue;
    expect([
      member,
      path.reduce<unknown>((tree, name) => (tree as Record<string, unknown>)[name], restDocuments),
    ]).toEqual([member, 'document']);
  }
});

describe.each(cases)('%s', (name, { write, read, isJsonb = false, isObject = false, field = name.split(' ')[2] }) => {
  it('BX-12 BX-13 returns every number digit for digit, also at the deepest level, and 1E5 as sent or without its exponent', async () => {
    const deep = `"deep":${nested('9007199254740993')}`;
    const parts = Object.values(numbers).flatMap((number, i) => [`"n${i}":${number}`, `"list${i}":[${number}]`]);
    const { status, text } = await write(`{${[...parts, deep].join()},"power":1E5}`);
    expect([status, status < 300 ? '' : text]).toEqual([expect.any(Number), '']);
    for (const response of await read(text)) {
      for (const part of [...parts, deep]) expect(withoutBlanks(response)).toContain(part);
      expect(withoutBlanks(response)).toContain(isJsonb ? '"power":100000' : '"power":1E5');
    }
  });

  if (!isObject) {
    it('BX-13 returns a number that is the whole document', async () => {
      const number = numbers['2^53+1'];
      for (const response of await read((await write(number)).text)) {
        expect(withoutBlanks(response)).toContain(`:${number}`);
      }
    });
  }

  it('BX-13 refuses a number beyond the range of a double, and names the member', async () => {
    const { status, text } = await write('{"id":1e400,"list":[1e400]}');
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { [field!]: 'must not hold a number beyond the range of a double' },
    });
  });
});
