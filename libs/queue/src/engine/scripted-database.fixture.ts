import type { Outcome } from '@spooled/contracts';
import type { Database, TransactionLimits } from '@spooled/data-access';
import { claimJobs, findLeasesOfClaim } from '../claim/claim-jobs.queries.js';
import { completeJobs } from '../complete/complete-jobs.queries.js';
import { enqueueJobs } from '../enqueue/enqueue-jobs.queries.js';
import { renewLeases } from '../renew/renew-leases.queries.js';
import { findLoggedOutcomes } from '../step/command-log.queries.js';

/** What a transaction was asked to do. Commands are named by their workers. */
export interface Attempt {
  /** Whose it is; null for a batch. */
  organizationId: string | null;
  limits: TransactionLimits | undefined;
  commands: string[];
  /** Claims that ask what earlier runs of them were granted. */
  repeated: string[];
}

/** A database without jobs and leases, whose transactions end as the spec says. */
export class ScriptedDatabase {
  readonly attempts: Attempt[] = [];
  /** Claims of one transaction that are answered. */
  fits = Infinity;
  /** What the log of rare commands has, by id. */
  readonly logged: Record<string, Outcome> = {};
  /** Called when a batch has run, and before other transactions begin. It throws what PostgreSQL or its connection would. */
  end: (attempt: Attempt) => unknown = () => undefined;

  asDatabase(): Database {
    return this as unknown as Database;
  }

  /** Of batches: who was in each. */
  get commands(): string[][] {
    return this.batches.map(({ commands }) => commands);
  }

  get batches(): Attempt[] {
    return this.attempts.filter(({ organizationId }) => organizationId === null);
  }

  async inBatch<T>(work: (tx: unknown) => Promise<T>, limits?: TransactionLimits): Promise<T> {
    const attempt = this.begin(null, limits);
    const run = (statement: unknown, parameters: never) => Promise.resolve(this.rowsOf(attempt, statement, parameters));
    const one = async (statement: unknown, parameters: never) => (await run(statement, parameters))[0];
    const result = await work({ run, one });
    await this.end(attempt);
    return result;
  }

  async withTenant<T>(
    organizationId: string,
    work: (tx: unknown) => Promise<T>,
    limits?: TransactionLimits,
  ): Promise<T> {
    const attempt = this.begin(organizationId, limits);
    await this.end(attempt);
    const one = (statement: unknown) =>
      Promise.resolve(statement === findLoggedOutcomes ? { outcomes: JSON.stringify(this.logged) } : {});
    return work({ organizationId, run: () => Promise.resolve([]), one });
  }

  private begin(organizationId: string | null, limits: TransactionLimits | undefined): Attempt {
    const attempt: Attempt = { organizationId, limits, commands: [], repeated: [] };
    this.attempts.push(attempt);
    return attempt;
  }

  private rowsOf(attempt: Attempt, statement: unknown, parameters: { batch: string; workers: string[] }): unknown[] {
    if (statement === claimJobs) return this.rowsOfClaims(attempt, JSON.parse(parameters.batch) as ClaimParts);
    if (statement === findLeasesOfClaim) {
      attempt.repeated.push(...(JSON.parse(parameters.batch) as { worker: string }[]).map(({ worker }) => worker));
    }
    if (statement === completeJobs) attempt.commands.push(...parameters.workers);
    if (statement === renewLeases) return rowsOfRenewals(attempt, JSON.parse(parameters.batch) as RenewalParts);
    if (statement === enqueueJobs) return [{ answer: { now: '', hits: [], refused: [], linked: [], deliveries: [] } }];
    return [];
  }

  private rowsOfClaims(attempt: Attempt, parts: ClaimParts): unknown[] {
    const claims = parts.flatMap((part) => part.claims);
    attempt.commands.push(...claims.map(({ worker }) => worker));
    return claims.slice(this.fits).map(({ command }) => ({ command, job_id: null }));
  }
}

type ClaimParts = { claims: { command: number; worker: string }[] }[];
type RenewalParts = { items: { command: number; worker: string }[] }[];

function rowsOfRenewals(attempt: Attempt, parts: RenewalParts): unknown[] {
  const items = parts.flatMap((part) => part.items);
  attempt.commands.push(...items.map(({ worker }) => worker));
  return items.map(({ command }) => ({ command, why: null, lease_expires_at: 'in its row', durable_only: true }));
}
