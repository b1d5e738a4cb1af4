import { Body, Controller, Delete, Get, Inject, Param, Put, Query } from '@nestjs/common';
import { parseActor, payloadContractSchemas as schemas, rawJson, requestLimits } from '@spooled/contracts';
import {
  checkQueueQuota,
  type ContractRow,
  type ContractVersionRow,
  Database,
  deleteContracts,
  findContract,
  insertContract,
  listContractVersions,
  type QueueDefaults,
  sampleNewestJobs,
  saveQueueSettings,
  type TenantTransaction,
} from '@spooled/data-access';
import { invalidField, notFound, type PayloadIssue, SchemaProblem, SpooledError } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import {
  type CheckCaller,
  CheckPool,
  jobDefaults,
  PayloadContracts,
  type Principal,
  QueueChanges,
  RequestChecks,
} from '@spooled/service';
import { CurrentChecks, CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { requireNewQueue, requireQueue } from '../auth/queue-scope.js';
import type { GatewaySettings } from '../gateway.config.js';
import { ApiTags, nameParam, ResponseSchema, TextResponse, validated } from '../http/routes.js';

type StoredMember = 'created_by' | 'violations' | 'violated_at' | 'violation_samples';

const { reportedIssues: maxIssues } = requestLimits;
const sampledJobs = 100;

/** Jobs of a dry run, those that have been checked within its budget, and those that the schema would refuse. */
interface ContractSample {
  sampled: number;
  checked: number;
  refused: number;
  jobs: { id: string; path: string; reason: string }[];
}

interface ContractChange {
  contract: Omit<ContractRow, 'created_at'> & { created_at: string | null };
  dry_run: boolean;
  incompatible: PayloadIssue[];
  sample: ContractSample | null;
}

interface SampledJob {
  id: string;
  payload: string;
}

type NewVersion = Required<Pick<ContractRow, 'mode' | 'compatibility' | 'schema'>>;

/** What was found out about a new version before the transaction that stores it. */
interface Reviewed {
  next: NewVersion;
  /** The version that it was compared with; undefined: there was none. */
  current: ContractRow | undefined;
  incompatible: PayloadIssue[];
}

/** Payload contracts of queues, which only the gateway writes (BX-09). */
@ApiTags('queues')
@Controller('queues/:name/payload-contract')
export class PayloadContractsController {
  private readonly defaults: QueueDefaults;

  constructor(
    private readonly database: Database,
    private readonly contracts: PayloadContracts,
    private readonly pool: CheckPool,
    private readonly changes: QueueChanges,
    @Inject(SETTINGS) settings: GatewaySettings,
  ) {
    this.defaults = jobDefaults(settings);
  }

  /** The current version unless one is named. @throws SpooledError 403 scope, 404 */
  @Get()
  @Requires('read')
  @TextResponse(schemas.payloadContract)
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
    @Query(validated(schemas.payloadContractQuery)) { version }: schemas.PayloadContractQuery,
  ): Promise<string> {
    requireQueue(principal, name);
    const found = await this.database.withTenant(principal.organizationId, (tx) =>
      findContract(tx, name, version ?? null),
    );
    if (!found) throw notFound('Payload contract');
    return toContractResponse(found);
  }

  /** The newest first; none without a contract. @throws SpooledError 403 scope */
  @Get('versions')
  @Requires('read')
  @ResponseSchema(schemas.payloadContractVersions)
  async versions(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
  ): Promise<schemas.PayloadContractVersions> {
    requireQueue(principal, name);
    const rows = await this.database.withTenant(principal.organizationId, (tx) => listContractVersions(tx, name));
    return { versions: rows.map(toVersion) };
  }

  /**
   * Makes a schema the next version of a queue's contract; the same again changes nothing. A queue that does not exist is created
   * and counts against the plan.
   * The caller pays for reading the schema and for the checks of a dry run; both end when it leaves.
   * @throws SpooledError 400 for a name or schema that is refused, 403 scope, 409 for a schema that refuses payloads which the current
   *   version accepts, unless `compatibility` is `none`; 429 quota, or too many checks waiting; 503
   */
  @Put()
  @Requires('operate')
  @TextResponse(schemas.payloadContractChange)
  async put(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() caller: CheckCaller,
    @Param('name') name: string,
    @Body(validated(schemas.payloadContractBody)) body: schemas.PayloadContractBody,
  ): Promise<string> {
    requireNewQueue(principal, name);
    const next: NewVersion = {
      mode: body.mode ?? 'reject',
      compatibility: body.compatibility ?? 'backward',
      schema: body.schema.text,
    };
    const checks = new RequestChecks({ caller, pool: this.pool });
    if (body.dry_run) return toChangeResponse(await this.try(principal, name, next, checks));
    const change = await this.saveReviewed(principal, name, next, checks);
    this.announce(principal, name);
    return toChangeResponse(change);
  }

  /** Deletes all versions; payloads are no longer checked. @throws SpooledError 403 scope, 404 */
  @Delete()
  @Requires('operate')
  @ResponseSchema(null, 204)
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
  ): Promise<void> {
    requireQueue(principal, name);
    const contract = { queueName: name };
    const deleted = await this.database.withTenant(principal.organizationId, (tx) => tx.run(deleteContracts, contract));
    if (deleted.length === 0) throw notFound('Payload contract');
    this.announce(principal, name);
  }

  /** Reviews outside of the transaction, which would hold the queue's settings meanwhile. Again, if the contract changes in between. */
  private async saveReviewed(
    principal: Principal,
    name: string,
    next: NewVersion,
    checks: RequestChecks,
  ): Promise<ContractChange> {
    let current = await this.current(principal, name);
    for (;;) {
      const incompatible = await this.review(checks, current, next);
      const saved = await this.database.withTenant(principal.organizationId, (tx) =>
        this.save(tx, principal, name, { next, current, incompatible }),
      );
      if ('contract' in saved) return saved;
      ({ current } = saved);
    }
  }

  /** @returns the change, or the current version if it is not the one that was compared */
  private async save(
    tx: TenantTransaction,
    principal: Principal,
    name: string,
    { next, current: compared, incompatible }: Reviewed,
  ): Promise<ContractChange | { current: ContractRow | undefined }> {
    const { limits, actor } = principal;
    await checkQueueQuota(tx, name, limits);
    // Also locks the queue's settings, so that two changes at the same time do not get the same version.
    await saveQueueSettings(tx, name, unchanged, this.defaults);
    const current = await findContract(tx, name, null);
    const done = { dry_run: false, sample: null };
    if (current && isSame(current, next)) return { contract: current, incompatible: [], ...done };
    if (current?.version !== compared?.version || current?.schema !== compared?.schema) return { current };
    if (incompatible.length > 0 && next.compatibility === 'backward') throw incompatibleSchema(current!, incompatible);
    const version = (current?.version ?? 0) + 1;
    return { contract: await insertContract(tx, name, version, { ...next, createdBy: actor }), incompatible, ...done };
  }

  private async try(
    { organizationId }: Principal,
    name: string,
    next: NewVersion,
    checks: RequestChecks,
  ): Promise<ContractChange> {
    const [current, jobs] = await this.database.withTenant(organizationId, async (tx) => [
      await findContract(tx, name, null),
      await sampleNewestJobs(tx, name, sampledJobs),
    ]);
    const incompatible = await this.review(checks, current, next);
    const isKept = current !== undefined && isSame(current, next);
    const draft = {
      queue_name: name,
      version: (current?.version ?? 0) + 1,
      is_current: false,
      created_at: null,
      created_by: null,
      violations: 0,
      violated_at: null,
      violation_samples: [],
    };
    return {
      contract: isKept ? current : { ...draft, ...next },
      dry_run: true,
      incompatible,
      sample: await this.check(checks, next.schema, jobs),
    };
  }

  private current({ organizationId }: Principal, name: string): Promise<ContractRow | undefined> {
    return this.database.withTenant(organizationId, (tx) => findContract(tx, name, null));
  }

  /** @throws SpooledError 400 with the place in the schema, 429, 503 */
  private async review(
    checks: RequestChecks,
    current: ContractRow | undefined,
    { schema: after }: NewVersion,
  ): Promise<PayloadIssue[]> {
    try {
      return await checks.review(this.pool, { before: current?.schema ?? null, after, maxIssues });
    } catch (error) {
      if (error instanceof SchemaProblem) throw invalidField(error.path, error.reason);
      throw error;
    }
  }

  /** The newest jobs first, until the budget is spent. */
  private async check(checks: RequestChecks, text: string, rows: SampledJob[]): Promise<ContractSample> {
    const sample: ContractSample = { sampled: rows.length, checked: 0, refused: 0, jobs: [] };
    for (const { id, payload } of rows) {
      if (checks.isSpent) break;
      const checked = { value: () => JSON.parse(payload) as unknown, text: () => payload };
      const [issue] = (await checks.check({ schema: null, text }, checked, { root: 'payload', maxIssues: 1 })).issues;
      sample.checked++;
      if (!issue) continue;
      sample.refused++;
      if (sample.jobs.length < maxIssues) sample.jobs.push({ id, ...issue });
    }
    return sample;
  }

  private announce({ organizationId }: Principal, name: string): void {
    this.contracts.forget(organizationId);
    this.changes.publish(organizationId, name, null);
  }
}

/** A contract as JSON text; its schema is copied as stored. */
const toContractResponse = (
  { schema, is_current: _is_current, ...contract }: ContractChange['contract'],
  more: object = {},
): string => rawJson({ ...toVersion(contract), ...more }, { schema });

const toChangeResponse = ({ contract, ...more }: ContractChange): string => toContractResponse(contract, more);

/** A version as responses show it. */
const toVersion = <Row extends Pick<ContractVersionRow, StoredMember>>({
  created_by,
  violations: count,
  violated_at: last_at,
  violation_samples: samples,
  ...version
}: Row) => ({ ...version, created_by: parseActor(created_by), violations: { count, last_at, samples } });

const unchanged = { maxRetries: null, timeoutSeconds: null, rateLimit: undefined, enabled: null, settings: null };

const isSame = (current: ContractRow, next: NewVersion): boolean =>
  current.mode === next.mode && current.compatibility === next.compatibility && current.schema === next.schema;

function incompatibleSchema({ version }: ContractRow, issues: PayloadIssue[]): SpooledError {
  const { path, reason } = issues[0]!;
  const message =
    `The schema refuses, or may refuse, payloads that version ${version} accepts (${path}: ${reason}); ` +
    'see details, or set compatibility to "none"';
  return new SpooledError('CONFLICT', message, {
    details: Object.fromEntries(issues.map((issue) => [issue.path, issue.reason])),
  });
}
