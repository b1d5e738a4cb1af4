import pino from 'pino';
import { prettyFactory } from 'pino-pretty';
import { contextFields } from './log-context.js';
import { redact } from './redaction.js';

/** As pino has it: fields first, then the message. A caught error belongs under `err`: type, stack and causes are kept. */
export interface LogMethod {
  (message: string): void;
  (fields: object, message: string): void;
}

/** The logger that is injected everywhere. */
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

  /** A logger whose every line carries `fields` too. */
  child(fields: object): AppLogger {
    return new AppLogger(this.sink.child(fields), this.flushSink);
  }

  isEnabled(level: 'trace' | 'debug' | 'info'): boolean {
    return this.sink.isLevelEnabled(level);
  }

  /** Resolves when what is buffered is written out, or cannot be: for the last moment of a process. Never rejects. */
  flush(): Promise<void> {
    return this.flushSink();
  }
}

export interface LoggerOptions {
  service: string;
  level?: string;
  /** false = readable text in place of JSON. */
  json?: boolean;
  /** Where lines go; standard output unless given. */
  destination?: { write(line: string): void };
}

/** A reader that takes no lines for this long does not get the last ones. */
const flushLimitMs = 500;

/** A line waits for others to be written together, but not longer than this. */
const gatherMs = 100;

interface LogOutput {
  write(line: string): void;
  flush?: () => Promise<void>;
}

function standardOutput(): LogOutput {
  // Buffered: a synchronous write per line would stop the event loop whenever the reader of the pipe is slow, and even an
  // asynchronous one took 7 % of a busy gateway's time. A line waits for 4 KiB of others, for at most a tenth of a second.
  const stream = pino.destination({ fd: 1, sync: false, minLength: 4096 });
  // A closed pipe is no reason to end the process; there is also nowhere left to say so.
  stream.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  const flushNow = (): void => {
    timer = undefined;
    stream.flush();
  };
  return {
    write: (line) => {
      // sonic-boom's own timer (`periodicFlush`) would wake a process that has nothing to say ten times a second.
      timer ??= setTimeout(flushNow, gatherMs).unref();
      stream.write(line);
    },
    // Not `flushSync`: sonic-boom 4.2 repeats a synchronous write to a closed pipe for ever, and the process never ends.
    flush: () =>
      new Promise((resolve) => {
        stream.flush(() => resolve());
        setTimeout(resolve, flushLimitMs);
      }),
  };
}

/** Line by line rather than by pino-pretty's stream, which loses the last lines of a process that exits. */
function readable(output: { write(line: string): void }) {
  const prettify = prettyFactory({ ignore: 'service', colorize: process.stdout.isTTY });
  return { write: (line: string) => output.write(prettify(line)) };
}

/** A logger that writes one line per entry, with trace, tenant, job and request ids, and without credentials. */
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
      hooks: { streamWrite: redact },
    },
    stream,
  );
  return new AppLogger(sink, output.flush);
}
