import { credentials, Metadata, status } from '@grpc/grpc-js';
import { QueueServiceClient } from '@spooled/contracts/grpc';
import {
  createTenant,
  eventually,
  type TestTenant,
  testCertificate,
  testCertificateKey,
  useDatabase,
} from '@spooled/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readSettings } from '@spooled/platform';
import { gatewaySettings } from '../gateway.config.js';
import { startGateway, type TestGateway } from '../gateway.fixture.js';
import { GrpcServer } from './grpc-server.js';

const database = useDatabase();
let tenant: TestTenant;

beforeAll(async () => void (tenant = await createTenant(database.superuserUrl)));

interface OpenServer {
  gateway: TestGateway;
  client: QueueServiceClient;
}

/** Runs `test` with a gateway whose gRPC server is open, and a client of it. */
async function withServer(
  options: Parameters<typeof startGateway>[1],
  test: (server: OpenServer) => Promise<void>,
  {
    urls = database,
    trust = credentials.createInsecure(),
  }: { urls?: Parameters<typeof startGateway>[0]; trust?: ReturnType<typeof credentials.createSsl> } = {},
): Promise<void> {
  const gateway = await startGateway(urls, { ...options, env: { GRPC_PORT: '0', HOST: '127.0.0.1', ...options?.env } });
  const server = gateway.app.get(GrpcServer);
  try {
    await server.listen();
    const client = new QueueServiceClient(`localhost:${server.port}`, trust);
    try {
      await test({ gateway, client });
    } finally {
      client.close();
      await server.close();
    }
  } finally {
    await gateway.stop();
  }
}

function metadataOf(apiKey: string): Metadata {
  const metadata = new Metadata();
  metadata.set('x-api-key', apiKey);
  return metadata;
}

/** Requests the statistics of a queue: the response, or the code and details of the status. */
function askForStats(client: QueueServiceClient): Promise<unknown> {
  return new Promise((resolve) => {
    client.getQueueStats({ queue_name: 'q' }, metadataOf(tenant.key), (error, answer) =>
      resolve(error ? [status[error.code], error.details] : answer),
    );
  });
}

function streamJobs(client: QueueServiceClient, queue_name: string) {
  return client.streamJobs({ queue_name, worker_id: 'w', lease_duration_secs: 0, prefetch: 0 }, metadataOf(tenant.key));
}

describe('the gRPC server', () => {
  it('BX-08 serves streams also without Redis, where no wake-ups come', async () => {
    await withServer({}, async ({ gateway, client }) => {
      const jobs = streamJobs(client, 'quiet');
      const ended = new Promise((resolve) => jobs.on('error', resolve));
      await new Promise((resolve) => jobs.once('metadata', resolve));
      const pushed = new Promise<{ id: string }>((resolve) => jobs.once('data', resolve));
      const { body } = await gateway.request('POST', '/jobs', tenant.key, { queue_name: 'quiet', payload: {} });
      expect((await pushed).id).toBe(body.id);
      jobs.cancel();
      await ended;
    });
  });

  it('SP-43 listens on port 50051 if no setting says otherwise', () => {
    const env = { DATABASE_URL: database.appUrl, DATABASE_SYSTEM_URL: database.systemUrl };
    expect(readSettings(gatewaySettings, env)).toMatchObject({ GRPC_PORT: 50_051 });
  });

  it('answers UNAVAILABLE while PostgreSQL is unavailable, and says so', async () => {
    const nowhere = 'postgresql://spooled_app@127.0.0.1:1/none';
    const urls = { appUrl: nowhere, systemUrl: nowhere };
    const ask = async ({ client, gateway }: OpenServer) => {
      expect(await askForStats(client)).toEqual(['UNAVAILABLE', 'PostgreSQL is unavailable']);
      expect(gateway.logs.some((line) => line.includes('PostgreSQL is unavailable'))).toBe(true);
    };
    await withServer({}, ask, { urls });
  });

  it('answers UNAVAILABLE at once at capacity', async () => {
    const holder = new pg.Client(database.superuserUrl);
    await holder.connect();
    // The request in flight waits for the lock as long as the test holds it.
    const env = { HTTP_MAX_IN_FLIGHT: '1', DATABASE_QUERY_TIMEOUT_MS: '60000' };
    const ask = async ({ client, gateway }: OpenServer) => {
      await holder.query('BEGIN; LOCK TABLE job_queue IN ACCESS EXCLUSIVE MODE');
      const held = askForStats(client);
      const inFlight = (count: number) => async () =>
        expect(await gateway.service.metrics.text()).toContain(
          `spooled_requests_in_flight{protocol="grpc"} ${count}\n`,
        );
      await eventually(inFlight(1));
      expect(await askForStats(client)).toEqual(['UNAVAILABLE', 'Server is at capacity; retry later']);
      // REST and gRPC share the limit.
      expect((await gateway.request('GET', '/queues', tenant.key)).status).toBe(503);
      await holder.query('ROLLBACK');
      expect(await held).toMatchObject({ queue_name: 'q' });
      await eventually(inFlight(0));
    };
    try {
      await withServer({ env }, ask);
    } finally {
      await holder.end();
    }
  });

  it('serves over TLS with the certificate that the operator names', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'spooled-tls-'));
    const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    writeFileSync(paths.cert, testCertificate);
    writeFileSync(paths.key, testCertificateKey);
    const env = { GRPC_TLS_ENABLED: 'true', GRPC_TLS_CERT_PATH: paths.cert, GRPC_TLS_KEY_PATH: paths.key };
    const trust = credentials.createSsl(Buffer.from(testCertificate));
    const ask = async ({ client }: OpenServer) => {
      expect(await askForStats(client)).toMatchObject({ queue_name: 'q', total: 0 });
    };
    await withServer({ env }, ask, { trust }).finally(() => rmSync(folder, { recursive: true }));
  });

  it('does not open with TLS and no certificate, and says which setting is wrong', async () => {
    const open = withServer({ env: { GRPC_TLS_ENABLED: 'true' } }, () => Promise.resolve());
    await expect(open).rejects.toThrow(/GRPC_TLS_CERT_PATH: is required/);
  });
});
