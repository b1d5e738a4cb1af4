import type { TestDatabase } from '@spooled/testing';

/** Two PostgreSQL, of which one replaces the other. */
export interface DatabaseCluster {
  /** Addresses that lead to the primary. */
  urls: Omit<TestDatabase, 'drop'>;
  /** SIGKILL of the primary and of what watches over it. The replica takes its place. */
  killPrimary(): Promise<void>;
  /** Starts what was killed as a replica. Resolves when it can replace the primary. */
  heal(): Promise<void>;
  /** A planned change of roles; both keep running. */
  switchOver(): Promise<void>;
  stop(): Promise<void>;
}
