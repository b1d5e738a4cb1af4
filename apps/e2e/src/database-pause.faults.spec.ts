import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type PausableDatabase, type Stack, startPausableDatabase, startStack } from '@spooled/testing';
import pg from 'pg';
import { findUnreceivedLeases, Load } from './load.js';

/** Twice as long as the leases of the load, so that all of them expire meanwhile. */
const pauseMs = 10_000;

describe('PostgreSQL hangs for ten seconds', () => {
  let database: PausableDatabase;
  let stack: Stack;
  let superuser: pg.Client;
  let load: Load | undefined;

  beforeAll(async () => {
    database = await startPausableDatabase();
    stack = await startStack({ database });
    superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
    await superuser.query(
      `UPDATE organizations SET custom_limits = '{"rate_limit_requests_per_second": 100000, "rate_limit_burst": 100000}'`,
    );
  }, 120_000);
  afterAll(async () => {
    await load?.settle();
    await superuser?.end();
    await stack?.stop();
    await database?.drop();
  }, 90_000);

  const createJob = async () => {
    const response = await fetch(`${stack.baseUrl}/api/v1/jobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ queue_name: 'paused', payload: {} }),
    });
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  };
  /** The statuses of all processes that run commands, each once. */
  const readiness = async () => {
    const names = stack.services.filter((name) => name === 'gateway' || name === 'engine');
    const all = names.map(async (name) => (await fetch(`${stack.metricsUrl(name)}/health/ready`)).status);
    return [...new Set(await Promise.all(all))];
  };
  const count = async (sql: string, parameters: unknown[] = []) =>
    (await superuser.query<{ n: number }>(sql, parameters)).rows[0]!.n;

  it('callers receive 503, work resumes afterwards, nothing is lost', async () => {
    load = new Load(stack);
    await load.finished(50);
    database.pause();
    try {
      const result = createJob();
      await eventually(async () => expect(await readiness()).toEqual([503]));
      expect(await result).toEqual({ status: 503, retryAfter: expect.any(String) });
      await sleep(pauseMs);
    } finally {
      database.resume();
    }
    await load.next();
    await eventually(async () => expect(await readiness()).toEqual([200]));
    await load.settle();
    expect(load.open()).toEqual([]);
    const keys = [...load.acknowledged.keys()];
    const ofKeys = 'FROM jobs WHERE idempotency_key = ANY ($1)';
    expect(await count(`SELECT count(*)::int AS n ${ofKeys} AND outcome = 'completed'`, [keys])).toBe(keys.length);
    expect(await findUnreceivedLeases(superuser, load)).toEqual([]);
  }, 120_000);
});
