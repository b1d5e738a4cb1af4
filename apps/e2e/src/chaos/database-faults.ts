import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ChaosSystem } from './chaos-system.js';
import type { Fault } from './fault.js';

const nothing = async (): Promise<void> => undefined;
const ofServices = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename LIKE 'spooled%'`;

/** Fills the disk of PostgreSQL. @returns what frees it again */
function fillDisk({ database }: ChaosSystem): () => void {
  const file = join(database.folder, 'filler');
  const { bavail, bsize } = statfsSync(database.folder);
  const fill = (bytes: number) => {
    try {
      writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  };
  const megabyte = 1_048_576;
  for (let left = bavail * bsize; left > 0; left -= megabyte) fill(megabyte);
  // What PostgreSQL has freed or the last write has not used.
  fill(megabyte);
  return () => rmSync(file);
}

/** Takes every connection that the server gives to others than superusers. @returns what closes them */
async function exhaustConnections({ database, superuser }: ChaosSystem): Promise<() => Promise<void>> {
  const taken: pg.Client[] = [];
  const takeAll = async () => {
    for (;;) {
      const client = new pg.Client({ connectionString: database.ownerUrl });
      client.on('error', () => undefined);
      try {
        await client.connect();
        taken.push(client);
      } catch {
        return;
      }
    }
  };
  await takeAll();
  // PgBouncer keeps the connections that it has, so they are ended, and their places are taken too.
  for (let times = 0; times < 3; times++) {
    await superuser.query(`${ofServices} AND usename <> 'spooled_owner'`);
    await takeAll();
  }
  return async () => void (await Promise.all(taken.map((client) => client.end().catch(() => undefined))));
}

/** A client that has locked jobs and forgotten its transaction. */
async function lockJobs({ database }: ChaosSystem, organizationId: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query(
    'SELECT FROM job_queue WHERE organization_id = $1 ORDER BY job_id DESC LIMIT 50 FOR UPDATE SKIP LOCKED',
    [organizationId],
  );
  return () => client.end();
}

export const databaseFaults: readonly Fault[] = [
  {
    name: 'idle transaction holds locks of jobs',
    part: 'postgres',
    inject: ({ system, organizationId }) => lockJobs(system, organizationId),
  },
  {
    name: 'PostgreSQL hung',
    part: 'postgres',
    inject: async ({ system: { database } }) => {
      database.pause();
      return async () => database.resume();
    },
  },
  {
    name: 'backends of PostgreSQL terminated in a stream',
    part: 'postgres',
    endsByItself: true,
    inject: async ({ system, seconds }) => {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(100))
        await system.query(`${ofServices} ORDER BY random() LIMIT 2`);
      return nothing;
    },
  },
  {
    name: 'connections of PostgreSQL exhausted',
    part: 'postgres',
    inject: ({ system }) => exhaustConnections(system),
  },
  {
    name: 'PostgreSQL killed and restarted',
    part: 'postgres',
    inject: async ({ system: { database } }) => {
      await database.crash();
      return () => database.restart();
    },
  },
  {
    name: 'disk of PostgreSQL full',
    part: 'postgres',
    skipped: ({ hasDisk }) => (hasDisk ? null : 'a disk can be mounted only as root'),
    inject: async ({ system }) => {
      const free = fillDisk(system);
      return async () => {
        free();
        // It may have given up: then it starts again, as under any supervisor.
        await system.database.restart();
      };
    },
  },
];
