import type { LoggerService } from '@nestjs/common';
import type { AppLogger } from './logger.js';

const text = (message: unknown): string => {
  if (typeof message === 'string') return message;
  return message instanceof Error ? message.message : JSON.stringify(message);
};

/** Nest passes `(message, …more, context)`; for errors one of `more` is a stack. */
function fieldsOf(message: unknown, more: unknown[]): object {
  const context = more.at(-1);
  const error = [message, ...more].find((part) => part instanceof Error);
  const stack = more.find((part) => typeof part === 'string' && part.includes('\n    at '));
  return {
    ...(typeof context === 'string' && context !== stack && { context }),
    ...(error !== undefined && { err: error }),
    ...(stack !== undefined && error === undefined && { stack }),
  };
}

/** Writes Nest's messages to the process's log. `log` becomes debug, because it is used for start messages. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: AppLogger) {}

  log(message: unknown, ...more: unknown[]): void {
    this.logger.debug(fieldsOf(message, more), text(message));
  }
  error(message: unknown, ...more: unknown[]): void {
    // An error of the start, which `runService` reports as well.
    if (more.at(-1) === 'ExceptionHandler') return this.debug(message, ...more);
    this.logger.error(fieldsOf(message, more), text(message));
  }
  warn(message: unknown, ...more: unknown[]): void {
    this.logger.warn(fieldsOf(message, more), text(message));
  }
  debug(message: unknown, ...more: unknown[]): void {
    this.logger.debug(fieldsOf(message, more), text(message));
  }
  verbose(message: unknown, ...more: unknown[]): void {
    this.logger.trace(fieldsOf(message, more), text(message));
  }
  fatal(message: unknown, ...more: unknown[]): void {
    this.logger.fatal(fieldsOf(message, more), text(message));
  }
}
