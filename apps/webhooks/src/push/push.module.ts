import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@spooled/data-access';
import type { PlanOverrides } from '@spooled/domain';
import { SERVICE } from '@spooled/platform';
import {
  ClaimAdmission,
  Commands,
  PLAN_OVERRIDES,
  PlansModule,
  QueueRates,
  QueueRatesModule,
  QueueWakeups,
  REDIS,
  SHARED_CREDENTIALS,
  WakeupsModule,
} from '@spooled/service';
import { PushShortages, ReceiverOutages, type RedisCredentialCache, type RedisShards } from '@spooled/transport';
import { CallbackClient } from '../callback/callback-client.js';
import type { WebhooksService } from '../webhooks.config.js';
import { PushCalls } from './push-calls.js';
import { PushDispatcher } from './push-dispatcher.js';
import { PushWatch } from './push-watch.js';
import { PushWork } from './push-work.js';

/** Push queues: their jobs are done by HTTP calls (MQ-10). */
@Module({ imports: [PlansModule, QueueRatesModule, WakeupsModule] })
export class PushModule implements OnApplicationBootstrap {
  constructor(
    @Inject(SERVICE) private readonly service: WebhooksService,
    @Inject(REDIS) private readonly redis: RedisShards | null,
    @Inject(SHARED_CREDENTIALS) private readonly changes: RedisCredentialCache | null,
    @Inject(PLAN_OVERRIDES) private readonly overrides: PlanOverrides,
    private readonly db: Database,
    private readonly commands: Commands,
    private readonly rates: QueueRates,
    private readonly client: CallbackClient,
    private readonly wakeups: QueueWakeups,
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
      this.overrides,
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
    const work = new PushWork(this.commands, this.db, settings.PUSH_LEASE_SECS);
    const calls = new PushCalls(work, this.client, metrics, logger);
    const dispatcher = new PushDispatcher(work, calls, new ClaimAdmission(this.rates, null), logger, {
      maxConcurrent: settings.PUSH_MAX_CONCURRENT_CALLS,
      maxBytes: settings.PUSH_MAX_PAYLOAD_BYTES_IN_FLIGHT,
      maxPerClaim: settings.PUSH_MAX_JOBS_PER_CLAIM,
      breaker: { failures: 5, firstPauseMs: 1_000, maxPauseMs: 60_000 },
      subscribe: (organizationId, queueName, onWork) => this.wakeups.onWake(organizationId, queueName, onWork),
      outages: this.redis && new ReceiverOutages(this.redis, { log: logger }),
      // Repeated at each poll while it lasts.
      shortages: this.redis && {
        to: new PushShortages(this.redis, { log: logger }),
        keptMs: 3 * settings.PUSH_POLL_INTERVAL_MS,
      },
    });
    metrics.onScrape('pushCircuitsOpen', (gauge) => gauge.set(dispatcher.openCircuits));
    metrics.onScrape('pushQueuesWaiting', (gauge) => {
      for (const [reason, queues] of Object.entries(dispatcher.waitingQueues)) gauge.set({ reason }, queues);
    });
    metrics.onScrape('pushCallsInFlight', (gauge) => gauge.set(dispatcher.runningCalls));
    return dispatcher;
  }
}
