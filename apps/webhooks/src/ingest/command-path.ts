import type { DeliveryHandover } from '@spooled/contracts';
import type { Database } from '@spooled/data-access';
import { CommandPath, GroupCommit, JobEngine, type Effects } from '@spooled/queue';
import { CommandStreamClient, QueueSignals, RedisEventPublisher, type RedisShards } from '@spooled/transport';
import type { WebhooksService } from '../stores/open-stores.js';

/** The way of new jobs: through an engine while one is there, else by the same code in this process (BX-08). */
export function openCommandPath(
  db: Database,
  redis: RedisShards | null,
  handover: DeliveryHandover,
  service: WebhooksService,
): CommandPath {
  const { settings, logger, metrics } = service;
  const engine = new JobEngine(db, {
    onEffects: spread(redis, handover, service),
    onError: (err, what) => logger.error({ err, what }, 'commands failed'),
  });
  const local = new GroupCommit(engine, { onBatch: (commands) => metrics.commandBatchSize.observe(commands) });
  const transport =
    redis && new CommandStreamClient(redis, { log: logger, backlogLimitMs: settings.COMMAND_BACKLOG_LIMIT_MS });
  service.onStop('command path', async () => {
    transport?.close();
    await local.drain();
  });
  return new CommandPath({ mode: settings.ENGINE_PATH, transport, local });
}

/** Tells the rest of the system what a commit of this process changed. All of it may be lost without losing a job. */
function spread(redis: RedisShards | null, handover: DeliveryHandover, { metrics }: WebhooksService) {
  if (!redis) return () => undefined;
  const events = new RedisEventPublisher(redis, (dropped) => metrics.eventsDropped.inc(dropped));
  const signals = new QueueSignals(redis);
  return (effects: Effects): void => {
    events.publish(effects.events);
    handover.handOver(effects.deliveries);
    for (const { organizationId, queueName } of effects.wakeups)
      signals.wake(organizationId, queueName, 'bulk_enqueue');
  };
}
