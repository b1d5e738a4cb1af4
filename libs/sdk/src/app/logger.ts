import { writeJson } from '../http/json.js';
import { errorLine } from '../worker/thrown.js';
import type { LogLevel } from '../worker/work-source.js';

/** Where an app and its handlers log. `console` is one. */
export interface Logger {
  debug(text: string, fields?: object): void;
  info(text: string, fields?: object): void;
  warn(text: string, fields?: object): void;
  error(text: string, fields?: object): void;
}

const levels: LogLevel[] = ['debug', 'info', 'warn', 'error'];

/* oxlint-disable no-console -- an app logs by default; `logger` replaces this */
/** Lines of text; errors and warnings go to standard error. */
export const consoleLogger: Logger = {
  debug: () => undefined,
  info: (text, fields) => console.log(lineOf(text, fields)),
  warn: (text, fields) => console.warn(lineOf(text, fields)),
  error: (text, fields) => console.error(lineOf(text, fields)),
};
/* oxlint-enable no-console */

export const silentLogger: Logger = eachLevel(() => () => undefined);

/** Adds fields to each line. */
export const withFields = (logger: Logger, common: object): Logger =>
  eachLevel((level) => (text, fields) => logger[level](text, { ...common, ...fields }));

/** A logger whose method of each level is what `log` makes for it. */
export function eachLevel(log: (level: LogLevel) => Logger['info']): Logger {
  return Object.fromEntries(levels.map((level) => [level, log(level)])) as unknown as Logger;
}

const lineOf = (text: string, fields: object = {}): string =>
  ['spooled:', text, ...Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`)].join(' ');

/** Handlers log anything, also what is no JSON. */
function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return errorLine(value);
  try {
    return writeJson(value);
  } catch {
    return '(no JSON)';
  }
}
