import type { replicaSchemas } from '@spooled/contracts';
import { depthOf } from '../conditions/depth.js';
import type { StoredFacts } from '../conditions/queue-facts.js';

type Wanted = Pick<replicaSchemas.DesiredReplicas, 'desired_replicas' | 'reason'>;

/** What a replica does, and by when the claimable jobs shall have run. */
export interface ReplicaPlan {
  concurrency: number;
  drainSeconds: number;
}

/**
 * Replicas of a queue's workers: as many as run the claimable jobs in time, or as hold the jobs in progress, whichever is more, but no more
 * than its limits let run at once. Jobs in progress count so that scaling down does not end the replicas that run them.
 */
export function replicasFor(facts: StoredFacts, { concurrency, drainSeconds }: ReplicaPlan): Wanted {
  const { state, averageRunMs } = facts;
  const depth = depthOf(facts);
  const replicas = (slots: number) => Math.ceil(slots / concurrency);
  const running = replicas(depth.running.count);
  if (!state.enabled) return { desired_replicas: running, reason: 'queue_paused' };
  if (state.is_push) return { desired_replicas: running, reason: 'push_queue' };
  const ready = depth.ready.count;
  if (ready === 0) return { desired_replicas: running, reason: running === 0 ? 'idle' : 'running' };
  if (averageRunMs === null)
    return { desired_replicas: Math.max(1, running), reason: running > 1 ? 'running' : 'average_unknown' };

  const runSeconds = Math.max(1, averageRunMs) / 1000;
  // A replica cannot run a part of a job: each slot runs whole jobs within the time, at least one.
  const jobsPerSlot = Math.max(1, Math.floor(drainSeconds / runSeconds));
  const backlog = replicas(Math.ceil(ready / jobsPerSlot));
  const caps = [
    { reason: 'concurrency_limit' as const, most: state.concurrency === null ? Infinity : replicas(state.concurrency) },
    {
      reason: 'rate_limit' as const,
      most: state.rate_limit === null ? Infinity : Math.max(1, replicas(state.rate_limit * runSeconds)),
    },
  ].sort((a, b) => a.most - b.most);
  if (running >= backlog) return { desired_replicas: running, reason: 'running' };
  const [cap] = caps;
  if (backlog <= cap!.most) return { desired_replicas: backlog, reason: 'backlog' };
  return { desired_replicas: Math.max(running, cap!.most), reason: cap!.reason };
}
