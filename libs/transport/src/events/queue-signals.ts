import type { LeaseRef } from '@spooled/contracts';
import { keys } from '../connection/keys.js';
import type { RedisShards } from '../connection/redis-shards.js';

/** Why a queue may have jobs: a job's id, or one of these names for many jobs at once. */
export type WakeUp =
  | 'bulk_enqueue'
  | 'scheduled_activated'
  | 'cron_job_created'
  | 'stale_worker_released'
  | 'workflow_job_ready'
  // Any text is allowed (a job id); the literals remain visible to editors.
  | (string & {});

export type QueueControl = 'paused' | 'resumed';

/** Notifies waiting claims that a queue may have jobs or was paused. Best effort; never blocks. */
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

  /** Tells the services that pass jobs to workers that the holder of this lease should end its job. */
  cancel({ organizationId, jobId, leaseId }: LeaseRef): void {
    this.publish(organizationId, keys.cancellations(organizationId), `${jobId} ${leaseId}`);
  }

  onCancel(organizationId: string, listener: (lease: LeaseRef) => void): () => void {
    const { channels } = this.shards.shardOf(organizationId);
    return channels.subscribe(keys.cancellations(organizationId), (message) => {
      const [jobId = '', leaseId = ''] = message.split(' ');
      listener({ organizationId, jobId, leaseId });
    });
  }

  workflow(organizationId: string, workflowId: string, change: 'created' | 'cancelled' | 'retried'): void {
    this.publish(organizationId, keys.workflow(organizationId, workflowId), change);
  }

  onControl(organizationId: string, queueName: string, listener: (state: QueueControl) => void): () => void {
    const { channels } = this.shards.shardOf(organizationId);
    const channel = keys.queueControl(organizationId, queueName);
    return channels.subscribe(channel, (message) => listener(message as QueueControl));
  }

  private publish(organizationId: string, channel: string, message: string): void {
    // Waiting claims also poll; a lost signal costs one interval.
    this.shards
      .shardOf(organizationId)
      .publish(channel, message)
      .catch(() => undefined);
  }
}
