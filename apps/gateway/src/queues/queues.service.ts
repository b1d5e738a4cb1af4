import { Inject, Injectable } from '@nestjs/common';
import { queueSchemas, textOrNull } from '@spooled/contracts';
import {
  countJobs,
  Database,
  recordDeliveries,
  findPause,
  findQueue,
  listQueues,
  measureOldestPending,
  measureQueue,
  pauseQueue,
  readClock,
  checkQueueQuota,
  resumeQueue,
  saveQueueSettings,
  secondsBetween,
  type JobCounts,
  type QueueDefaults,
  type QueueMeasuresRow,
  type QueueRow,
  type QueueSummaryRow,
  type SavedQueue,
  type TenantTransaction,
} from '@spooled/data-access';
import { type CallbackPolicy, checkQueueSettings, conflict, invalidField, notFound } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import {
  callbackPolicy,
  Commands,
  jobDefaults,
  nameOnly,
  type Page,
  pageOf,
  type Principal,
  QueueChanges,
  queuePaused,
  queueResumed,
  rowsOf,
  seesReceivers,
  type Viewer,
} from '@spooled/service';
import { ReceiverOutages } from '@spooled/transport';
import { requireNewQueue, requireQueue } from '../auth/queue-scope.js';
import { expiryOf, type PausedQueue, toPauseResponse } from './queue-pause.js';
import type { GatewaySettings } from '../gateway.config.js';

const maxSettingsBytes = 65_536;

/** Queues and their settings, which only the gateway writes. */
@Injectable()
export class QueuesService {
  private readonly defaults: QueueDefaults;
  private readonly policy: CallbackPolicy;

  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly changes: QueueChanges,
    @Inject(ReceiverOutages) private readonly outages: ReceiverOutages | null,
    @Inject(SETTINGS) settings: GatewaySettings,
  ) {
    this.policy = callbackPolicy(settings);
    this.defaults = jobDefaults(settings);
  }

  /** By name. @throws SpooledError 400 for an invalid cursor */
  list(principal: Principal, query: queueSchemas.ListQueuesQuery): Promise<Page<QueueSummaryRow>> {
    return this.database.withTenant(principal.organizationId, (tx) => this.page(tx, principal, query));
  }

  /** The same within a transaction that reads more of these queues. @throws SpooledError 400 for an invalid cursor */
  async page(
    tx: TenantTransaction,
    { queues }: Pick<Principal, 'queues'>,
    query: queueSchemas.ListQueuesQuery,
  ): Promise<Page<QueueSummaryRow>> {
    const filter = { queues, ...rowsOf(query), afterName: nameOnly(query.cursor) };
    const found = await listQueues(tx, filter, this.defaults);
    return pageOf(found, query, ({ queue_name }) => [queue_name]);
  }

  /** @throws SpooledError 403 scope, 404 for a queue that has neither settings nor jobs */
  async get(principal: Principal, name: string): Promise<QueueRow> {
    requireQueue(principal, name);
    return this.database.withTenant(principal.organizationId, (tx) => this.find(tx, name, principal));
  }

  /** The circuit breaker of a queue's receiver; null for a queue without one. Never throws. */
  async receiverOf({ organizationId }: Principal, queue: QueueRow): Promise<queueSchemas.QueueDetail['receiver']> {
    const { callback_url: url } = JSON.parse(queue.settings) as { callback_url?: unknown };
    if (typeof url !== 'string') return null;
    const outage = await this.outages?.find(organizationId, queue.queue_name);
    if (outage === undefined) return { state: 'unknown', since: null, next_trial_at: null };
    if (outage === null) return { state: 'closed', since: null, next_trial_at: null };
    return { state: 'open', since: outage.since, next_trial_at: outage.nextCallAt };
  }

  /** Current jobs and the throughput of the last 24 hours; zeros for an unknown queue. @throws SpooledError 403 scope */
  stats(principal: Principal, name: string): Promise<QueueMeasuresRow> {
    requireQueue(principal, name);
    return this.database.withTenant(principal.organizationId, (tx) => tx.one(measureQueue, { queueName: name }));
  }

  /** Number of jobs by status, and the age of the oldest pending job. @throws SpooledError 403 scope */
  count(principal: Principal, name: string): Promise<{ counts: JobCounts; oldestPendingMs: number }> {
    requireQueue(principal, name);
    return this.database.withTenant(principal.organizationId, async (tx) => {
      const [counts, oldest] = await Promise.all([
        tx.one(countJobs, { queues: [name] }),
        tx.one(measureOldestPending, { queueName: name }),
      ]);
      return { counts, oldestPendingMs: oldest.age_ms };
    });
  }

  /**
   * Creates or changes a queue's settings; absent members stay unchanged. A new queue counts against the plan unless it has jobs.
   * With `callback_url` it becomes a push queue: its jobs are sent to that URL (MQ-10).
   * @throws SpooledError 400 invalid name or settings, or settings too large, 403 scope, 429 quota
   */
  async configure(principal: Principal, name: string, body: queueSchemas.QueueConfigBody): Promise<QueueRow> {
    requireNewQueue(principal, name);
    const wrong = checkQueueSettings(body.settings?.value ?? {}, this.policy);
    if (wrong) throw invalidField(wrong.field, wrong.reason);
    const { queue, deliveries, isChanged, savedAt } = await this.database.withTenant(
      principal.organizationId,
      async (tx) => {
        await checkQueueQuota(tx, name, principal.limits);
        return this.save(tx, name, body);
      },
    );
    const control = body.enabled === undefined || body.enabled === null ? null : body.enabled ? 'resumed' : 'paused';
    const changed = queue.enabled ? queueResumed(name, savedAt) : queuePaused(name, null, savedAt);
    const event = isChanged ? changed : null;
    this.changes.publish(principal.organizationId, name, control, { deliveries, event });
    return queue;
  }

  /** The pause of a queue; null while it is not paused. @throws SpooledError 403 scope */
  async pauseOf({ organizationId }: Principal, { queue_name: name, enabled }: QueueRow) {
    if (enabled) return null;
    const pause = await this.database.withTenant(organizationId, (tx) => tx.first(findPause, { queueName: name }));
    return pause ? toPauseResponse(pause) : null;
  }

  /**
   * Claims return no jobs from the commit on; jobs in progress continue. A later pause replaces reason and expiry of an earlier one.
   * With an expiry the scheduler resumes the queue (BX-26).
   * @throws SpooledError 400 expiry out of bounds, 403 scope, 404
   */
  async pause(principal: Principal, name: string, body: queueSchemas.PauseQueueBody): Promise<PausedQueue> {
    requireQueue(principal, name);
    const { organizationId } = principal;
    const reason = body.reason ?? null;
    const { changed, deliveries, ...paused } = await this.database.withTenant(organizationId, async (tx) => {
      await this.find(tx, name, principal);
      const expiresAt = expiryOf(body, await readClock(tx));
      const paused = await pauseQueue(tx, name, { reason, expiresAt }, this.defaults);
      const data = { queue_name: name, reason };
      return { ...paused, deliveries: paused.changed ? await recordDeliveries(tx, 'queue.paused', data) : [] };
    });
    const event = changed ? queuePaused(name, reason, paused.pausedAt) : null;
    this.changes.publish(organizationId, name, 'paused', { deliveries, event });
    return paused;
  }

  /** @returns `pausedSeconds`, 0 if the queue was not paused. @throws SpooledError 403 scope, 404 without settings */
  async resume(principal: Principal, name: string): Promise<{ pausedSeconds: number }> {
    requireQueue(principal, name);
    const { organizationId } = principal;
    const resumed = await this.database.withTenant(organizationId, (tx) => resumeQueue(tx, name));
    if (!resumed) throw notFound('Queue');
    const { pausedSeconds, changed, resumedAt, deliveries } = resumed;
    const event = changed ? queueResumed(name, resumedAt) : null;
    this.changes.publish(organizationId, name, 'resumed', { deliveries, event });
    return { pausedSeconds };
  }

  /**
   * Deletes a queue's settings and, with `deleteJobs`, all its jobs.
   * @throws SpooledError 403 scope, 404, 409 while jobs are active or if the queue has no settings and `deleteJobs` is false
   */
  async remove(principal: Principal, name: string, deleteJobs: boolean): Promise<void> {
    const { id } = await this.get(principal, name);
    if (id.startsWith('implicit:') && !deleteJobs) {
      throw conflict('The queue exists only through its jobs; add ?delete_jobs=true to delete them');
    }
    const { organizationId } = principal;
    const issuedAt = await this.database.withTenant(organizationId, readClock);
    await this.commands.run('queue.delete', principal, { queueName: name, deleteJobs, issuedAt });
    this.changes.publish(organizationId, name, null);
  }

  private async find(tx: TenantTransaction, name: string, viewer: Viewer): Promise<QueueRow> {
    const queue = await findQueue(tx, name, this.defaults, { withSecrets: seesReceivers(viewer) });
    if (!queue) throw notFound('Queue');
    return queue;
  }

  private async save(
    tx: TenantTransaction,
    name: string,
    body: queueSchemas.QueueConfigBody,
  ): Promise<{ queue: QueueRow; deliveries: string[]; isChanged: boolean; savedAt: string }> {
    const change = {
      maxRetries: body.max_retries ?? null,
      timeoutSeconds: body.default_timeout ?? null,
      rateLimit: body.rate_limit,
      enabled: body.enabled ?? null,
      settings: textOrNull(body.settings),
    };
    const saved = await saveQueueSettings(tx, name, change, this.defaults);
    if (saved.settingsBytes > maxSettingsBytes) throw invalidField('settings', 'must not exceed 64 KB once merged');
    const { queue, savedAt } = saved;
    const isChanged = queue.enabled !== saved.wasEnabled;
    return { queue, isChanged, savedAt, deliveries: await recordEnabledChange(tx, name, saved) };
  }
}

/** Records the webhook deliveries of a queue that was paused or resumed by its setting `enabled`. */
async function recordEnabledChange(tx: TenantTransaction, name: string, saved: SavedQueue): Promise<string[]> {
  const { queue, wasEnabled, wasPausedAt, savedAt } = saved;
  if (queue.enabled === wasEnabled) return [];
  if (!queue.enabled) return recordDeliveries(tx, 'queue.paused', { queue_name: name, reason: null });
  const paused_duration_secs = secondsBetween(wasPausedAt, savedAt);
  return recordDeliveries(tx, 'queue.resumed', { queue_name: name, paused_duration_secs });
}
