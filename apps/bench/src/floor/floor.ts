import pg from 'pg';
import type { Window } from '../measure/window.js';
import claimSql from './claim.sql';
import completeSql from './complete.sql';
import enqueueSql from './enqueue.sql';
import schemaSql from './schema.sql';

/** As in the product's hot statements: a plan cached while the table was small must still use the indexes. */
const planSettings = 'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off';
const organization = '018f0000-0000-7000-8000-000000000000';
const queue = 'floor';
const worker = 'floor';

/** Each batch is one statement and therefore one durable transaction. */
class FloorConnection {
  constructor(private readonly client: pg.Client) {}

  enqueue(payloads: string[]): Promise<unknown> {
    return this.client.query({ name: 'enqueue', text: enqueueSql, values: [organization, queue, payloads] });
  }

  async claim(jobs: number): Promise<{ job_id: string; lease_id: string }[]> {
    const values = [organization, queue, worker, jobs];
    return (await this.client.query({ name: 'claim', text: claimSql, values })).rows;
  }

  /** @returns the number of jobs whose lease was still valid */
  async complete(jobs: { job_id: string; lease_id: string }[]): Promise<number> {
    const values = [jobs.map(({ job_id }) => job_id), jobs.map(({ lease_id }) => lease_id), worker];
    return (await this.client.query({ name: 'complete', text: completeSql, values })).rowCount ?? 0;
  }
}

/** Creates the empty tables of the floor. */
export const createFloor = (superuser: pg.Pool): Promise<unknown> => superuser.query(schemaSql);

export const removeFloor = (superuser: pg.Pool): Promise<unknown> =>
  superuser.query('DROP SCHEMA IF EXISTS bench_floor CASCADE');

/** What a connection does again and again. @returns the number of jobs to count */
export const floorLoads: Record<string, (connection: FloorConnection, payloads: string[]) => Promise<number>> = {
  async enqueue(connection, payloads) {
    await connection.enqueue(payloads);
    return payloads.length;
  },
  async cycle(connection, payloads) {
    await connection.enqueue(payloads);
    return connection.complete(await connection.claim(payloads.length));
  },
};

export async function workOnFloor(
  url: string,
  window: Window,
  connections: number,
  work: (connection: FloorConnection) => Promise<number>,
): Promise<void> {
  const repeat = async (connection: FloorConnection): Promise<void> => {
    while (!window.over) {
      const startedAt = performance.now();
      window.count(startedAt, await work(connection));
    }
  };
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }));
  try {
    for (const client of clients) {
      // A broken connection also fails the running statement, where it is reported.
      client.on('error', () => undefined);
      await client.connect();
      await client.query(planSettings);
    }
    await Promise.all(clients.map((client) => repeat(new FloorConnection(client))));
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
