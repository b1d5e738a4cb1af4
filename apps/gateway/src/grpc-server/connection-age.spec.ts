import { EventEmitter, once } from 'node:events';
import { connect } from 'node:http2';
import type { Socket } from 'node:net';
import { credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { type Job, QueueServiceClient } from '@spooled/contracts/grpc';
import { clockWithTimers, ManualClock, useDatabase, useTenantForEach } from '@spooled/testing';
import { useGatewayOn } from '../gateway.fixture.js';
import { ConnectionAge } from './connection-age.js';
import { GrpcServer } from './grpc-server.js';

const database = useDatabase();
const tenant = useTenantForEach(database);

const env = { GRPC_PORT: '0', HOST: '127.0.0.1', GRPC_MAX_CONNECTION_AGE_SECS: '3600' };
const gateway = useGatewayOn(database, { env });
/** Ends the hour of every connection. */
const { clock: ages, endTimers } = clockWithTimers(() => true);
let server: GrpcServer;
let client: QueueServiceClient;

beforeAll(async () => {
  // Its own: the other parts of the gateway keep theirs.
  server = Object.assign(gateway.app.get(GrpcServer), { clock: ages });
  await server.listen();
});
beforeEach(() => void (client = new QueueServiceClient(`127.0.0.1:${server.port}`, credentials.createInsecure())));
afterEach(() => client.close());
afterAll(() => server.close());

function metadata(): Metadata {
  const metadata = new Metadata();
  metadata.set('x-api-key', tenant.key);
  return metadata;
}

const openStream = (queue_name: string) =>
  client.streamJobs({ queue_name, worker_id: 'w', lease_duration_secs: 60, prefetch: 1 }, metadata());

const statsOf = (queue_name: string) =>
  new Promise((resolve, reject) =>
    client.getQueueStats({ queue_name }, metadata(), (error, answer) => (error ? reject(error) : resolve(answer))),
  );

describe('SP-43 the longest age of gRPC connections', () => {
  it('sends GOAWAY and closes the connection, whether it is used or not', async () => {
    const session = connect(`http://127.0.0.1:${server.port}`);
    await once(session, 'remoteSettings');
    endTimers();
    const [code] = (await once(session, 'goaway')) as [number];
    expect(code).toBe(0);
    await once(session, 'close');
  });

  it('fails no call, and ends streams with UNAVAILABLE, after which they can be opened again', async () => {
    for (let round = 0; round < 2; round++) {
      const stream = openStream('quiet');
      let isOpen = true;
      const ended = once(stream, 'error').then(([error]: ServiceError[]) => {
        isOpen = false;
        return error!;
      });
      await once(stream, 'metadata');
      const calls = Array.from({ length: 10 }, () => statsOf('quiet'));
      endTimers();
      while (isOpen) calls.push(Promise.resolve(await statsOf('quiet')));
      expect(await Promise.all(calls)).toEqual(calls.map(() => expect.objectContaining({ queue_name: 'quiet' })));
      const error = await ended;
      expect([error.code, error.details]).toEqual([
        status.UNAVAILABLE,
        'The connection has reached its longest age; open the stream again',
      ]);
    }
  });

  it('keeps the leases of jobs that a worker has received: it completes them on its next connection', async () => {
    const { body } = await gateway.request('POST', '/jobs', tenant.key, { queue_name: 'mails', payload: {} });
    const stream = openStream('mails');
    const ended = once(stream, 'error');
    const [job] = (await once(stream, 'data')) as [Job];
    endTimers();
    await ended;
    // The next connection reaches its age as well, long after the first one has closed.
    const next = openStream('quiet');
    await once(next, 'metadata');
    endTimers();
    await once(next, 'error');
    const completed = await new Promise((resolve, reject) =>
      client.complete(
        { job_id: job.id, worker_id: 'w', lease_id: job.lease_id, result: undefined },
        metadata(),
        (e, a) => (e ? reject(e) : resolve(a)),
      ),
    );
    expect([job.id, completed]).toEqual([body.id, { success: true }]);
  });
});

describe('the moments at which connections leave', () => {
  const open = (random: () => number, maxAgeMs = 100_000) => {
    const clock = new ManualClock();
    const injectors: string[] = [];
    const age = new ConnectionAge({
      maxAgeMs,
      clock,
      createInjector: () => {
        injectors.push('created');
        return { injectConnection: () => undefined, drain: () => undefined, destroy: () => injectors.push('asked') };
      },
      onLeaving: () => undefined,
      onAsked: () => undefined,
      random,
    });
    const accept = (name: string) => age.accept(name, new EventEmitter() as Socket);
    return { clock, injectors, accept };
  };

  it('differ by up to a tenth of the age', () => {
    const draws = [0, 0.5, 0.999];
    const { clock, accept } = open(() => draws.shift()!);
    for (const name of ['a', 'b', 'c']) accept(name);
    expect(clock.timers).toEqual([90_000, 100_000, 110_000]);
  });

  it('are shared by connections that were opened together', async () => {
    const { clock, injectors, accept } = open(() => 0.5);
    for (let i = 0; i < 1_000; i++) accept(`connection ${i}`);
    expect(injectors).toEqual(['created']);
    await clock.advance(100_000);
    expect(injectors).toEqual(['created', 'asked']);
  });

  it('never come with an age of 0', () => {
    const { clock, accept } = open(() => 0.5, 0);
    accept('a');
    expect(clock.timers).toEqual([]);
  });
});
