import { Inject, Injectable } from '@nestjs/common';
import type { EventBatch } from '@spooled/contracts';
import { Database, markStaleWorkers, type StaleWorker } from '@spooled/data-access';
import { missedHeartbeats } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { Maintenance } from '@spooled/queue';
import { EffectsPublisher } from '@spooled/service';
import type { ScheduledTask } from '../tasks/scheduled-task.js';
import type { SchedulerSettings } from '../scheduler.config.js';

/** Marks workers that missed heartbeats (SP-37 to SP-40) and recovers the jobs of offline workers (SP-41, PB-22). */
@Injectable()
export class StaleWorkersTask implements ScheduledTask {
  readonly name = 'stale-workers';
  readonly fullBatch = 500;

  constructor(
    private readonly db: Database,
    private readonly maintenance: Maintenance,
    private readonly effects: EffectsPublisher,
    @Inject(SETTINGS) private readonly settings: SchedulerSettings,
  ) {}

  async run(): Promise<number> {
    const heartbeatSeconds = this.settings.WORKER_HEARTBEAT_INTERVAL_SECS;
    const after = {
      degradedSeconds: missedHeartbeats.degraded * heartbeatSeconds,
      offlineSeconds: missedHeartbeats.offline * heartbeatSeconds,
    };
    const stale = await this.db.asSystem('mark stale workers', (tx) => markStaleWorkers(tx, after, this.fullBatch));
    this.effects.publish({ events: statusEvents(stale) });
    // If this fails, the jobs are recovered when their leases expire.
    await this.maintenance.recoverJobsOfWorkers(stale.filter(({ status }) => status === 'offline'));
    return stale.length;
  }
}

function statusEvents(workers: StaleWorker[]): EventBatch[] {
  return workers.map(({ id, organizationId, status, markedAt }) => ({
    organizationId,
    events: [{ type: 'WorkerHeartbeat', data: { worker_id: id, status, timestamp: markedAt } }],
  }));
}
