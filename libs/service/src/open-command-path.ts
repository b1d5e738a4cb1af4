import type { ClaimedJob, ProductMetrics } from '@spooled/contracts';
import type { Database } from '@spooled/data-access';
import { type Metrics, newId, type ServiceContext, type SettingsOf } from '@spooled/platform';
import { CommandPath, type Effects, GroupCommit, BlockedTenants, JobEngine } from '@spooled/queue';
import { CommandStreamClient, RedisLeases, type RedisShards, type TransportLog } from '@spooled/transport';
import { countOutcomes } from './outcome-counters.js';
import type { commandSettings } from './store-settings.js';

/** Longer than a short outage of PostgreSQL. */
const releaseTtlMs = 10_000;

type EngineService = ServiceContext<unknown, Metrics<ProductMetrics>>;
type CommandService = ServiceContext<SettingsOf<typeof commandSettings>, Metrics<ProductMetrics>>;

/** The life of a job in this process, behind a group commit; drained before the stores close. */
export function openLocalEngine(
  { logger, metrics, onStop }: EngineService,
  database: Database,
  redis: RedisShards | null,
  announce: (effects: Effects) => void,
): GroupCommit {
  const blocked = new BlockedTenants((organizationId) =>
    logger.warn(
      { organizationId },
      'commands wait for locks or take long; the organization has transactions of its own',
    ),
  );
  const engine = new JobEngine(database, {
    onBlocked: (organizationId) => blocked.record(organizationId),
    onEffects: announce,
    onError: (err, what) => logger.error({ err, what }, 'commands failed'),
    leases: redis ? new RedisLeases(redis, { log: logger }) : undefined,
    onRenewals: (answeredBy, count) => metrics.leaseRenewals.inc({ answered_by: answeredBy }, count),
  });
  const commit = new GroupCommit(engine, {
    blocked,
    onBatch: (commands) => metrics.commandBatchSize.observe(commands),
  });
  onStop('commands in work', () => commit.drain());
  return commit;
}

/** The way of commands for a service with a door: to an engine where one is alive, else run here. */
export function openCommandPath(service: CommandService, redis: RedisShards | null, local: GroupCommit): CommandPath {
  const { settings, logger, metrics } = service;
  const transport =
    redis && settings.ENGINE_PATH !== 'direct'
      ? new CommandStreamClient(redis, {
          log: logger,
          backlogLimitMs: settings.COMMAND_BACKLOG_LIMIT_MS,
          onUnclaimed: releaseUnclaimed(logger, local),
        })
      : null;
  if (transport) service.onStop('command transport', () => transport.close());
  return new CommandPath({ mode: settings.ENGINE_PATH, transport, local, onOutcome: countOutcomes(metrics) });
}

/**
 * Gives back jobs that a claim was granted when nobody waited for its answer any more: no attempt is lost for a job that no worker
 * received (BX-02).
 */
export const releaseUnclaimed =
  (log: TransportLog, local: GroupCommit) =>
  (organizationId: string, jobs: ClaimedJob[]): void => {
    const leases = jobs.map(({ id: jobId, leaseId }) => ({ jobId, leaseId }));
    const command = {
      id: newId(),
      kind: 'job.release',
      organizationId,
      ttlMs: releaseTtlMs,
      traceparent: null,
    } as const;
    void local.submit<'job.release'>({ ...command, body: { leases } }).then((outcome) => {
      if (!outcome.ok) {
        log.warn(
          { error: outcome.error.message, leases: leases.length },
          'unclaimed jobs were not released; their leases will expire',
        );
      }
    });
  };
