import { entriesUpTo } from '@spooled/clock';
import { requestLimits } from '@spooled/contracts';
import {
  type CurrentContract,
  type Database,
  listCurrentContracts,
  type TenantTransaction,
} from '@spooled/data-access';
import { invalidField, type PayloadIssue, SchemaProblem, SpooledError } from '@spooled/domain';
import { nextTurn } from '@spooled/platform';
import type { OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { CheckCaller } from './check-caller.js';
import type { CheckPool } from './check-pool.js';
import { ContractSchemas } from './contract-schemas.js';
import { OrganizationCache, type SettingChanges } from '../auth/organization-cache.js';
import { type CheckedPayload, RequestChecks } from './request-checks.js';
import { ViolationLog } from './violation-log.js';

const { reportedIssues: maxIssues } = requestLimits;
/** A contract of mode `warn` is logged once in this time. */
const logIntervalMs = 60_000;

/** A payload that a job is about to get. Its value and text are read only if its queue has a contract. */
export interface NewPayload extends CheckedPayload {
  queueName: string;
  /** Where it is in the request: `jobs[3].payload`. */
  path: string;
}

export const newPayload = (
  queueName: string,
  path: string,
  document: { readonly value: unknown; readonly text: string },
): NewPayload => ({ queueName, path, value: () => document.value, text: () => document.text });

interface Verdict {
  contract: CurrentContract;
  issues: PayloadIssue[];
  isTooCostly: boolean;
}

/** Checks payloads against the contracts of their queues (BX-09). Without a contract it reads nothing of them. */
export class PayloadContracts implements OnApplicationShutdown {
  /** By queue. Nearly all organizations have none: their jobs then cost a lookup in a map, whatever the names of their queues. */
  private readonly current: OrganizationCache<ReadonlyMap<string, CurrentContract>>;
  private readonly schemas: ContractSchemas;
  private readonly violations: ViolationLog;
  private readonly logged = new LRUCache<string, true>({ ...entriesUpTo(10_000), ttl: logIntervalMs });

  constructor(
    database: Database,
    changes: SettingChanges | null,
    private readonly metrics: { payloadContractViolations: { inc(labels: { mode: CurrentContract['mode'] }): void } },
    private readonly logger: { info(fields: object, what: string): void; error(fields: object, what: string): void },
    private readonly pool: CheckPool | null,
  ) {
    this.current = new OrganizationCache<ReadonlyMap<string, CurrentContract>>(database, changes, listCurrentContracts);
    this.schemas = new ContractSchemas(database, pool !== null);
    this.violations = new ViolationLog(database, logger);
  }

  /**
   * Refuses payloads that violate a contract of mode `reject`; counts, logs and records those of mode `warn`. After one that takes too long the
   * rest is not tried.
   * @param describePayloads called only for an organization with contracts
   * @param caller pays for the checks; after it has left, none is made
   * @param tx of the organization, used for reading if given: its caller needs no second connection
   * @throws SpooledError 400 with the places, of all payloads at most 20; 429 when the organization has too many waiting checks; 503
   */
  async require(caller: CheckCaller, describePayloads: () => NewPayload[], tx?: TenantTransaction): Promise<void> {
    const { organizationId } = caller;
    const contracts = await this.current.of(organizationId, tx);
    if (contracts.size === 0) return;
    const payloads = describePayloads();
    if (!payloads.some(({ queueName }) => contracts.has(queueName))) return;
    // The turn in which the payloads were parsed may have been long.
    await nextTurn();
    const checks = this.checksOf(caller);
    const issues: PayloadIssue[] = [];
    let about = '';
    for (const payload of payloads) {
      if (issues.length >= maxIssues) break;
      const verdict = await this.judge(organizationId, payload, maxIssues - issues.length, { checks, tx });
      if (!verdict || !this.isRefused(organizationId, payload, verdict)) continue;
      about ||= describe(payload, verdict.contract);
      issues.push(...verdict.issues);
      // The others would take as long.
      if (verdict.isTooCostly) break;
    }
    if (issues.length > 0) throw violation(issues, about);
  }

  /**
   * Why a payload may not become a job's; null if it may. Counts and logs as `require`.
   * @param tx of the organization, used for reading if given
   * @throws SpooledError 429, 503
   */
  async problemOf(caller: CheckCaller, payload: NewPayload, tx?: TenantTransaction): Promise<string | null> {
    const { organizationId } = caller;
    const verdict = await this.judge(organizationId, payload, 1, { checks: this.checksOf(caller), tx });
    if (!verdict || !this.isRefused(organizationId, payload, verdict)) return null;
    return problemText(payload, verdict);
  }

  /**
   * As `problemOf`, for a payload that is only looked at: no violation is counted.
   * @param checks those of the request, from `checksOf`
   * @throws SpooledError 400 when the payloads before it have spent the budget; 429, 503
   */
  async preview(checks: RequestChecks, payload: NewPayload, tx: TenantTransaction): Promise<string | null> {
    const verdict = await this.judge(tx.organizationId, payload, 1, { checks, tx });
    return verdict?.contract.mode === 'reject' && verdict.issues.length > 0 ? problemText(payload, verdict) : null;
  }

  /** After the HTTP server has closed, which answers until then. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Writes the violations that are pending. */
  close(): Promise<void> {
    return this.violations.stop();
  }

  checksOf(caller: CheckCaller): RequestChecks {
    return new RequestChecks({ caller, pool: this.pool, areParsed: true });
  }

  /** Whether any queue of the organization has a contract. @throws SpooledError 503 */
  async hasAny(organizationId: string): Promise<boolean> {
    return (await this.current.of(organizationId)).size > 0;
  }

  /** Reads the organization's contracts again, because this process has changed one. */
  forget(organizationId: string): void {
    this.current.forget(organizationId);
  }

  /**
   * Null: there is no contract, or one of mode `warn` and the request has spent enough.
   * @throws SpooledError 400 when the payloads before it have spent the budget
   */
  private async judge(
    organizationId: string,
    payload: NewPayload,
    most: number,
    { checks, tx }: { checks: RequestChecks; tx: TenantTransaction | undefined },
  ): Promise<Verdict | null> {
    const { queueName, path } = payload;
    const contract = (await this.current.of(organizationId, tx)).get(queueName);
    if (contract?.mode === 'warn' && (checks.hasTooCostly || checks.isSpent)) return null;
    if (!contract) return null;
    if (checks.isSpent) throw invalidField(path, 'takes too long to check with the payloads before it');
    try {
      const schema = await this.schemas.find(organizationId, contract.id, tx);
      if (!schema) return null;
      const { issues, isTooCostly } = await checks.check(schema, payload, { root: path, maxIssues: most });
      return { contract, issues, isTooCostly };
    } catch (error) {
      if (!(error instanceof SchemaProblem)) throw error;
      this.reportUnreadable(organizationId, contract, error);
      return null;
    }
  }

  /** Jobs continue: their producers have done nothing wrong. */
  private reportUnreadable(
    organizationId: string,
    { id, version }: CurrentContract,
    { message: problem }: Error,
  ): void {
    this.logOnce(id, () =>
      this.logger.error(
        { organizationId, version, problem },
        'a payload contract cannot be read; payloads are not checked',
      ),
    );
  }

  private isRefused(organizationId: string, { queueName }: NewPayload, { contract, issues }: Verdict): boolean {
    if (issues.length === 0) return false;
    const { id, version, mode } = contract;
    this.metrics.payloadContractViolations.inc({ mode });
    if (mode === 'reject') return true;
    this.violations.record(organizationId, id, issues[0]!);
    this.logOnce(id, () =>
      this.logger.info(
        { organizationId, queueName, version, issues: issues.slice(0, 3) },
        'a payload violates its contract',
      ),
    );
    return false;
  }

  private logOnce(id: string, log: () => void): void {
    if (this.logged.has(id)) return;
    this.logged.set(id, true);
    log();
  }
}

const describe = ({ queueName }: NewPayload, { version }: CurrentContract): string =>
  `payload contract of queue "${queueName}", version ${version}`;

const problemText = (payload: NewPayload, { issues: [issue], contract }: Verdict): string =>
  `${issue!.path}: ${issue!.reason} (${describe(payload, contract)})`;

function violation(issues: PayloadIssue[], about: string): SpooledError {
  const details: Record<string, string> = {};
  for (const { path, reason } of issues) details[path] ??= reason;
  const { path, reason } = issues[0]!;
  return new SpooledError('VALIDATION_ERROR', `${path}: ${reason} (${about})`, {
    details,
    extras: { error: 'Validation failed' },
  });
}
