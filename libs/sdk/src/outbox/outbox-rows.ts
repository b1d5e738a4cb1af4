import { randomUUID } from 'node:crypto';
import { rowsOf, type SqlClient } from '../sql/sql-client.js';
import type { Statements } from './statements.js';

/** A row that a relay has taken. */
export interface OutboxRow {
  seq: number;
  id: string;
  /** Rows of one key are sent in order; null: in any. */
  orderingKey: string | null;
  queueName: string;
  /** JSON of a job without its queue. */
  job: string;
  /** Bytes of `job`. */
  size: number;
  /** Those that were refused for now. */
  attempts: number;
}

export interface TakenRows {
  /** Of this batch; what was taken by another is not changed. */
  token: string;
  rows: OutboxRow[];
}

type Seqs = Pick<OutboxRow, 'seq'>[];

/** Bounds what a relay holds in memory. One row may be larger. */
const maxTakenBytes = 8 * 1024 * 1024;
const maxTakenRows = 500;
const maxErrorLength = 2_000;

/** The table of an outbox as a relay works on it. */
export class OutboxRows {
  constructor(
    private readonly client: SqlClient,
    private readonly statements: Statements,
    readonly leaseMs: number,
  ) {}

  /** Takes due rows, oldest first: of each ordering key none behind one that this batch does not have. */
  async take(): Promise<TakenRows> {
    const token = randomUUID();
    const values = [maxTakenRows, this.leaseMs, token, maxTakenBytes].map(String);
    const found = await rowsOf<OutboxRow & { seqText: string }>(this.client, this.statements.take, values);
    const rows = found.map(({ seqText, ...row }) => ({ ...row, seq: Number(seqText) }));
    const behind = await this.behindOthers(rows, token);
    await this.giveBack(behind, token);
    return { token, rows: rows.filter((row) => !behind.includes(row)) };
  }

  async remove(rows: Seqs): Promise<void> {
    if (rows.length > 0) await this.client.query(this.statements.remove, [seqsOf(rows)]);
  }

  async giveBack(rows: Seqs, token: string): Promise<void> {
    if (rows.length > 0) await this.client.query(this.statements.giveBack, [seqsOf(rows), token]);
  }

  async postpone(rows: Seqs, token: string, error: string, ms: number): Promise<void> {
    await this.client.query(this.statements.postpone, [String(ms), storable(error), seqsOf(rows), token]);
  }

  async refuse(rows: Seqs, token: string, error: string): Promise<void> {
    await this.client.query(this.statements.refuse, [storable(error), seqsOf(rows), token]);
  }

  private async behindOthers(rows: OutboxRow[], token: string): Promise<OutboxRow[]> {
    const keys = new Set(rows.flatMap(({ orderingKey }) => orderingKey ?? []));
    if (keys.size === 0) return [];
    const values = [JSON.stringify([...keys]), token];
    const others = await rowsOf<{ orderingKey: string; seqText: string }>(this.client, this.statements.others, values);
    const firstOf = new Map(others.map(({ orderingKey, seqText }) => [orderingKey, Number(seqText)]));
    return rows.filter(({ orderingKey, seq }) => orderingKey !== null && seq > (firstOf.get(orderingKey) ?? Infinity));
  }
}

const seqsOf = (rows: Seqs): string => JSON.stringify(rows.map(({ seq }) => seq));
const storable = (error: string): string => error.replaceAll('\0', '').slice(0, maxErrorLength);
