import { createWriteStream, existsSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { privateFolder } from './private-files.js';

const levels: Record<number, string> = { 10: 'TRACE', 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };
const levelColours: Record<string, number> = { WARN: 33, ERROR: 31, FATAL: 31 };
const serviceColours = [36, 35, 34, 32, 33];
/** Members of a JSON line that the prefix already shows. */
const quiet = new Set(['level', 'time', 'msg', 'service', 'pid', 'hostname', 'err', 'trace_id', 'span_id']);
const nameWidth = 10;
/** A log file of this size is renamed (`.1`) when the system starts. */
const rotateAtBytes = 50 * 1024 * 1024;

/** Shows the JSON lines of services as `12:01:02 gateway    INFO  message key=value`; other lines stay as they are. */
export function readableLine(name: string, line: string, colour: boolean): string {
  const paint = (code: number | undefined, text: string) => (colour && code ? `\x1b[${code}m${text}\x1b[0m` : text);
  const entry = parse(line);
  const time = entry?.time ? new Date(entry.time) : new Date();
  const clock = Number.isNaN(time.getTime()) ? '' : time.toTimeString().slice(0, 8);
  const prefix = `${clock} ${paint(colourOf(name), name.padEnd(nameWidth))}`;
  if (!entry) return `${prefix} ${line}`;
  const level = levels[Number(entry.level)] ?? String(entry.level ?? '').toUpperCase();
  return `${prefix} ${paint(levelColours[level], level.padEnd(5))} ${entry.msg ?? ''}${membersOf(entry)}${stackOf(entry)}`;
}

interface LogEntry extends Record<string, unknown> {
  level?: number | string;
  time?: number | string;
  msg?: string;
  err?: { message?: string; stack?: string };
}

function parse(line: string): LogEntry | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as LogEntry;
  } catch {
    return null;
  }
}

function membersOf(entry: LogEntry): string {
  const shown = Object.entries(entry).filter(
    ([name, value]) => !quiet.has(name) && value !== undefined && value !== null,
  );
  return shown.map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join('');
}

const stackOf = ({ err }: LogEntry): string =>
  err ? `\n${err.stack ?? err.message ?? ''}`.replaceAll('\n', '\n    ') : '';

const colourOf = (name: string): number | undefined =>
  serviceColours[[...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % serviceColours.length];

/** Writes the unchanged lines of each service to `<folder>/<name>.log`. */
export class LogFiles {
  private readonly files = new Map<string, WriteStream>();

  constructor(private readonly folder: string) {
    privateFolder(folder);
  }

  append(name: string, line: string): void {
    const file = this.files.get(name) ?? this.open(name);
    file.write(`${line}\n`);
  }

  close(): void {
    for (const file of this.files.values()) file.end();
  }

  private open(name: string): WriteStream {
    const path = join(this.folder, `${name}.log`);
    if (existsSync(path) && statSync(path).size > rotateAtBytes) renameSync(path, `${path}.1`);
    const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
    // A full disk must not stop the system; lines are still shown.
    file.on('error', () => undefined);
    this.files.set(name, file);
    return file;
  }
}
