/**
 * What the plan takes for granted; none of it comes from the bench. Change a number here, run `npm run capacity -- --write`,
 * and the tables of docs/capacity.md follow.
 */
export interface Assumptions {
  /** Share of its cores that a process or a store may use on an ordinary day. */
  utilization: number;
  /** Replicas of each service, so that one may go. */
  leastPods: number;
  /** One for requests, one for what the database does by itself: vacuum, checkpoints, standbys. */
  leastPrimaryCores: number;
  /** Cores of the largest PostgreSQL to which costs that were measured on few cores are extended. */
  primaryCores: number;
  /** WAL of one primary in MB a second: what one standby can replay, in one process, and a link of 1 Gbit/s can carry. */
  primaryWalMb: number;
  /** Connections of a service to PgBouncer: DATABASE_MAX_CONNECTIONS and those for maintenance (SP-78). */
  connectionsPerPod: number;
  /** Half of `max_client_conn` in deploy/pgbouncer: rollouts run old and new pods side by side. */
  connectionsPerPgBouncer: number;
  /** Connections of all PgBouncers of a cell to its PostgreSQL (SP-78). */
  connectionsToPostgres: number;
}

export const assumptions: Assumptions = {
  utilization: 0.6,
  leastPods: 2,
  leastPrimaryCores: 2,
  primaryCores: 16,
  primaryWalMb: 100,
  connectionsPerPod: 25 + 4,
  connectionsPerPgBouncer: 1_000,
  connectionsToPostgres: 100,
};
