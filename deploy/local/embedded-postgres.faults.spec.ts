import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { eventually } from '@spooled/testing';
import pg from 'pg';
import { startPostgres } from './embedded-postgres.js';
import type { StoreServer } from './store-server.js';
import { isRunning, stopProcess } from './processes.js';

// Each test creates a cluster and starts it up to three times: about 4 s, and several times that on a busy machine.
jest.setTimeout(90_000);

describe('startPostgres', () => {
  let folder: string;
  let server: StoreServer;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spooled-pg-'));
    chmodSync(folder, 0o755);
  });
  afterEach(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('takes over the server of a killed launcher, and stops it', async () => {
    server = await start();
    expect(server.adopted).toBe(false);
    const again = await start();
    expect(again).toMatchObject({ adopted: true, port: server.port, process: server.process });
    await again.stop();
    expect(isRunning(server.process)).toBe(false);
  });

  it('keeps data and port across a stop and across a crash that leaves its lock file', async () => {
    server = await start();
    const { port } = server;
    await ask('CREATE TABLE kept AS SELECT 42 AS answer; CHECKPOINT');
    await server.stop();
    server = await start();
    expect(await ask('SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await stopProcess(server.process, 'SIGKILL', 0);
    // The other processes of the killed server end after it, and until then the next one refuses to start.
    server = await eventually(() => start(), { timeoutMs: 20_000 });
    expect(server).toMatchObject({ adopted: false, port });
    expect(await ask('SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('MQ-02 makes every commit durable unless the operator decides otherwise, and takes further settings', async () => {
    const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
    server = await startPostgres({ folder, password: 'of the test' });
    expect(await shown([...Object.keys(durable), 'shared_buffers'])).toEqual({ ...durable, shared_buffers: '128MB' });
    await server.stop();
    server = await startPostgres({ folder, password: 'of the test', settings: { shared_buffers: '64MB' } });
    expect(await shown(['shared_buffers', 'fsync'])).toEqual({ shared_buffers: '64MB', fsync: 'on' });
  });

  it('refuses connections without the password', async () => {
    server = await start();
    const url = new URL(server.url);
    url.password = 'guessed';
    await expect(new pg.Client({ connectionString: url.href }).connect()).rejects.toThrow(
      'password authentication failed',
    );
  });

  it('shows the end of the log when the server does not start', async () => {
    server = await start();
    await server.stop();
    await expect(start({ no_such_setting: 1 })).rejects.toThrow(
      /did not start[^]*unrecognized configuration parameter/,
    );
  });

  const start = (settings = {}) => startPostgres({ folder, password: 'of the test', durable: false, settings });

  async function shown(names: string[]): Promise<object> {
    const columns = names.map((name) => `current_setting('${name}') AS ${name}`);
    return (await ask(`SELECT ${columns.join(', ')}`))[0] as object;
  }

  async function ask(statement: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  }
});
