import { eachLevel, type Logger } from '../app/logger.js';
import { asReceived } from '../app/schema.js';
import { isOfLostLease, isRefusal } from '../http/errors.js';
import { writeJson } from '../http/json.js';
import { within, type WorkerClock } from './clock.js';
import type { LeasedJob, LogLevel, LogLine, LogStore } from './work-source.js';

/** What a handler logs: `log('charged', { amount: 12 })`, `log.warn(…)`. */
export interface JobLog extends Logger {
  /** As `info`. */
  (text: string, fields?: object): void;
}

/** Lines of a handler could not be kept. The job itself is not affected. */
export class LogsNotKept extends Error {
  override name = 'LogsNotKept';
  readonly code = 'LOGS_NOT_KEPT';
}

/** What a log needs of the attempt that it belongs to. */
export interface LogRun {
  job: LeasedJob;
  store: LogStore;
  clock: WorkerClock;
  onError(error: LogsNotKept): void;
}

interface WrittenLine extends Omit<LogLine, 'ageMs'> {
  /** Monotonic milliseconds. */
  at: number;
  bytes: number;
}

/** Milliseconds between two reports. */
const intervalMs = 1_000;
/** Together they are what the server keeps of an attempt: the first lines as they are written, and the last ones, which say how it ended. */
const first = { lines: 150, bytes: 48 * 1024 };
const last = { lines: 50, bytes: 16 * 1024 };
/** As the server bounds them: characters, and bytes of JSON. */
const longestMessage = 1_000;
const mostFieldsBytes = 4 * 1024;
/** Below what the server takes of a body: deeper fields would have all lines of their report refused. */
const mostFieldsLevels = 400;

/**
 * The log of an attempt. Lines are reported in the background, at most once a second, and before the outcome. No error of a report reaches
 * the handler or changes the outcome.
 */
export class RunLog {
  readonly api: JobLog;
  private count = 0;
  private readonly used = { lines: 0, bytes: 0 };
  /** Among the first lines, and not reported. */
  private pending: WrittenLine[] = [];
  /** The newest of those that came after the first. */
  private newest: WrittenLine[] = [];
  private reports: Promise<void> = Promise.resolve();
  private timer: ReturnType<WorkerClock['after']> | undefined;
  private isPaused = false;
  private isClosed = false;
  /** Why the last report failed. */
  private failure: string | undefined;

  constructor(private readonly run: LogRun) {
    this.api = logOf((level, text, fields) => this.write(level, text, fields));
  }

  /** Reports all lines, waiting at most `withinMs`. Never rejects. */
  async flush(withinMs: number): Promise<void> {
    this.stopTimer();
    if (this.pending.length + this.newest.length === 0) return within(this.run.clock, withinMs, this.reports);
    this.pending.push(...this.newest);
    this.newest = [];
    // More than the server takes, when an earlier flush failed.
    this.pending.splice(first.lines, this.pending.length - first.lines - last.lines);
    await within(this.run.clock, withinMs, this.report());
  }

  /** Reports nothing more until `resume`: the row of the job is locked. */
  pause(): void {
    this.isPaused = true;
    this.stopTimer();
  }

  resume(): void {
    this.isPaused = false;
    this.schedule();
  }

  /** The attempt has ended: says how many lines are lost. */
  close(): void {
    this.pause();
    this.isClosed = true;
    const lost = this.pending.length + this.newest.length;
    if (lost > 0) this.lose(lost, this.failure ?? 'the attempt has ended');
  }

  private write(level: LogLevel, text: unknown, fields: unknown): void {
    if (this.isClosed) return;
    const [message, kept] = [messageOf(text), keptFields(fields)];
    const bytes = Buffer.byteLength(message) + (kept === undefined ? 0 : Buffer.byteLength(writeJson(kept)));
    const line = { number: ++this.count, at: this.run.clock.monotonic(), level, message, fields: kept, bytes };
    if (this.isFirst(bytes)) {
      this.pending.push(line);
      this.schedule();
    } else {
      this.newest.push(line);
      while (this.newest.length > last.lines || bytesOf(this.newest) > last.bytes) this.newest.shift();
    }
  }

  /** Once a line has not found room, those after it are not among the first either. */
  private isFirst(bytes: number): boolean {
    const { used } = this;
    used.lines++;
    used.bytes += bytes;
    return used.lines <= first.lines && used.bytes <= first.bytes;
  }

  private schedule(): void {
    if (this.isPaused || this.timer || this.pending.length === 0) return;
    this.timer = this.run.clock.after(intervalMs, () => {
      this.timer = undefined;
      void this.report();
    });
  }

  private stopTimer(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }

  /** After those before it. Never rejects. */
  private report(): Promise<void> {
    this.reports = this.reports.then(() => this.send());
    return this.reports;
  }

  private async send(): Promise<void> {
    const { pending, run } = this;
    if (pending.length === 0 || this.isPaused) return;
    const lines = [...pending];
    const now = run.clock.monotonic();
    try {
      await run.store.append(
        run.job,
        lines.map(({ at, bytes: _, ...line }) => ({ ...line, ageMs: Math.round(now - at) })),
      );
      this.forget(lines);
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      // Others may be taken later: they are reported with the next lines, under the same numbers.
      if (isFinal(error)) {
        this.forget(lines);
        if (!this.isClosed) this.lose(lines.length, this.failure);
      }
    }
    this.schedule();
  }

  private forget(lines: WrittenLine[]): void {
    const known = new Set(lines);
    this.pending = this.pending.filter((line) => !known.has(line));
  }

  private lose(lines: number, reason: string): void {
    this.run.onError(new LogsNotKept(`${lines} log lines of job ${this.run.job.id} were not kept: ${reason}`));
  }
}

/** A log whose lines go to `write`. */
export function logOf(write: (level: LogLevel, text: string, fields?: object) => void): JobLog {
  const ofLevel = (level: LogLevel) => (text: string, fields?: object) => write(level, text, fields);
  return Object.assign(ofLevel('info'), eachLevel(ofLevel));
}

/** The lease is lost, the server has no logs, or the lines are refused. */
const isFinal = (error: unknown): boolean => isOfLostLease(error) || isRefusal(error);

const bytesOf = (lines: WrittenLine[]): number => lines.reduce((sum, { bytes }) => sum + bytes, 0);

/** Never throws, whatever a handler gives. */
function messageOf(text: unknown): string {
  try {
    // As the server keeps it, which counts its bytes.
    return cut(String(text)).replaceAll('\u0000', '\ufffd');
  } catch (error) {
    return `(no text: ${reasonOf(error)})`;
  }
}

function cut(text: string): string {
  if (text.length <= longestMessage) return text;
  // A character has two units at most. Texts of megabytes are not taken apart.
  const characters = [...text.slice(0, 2 * longestMessage + 1)];
  if (characters.length <= longestMessage) return text;
  const shown = characters.slice(0, longestMessage - 40).join('');
  return `${shown}… (${text.length - shown.length} more characters)`;
}

/** Of what was thrown, which may be anything. */
const reasonOf = (error: unknown): string => (error instanceof Error ? cut(String(error.message)) : typeof error);

/** A copy as JSON; what cannot be kept is replaced by a note. */
function keptFields(fields: unknown): unknown {
  if (fields === undefined || fields === null) return undefined;
  try {
    const copy = asReceived(withErrors(fields), 'fields');
    const bytes = Buffer.byteLength(writeJson(copy));
    if (bytes > mostFieldsBytes) return { omitted: `${bytes} bytes of fields` };
    return hasLevels(copy, mostFieldsLevels) ? { omitted: `more than ${mostFieldsLevels} levels of fields` } : copy;
  } catch (error) {
    return { omitted: reasonOf(error) };
  }
}

/** Whether a document is nested deeper than `most`. */
const hasLevels = (document: unknown, most: number): boolean =>
  typeof document === 'object' &&
  document !== null &&
  (most === 0 || Object.values(document).some((member) => hasLevels(member, most - 1)));

/** Errors have no members of their own that JSON shows. */
function withErrors(fields: unknown): unknown {
  if (fields instanceof Error) return shownError(fields);
  if (typeof fields !== 'object' || Array.isArray(fields) || 'toJSON' in fields!) return fields;
  const members = Object.entries(fields!).map(([name, value]) => [
    name,
    value instanceof Error ? shownError(value) : value,
  ]);
  return Object.fromEntries(members);
}

const shownError = ({ name, message }: Error) => ({ name, message });
