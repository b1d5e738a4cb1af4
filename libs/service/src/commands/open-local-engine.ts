import type { LeaseStore, ProductMetrics } from '@spooled/contracts';
import type { Database } from '@spooled/data-access';
import type { Metrics, ServiceContext } from '@spooled/platform';
import { BlockedTenants, GroupCommit, JobEngine, Latencies } from '@spooled/queue';
import type { EffectsPublisher } from '../effects/effects-publisher.service.js';

type EngineService = ServiceContext<unknown, Metrics<ProductMetrics>>;

/** The in-process engine with its group commit; drained before the stores close. */
export function openLocalEngine(
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
  const engine = new JobEngine(database, {
    latencies,
    onBlocked: (organizationId) => blocked.record(organizationId),
    onEffects: (committed) => effects.publish(committed),
    onError: (err, what) => logger.error({ err, what }, 'commands failed'),
    leases: leases ?? undefined,
    onRenewals: (answeredBy, count) => metrics.leaseRenewals.inc({ answered_by: answeredBy }, count),
  });
  const commit = new GroupCommit(engine, {
    blocked,
    onBatch: (commands) => metrics.commandBatchSize.observe(commands),
  });
  onStop('commands in flight', async () => {
    await commit.drain();
    await engine.close();
    await latencies.close();
  });
  return commit;
}
