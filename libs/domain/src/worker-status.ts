export type WorkerStatus = 'healthy' | 'degraded' | 'draining' | 'offline';

/** SP-39, SP-40. */
export const missedHeartbeats = Object.freeze({ degraded: 2, offline: 5 });

/** The status of a worker by the time since its last heartbeat, due every `intervalSeconds` (SP-37 to SP-40). */
export function workerStatusAfter(
  silentSeconds: number,
  intervalSeconds: number,
): Extract<WorkerStatus, 'healthy' | 'degraded' | 'offline'> {
  if (silentSeconds >= missedHeartbeats.offline * intervalSeconds) return 'offline';
  return silentSeconds >= missedHeartbeats.degraded * intervalSeconds ? 'degraded' : 'healthy';
}
