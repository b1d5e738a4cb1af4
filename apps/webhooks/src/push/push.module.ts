import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@spooled/data-access';
import { SERVICE } from '@spooled/platform';
import { CommandPath } from '@spooled/queue';
import { QueueRates } from '@spooled/service';
import { QueueSignals, QueueTokens, type RedisCredentialCache, type RedisShards } from '@spooled/transport';
import { CallbackClient } from '../callback/callback-client.js';
import type { WebhooksService } from '../stores/open-stores.js';
import { CHANGES, REDIS } from '../stores/stores.module.js';
import { PushCalls } from './push-calls.js';
import { PushDispatcher } from './push-dispatcher.js';
import { PushWatch } from './push-watch.js';
import { PushWork } from './push-work.js';

/** Push queues: their jobs are done by HTTP calls (MQ-10). */
@Module({})
export class PushModule implements OnApplicationBootstrap {
  constructor(
    @Inject(SERVICE) private readonly service: WebhooksService,
    @Inject(REDIS) private readonly redis: RedisShards | null,
    @Inject(CHANGES) private readonly changes: RedisCredentialCache | null,
    private readonly db: Database,
    private readonly path: CommandPath,
    private readonly client: CallbackClient,
  ) {}

  /** Begins to call. */
  onApplicationBootstrap(): void {
    const { logger, settings, stopping, onStop } = this.service;
    const dispatcher = this.openDispatcher();
    const watch = new PushWatch(
      this.db,
      dispatcher,
      logger,
      settings.PUSH_POLL_INTERVAL_MS,
      () => this.redis?.connected ?? false,
    );
    this.changes?.onInvalidate(({ kind }) => {
      if (kind === 'queue' || kind === 'everything') watch.refreshNow();
    });
    watch.start();
    // Half of the time that the process has, from its beginning on: other parts need theirs.
    const graceMs = settings.SHUTDOWN_TIMEOUT_SECS * 500;
    let ended: Promise<unknown> | undefined;
    const end = () => (ended ??= Promise.all([watch.stop(), dispatcher.stop(graceMs)]));
    stopping.addEventListener('abort', () => void end(), { once: true });
    onStop('push queues', end);
  }

  private openDispatcher(): PushDispatcher {
    const { settings, metrics, logger } = this.service;
    const work = new PushWork(this.path, settings.COMMAND_TIMEOUT_MS);
    const calls = new PushCalls(work, this.client, metrics, logger);
    const rates = new QueueRates(this.db, this.redis && new QueueTokens(this.redis), this.changes);
    const signals = this.redis && new QueueSignals(this.redis);
    const dispatcher = new PushDispatcher(work, calls, rates, logger, {
      maxConcurrent: settings.PUSH_MAX_CONCURRENT_CALLS,
      breaker: { failures: 5, firstPauseMs: 1_000, maxPauseMs: 60_000 },
      subscribe: (organizationId, queueName, onWork) =>
        signals ? signals.onWake(organizationId, queueName, onWork) : () => undefined,
    });
    metrics.onScrape('pushCircuitsOpen', (gauge) => gauge.set(dispatcher.openCircuits));
    return dispatcher;
  }
}
