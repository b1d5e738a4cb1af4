/** Missed heartbeats after which a worker is degraded, or offline (SP-39, SP-40). */
export const missedHeartbeats = Object.freeze({ degraded: 2, offline: 5 });
