import { Global, Module } from '@nestjs/common';
import { LeaseStore, type ProductMetrics } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { type Metrics, SERVICE, type ServiceContext, type SettingsOf } from '@spooled/platform';
import { BlockedTenants, CommandPath, GroupCommit, JobEngine, Latencies } from '@spooled/queue';
import { CommandStreamClient, type RedisShards } from '@spooled/transport';
import { EffectsModule } from '../effects/effects.module.js';
import { EffectsPublisher } from '../effects/effects-publisher.service.js';
import { provider } from '../provider.js';
import type { commandSettings } from '../settings/store.settings.js';
import { REDIS } from '../tokens.js';
import { Throttles } from '../throttles/throttles.js';
import { ThrottlesModule } from '../throttles/throttles.module.js';
import { Commands } from './commands.service.js';
import { countOutcomes } from './outcome-counters.js';
import { releaseUnclaimed } from './release-unclaimed.js';

type CommandService = ServiceContext<SettingsOf<typeof commandSettings>, Metrics<ProductMetrics>>;

/** The in-process engine, for engines and for the direct path. */
@Global()
@Module({
  imports: [EffectsModule],
  providers: [provider(GroupCommit, openLocalEngine, [SERVICE, Database, LeaseStore, EffectsPublisher])],
  exports: [GroupCommit],
})
export class LocalEngineModule {}

/** Sends commands to an engine if one is alive, otherwise to the in-process engine. */
function openCommandPath(service: CommandService, redis: RedisShards | null, local: GroupCommit): CommandPath {
  const { settings, logger, metrics } = service;
  const transport =
    redis && settings.ENGINE_PATH !== 'direct'
      ? new CommandStreamClient(redis, {
          log: logger,
          backlogLimitMs: settings.COMMAND_BACKLOG_LIMIT_MS,
          backlogMaxMs: Math.max(settings.COMMAND_BACKLOG_LIMIT_MS, settings.COMMAND_TIMEOUT_MS / 2),
          onUnclaimed: releaseUnclaimed(logger, local),
        })
      : null;
  if (transport) service.onStop('command transport', () => transport.close());
  return new CommandPath({
    ...{ mode: settings.ENGINE_PATH, transport, local, onOutcome: countOutcomes(metrics) },
    onError: (err, what) => logger.error({ err, what }, 'a command could not be sent'),
  });
}

/** The command path, by which services change jobs and workers. */
@Global()
@Module({
  imports: [LocalEngineModule, ThrottlesModule],
  providers: [
    provider(CommandPath, openCommandPath, [SERVICE, REDIS, GroupCommit]),
    provider(
      Commands,
      (path: CommandPath, { settings }: CommandService, throttles: Throttles) =>
        new Commands(path, settings.COMMAND_TIMEOUT_MS, throttles),
      [CommandPath, SERVICE, Throttles],
    ),
  ],
  exports: [Commands],
})
export class CommandsModule {}

type EngineService = ServiceContext<unknown, Metrics<ProductMetrics>>;

/** The in-process engine with its group commit; drained before the stores close. */
function openLocalEngine(
  { logger, metrics, onStop }: EngineService,
  database: Database,
  leases: LeaseStore | null,
  effects: EffectsPublisher,
): GroupCommit {
  const blocked = new BlockedTenants((organizationId) =>
    logger.warn(
      { organizationId },
      'commands wait for locks or take long; the organization has transactions of its own',
    ),
  );
  const latencies = new Latencies(database, {
    onError: (err) => logger.warn({ err }, 'failed to write latency samples'),
  });
  const onError = (err: unknown, what: string): void => logger.error({ err, what }, 'commands failed');
  const engine = new JobEngine(database, {
    latencies,
    onBlocked: (organizationId) => blocked.record(organizationId),
    onEffects: (committed) => effects.publish(committed),
    onError,
    leases: leases ?? undefined,
    onRenewals: (answeredBy, count) => metrics.leaseRenewals.inc({ answered_by: answeredBy }, count),
  });
  const commit = new GroupCommit(engine, {
    blocked,
    onError,
    onBatch: (commands) => metrics.commandBatchSize.observe(commands),
  });
  onStop('commands in flight', async () => {
    await commit.drain();
    await engine.close();
    await latencies.close();
  });
  return commit;
}
