import type { EffectsBuilder } from '../step/effects.js';
import type { ActivateDueJobsResult } from './due-work.queries.js';

/** Tells of jobs that became claimable. Callers see a retried job as pending before and after. */
export function reportActivations(rows: ActivateDueJobsResult[], effects: EffectsBuilder): void {
  for (const { job_id: id, organization_id: org, queue_name: queue, old, now: at } of rows) {
    if (old === 'scheduled') effects.statusChange(org, { id, queue }, { from: 'scheduled', to: 'pending', at });
    effects.wake(org, queue);
  }
}
