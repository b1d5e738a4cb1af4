/**
 * Assumptions of the plan; none of them is measured. After changing a number here run `npm run capacity -- --write`, which updates
 * the tables of docs/capacity.md.
 */
export interface Assumptions {
  /** Share of its cores that a process, PostgreSQL or Redis may use on average. */
  utilization: number;
  /** Replicas of each service, so that one may fail. */
  minPods: number;
  /** One core for queries, one for background work: vacuum, checkpoints, replication. */
  minPrimaryCores: number;
  /** Cores of the largest PostgreSQL for which costs measured on few cores are extrapolated. */
  primaryCores: number;
  /** WAL of one primary in MB per second: what one standby can replay in one process, and a 1 Gbit/s link can carry. */
  primaryWalMb: number;
  /** Connections of a service to PgBouncer: DATABASE_MAX_CONNECTIONS and those for maintenance (SP-78). */
  connectionsPerPod: number;
  /** The same of a scheduler, whose tasks have a connection each for maintenance. */
  connectionsPerScheduler: number;
  /** Half of `max_client_conn` in deploy/pgbouncer: rollouts run old and new pods side by side. */
  connectionsPerPgBouncer: number;
  /** Connections of all PgBouncers of a cell to its PostgreSQL (SP-78). */
  connectionsToPostgres: number;
}

export const assumptions: Assumptions = {
  utilization: 0.6,
  minPods: 2,
  minPrimaryCores: 2,
  primaryCores: 16,
  primaryWalMb: 100,
  connectionsPerPod: 25 + 4,
  connectionsPerScheduler: 5 + 42,
  connectionsPerPgBouncer: 1_000,
  connectionsToPostgres: 100,
};
