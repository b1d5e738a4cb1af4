import { Inject, Injectable } from '@nestjs/common';
import type { EventBatch } from '@spooled/contracts';
import { Database, markStaleWorkers, type StaleWorker } from '@spooled/data-access';
import { missedHeartbeats } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { Maintenance } from '@spooled/queue';
import type { ScheduledTask } from '../tasks/scheduled-task.js';
import { EffectsPublisher } from '../effects/effects-publisher.js';
import type { SchedulerSettings } from '../scheduler.config.js';

/** Marks workers that missed heartbeats (SP-37 to SP-40) and takes back the jobs of those that are gone (SP-41, PB-22). */
@Injectable()
export class StaleWorkersTask implements ScheduledTask {
  readonly name = 'silent-workers';
  readonly intervalMs = 5_000;
  readonly fullBatch = 500;

  constructor(
    private readonly db: Database,
    private readonly maintenance: Maintenance,
    private readonly effects: EffectsPublisher,
    @Inject(SETTINGS) private readonly settings: SchedulerSettings,
  ) {}

  async run(): Promise<number> {
    const beat = this.settings.WORKER_HEARTBEAT_INTERVAL_SECS;
    const after = {
      degradedSeconds: missedHeartbeats.degraded * beat,
      offlineSeconds: missedHeartbeats.offline * beat,
    };
    const silent = await this.db.asSystem('mark silent workers', (tx) => markStaleWorkers(tx, after, this.fullBatch));
    this.effects.events(statusEvents(silent));
    // Should this fail, the jobs still come back when their leases end.
    await this.maintenance.recoverJobsOfWorkers(silent.filter(({ status }) => status === 'offline'));
    return silent.length;
  }
}

function statusEvents(workers: StaleWorker[]): EventBatch[] {
  return workers.map(({ id, organizationId, status, markedAt }) => ({
    organizationId,
    events: [{ type: 'WorkerHeartbeat', data: { worker_id: id, status, timestamp: markedAt } }],
  }));
}
