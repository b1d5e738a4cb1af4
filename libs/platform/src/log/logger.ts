import { createRequire } from 'node:module';
import pino from 'pino';
import { contextFields } from './log-context.js';
import { redact } from './redaction.js';
import { withSourcePositionsInLine } from './source-positions.js';

/** As in pino: fields first, then the message. Pass errors as `err`, which logs type, stack and causes. */
export interface LogMethod {
  (message: string): void;
  (fields: object, message: string): void;
}

/** The logger of the process. */
export class AppLogger {
  readonly trace: LogMethod;
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  readonly fatal: LogMethod;

  constructor(
    private readonly sink: pino.Logger,
    private readonly flushSink: () => Promise<void> = () => Promise.resolve(),
  ) {
    this.trace = sink.trace.bind(sink);
    this.debug = sink.debug.bind(sink);
    this.info = sink.info.bind(sink);
    this.warn = sink.warn.bind(sink);
    this.error = sink.error.bind(sink);
    this.fatal = sink.fatal.bind(sink);
  }

  /** A logger that adds `fields` to every line. */
  child(fields: object): AppLogger {
    return new AppLogger(this.sink.child(fields), this.flushSink);
  }

  /** Resolves when buffered lines are written, or cannot be. Call when the process exits: further lines are lost. Never rejects. */
  flush(): Promise<void> {
    return this.flushSink();
  }
}

export interface LoggerOptions {
  service: string;
  level?: string;
  /** false = readable text instead of JSON. */
  json?: boolean;
  /** Default: standard output. */
  destination?: { write(line: string): void };
}

/** Maximum wait for the reader of the pipe when the process exits. */
const flushLimitMs = 500;

/** Maximum time that lines are buffered. */
const gatherMs = 100;

interface LogOutput {
  write(line: string): void;
  flush?: () => Promise<void>;
}

function standardOutput(): LogOutput {
  // Buffered up to 4 KiB or 100 ms: a synchronous write per line would block the event loop while the reader of the pipe is slow,
  // and an asynchronous one took 7 % of a busy gateway's time.
  const stream = pino.destination({ fd: 1, sync: false, minLength: 4096 });
  // A closed pipe must not end the process, and cannot be logged.
  stream.on('error', () => {});
  let isClosed = false;
  stream.once('close', () => (isClosed = true));
  let timer: NodeJS.Timeout | undefined;
  const flushNow = (): void => {
    timer = undefined;
    stream.flush();
  };
  return {
    write: (line) => {
      if (isClosed) return;
      // sonic-boom's timer (`periodicFlush`) would wake an idle process ten times a second.
      timer ??= setTimeout(flushNow, gatherMs).unref();
      stream.write(line);
    },
    // Not `flushSync`: sonic-boom 4.2 repeats a synchronous write to a closed or full pipe endlessly. pino calls it when the process
    // exits, for a stream that is not destroyed.
    flush: () =>
      new Promise((resolve) => {
        clearTimeout(timer);
        if (isClosed) return resolve();
        stream.once('close', resolve);
        stream.end();
        setTimeout(() => {
          stream.destroy();
          resolve();
        }, flushLimitMs);
      }),
  };
}

/** Formats line by line, because pino-pretty's stream loses the last lines of a process that exits. */
function readable(output: { write(line: string): void }) {
  // Services write JSON: they would load 29 files that they do not use.
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  const prettify = prettyFactory({ ignore: 'service', colorize: process.stdout.isTTY });
  return { write: (line: string) => output.write(prettify(line)) };
}

/** Creates a logger that writes one line per entry, with trace, tenant, job and request ids, and without credentials. */
export function createLogger({ service, level = 'info', json = true, destination }: LoggerOptions): AppLogger {
  const output: LogOutput = destination ?? standardOutput();
  const stream = json ? output : readable(output);
  const sink = pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: contextFields,
      hooks: { streamWrite: (line) => redact(withSourcePositionsInLine(line)) },
    },
    stream,
  );
  return new AppLogger(sink, output.flush);
}
