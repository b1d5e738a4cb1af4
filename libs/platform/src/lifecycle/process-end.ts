import type { AppLogger } from '../log/logger.js';

interface End {
  logger: AppLogger;
  /** Longest time from the first sign of the end to the exit, in milliseconds. */
  timeoutMs: number;
  /** Stops everything; resolves with whether all went well. Called once. */
  stop: () => Promise<boolean>;
  /** What the stop is busy with; for the log line of a forced end. */
  busyWith: () => string | undefined;
}

/** How the process ends: orderly after a signal or a fatal error, by force when that takes too long or is asked twice. */
export class ProcessEnd {
  private ending = false;

  constructor(private readonly end: End) {}

  /** From now on signals and stray errors end the process the orderly way. */
  watch(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.onSignal(signal));
    process.on('unhandledRejection', (reason) => this.fail('unhandled rejection', reason));
    process.on('uncaughtException', (error) => this.fail('uncaught exception', error));
    process.on('warning', (warning) => this.end.logger.warn({ err: warning }, 'process warning'));
  }

  /** Logs a fatal error and ends with exit code 1 after an orderly stop. */
  fail(message: string, err: unknown): void {
    this.end.logger.fatal({ err }, message);
    void this.stop(1);
  }

  private onSignal(signal: NodeJS.Signals): void {
    if (this.ending) return this.force(`second signal (${signal})`);
    this.end.logger.info({ signal }, 'stopping');
    void this.stop(0);
  }

  private async stop(exitCode: number): Promise<void> {
    if (this.ending) return;
    this.ending = true;
    setTimeout(() => this.force(`not stopped within ${this.end.timeoutMs} ms`), this.end.timeoutMs);
    const clean = await this.end.stop();
    this.end.logger.info('stopped');
    this.exit(clean ? exitCode : 1);
  }

  private force(reason: string): void {
    this.end.logger.fatal({ reason, busy_with: this.end.busyWith() }, 'ended by force');
    this.exit(1);
  }

  private exit(code: number): void {
    void this.end.logger.flush().then(() => process.exit(code));
  }
}
