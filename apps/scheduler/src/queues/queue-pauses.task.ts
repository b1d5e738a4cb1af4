import { systemActor } from '@spooled/contracts';
import { callerContext, Database, findExpiredPauses, resumeQueue } from '@spooled/data-access';
import { type DeadlineTask, Deadlines } from '@spooled/queue';
import { QueueChanges, queueResumed } from '@spooled/service';
import { Inject, Injectable } from '@nestjs/common';

/**
 * Resumes queues whose pause has expired, as a request would: each in its own transaction with its webhook deliveries, and then an
 * event and a wake-up of waiting claims (BX-26). A queue that was resumed or paused for longer in the meantime stays as it is.
 */
@Injectable()
export class QueuePausesTask implements DeadlineTask {
  readonly name = 'queue-pauses';
  readonly fullBatch = 100;

  constructor(
    private readonly db: Database,
    private readonly deadlines: Deadlines,
    @Inject(QueueChanges) private readonly changes: QueueChanges,
  ) {}

  msUntilDue(): Promise<number | null> {
    return this.deadlines.msUntil('pauseExpiry');
  }

  /** @throws the first error after all others were tried, so that one queue does not keep the others paused */
  async run(stopping?: AbortSignal): Promise<number> {
    const expired = await this.db.asSystem('find expired pauses', (tx) =>
      tx.run(findExpiredPauses, { limit: this.fullBatch }),
    );
    const errors: unknown[] = [];
    for (const { organization_id: organizationId, queue_name: name } of expired) {
      if (stopping?.aborted) break;
      await this.resume(organizationId, name).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
    return expired.length;
  }

  private async resume(organizationId: string, name: string): Promise<void> {
    const caller = { actor: systemActor(this.name), address: null, userAgent: null };
    const resumed = await callerContext.run(caller, () =>
      this.db.withTenant(organizationId, (tx) => resumeQueue(tx, name, { onlyExpired: true })),
    );
    if (!resumed) return;
    const { deliveries, resumedAt } = resumed;
    this.changes.publish(organizationId, name, 'resumed', { deliveries, event: queueResumed(name, resumedAt) });
  }
}
