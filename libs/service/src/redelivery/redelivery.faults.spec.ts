import { type Command, type CommandKind, commandKinds, type CommandOf, type Outcome } from '@spooled/contracts';
import type { SpooledError } from '@spooled/domain';
import { batchedKinds, CommandPath, GroupCommit, JobEngine } from '@spooled/queue';
import { CommandStreamClient, parseShards, RedisShards } from '@spooled/transport';
import { command, eventually, startRedis, type TestRedis } from '@spooled/testing';
import { releaseUnclaimed } from '../commands/release-unclaimed.js';
import { redeliveryCases } from './cases.fixture.js';
import type { HoldStage } from './engine.fixture.js';
import { EngineBundle, type EngineProcess } from './engine-process.fixture.js';
import { type Tenant, World } from './world.fixture.js';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** One command of each kind, sent to an engine. */
interface Sent {
  kind: CommandKind;
  tenant: Tenant;
  command: Command;
  answer: Promise<Outcome>;
}

/** The signal sent to the engine that holds the commands. */
type Fault = 'SIGSTOP' | 'SIGKILL' | 'SIGTERM';
type Stage = 'before read' | HoldStage;

const faults: Fault[] = ['SIGSTOP', 'SIGKILL', 'SIGTERM'];
const stages: Stage[] = ['before read', 'after read', 'before commit', 'after commit'];
const scenarios = [1, 2].flatMap((engines) => faults.map((fault) => ({ engines, fault })));

describe('a command whose engine fails', () => {
  const bundle = new EngineBundle();
  let world: World;
  /** One per stage, because the stages of a scenario run side by side: most of their time is waiting. */
  const redis = new Map<Stage, TestRedis>();
  const expected = new Map<CommandKind, unknown>();

  beforeAll(async () => {
    const servers = stages.map(async (stage) => void redis.set(stage, await startRedis()));
    [world] = await Promise.all([World.open(), bundle.build(), ...servers]);
    for (const kind of commandKinds.filter((one) => one !== 'job.claim')) {
      expected.set(kind, { answer: 'done', state: await stateWithoutFault(world, kind) });
    }
  }, 60_000);
  afterAll(async () => {
    await Promise.all([world?.close(), bundle.remove(), ...[...redis.values()].map((server) => server.close())]);
  });

  it.each(scenarios)(
    'SP-21 BX-08 PB-29 takes effect once: $engines engine(s), $fault before and after read and commit',
    async ({ engines, fault }) => {
      const runs = await Promise.allSettled(stages.map((stage) => takesEffectOnce(engines, fault, stage)));
      for (const run of runs) if (run.status === 'rejected') throw run.reason;
    },
    120_000,
  );

  async function takesEffectOnce(engines: number, fault: Fault, stage: Stage): Promise<void> {
    const server = redis.get(stage)!;
    await using gateway = await TestGateway.open(world, server);
    const holds = stage === 'before commit' ? transactions : commandKinds.length;
    const holdAt = stage === 'before read' ? null : stage;
    const settings = { databaseUrl: world.urls.appUrl, redisUrl: server.url };
    const engine = bundle.launch({ ...settings, holdAt, holds });
    const ordinary = { ...settings, holdAt: null, holds: 0 };
    // It loads its modules now: later it would be late for transactions that PostgreSQL ends while they are held.
    let other = engines === 2 ? bundle.launch(ordinary) : undefined;
    try {
      await engine.listen();
      await other?.received('loaded');
      const ready = await gateway.oneOfEach();
      const sent = await gateway.send(ready, () => stage === 'before read' && engine.signal(fault));
      if (stage !== 'before read') await engine.received('held');
      await other?.listen();
      if (stage !== 'before read') engine.signal(fault);
      if (fault === 'SIGTERM') engine.continue();

      const outcomes = await answersOf(sent);
      engine.continue();
      engine.signal('SIGCONT');
      if (fault !== 'SIGSTOP') other ??= await bundle.start(ordinary);
      await gateway.isDrained();
      await expectOneEffect(stage, sent, outcomes);
    } finally {
      await Promise.all([engine.end(), other?.end()]);
    }
  }

  it('SP-21 BX-08 PB-29 takes effect once: the first run ends when another engine has already read the command', async () => {
    const server = redis.get('after read')!;
    await using gateway = await TestGateway.open(world, server);
    const stores = { databaseUrl: world.urls.appUrl, redisUrl: server.url };
    const held = { ...stores, holdAt: 'after read', holds: commandKinds.length } as const;
    const engine = await bundle.start(held);
    let other: EngineProcess | undefined;
    try {
      const sent = await gateway.send(await gateway.oneOfEach());
      await engine.received('held');
      engine.signal('SIGSTOP');
      other = await bundle.start(held);
      await other.received('held');
      engine.signal('SIGCONT');
      engine.continue();
      const outcomes = await answersOf(sent);
      // It runs the commands that it has read.
      await other.end();
      await expectOneEffect('after read', sent, outcomes);
    } finally {
      await Promise.all([engine.end(), other?.end()]);
    }
  }, 120_000);

  /** The outcomes, after which callers do what shows whether a command runs again. */
  async function answersOf(sent: Sent[]): Promise<Outcome[]> {
    const outcomes = await Promise.all(sent.map(({ answer }) => answer));
    for (const { kind, tenant } of sent) await redeliveryCases[kind].afterwards?.(tenant);
    return outcomes;
  }

  async function expectOneEffect(stage: Stage, sent: Sent[], outcomes: Outcome[]): Promise<void> {
    const found = new Map<CommandKind, unknown>();
    for (const [i, { kind, tenant }] of sent.entries()) {
      const outcome = outcomes[i]!;
      if (kind === 'job.claim') await expectGrantedOnce(tenant, outcome);
      else found.set(kind, { answer: outcome.ok ? 'done' : outcome.error.message, state: await tenant.state() });
    }
    expect({ stage, found }).toEqual({ stage, found: expected });
  }
});

const transactions = commandKinds.length - batchedKinds.length + 1;

async function prepared<K extends CommandKind>(tenant: Tenant, kind: K): Promise<CommandOf<K>> {
  const body = await redeliveryCases[kind].prepare(tenant);
  // Outlasts the start of another engine and the locks of a stopped one, however busy the machine is.
  return command(kind, tenant.organizationId, body, { ttlMs: 60_000 } as Partial<CommandOf<K>>);
}

async function stateWithoutFault(world: World, kind: CommandKind): Promise<unknown> {
  const tenant = await world.tenant();
  const { body } = await prepared(tenant, kind);
  await tenant.run(kind, body);
  await redeliveryCases[kind].afterwards?.(tenant);
  return tenant.state();
}

/** Only the jobs in the claim's response are leased; no attempt is lost for the others. */
async function expectGrantedOnce(tenant: Tenant, outcome: Outcome): Promise<void> {
  const { jobs } = (outcome as Extract<Outcome<'job.claim'>, { ok: true }>).value;
  const returned = jobs.map(({ payload }) => (JSON.parse(payload) as { name: string }).name).sort();
  await eventually(async () => expect(await tenant.leased()).toEqual(returned));
  const lost = await tenant.world.sql(
    'SELECT FROM job_records WHERE organization_id = $1 AND (retry_count > 0 OR status NOT IN ($2, $3))',
    [tenant.organizationId, 'pending', 'processing'],
  );
  expect(lost).toEqual([]);
}

/** The gateway's command path: sends commands to engines, or runs them in-process if there is no engine. */
class TestGateway implements AsyncDisposable {
  private constructor(
    private readonly world: World,
    private readonly shards: RedisShards,
    private readonly client: CommandStreamClient,
    private readonly path: CommandPath,
  ) {}

  static async open(world: World, redis: TestRedis): Promise<TestGateway> {
    const shards = new RedisShards({ shards: parseShards(redis.url), connectionName: 'gateway', log });
    await eventually(() => expect(shards.all[0]!.connected).toBe(true));
    // Removes the data of earlier scenarios.
    await shards.all[0]!.commands.flushall();
    const engine = new JobEngine(world.database, { onEffects: () => undefined, random: () => 0 });
    const local = new GroupCommit(engine);
    const onUnclaimed = releaseUnclaimed(log, local);
    const client = new CommandStreamClient(shards, { log, pollMs: 50, onUnclaimed });
    return new TestGateway(world, shards, client, new CommandPath({ mode: 'auto', transport: client, local }));
  }

  /** One command of each kind, each of its own organization. */
  async oneOfEach(): Promise<Omit<Sent, 'answer'>[]> {
    const ready: Omit<Sent, 'answer'>[] = [];
    for (const kind of commandKinds) {
      const tenant = await this.world.tenant();
      ready.push({ kind, tenant, command: (await prepared(tenant, kind)) as Command });
    }
    return ready;
  }

  /**
   * Sends all in one turn of the event loop, so that they are batched; in the one that finds an engine, because this process runs commands
   * itself while it knows of none, and then no engine holds them.
   */
  send(ready: Omit<Sent, 'answer'>[], before: () => void = () => undefined): Promise<Sent[]> {
    return eventually(() => {
      expect(this.client.state('any')).toBe('ready');
      before();
      return ready.map((one) => ({ ...one, answer: this.outcomeOf(one.command) }));
    });
  }

  /** Resolves when no command is left that an engine could still run. */
  async isDrained(): Promise<void> {
    const [shard] = this.shards.all;
    const left = () => shard!.commands.xlen(`spooled:cmd:{${shard!.name}}`);
    await eventually(async () => expect(await left()).toBe(0), { timeoutMs: 20_000 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client.close();
    await this.shards.close();
  }

  private async outcomeOf(sent: Command): Promise<Outcome> {
    try {
      return { ok: true, value: await this.path.run(sent) } as Outcome;
    } catch (error) {
      return { ok: false, error: (error as SpooledError).toShape() };
    }
  }
}
