import { join } from 'node:path';
import { databaseSources, migrate } from '@spooled/data-access';
import { startPostgres, type StoreServer } from '@spooled/local';
import pg from 'pg';
import { copyServer } from './base-backup.js';
import { createServerFolder } from './server-folder.js';
import { rolePasswords, roleUrl } from './test-server-env.js';

const password = 'postgres';

/** What is committed is in the log that is sent to the replica, as in production. */
export const replicated = { synchronous_commit: 'on' };

/** A migrated PostgreSQL of its own with a streaming replica. */
export interface ReplicatedDatabase {
  appUrl: string;
  systemUrl: string;
  superuserUrl: string;
  /** The replica as `spooled_app`. */
  replicaUrl: string;
  /** Stops replaying what the replica receives, until `resumeReplay`. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Resolves when everything committed so far is visible on the replica. */
  caughtUp(): Promise<void>;
  stopReplica(): Promise<void>;
  /** Starts the replica again, at the same address. */
  startReplica(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both servers in a temporary folder; about 6 s. */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const { folder, remove } = createServerFolder('spooled-replica-');
  const settings = replicated;
  const primary = await startPostgres({ folder: join(folder, 'primary'), password, durable: false, settings });
  const { app, system } = rolePasswords;
  await migrate(primary.url, { ...databaseSources('.'), appPassword: app, systemPassword: system });
  // The replica streams what is missing in the copy.
  await copyServer(primary.url, { from: join(folder, 'primary'), to: join(folder, 'replica'), startsAs: 'standby' });
  const launch = () => startReplica(join(folder, 'replica'), primary, replica?.port);
  let replica: StoreServer | undefined;
  replica = await launch();
  const { url: replicaUrl } = replica;
  return {
    appUrl: roleUrl(primary.url, 'app'),
    systemUrl: roleUrl(primary.url, 'system'),
    superuserUrl: primary.url,
    replicaUrl: roleUrl(replicaUrl, 'app'),
    pauseReplay: async () => void (await ask(replicaUrl, 'SELECT pg_wal_replay_pause()')),
    resumeReplay: async () => void (await ask(replicaUrl, 'SELECT pg_wal_replay_resume()')),
    caughtUp: () => waitForReplay(primary.url, replicaUrl),
    stopReplica: () => replica!.stop(),
    startReplica: async () => void (replica = await launch()),
    stop: async () => {
      await replica?.stop();
      await primary.stop();
      remove();
    },
  };
}

/** @param ownPort default: a free one */
export function startReplica(folder: string, { port }: StoreServer, ownPort?: number): Promise<StoreServer> {
  const settings = {
    // For when it is promoted.
    ...replicated,
    hot_standby: 'on',
    primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${password}`,
    wal_retrieve_retry_interval: '100ms',
  };
  return startPostgres({ folder, password, durable: false, settings, ...(ownPort && { port: ownPort }) });
}

async function waitForReplay(primaryUrl: string, replicaUrl: string): Promise<void> {
  const [row] = await ask<{ position: string }>(primaryUrl, 'SELECT pg_current_wal_lsn()::text AS position');
  const wait = `SELECT pg_last_wal_replay_lsn() >= '${row!.position}'::pg_lsn AS done`;
  while (!(await ask<{ done: boolean }>(replicaUrl, wait))[0]!.done);
}

async function ask<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
