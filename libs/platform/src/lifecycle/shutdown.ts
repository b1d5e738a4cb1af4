import type { AppLogger } from '../log/logger.js';

interface ShutdownOptions {
  logger: AppLogger;
  /** Maximum time from the start of the shutdown to the exit, in milliseconds. */
  timeoutMs: number;
  /** Stops all parts; resolves to false if one failed. Called once. */
  stop: () => Promise<boolean>;
  /** The part that is being stopped; for the log line of a forced exit. */
  currentPart: () => string | undefined;
}

/** Shuts the process down after a signal or a fatal error. Exits by force after the timeout or a second signal. */
export class Shutdown {
  private stopping = false;

  constructor(private readonly options: ShutdownOptions) {}

  /** Installs handlers for signals, unhandled rejections and uncaught exceptions. */
  watch(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.onSignal(signal));
    process.on('unhandledRejection', (reason) => this.fail('unhandled rejection', reason));
    process.on('uncaughtException', (error) => this.fail('uncaught exception', error));
    process.on('warning', (warning) => this.options.logger.warn({ err: warning }, 'process warning'));
  }

  /** Logs a fatal error, shuts down and exits with code 1. */
  fail(message: string, err: unknown): void {
    this.options.logger.fatal({ err }, message);
    void this.stop(1);
  }

  /** Ends a start that cannot succeed: logs the reason, which is for operators, and exits with code 1. */
  refuse(message: string, reason: string): void {
    this.options.logger.fatal({ reason }, message);
    void this.stop(1);
  }

  private onSignal(signal: NodeJS.Signals): void {
    if (this.stopping) return this.force(`second signal (${signal})`);
    this.options.logger.info({ signal }, 'stopping');
    void this.stop(0);
  }

  private async stop(exitCode: number): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    setTimeout(() => this.force(`not stopped within ${this.options.timeoutMs} ms`), this.options.timeoutMs);
    const clean = await this.options.stop();
    this.options.logger.info('stopped');
    this.exit(clean ? exitCode : 1);
  }

  private force(reason: string): void {
    this.options.logger.fatal({ reason, part: this.options.currentPart() }, 'exited by force');
    this.exit(1);
  }

  private exit(code: number): void {
    void this.options.logger.flush().then(() => process.exit(code));
  }
}
