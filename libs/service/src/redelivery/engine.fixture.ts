import { flushCompileCache } from 'node:module';
import { commandKinds, type Command, type Outcome } from '@spooled/contracts';
import { type BatchTransaction, Database, type TenantTransaction } from '@spooled/data-access';
import { GroupCommit, JobEngine } from '@spooled/queue';
import { CommandStreamServer, parseShards, RedisShards } from '@spooled/transport';

/** Where a command may be held until the parent process sends `continue`. */
export type HoldStage = 'after read' | 'before commit' | 'after commit';

/** Settings of the fixture: an engine that holds commands at one stage. */
export interface FixtureSettings {
  databaseUrl: string;
  redisUrl: string;
  /** null: never hold commands. */
  holdAt: HoldStage | null;
  /** The engine sends `held` when this many commands (before COMMIT: transactions) have reached the stage. */
  holds: number;
}

const settings = JSON.parse(process.env.FIXTURE ?? '{}') as FixtureSettings;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

let release: () => void = () => undefined;
const released = new Promise<void>((resolve) => (release = resolve));
let held = 0;

/** Waits at a stage until the parent sends `continue`. */
async function hold(stage: HoldStage): Promise<void> {
  if (stage !== settings.holdAt) return;
  if (++held === settings.holds) process.send?.('held');
  await released;
}

/** Holds each transaction before its COMMIT. */
class HeldDatabase extends Database {
  override withTenant<T>(organizationId: string, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    return super.withTenant(organizationId, (tx) => heldBeforeCommit(tx, work(tx)));
  }

  override inBatch<T>(work: (tx: BatchTransaction) => Promise<T>): Promise<T> {
    return super.inBatch((tx) => heldBeforeCommit(tx, work(tx)));
  }
}

async function heldBeforeCommit<T>(tx: TenantTransaction | BatchTransaction, work: Promise<T>): Promise<T> {
  const value = await work;
  // A stopped engine's transaction holds its locks for this long; shorter than by its query timeout, to keep the spec fast.
  if (settings.holdAt === 'before commit') await tx.query(`SET LOCAL idle_in_transaction_session_timeout = '2s'`);
  await hold('before commit');
  return value;
}

const database = new HeldDatabase({
  appUrl: settings.databaseUrl,
  applicationName: 'engine fixture',
  // As many transactions may be held at once.
  maxConnections: commandKinds.length,
  minConnections: 0,
  // A connection or statement that a busy machine delays must not fail: its command would never be held.
  acquireTimeoutMs: 60_000,
  queryTimeoutMs: 20_000,
  onError: () => undefined,
});
const redis = new RedisShards({ shards: parseShards(settings.redisUrl), connectionName: 'engine fixture', log });
const engine = new GroupCommit(new JobEngine(database, { onEffects: () => undefined, random: () => 0 }));
const server = new CommandStreamServer(redis, {
  log,
  // Below production's 3 s to keep the spec fast; an engine that a busy machine delays for as long loses its commands to another one.
  redeliverAfterMs: 2_000,
  stopGraceMs: 20_000,
  wrap: async (_, run) => {
    await hold('after read');
    const outcome = await run();
    await hold('after commit');
    return outcome;
  },
});
for (const kind of commandKinds) {
  server.addHandler(kind, (command: Command) => engine.submit(command) as Promise<Outcome> as never);
}

process.on('message', (message) => {
  if (message === 'continue') release();
  if (message === 'listen') listen();
});
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => void stop());

async function stop(): Promise<void> {
  await server.close();
  await engine.drain();
  await Promise.all([database.close(), redis.close()]);
  process.exit(0);
}

function listen(): void {
  server.listen((error) => {
    if (error) throw error;
    process.send?.('ready');
  });
}

// Most of them are killed, and would leave nothing to the next.
flushCompileCache();
process.send?.('loaded');
