import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EmbeddedSpooled } from '@spooled/embedded';
import { type LeasedJob, Spooled, Worker } from '@spooled/sdk';
import { createTestDatabase, eventually, moveClock, type TestDatabase } from '@spooled/testing';
import pg from 'pg';
import { compileWithPackages, installPackages } from './installed-packages.js';
import { newQueue } from './job-steps.js';
import { useStack } from './use-rest.js';

describe('BX-18 an embedded process beside the services', () => {
  const stack = useStack();
  let client: Spooled;
  let embedded: EmbeddedSpooled;

  beforeAll(async () => {
    client = new Spooled({ baseUrl: stack.baseUrl, apiKey: stack.apiKey });
    const { appUrl: databaseUrl, systemUrl } = stack.databaseUrls;
    embedded = await EmbeddedSpooled.open({ databaseUrl, systemUrl, organization: stack.organizationId });
    await gatewayListens();
  });
  afterAll(() => embedded?.close(0));

  /** A gateway listens from its first waiting claim on, and misses earlier wake-ups. */
  async function gatewayListens(): Promise<void> {
    const queueName = newQueue();
    const claims = client.jobs.claim({ queueName, workerId: 'remote', waitSeconds: 30 });
    let isWoken = false;
    void claims.then(() => (isWoken = true));
    await eventually(async () => {
      await embedded.jobs.create({ queueName, payload: 1 });
      expect(isWoken).toBe(true);
    });
  }

  const statusOf = async (id: string) => (await client.jobs.get(id)).status;

  it('takes jobs from the API, and gives jobs to remote workers', async () => {
    const [here, there] = [newQueue(), newQueue()];
    const local = embedded.worker({ [here]: ({ payload }) => ({ here: payload }) }, { pollIntervalMs: 50 });
    const remote = new Worker(client, { queues: { [there]: ({ payload }) => ({ there: payload }) } });
    await Promise.all([local.start(), remote.start()]);
    try {
      const fromApi = await client.jobs.create({ queueName: here, payload: { n: 1 } });
      const fromHere = await embedded.jobs.create({ queueName: there, payload: { n: 2 } });
      await eventually(async () => {
        expect([await statusOf(fromApi.id), await statusOf(fromHere.id)]).toEqual(['completed', 'completed']);
      });
      expect(await client.jobs.get(fromApi.id)).toMatchObject({ result: { here: { n: 1 } } });
      expect(await embedded.jobs.get(fromHere.id)).toEqual(await client.jobs.get(fromHere.id));
      expect((await client.workers.get(local.id)).queueName).toBe(here);
    } finally {
      await Promise.all([local.stop(0), remote.stop(0)]);
    }
  });

  /** Jobs of a claim that waits when `create` begins, and the id of the job that it created. Claims find jobs by wake-ups only. */
  async function wokenBy(create: (queue: string) => Promise<string>): Promise<[string[], string]> {
    const queue = newQueue();
    let claimed: LeasedJob[] | undefined;
    void client.jobs.claim({ queueName: queue, workerId: 'remote', waitSeconds: 30 }).then((jobs) => (claimed = jobs));
    await eventually(async () =>
      expect(await stack.metrics('gateway')).toMatch(/^spooled_live_streams\{kind="claim"\} 1$/m),
    );
    const id = await create(queue);
    // Long before its wait ends: then it looks for jobs again.
    await eventually(() => expect(claimed).toBeDefined(), { timeoutMs: 6_000 });
    return [claimed!.map((job) => job.id), id];
  }

  it('wakes a waiting claim of the API with its job', async () => {
    const [claimed, id] = await wokenBy(
      async (queueName) => (await embedded.jobs.create({ queueName, payload: 1 })).id,
    );
    expect(claimed).toEqual([id]);
  });

  it('wakes a waiting claim of the API with a job of an application transaction, by `wake`', async () => {
    const application = new pg.Client({ connectionString: stack.databaseUrls.appUrl });
    await application.connect();
    try {
      const [claimed, id] = await wokenBy(async (queueName) => {
        await application.query('BEGIN');
        const job = await embedded.jobs.create({ queueName, payload: 1 }, { tx: application });
        await application.query('COMMIT');
        embedded.wake(queueName);
        return job.id;
      });
      expect(claimed).toEqual([id]);
    } finally {
      await application.end();
    }
  });

  it('PB-25 shares one queue with remote workers that have the same handler, and every job runs once', async () => {
    const queue = newQueue();
    const runs: unknown[] = [];
    const count = ({ payload }: { payload: unknown }) => void runs.push(payload);
    const options = { concurrency: 5, pollIntervalMs: 50 };
    const workers = [
      embedded.worker({ [queue]: count }, options),
      new Worker(client, { queues: { [queue]: count }, ...options }),
    ];
    await Promise.all(workers.map((worker) => worker.start()));
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    for (let first = 0; first < numbers.length; first += 25) {
      const jobs = numbers.slice(first, first + 25).map((payload) => ({ payload }));
      await (first % 50 === 0 ? embedded : client).jobs.createMany({ queueName: queue, jobs });
    }
    await eventually(async () => expect((await client.queues.stats(queue)).completedJobs24h).toBe(100), {
      timeoutMs: 25_000,
    });
    await Promise.all(workers.map((worker) => worker.stop(0)));
    expect(runs.map(Number).sort((a, b) => a - b)).toEqual(numbers);
  });
});

/** The published packages in a folder of their own, as an application has them. */
describe('BX-18 the package spooled-embedded', () => {
  let folder: string;
  let database: TestDatabase;
  const children = new Set<ChildProcess>();

  beforeAll(async () => {
    folder = installPackages();
    database = await createTestDatabase({ empty: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts the application; `line` waits for a line of its output. */
  function start(mode: string): {
    child: ChildProcess;
    exited: Promise<unknown[]>;
    line: (text: string) => Promise<void>;
  } {
    const env = {
      PATH: process.env.PATH,
      ADMIN_URL: database.ownerUrl,
      DATABASE_URL: database.appUrl,
      SYSTEM_URL: database.systemUrl,
      MODE: mode,
    };
    const child = spawn(process.execPath, ['application.ts'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.add(child);
    // Before it can exit: nobody would see that later.
    const exited = once(child, 'exit');
    const lines: string[] = [];
    createInterface({ input: child.stdout! }).on('line', (text) => lines.push(text));
    return { child, exited, line: (text) => eventually(() => expect(lines).toContain(text)) };
  }

  it('has types that an application compiles with, also as CommonJS, and that name no other library', async () => {
    await compileWithPackages(folder, ...Object.keys(files));
  });

  it('PB-22 migrates a database, and another process runs the job of one that was killed', async () => {
    const first = start('hang');
    await first.line('started attempt 0');
    first.child.kill('SIGKILL');
    await first.exited;
    // Its lease ends.
    await moveClock(database, '1 minute');
    const second = start('work');
    await second.line('started attempt 1');
    await second.line('completed');
    expect((await second.exited)[0]).toBe(0);
  });
});

/** The example of the README, with a handler that hangs in the first process. */
const application = `
import { EmbeddedSpooled, migrate } from 'spooled-embedded';
import { type LeasedJob } from 'spooled-sdk';

const { ADMIN_URL, DATABASE_URL, SYSTEM_URL, MODE } = process.env as Record<string, string>;
await migrate({ adminUrl: ADMIN_URL! });
const spooled = await EmbeddedSpooled.open({
  databaseUrl: DATABASE_URL!,
  systemUrl: SYSTEM_URL!,
  organization: 'shop',
  createOrganization: true,
});
const send = async ({ payload, retryCount }: LeasedJob<{ to: string }>) => {
  console.log(\`started attempt \${retryCount}\`);
  if (MODE === 'hang') await new Promise(() => undefined);
  return { sent: payload.to };
};
const worker = spooled.worker({ mail: send });
await worker.start();
worker.on('completed', (job) => {
  console.log('completed');
  void spooled.close();
});
if (MODE === 'hang') await spooled.jobs.create({ queueName: 'mail', payload: { to: 'ada@example.com' } });
`;

const files = {
  'application.ts': application,
  'types.cts': `
import sdk = require('spooled-sdk');
import embedded = require('spooled-embedded');
export const job = sdk.defineJob<{ name: string }>('greet').handle(({ name }) => name);
export const app: Promise<sdk.App> = embedded.connect('postgres://…');
`,
  'entries.ts': `
export * as testing from 'spooled-embedded/testing';
export * as browser from 'spooled-sdk/browser';
export * as outbox from 'spooled-sdk/outbox';
`,
};
