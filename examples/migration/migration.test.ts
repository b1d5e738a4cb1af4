import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { start as bullmq } from './bullmq.ts';
import { start as graphileWorker } from './graphile-worker.ts';
import type { Mailer, Outside } from './mailer.ts';
import { start as pgBoss } from './pg-boss.ts';
import { start as spooled } from './spooled.ts';

const { TEST_DATABASE_URL: serverUrl, TEST_REDIS_URL: redisUrl } = process.env as Record<string, string>;
const queues = { bullmq, 'pg-boss': pgBoss, 'graphile-worker': graphileWorker, spooled };
const name = `spooled_example_${process.pid}`;
const databaseUrl = Object.assign(new URL(serverUrl!), { pathname: name }).href;

async function sql(url: string, ...texts: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
}

/** All queues use one database, as they do while an application moves from one to another. */
before(() => sql(serverUrl!, `CREATE DATABASE ${name}`));
after(() => sql(serverUrl!, `DROP DATABASE ${name} WITH (FORCE)`));

async function inTransaction(end: 'COMMIT' | 'ROLLBACK', work: (tx: pg.Client) => Promise<void>): Promise<void> {
  const tx = new pg.Client({ connectionString: databaseUrl });
  await tx.connect();
  await tx.query('BEGIN');
  await work(tx);
  await tx.query(end);
  await tx.end();
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 600 && !condition(); i++) await sleep(50);
}

describe('the same application, with', { concurrency: true }, () => {
  for (const [library, start] of Object.entries(queues)) test(library, () => check(start));
});

async function check(start: (outside: Outside) => Promise<Mailer>): Promise<void> {
  const sent: string[] = [];
  let remindedAt = 0;
  let failures = 0;
  const mail = async (user: string, subject: string) => {
    if (user === 'Grace' && failures++ === 0) throw new Error('The mail server is away');
    if (subject === 'reminder') remindedAt = Date.now();
    sent.push(`${subject} ${user}`);
  };
  const mailer = await start({ databaseUrl, redisUrl: redisUrl!, mail });
  try {
    for (const user of ['Ada', 'Ada', 'Grace']) await mailer.welcome(user);
    const askedAt = Date.now();
    await mailer.remind('Ada', 1);
    await inTransaction('ROLLBACK', async (tx) => mailer.welcomeIn?.(tx, 'Nobody'));
    await inTransaction('COMMIT', async (tx) => mailer.welcomeIn?.(tx, 'Edsger'));
    const wanted = ['reminder Ada', 'welcome Ada', 'welcome Grace', ...(mailer.welcomeIn ? ['welcome Edsger'] : [])];
    await mailer.work();
    await until(() => sent.length >= wanted.length);
    assert.deepEqual([...sent].sort(), wanted.sort());
    assert.equal(failures, 2);
    assert.ok(remindedAt - askedAt >= 1_000);
  } finally {
    await mailer.stop();
  }
}
