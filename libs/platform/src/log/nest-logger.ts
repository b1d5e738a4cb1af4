import type { LoggerService } from '@nestjs/common';
import type { AppLogger, LogFields } from './logger.js';

const text = (message: unknown): string => {
  if (typeof message === 'string') return message;
  return message instanceof Error ? message.message : JSON.stringify(message);
};

/** Nest passes `(message, …more, context)`; for errors one of `more` is a stack. */
function fieldsOf(message: unknown, more: unknown[]): LogFields {
  const context = more.at(-1);
  const error = [message, ...more].find((part) => part instanceof Error);
  const stack = more.find((part) => typeof part === 'string' && part.includes('\n    at '));
  return {
    ...(typeof context === 'string' && context !== stack && { context }),
    ...(error !== undefined && { err: error }),
    ...(stack !== undefined && error === undefined && { stack }),
  };
}

/** Lets Nest's own messages flow into the process's log. Its boot chatter is for debugging, so `log` becomes debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: AppLogger) {}

  log(message: unknown, ...more: unknown[]): void {
    this.logger.debug(text(message), fieldsOf(message, more));
  }
  error(message: unknown, ...more: unknown[]): void {
    this.logger.error(text(message), fieldsOf(message, more));
  }
  warn(message: unknown, ...more: unknown[]): void {
    this.logger.warn(text(message), fieldsOf(message, more));
  }
  debug(message: unknown, ...more: unknown[]): void {
    this.logger.debug(text(message), fieldsOf(message, more));
  }
  verbose(message: unknown, ...more: unknown[]): void {
    this.logger.trace(text(message), fieldsOf(message, more));
  }
  fatal(message: unknown, ...more: unknown[]): void {
    this.logger.fatal(text(message), fieldsOf(message, more));
  }
}
