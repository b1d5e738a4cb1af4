import {
  AccessDeniedError,
  ConflictError,
  isForeign,
  NotFoundError,
  QuotaExceededError,
  RateLimitError,
  SpooledError,
  ValidationError,
} from '../http/errors.js';
import { parseJson } from '../http/json.js';
import type { NewJob } from '../resources/jobs.js';
import type { Spooled } from '../spooled.js';
import { bulksOf } from './bulks.js';
import type { OutboxRow, OutboxRows, TakenRows } from './outbox-rows.js';

type Job = Omit<NewJob, 'queueName'>;
type Answer = Awaited<ReturnType<Spooled['jobs']['createMany']>>;

const shortestPostponementMs = 1_000;
const longestPostponementMs = 5 * 60_000;

/** A job of an outbox that the server refused. It is kept in the table with the error. */
export class OutboxRefusedError extends Error {
  override name = 'OutboxRefusedError';

  constructor(
    /** Of the row. */
    readonly id: string,
    readonly queueName: string,
    cause: unknown,
  ) {
    super(`Job ${id} of the outbox was refused for queue ${queueName}: ${textOf(cause)}`, { cause });
  }
}

/** Sends the rows of one batch, and writes down what became of each. */
export class Delivery {
  /** Rows whose outcome is not written yet. */
  private readonly open: Set<OutboxRow>;
  /** Ordering keys whose later rows must wait. */
  private readonly held = new Set<string>();
  /** Errors of queues that take no job now. */
  private readonly full = new Map<string, SpooledError>();
  /** Whether anything became of any row. */
  hasProgress = false;

  constructor(
    private readonly table: OutboxRows,
    private readonly client: Spooled,
    private readonly batch: TakenRows,
    private readonly onError: (error: unknown) => void,
  ) {
    this.open = new Set(batch.rows);
  }

  /**
   * Ends early when the relay is stopped, and after a request when the lease of the rows has ended: with several relays each would send all
   * rows of slow services. Rows that were not sent are given back. @throws SpooledError when the services take none now
   */
  async run({ isStopping, hasEnded }: { isStopping(): boolean; hasEnded(): boolean }): Promise<void> {
    try {
      for (const bulk of bulksOf(this.batch.rows)) {
        if (isStopping()) break;
        await this.send(bulk);
        if (hasEnded()) break;
      }
    } finally {
      await this.table.giveBack([...this.open], this.batch.token);
    }
  }

  /** @param all of one queue, in order */
  private async send(all: OutboxRow[]): Promise<void> {
    const jobs = await this.parse(all);
    const rows = all.filter((row) => jobs.has(row) && !this.isHeld(row));
    if (rows.length === 0) return;
    const { queueName } = rows[0]!;
    const known = this.full.get(queueName);
    if (known) return this.postpone(rows, known);
    const request = this.client.jobs.createMany({ queueName, jobs: rows.map((row) => jobs.get(row)!) });
    const [answer, error] = await request.then(
      (value): [Answer, null] => [value, null],
      (reason: unknown): [null, unknown] => [null, reason],
    );
    if (answer) await this.accept(rows, answer);
    else if (isForeign(error)) throw error;
    else if (isAboutRows(error)) await this.refuse(rows, error);
    else if (isAboutQueue(error)) await this.defer(rows, error);
    else throw error;
  }

  /** The server takes all jobs of a request or none; of one that answers in part, what is left is sent alone. */
  private async accept(rows: OutboxRow[], { succeeded, failed }: Answer): Promise<void> {
    const taken = new Set(succeeded.map(({ index }) => rows[index]!));
    await this.table.remove([...taken]);
    this.end([...taken]);
    const left = rows.filter((row) => !taken.has(row));
    if (rows.length > 1) for (const row of left) await this.send([row]);
    else if (left.length > 0 && failed.length > 0) await this.refuse(left, new Error(failed[0]!.error));
    else if (left.length > 0) throw new Error('The server answered for no job of the request');
  }

  /** Finds by halves which of the rows the server refuses. */
  private async refuse(rows: OutboxRow[], error: unknown): Promise<void> {
    const isAboutAll = error instanceof ValidationError && 'queue_name' in error.details;
    if (rows.length > 1 && !isAboutAll) return this.sendHalves(rows);
    await this.table.refuse(rows, this.batch.token, textOf(error));
    this.hold(rows);
    for (const { id, queueName } of rows) this.onError(new OutboxRefusedError(id, queueName, error));
  }

  private async sendHalves(rows: OutboxRow[]): Promise<void> {
    const middle = Math.ceil(rows.length / 2);
    await this.send(rows.slice(0, middle));
    await this.send(rows.slice(middle));
  }

  /** Requests are taken whole, so of one that a cap refuses a part may fit. What the queue refuses then is not sent again in this batch. */
  private async defer(rows: OutboxRow[], error: SpooledError): Promise<void> {
    if (rows.length > 1 && error instanceof QuotaExceededError) return this.sendHalves(rows);
    this.full.set(rows[0]!.queueName, error);
    this.onError(error);
    await this.postpone(rows, error);
  }

  private async postpone(rows: OutboxRow[], error: SpooledError): Promise<void> {
    const attempts = Math.min(...rows.map((row) => row.attempts));
    const grown = Math.min(shortestPostponementMs * 2 ** Math.min(attempts, 20), longestPostponementMs);
    await this.table.postpone(rows, this.batch.token, textOf(error), Math.max(grown, retryAfterMs(error)));
    this.hold(rows);
  }

  /** Of rows that can be read; the others are refused. */
  private async parse(rows: OutboxRow[]): Promise<Map<OutboxRow, Job>> {
    const jobs = new Map<OutboxRow, Job>();
    for (const row of rows) {
      try {
        jobs.set(row, jobOf(row));
      } catch (error) {
        await this.refuse([row], error);
      }
    }
    return jobs;
  }

  private isHeld({ orderingKey }: OutboxRow): boolean {
    return orderingKey !== null && this.held.has(orderingKey);
  }

  private hold(rows: OutboxRow[]): void {
    for (const { orderingKey } of rows) if (orderingKey !== null) this.held.add(orderingKey);
    this.end(rows);
  }

  private end(rows: OutboxRow[]): void {
    for (const row of rows) this.open.delete(row);
    this.hasProgress ||= rows.length > 0;
  }
}

/** Without a key of its own a job has the id of its row, so that it is created once however often it is sent. @throws SyntaxError */
function jobOf({ id, job }: OutboxRow): Job {
  const parsed = parseJson(job, 'bigint') as Job;
  return { ...parsed, idempotencyKey: parsed.idempotencyKey ?? `outbox-${id}` };
}

/** The wait that an error asks for; 0 without. */
export const retryAfterMs = (error: unknown): number =>
  error instanceof SpooledError ? (error.retryAfter ?? 0) * 1_000 : 0;

/** The same jobs would be refused again. */
const isAboutRows = (error: unknown): boolean => error instanceof ValidationError;

/** These jobs are refused for now, others may be taken: a limit, a throttle, a key without the right, a queue that is being deleted. */
const isAboutQueue = (error: unknown): error is SpooledError =>
  error instanceof QuotaExceededError ||
  error instanceof AccessDeniedError ||
  error instanceof NotFoundError ||
  error instanceof ConflictError ||
  (error instanceof RateLimitError && error.code === 'THROTTLED');

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
