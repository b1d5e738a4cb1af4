import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { startPostgres } from './embedded-postgres.js';
import { isRunning, stopProcess } from './processes.js';
import { startRedis } from './redis.js';
import { type RunningStore, StoreProcess } from './store-process.js';

/** A new server refuses to start until all processes of the killed one have ended: half a minute of delays is far longer. */
const policy = { lookEveryMs: 20, firstBackoffMs: 20, attempts: 11, settledAfterMs: 60_000 };

describe('a store that is killed', () => {
  let folder: string;
  let store: StoreProcess | undefined;
  let events: EventEmitter;
  let crashes: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spooled-store-'));
    events = new EventEmitter();
    crashes = [];
    store = undefined;
  });
  afterEach(async () => {
    await store?.stop();
    rmSync(folder, { recursive: true });
  });

  it('comes back with its data: PostgreSQL', async () => {
    const options = { folder, password: 'of the test' };
    const server = await startPostgres(options);
    store = watch(server, () => startPostgres({ ...options, port: server.port }));
    await ask(server.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const restarted = once(events, 'restarted');
    await stopProcess(server.process, 'SIGKILL', 0);
    await restarted;
    expect(await ask(server.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(crashes[0]).toBe('exited');
  }, 60_000);

  it('comes back with its data: Redis', async () => {
    const options = { folder, password: 'of-the-test' };
    const server = await startRedis(options);
    store = watch(server, () => startRedis({ ...options, port: server.port }));
    const before = new Redis(server.url);
    before.on('error', () => undefined);
    await before.set('kept', '42');
    before.disconnect();
    const restarted = once(events, 'restarted');
    await stopProcess(server.process, 'SIGKILL', 0);
    await restarted;
    const after = new Redis(server.url);
    expect(await after.get('kept')).toBe('42');
    after.disconnect();
  });

  it('stops the restarted server', async () => {
    const options = { folder, password: 'of-the-test' };
    const server = await startRedis(options);
    let latest: RunningStore = server;
    store = watch(server, async () => (latest = await startRedis({ ...options, port: server.port })));
    const restarted = once(events, 'restarted');
    await stopProcess(server.process, 'SIGKILL', 0);
    await restarted;
    await store.stop();
    expect(latest.process).not.toEqual(server.process);
    expect(isRunning(latest.process)).toBe(false);
  });

  it('is reported as lost after several attempts, with the last reason', async () => {
    const server = await startRedis({ folder });
    store = watch(server, () => Promise.reject(new Error('port 4711 is taken')), { ...policy, attempts: 4 });
    const lost = once(events, 'lost');
    await stopProcess(server.process, 'SIGKILL', 0);
    expect(await lost).toEqual(['port 4711 is taken']);
    expect(crashes).toEqual(['exited', ...Array<string>(3).fill('port 4711 is taken')]);
  });

  it('is not restarted once it is stopped', async () => {
    const server = await startRedis({ folder });
    store = watch(server, () => startRedis({ folder, port: server.port }));
    await store.stop();
    expect(crashes).toEqual([]);
    expect(isRunning(server.process)).toBe(false);
  });

  function watch(server: RunningStore, restart: () => Promise<RunningStore>, restarts = policy): StoreProcess {
    const watcher = {
      crashed: (how: string) => void crashes.push(how),
      restarted: () => void events.emit('restarted'),
      lost: (how: string) => void events.emit('lost', how),
    };
    return new StoreProcess(server, restart, watcher, restarts);
  }

  async function ask(url: string, statement: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  }
});
