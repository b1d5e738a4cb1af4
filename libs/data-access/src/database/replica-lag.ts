import { systemClock } from '@spooled/clock';
import type { Clock, Timer } from '@spooled/domain';
import type pg from 'pg';
import { readPrimaryPosition, readReplicaState } from './replica.queries.js';
import type { PreparedQuery, StatementParameters } from './prepared-query.js';

export interface ReplicaLagSettings {
  /** Reads that may be stale go to the primary while the replica is further behind than this. */
  maxLagMs: number;
  /** Called when the replica begins or ceases to answer reads; `reason` says why it does not. */
  onChange(change: { usable: boolean; reason: string | null }): void;
}

/** A position of the primary's write-ahead log, and a time before which everything committed is within it. */
interface Sample {
  position: bigint;
  takenAt: number;
}

const longestPollMs = 250;
/** A lag of at most `maxLagMs` needs this many samples. */
const pollsInMaxLag = 4;

/**
 * Measures how far a streaming replica is behind, without writing: it remembers positions of the primary's log with the time at which each
 * was read, and asks the replica which of them it has replayed. All that was committed before that time is visible there. Also right while
 * nothing is written, when the time of the last replayed transaction says nothing.
 */
export class ReplicaLag {
  private samples: Sample[] = [];
  /** Time of the newest sample that the replica has replayed; null = none yet. */
  private replayedAt: number | null = null;
  private readonly startedAt: number;
  private reason: string | null = 'not yet measured';
  /** As it was reported last; null = not yet. */
  private usable: boolean | null = null;
  private timer: Timer | undefined;
  private polling: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(
    private readonly primary: pg.Pool,
    private readonly replica: pg.Pool,
    private readonly settings: ReplicaLagSettings,
    private readonly clock: Clock = systemClock,
  ) {
    this.startedAt = clock.monotonic();
    this.pollSoon(0);
  }

  /** Milliseconds that the replica is behind at most; null while reads must go to the primary. */
  currentMs(now = this.clock.monotonic()): number | null {
    if (this.reason !== null || this.replayedAt === null) return null;
    const lag = now - this.replayedAt;
    return lag <= this.settings.maxLagMs ? Math.ceil(lag) : null;
  }

  /**
   * Milliseconds that the replica is behind at most, also while reads go to the primary. Grows while one of the two does not answer; from
   * the start until the first answer.
   */
  measuredMs(): number {
    return this.clock.monotonic() - (this.replayedAt ?? this.startedAt);
  }

  /** Sends reads to the primary until the replica has answered again. */
  failed(error: unknown): void {
    this.reason = messageOf(error);
    this.report();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.timer?.cancel();
    await this.polling;
  }

  private pollSoon(ms: number): void {
    if (this.closed) return;
    this.timer = this.clock.after(ms, () => void (this.polling = this.poll())).unref();
  }

  private async poll(): Promise<void> {
    try {
      await this.sample();
      await this.compare();
    } catch (error) {
      this.reason = messageOf(error);
    }
    this.report();
    this.pollSoon(Math.min(longestPollMs, this.settings.maxLagMs / pollsInMaxLag));
  }

  private async sample(): Promise<void> {
    // Before the statement is sent: what was committed by then is within the position that it returns.
    const takenAt = this.clock.monotonic();
    const [row] = await run(this.primary, readPrimaryPosition);
    this.samples.push({ position: BigInt(row!.position), takenAt });
    this.samples = this.samples.filter((sample) => sample.takenAt > takenAt - 2 * this.settings.maxLagMs);
  }

  private async compare(): Promise<void> {
    const [state] = await run(this.replica, readReplicaState);
    if (state!.bypasses_policies) throw new Error('row-level security does not apply to its role');
    if (state!.replayed === null) throw new Error('it is not a standby');
    const replayed = BigInt(state!.replayed);
    const visible = this.samples.findLast(({ position }) => position <= replayed);
    if (visible) this.replayedAt = Math.max(this.replayedAt ?? visible.takenAt, visible.takenAt);
    this.reason = null;
  }

  private report(): void {
    const usable = this.currentMs() !== null;
    if (usable === this.usable) return;
    this.usable = usable;
    const reason = usable ? null : (this.reason ?? `it is more than ${this.settings.maxLagMs} ms behind`);
    this.settings.onChange({ usable, reason });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function run<Parameters, Row>(
  pool: pg.Pool,
  statement: PreparedQuery<Parameters, Row>,
  ...parameters: StatementParameters<Parameters>
): Promise<Row[]> {
  return (await pool.query(statement.text, [...statement.values(parameters[0])])).rows as Row[];
}
