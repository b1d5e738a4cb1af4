/**
 * Assumptions of the plan; none of them is measured. After changing a number here run `npm run capacity -- --write`, which updates
 * the tables of docs/capacity.md.
 */
export const assumptions = {
  /** Share of its cores that a process, PostgreSQL or Redis may use on average. */
  utilization: 0.6,
  /** Replicas of each service, so that one may fail. */
  minPods: 2,
  /** One core for queries, one for background work: vacuum, checkpoints, replication. */
  minPrimaryCores: 2,
  /** Cores of the largest PostgreSQL for which costs measured on few cores are extrapolated. */
  primaryCores: 16,
  /** WAL of one primary in MB per second: what one standby can replay in one process, and a 1 Gbit/s link can carry. */
  primaryWalMb: 100,
  /** Connections of a service to PgBouncer: DATABASE_MAX_CONNECTIONS and those for maintenance (SP-78). */
  connectionsPerPod: 25 + 4,
  /** The same of a scheduler, whose tasks have a connection each for maintenance. */
  connectionsPerScheduler: 5 + 42,
  /** Half of `max_client_conn` in deploy/pgbouncer: rollouts run old and new pods side by side. */
  connectionsPerPgBouncer: 1_000,
  /** Connections of all PgBouncers of a cell to its PostgreSQL (SP-78). */
  connectionsToPostgres: 100,
};

export type Assumptions = typeof assumptions;
