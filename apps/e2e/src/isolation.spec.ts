import { createHash, createHmac, randomUUID } from 'node:crypto';
import { liveCommands, liveVerbs } from '@spooled/contracts';
import { createTenant, eventually, monitorCommands, needsRedis, unixSeconds } from '@spooled/testing';
import { allRoutes, ingestionRoutes } from './api-description.js';
import { GrpcCaller, type Message, plain, struct } from './grpc-caller.js';
import { membersOf, nested } from './message-members.js';
import { fieldsOf, publishedRpcs } from './published-rpcs.js';
import { RestCaller } from './rest-caller.js';
import { type SseText, TenantSocket, openSse } from './tenant-streams.js';
import { type Tenant, TwoTenants } from './two-tenants.js';

/** Names in Redis without an organization: of what is read before the organization is known, or carries all of them. */
const withoutOrganization = [
  /^spooled:(cmd|engines):\{/, // commands of a shard, each with its organization, and the engines that run them
  /^spooled:reply:/, // responses to one process
  /^spooled:(audiences|invalidate|probe)$/, // ids of organizations, and what to remove from caches
  /^(api_key|token_blacklist|session_revoked):/, // by a digest or a random id
  /^rate_limit:(address|login):/, // before a credential is known
  /^rate_limit:org:00000000-0000-0000-0000-000000000000:/, // of the organization that does not exist, for whom a gateway warms up
  /^spooled-deliveries:/, // BullMQ: ids of deliveries, each with its organization
];

describe('services of two organizations', () => {
  let tenants: TwoTenants;
  let alice: Tenant;
  let bob: Tenant;

  beforeAll(async () => {
    tenants = await TwoTenants.open();
    ({ alice, bob } = tenants);
  });
  afterAll(() => tenants?.close());

  const tokenOf = async ({ rest }: Tenant): Promise<string> =>
    (await rest.get('/organizations/webhook-token')).body.webhook_token as string;

  const newTenant = () => createTenant(tenants.stack.databaseUrls.superuserUrl);
  /** Of an organization without data, so that what one test creates is not there for the next one. */
  const newCaller = async () => new RestCaller(tenants.stack.baseUrl, (await newTenant()).key);

  /** What the generated attack (isolation/isolation.spec.ts) cannot tell: that its requests would find something of their own. */
  describe('REST requests of two organizations', () => {
    it('BX-01 routes with two ids find what belongs together', async () => {
      // Otherwise the attack would find nothing on these routes whatever they do.
      const [[workflow], [job]] = [alice.ids['/workflows']!, alice.ids['/workflows/{}/jobs']!];
      expect(await alice.rest.get(`/workflows/${workflow}/jobs/${job}`)).toMatchObject({ status: 200 });
      const [[hook], [delivery]] = [bob.ids['/outgoing-webhooks']!, bob.ids['/outgoing-webhooks/{}/retry']!];
      expect((await bob.rest.post(`/outgoing-webhooks/${hook}/retry/${delivery}`)).status).toBeLessThan(300);
    });

    it('BX-01 two organizations can use the same worker id independently', async () => {
      const carol = await newCaller();
      const before = await tenants.dataOfAlice();
      const { secret } = alice;
      const register = { queue_name: secret, hostname: 'of-carol', worker_id: secret };
      expect(await carol.post('/workers/register', register)).toMatchObject({ status: 201, body: { id: secret } });
      const heartbeat = { current_jobs: 1, status: 'degraded' };
      expect((await carol.post(`/workers/${secret}/heartbeat`, heartbeat)).status).toBe(200);
      expect((await carol.get(`/workers/${secret}`)).body).toMatchObject({ hostname: 'of-carol', status: 'degraded' });
      expect((await carol.post(`/workers/${secret}/deregister`)).status).toBe(204);
      expect((await alice.rest.get(`/workers/${secret}`)).body).toMatchObject({ hostname: secret, status: 'healthy' });
      expect(await tenants.dataOfAlice()).toBe(before);
    });
  });

  /** BX-01: every streaming RPC, called from an organization without data with the ids of Alice, finds nothing and changes none of Alice's data. */
  describe('gRPC streams with the ids of another organization', () => {
    let grpc: GrpcCaller;

    beforeEach(async () => {
      const dave = await newTenant();
      grpc = new GrpcCaller(tenants.stack.grpcAddresses[0]!, { 'x-api-key': dave.key });
    });
    afterEach(() => grpc.close());

    const ofAlice = () => ({ queue_name: alice.secret, worker_id: alice.secret });

    /** A call of each streaming RPC with all ids of Alice that it takes. */
    const calls: Record<string, () => Promise<unknown>> = {
      'QueueService/StreamJobs': async () => {
        const jobs = grpc.serverStream('StreamJobs', { ...ofAlice(), prefetch: 100 });
        await jobs.admitted;
        const payload = struct({ ofDave: true });
        await grpc.call('Enqueue', { queue_name: alice.secret, payload, priority: -100 });
        // Alice's jobs in a queue of this name have a higher priority.
        const received: unknown[] = [];
        while (!received.some((each) => JSON.stringify(each) === '{"ofDave":true}'))
          received.push(plain((await jobs.next()).payload));
        jobs.stream.cancel();
        expect(JSON.stringify(received)).not.toContain(alice.hidden);
      },
      'QueueService/ProcessJobs': async () => {
        const { lease } = alice;
        const requests: Record<string, [object, (response: Message) => void]> = {
          dequeue: [
            { ...ofAlice(), batch_size: 10 },
            ({ job, error }) =>
              error
                ? expect(error.code).toBe('NO_JOBS')
                : expect(JSON.stringify(plain(job.payload))).not.toContain(alice.hidden),
          ],
          complete: [lease, ({ error }) => expect(error.code).toBe('NOT_FOUND')],
          fail: [{ ...lease, error: 'by Dave' }, ({ error }) => expect(error.code).toBe('NOT_FOUND')],
          renew_lease: [lease, ({ renew_lease }) => expect(renew_lease).toMatchObject({ success: false })],
        };
        expect(Object.keys(requests).sort()).toEqual(fieldsOf('ProcessRequest').sort());
        const responses = grpc.duplex('ProcessJobs');
        for (const [kind, [request, check]] of Object.entries(requests)) {
          responses.stream.write({ [kind]: request });
          check(await responses.next());
        }
        responses.stream.end();
        await responses.end;
      },
      'BatchService/StreamBatches': async () => {
        const { queue_name, worker_id } = ofAlice();
        const batches = grpc.serverStream('BatchService/StreamBatches', { queue_names: [queue_name], worker_id });
        await batches.admitted;
        const jobs = [{ payload: Buffer.from('{"ofDave":"batch"}'), priority: -100 }];
        await grpc.call('BatchService/EnqueueMany', { queue_name, jobs });
        // Alice's jobs in a queue of this name have a higher priority.
        const received: string[] = [];
        while (!received.includes('{"ofDave":"batch"}'))
          for (const { payload } of (await batches.next()).jobs) received.push(String(payload));
        batches.stream.cancel();
        expect(received.join()).not.toContain(alice.hidden);
      },
    };

    it('BX-01 each streaming RPC of the proto files is tested here', () => {
      const streams = publishedRpcs(({ requestStream, responseStream }) => requestStream || responseStream);
      expect(Object.keys(calls).sort()).toEqual(streams.sort());
    });

    it.each(Object.entries(calls))('BX-01 SP-61 %s', async (_, call) => {
      const before = await tenants.dataOfAlice();
      await call();
      expect(await tenants.dataOfAlice()).toBe(before);
    });
  });

  describe('incoming webhooks', () => {
    const secretOf = ({ secret }: Tenant) => `signs for ${secret}`;
    const sign = (text: string, tenant: Tenant) => createHmac('sha256', secretOf(tenant)).update(text).digest('hex');

    const standardKeyOf = (tenant: Tenant) => createHash('sha256').update(secretOf(tenant)).digest();

    /** A valid call of each route, except for its token. */
    const signatures: Record<string, (body: string, signer: Tenant) => Record<string, string>> = {
      custom: () => ({}),
      github: (body, signer) => ({ 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${sign(body, signer)}` }),
      standard: (body, signer) => {
        const [id, now] = [randomUUID(), unixSeconds()];
        const signature = createHmac('sha256', standardKeyOf(signer)).update(`${id}.${now}.${body}`).digest('base64');
        return { 'webhook-id': id, 'webhook-timestamp': String(now), 'webhook-signature': `v1,${signature}` };
      },
      stripe: (body, signer) => {
        const now = unixSeconds();
        return { 'stripe-signature': `t=${now},v1=${sign(`${now}.${body}`, signer)}` };
      },
    };
    const routes = ingestionRoutes().map(({ path }) => path);

    beforeAll(async () => {
      for (const tenant of [alice, bob]) {
        const secret = secretOf(tenant);
        await tenants.superuser.query('UPDATE organizations SET settings = settings || $2 WHERE id = $1', [
          tenant.organizationId,
          JSON.stringify({
            github_webhook_secret: secret,
            stripe_webhook_secret: secret,
            standard_webhook_secret: `whsec_${standardKeyOf(tenant).toString('base64')}`,
          }),
        ]);
      }
    });

    /** Posts to Alice. @returns the status */
    async function post(path: string, token: string, signer: Tenant): Promise<number> {
      const event = { id: randomUUID(), type: 'charge.ok', data: { object: {} } };
      const body = JSON.stringify({ queue_name: alice.secret, payload: {}, ...event });
      const signature = signatures[path.split('/').at(-1)!]!(body, signer);
      const response = await fetch(tenants.stack.baseUrl + path.replace('{organizationId}', alice.organizationId), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-webhook-token': token, ...signature },
        body,
      });
      return response.status;
    }

    it.each(routes)('BX-01 %s refuses the token, the key and the signature of another organization', async (path) => {
      const before = await tenants.dataOfAlice();
      for (const token of [await tokenOf(bob), bob.key]) expect(await post(path, token, alice)).toBe(401);
      if (!path.endsWith('/custom')) expect(await post(path, await tokenOf(alice), bob)).toBe(401);
      expect(await tenants.dataOfAlice()).toBe(before);
      expect(await post(path, await tokenOf(alice), alice)).toBe(200);
    });
  });

  needsRedis('events reach streams through Redis').describe('live events', () => {
    /** What each member of a command can name of Alice. */
    const probes = (): Record<string, unknown[]> => {
      const [job] = alice.ids['/jobs']!;
      const queues = [alice.secret, '*'];
      const events = [['job.created', 'job.status']];
      return {
        queue: queues,
        queue_name: queues,
        job_id: [job],
        worker_id: [alice.secret],
        events,
        request_id: ['probe'],
      };
    };
    /** Every command that the schemas of the WebSocket allow, with each of its members, and one with a member that they do not have. */
    const commands = (): object[] => {
      const named = probes();
      return Object.entries(liveCommands).flatMap(([verbMember, schema]) =>
        liveVerbs.flatMap((verb) => [
          { [verbMember]: verb },
          { [verbMember]: verb, organization_id: alice.organizationId },
          ...membersOf(schema)
            .filter(([name]) => name !== verbMember)
            .flatMap((path) =>
              named[path.at(-1)!]!.map((value) => ({
                [verbMember]: verb,
                request_id: 'probe',
                ...nested(path, value),
              })),
            ),
        ]),
      );
    };

    it('BX-01 every member of a command of the WebSocket is tested here', () => {
      const members = Object.entries(liveCommands).flatMap(([verbMember, schema]) =>
        membersOf(schema).flatMap((path) => (path.join() === verbMember ? [] : [path.at(-1)!])),
      );
      expect([...new Set(members)].sort()).toEqual(Object.keys(probes()).sort());
    });

    const queries = (): string[] => [
      '',
      `?queue=${alice.secret}`,
      `?job_id=${alice.ids['/jobs']![0]}`,
      `?worker_id=${alice.secret}`,
    ];

    it('BX-01 no query of a stream names an organization', async () => {
      const { baseUrl } = tenants.stack;
      const query = `?organization_id=${alice.organizationId}`;
      await expect(TenantSocket.open(baseUrl, bob.key, query)).rejects.toThrow('400');
      const headers = { authorization: `Bearer ${bob.key}` };
      const { status } = await fetch(`${baseUrl}/api/v1/events${query}`, { headers });
      expect(status).toBe(400);
    });

    /** Something of each kind of event happens to Alice. */
    async function act(): Promise<string> {
      const { rest, secret } = alice;
      const queue_name = secret;
      const { id } = (await rest.post('/jobs', { queue_name, payload: { secret }, priority: 100 })).body;
      await rest.post('/jobs/claim', { queue_name, worker_id: secret });
      await rest.post(`/jobs/${id}/progress`, { worker_id: secret, progress: 1, message: secret });
      await rest.post(`/jobs/${id}/complete`, { worker_id: secret, result: { secret } });
      await rest.post(`/workers/${secret}/heartbeat`, { current_jobs: 1 });
      await rest.put(`/jobs/${alice.ids['/jobs']![2]}/priority`, { priority: 1 });
      return id as string;
    }

    it('BX-01 SP-61 no command and no query of a WebSocket brings events of another organization', async () => {
      const open = (tenant: Tenant, query = '') => TenantSocket.open(tenants.stack.baseUrl, tenant.key, query);
      const own = await open(alice);
      const sockets = await Promise.all([
        ...queries().map((query) => open(bob, query)),
        ...commands().map(async (command) => {
          const socket = await open(bob);
          socket.send(command);
          return socket;
        }),
      ]);
      // A command has been executed when a later ping is answered.
      await Promise.all(sockets.map((socket) => socket.ping()));
      const id = await act();
      await eventually(() => expect(own.text).toContain(`"job_id":"${id}"`));
      await eventually(() => expect(own.text).toContain('JobCompleted'));
      await Promise.all(sockets.map((socket) => socket.ping()));
      for (const { text } of sockets) {
        expect(text).not.toContain(id);
        expect(text.replaceAll(`"request_id":"`, '')).not.toContain(alice.organizationId);
        expect(text).not.toMatch(new RegExp(`"(queue_name|worker_id|message)":"${alice.secret}"`));
      }
      for (const socket of [own, ...sockets]) socket.close();
    });

    /** Each stream of server-sent events with ids of Alice; `first`: what Bob receives at once. */
    const streams = (): Record<string, { paths: string[]; first: RegExp }> => ({
      '/api/v1/events': { paths: queries().map((query) => `/api/v1/events${query}`), first: /connected/ },
      '/api/v1/events/jobs/{id}': {
        paths: alice.ids['/jobs']!.map((id) => `/api/v1/events/jobs/${id}`),
        first: /Job not found/,
      },
      '/api/v1/events/queues/{name}': {
        paths: [`/api/v1/events/queues/${alice.secret}`],
        first: /"type":"QueueStats".*"pending":0/,
      },
    });

    it('BX-01 every stream of the document is tested here', () => {
      const described = allRoutes().filter(({ method, operation }) => method === 'GET' && operation['x-forwarded']);
      expect(described.map(({ path }) => path).sort()).toEqual([...Object.keys(streams()), '/api/v1/ws'].sort());
    });

    it('BX-01 SP-61 no stream of server-sent events brings those of another organization, nor missed ones', async () => {
      const open = (tenant: Tenant, path: string, lastEventId?: string) =>
        openSse(tenants.stack.baseUrl + path, tenant.key, lastEventId);
      const own = await open(alice, '/api/v1/events');
      const opened: SseText[] = [];
      for (const { paths, first } of Object.values(streams())) {
        for (const path of paths) {
          const stream = await open(bob, path);
          opened.push(stream);
          await eventually(() => expect(stream.text).toMatch(first));
        }
      }
      const id = await act();
      await eventually(() => expect(own.text).toContain('JobCompleted'));
      const lastId = /^id: (.+)$/m.exec(own.text)?.[1];
      expect(lastId).toBeDefined();
      // Bob's own event comes after everything that his streams could have received before.
      const later = await open(bob, '/api/v1/events', lastId);
      const { body } = await bob.rest.post('/jobs', { queue_name: 'of-bob', payload: {} });
      for (const stream of [opened[0]!, later]) await eventually(() => expect(stream.text).toContain(body.id));
      for (const { text } of [...opened, later]) {
        expect(text).not.toContain(id);
        expect(text).not.toMatch(new RegExp(`"(worker_id|message)":"${alice.secret}"`));
      }
      for (const stream of [own, later, ...opened]) stream.close();
    });
  });

  needsRedis('reads its keys').it(
    'BX-01 every key and channel of Redis names its organization, or has no data of one',
    async () => {
      const server = await tenants.stack.redis!.primaryOf(alice.organizationId);
      const probe = server.connect();
      const socket = await TenantSocket.open(tenants.stack.baseUrl, alice.key);
      try {
        await alice.rest.post('/jobs', { queue_name: alice.secret, payload: {} });
        // In a cluster names begin with a hash tag.
        const named = async (): Promise<string[]> => {
          const lists = [
            await probe.keys('*'),
            await probe.pubsub('CHANNELS', '*'),
            await probe.pubsub('SHARDCHANNELS', '*'),
          ];
          return (lists as string[][]).flat().map((name) => name.replace(/^\{[^}]*\}:/, ''));
        };
        await eventually(async () => expect(await named()).toContain(`org:${alice.organizationId}:recent_events`));
        expect(await named()).toContain(`org:${alice.organizationId}:events`);
        const names = await named();
        const { rows: organizations } = await tenants.superuser.query<{ id: string }>('SELECT id FROM organizations');
        const others = names.filter((name) => !organizations.some(({ id }) => name.includes(id)));
        expect(others.filter((name) => !withoutOrganization.some((pattern) => pattern.test(name)))).toEqual([]);
      } finally {
        socket.close();
        probe.disconnect();
      }
    },
  );

  needsRedis('listens to its commands').it(
    'SP-05 no credential is sent to Redis, and so none reaches an engine',
    async () => {
      const server = await tenants.stack.redis!.primaryOf(alice.organizationId);
      const sent: string[] = [];
      const stop = await monitorCommands(server, ({ words }) => sent.push(words.join(' ')));
      try {
        const login = await alice.rest.post('/auth/login', { api_key: alice.key });
        const tokens = [login.body.access_token, login.body.refresh_token] as string[];
        const create = (caller: RestCaller, by: string) =>
          caller.post('/jobs', { queue_name: 'created', payload: { created: `by ${by}` } });
        const withToken = new RestCaller(tenants.stack.baseUrl, tokens[0]!);
        await create(withToken, 'the session');
        await withToken.post('/auth/logout');
        await create(alice.rest, 'the key');
        for (const by of ['the session', 'the key']) {
          const command = (words: string) => /^xadd/i.test(words) && words.includes(`by ${by}`);
          await eventually(() => expect(sent.filter(command)).not.toEqual([]));
        }
        for (const credential of [alice.key, ...tokens])
          expect(sent.filter((words) => words.includes(credential))).toEqual([]);
      } finally {
        stop();
      }
    },
  );
});
