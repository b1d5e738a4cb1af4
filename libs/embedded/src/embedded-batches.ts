import { type ActorText, batchCallbacks, batchSchemas } from '@spooled/contracts';
import { findBatch } from '@spooled/data-access';
import { notFound } from '@spooled/domain';
import type { Batch, BatchesQuery, BatchJob, BatchJobsQuery, Body, List } from '@spooled/sdk';
import { listOf, toWire } from '@spooled/sdk/internal';
import {
  batchJobPage,
  batchPage,
  newBatch,
  newJobsOfBulk,
  type Page,
  type PreparedJob,
  toBatchJobResponse,
  toBatchResponse,
} from '@spooled/service';
import { checkPayloads } from './contracts.js';
import { documentOf, parsed, requireId, sdkOf } from './documents.js';
import {
  enqueuedJobs,
  type EnqueuedJobs,
  manyJobs,
  type NewJobs,
  rulesOf,
  termsOf,
  wireOf,
  wireOfMany,
} from './embedded-jobs.js';
import type { SourceContext } from './embedded-source.js';
import { withSdkErrors } from './errors.js';

type NewBatch = Body<'POST /api/v1/batches'>;

/** Batches, as `Spooled.batches` of the SDK has them. All throw its errors. */
export class EmbeddedBatches {
  /** @internal */
  constructor(
    private readonly context: SourceContext,
    private readonly actor: ActorText,
  ) {}

  /** Creates an open batch without jobs. @throws ValidationError, QuotaExceededError */
  create(batch: NewBatch = {}): Promise<Batch> {
    return withSdkErrors(async () => {
      const created = newBatch(parsed(batchSchemas.createBatchBody, wireOfBatch(batch)), rulesOf(this.context));
      await checkPayloads(this.context, callbackJobs(created.callbacks));
      const body = { ...created, queues: null, ...termsOf(this.context) };
      await this.context.engine.run('batch.create', this.actor, body);
      return this.find(created.batch.id);
    });
  }

  /** Adds 1 to 1,000 jobs of one queue, all or none. @throws NotFoundError, ConflictError for a batch that is not open or has no room */
  add(id: string, jobs: NewJobs): Promise<EnqueuedJobs> {
    return withSdkErrors(async () => {
      const batchId = requireId('Batch', id);
      const prepared = newJobsOfBulk(parsed(manyJobs, wireOfMany(jobs)), rulesOf(this.context));
      await checkPayloads(this.context, prepared);
      const added = await this.context.engine.run('batch.add', this.actor, {
        batchId,
        jobs: prepared.map(({ job }) => job),
        maxJobs: this.context.settings.BATCH_MAX_JOBS,
        queues: null,
        ...termsOf(this.context),
      });
      return enqueuedJobs(added.jobs);
    });
  }

  /** Lets the batch complete when its jobs have ended; nothing can be added afterwards. Idempotent. @throws NotFoundError, ConflictError */
  close(id: string): Promise<Batch> {
    return withSdkErrors(async () => {
      await this.context.engine.run('batch.close', this.actor, { batchId: requireId('Batch', id), queues: null });
      return this.find(id);
    });
  }

  /** Closes the batch and cancels its waiting jobs in the background; running ones continue. @throws NotFoundError, ConflictError once it has completed */
  cancel(id: string): Promise<Batch> {
    return withSdkErrors(async () => {
      await this.context.engine.run('batch.cancel', this.actor, { batchId: requireId('Batch', id), queues: null });
      return this.find(id);
    });
  }

  /** Newest first. */
  list(query: BatchesQuery = {}): Promise<List<Batch>> {
    return withSdkErrors(async () => {
      const { db, tenant } = this.context;
      const wanted = parsed(batchSchemas.listBatchesQuery.strict(), wireOfQuery(query));
      return toList(await batchPage(db, { organizationId: tenant.id, queues: null }, wanted), toBatch);
    });
  }

  /** @throws NotFoundError */
  get(id: string): Promise<Batch> {
    return withSdkErrors(() => this.find(id));
  }

  /** Jobs of the batch with their results, in the order of their creation, at most 1000 at a time. @throws NotFoundError */
  jobs(id: string, query: BatchJobsQuery = {}): Promise<List<BatchJob>> {
    return withSdkErrors(async () => {
      const { db, tenant } = this.context;
      const batchId = requireId('Batch', id);
      const wanted = parsed(batchSchemas.listBatchJobsQuery.strict(), wireOfQuery(query));
      const page = await db.withTenant(tenant.id, async (tx) => {
        if (!(await findBatch(tx, batchId))) throw notFound('Batch');
        return batchJobPage(tx, batchId, wanted);
      });
      return toList(page, (row) => sdkOf(toBatchJobResponse(row)) as BatchJob);
    });
  }

  private async find(id: string): Promise<Batch> {
    const { db, tenant } = this.context;
    const batch = await db.withTenant(tenant.id, (tx) => findBatch(tx, requireId('Batch', id)));
    if (!batch) throw notFound('Batch');
    return toBatch(batch);
  }
}

/** A batch with the names of the API, and its documents as they will be stored. */
function wireOfBatch(batch: NewBatch): object {
  const body = toWire(batch) as Record<string, unknown>;
  body.metadata = documentOf(body.metadata, 'metadata');
  for (const name of batchCallbacks) if (body[name]) body[name] = wireOf(body[name], `${name}.`);
  return body;
}

/** Without members that are not given, which the API would not see either. */
const wireOfQuery = (query: object): object =>
  toWire(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))) as object;

const callbackJobs = (callbacks: ReturnType<typeof newBatch>['callbacks']): PreparedJob[] =>
  Object.entries(callbacks).map(([name, job]) => ({ job, queueName: job.queueName, path: `${name}.` }));

const toBatch = (row: Parameters<typeof toBatchResponse>[0]): Batch => sdkOf(toBatchResponse(row)) as Batch;

const toList = <Row, T>({ rows, hasMore, nextCursor }: Page<Row>, toItem: (row: Row) => T): List<T> =>
  listOf(rows.map(toItem), { hasMore, nextCursor });
