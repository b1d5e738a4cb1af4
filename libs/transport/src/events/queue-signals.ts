import { keys } from '../connection/keys.js';
import type { RedisShards } from '../connection/redis-shards.js';

/** Why a queue may have work: a job's id, or one of the names for many jobs at once. */
export type WakeUp =
  | 'bulk_enqueue'
  | 'scheduled_activated'
  | 'cron_job_created'
  | 'stale_worker_released'
  | 'workflow_job_ready'
  // Any text is allowed (a job id); the names above stay visible to editors.
  | (string & {});

export type QueueControl = 'paused' | 'resumed';

/** Tells who waits for a queue's work that there may be some, or that the queue was paused. May be lost, never waits. */
export class QueueSignals {
  constructor(private readonly shards: RedisShards) {}

  wake(organizationId: string, queueName: string, why: WakeUp): void {
    this.publish(organizationId, keys.queueWakeUp(organizationId, queueName), why);
  }

  onWake(organizationId: string, queueName: string, listener: (why: WakeUp) => void): () => void {
    const { channels } = this.shards.shardOf(organizationId);
    return channels.subscribe(keys.queueWakeUp(organizationId, queueName), listener);
  }

  control(organizationId: string, queueName: string, state: QueueControl): void {
    this.publish(organizationId, keys.queueControl(organizationId, queueName), state);
  }

  workflow(organizationId: string, workflowId: string, move: 'created' | 'cancelled' | 'retried'): void {
    this.publish(organizationId, keys.workflow(organizationId, workflowId), move);
  }

  onControl(organizationId: string, queueName: string, listener: (state: QueueControl) => void): () => void {
    const { channels } = this.shards.shardOf(organizationId);
    const channel = keys.queueControl(organizationId, queueName);
    return channels.subscribe(channel, (message) => listener(message as QueueControl));
  }

  private publish(organizationId: string, channel: string, message: string): void {
    // Who waits for work also asks from time to time; a lost signal costs that interval, nothing more.
    this.shards
      .shardOf(organizationId)
      .commands.publish(channel, message)
      .catch(() => undefined);
  }
}
