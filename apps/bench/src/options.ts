import { parseArgs } from 'node:util';
import type { Endpoint } from './load/closed-loop.js';

export interface Options {
  /** Names or prefixes of names; empty = all that are not on demand. */
  only: string[];
  /** Seconds of each measured window. */
  seconds: number;
  warmup: number;
  /** Overrides the numbers of connections that scenarios try; empty = the scenario's default. */
  connections: number[];
  /** Bytes of a job's payload as JSON text. */
  payloadBytes: number;
  /** File for the report; null = `.data/bench/<time>.json`. */
  json: string | null;
  /** Rows inserted by the scenarios that fill tables; null = the scenario's default. */
  rows: number | null;
  /** Duration of `retention` and `pinned` in minutes; null = the scenario's default. */
  minutes: number | null;
  /** Also measure other queues on the same PostgreSQL and Redis. */
  peers: boolean;
  /** Another server of the same REST interface, for the scenario `against`; null = none. */
  against: OtherServer | null;
  /** Keep data and logs of the stack. */
  keep: boolean;
}

export interface OtherServer extends Endpoint {
  /** Its processes, if they run on this machine: their CPU time is reported. */
  pids: number[];
}

export type OptionSpec = { kind: 'run'; options: Options } | { kind: 'list' } | { kind: 'help' };

export const usage = `npm run bench -- [flags]
  --only a,b         scenarios by name or prefix of a name      (default: all but those on demand)
  --seconds n        length of each measured window              (default: 8)
  --warmup n         seconds of warm-up, which do not count     (default: 2)
  --connections a,b  numbers of connections to try
  --payload bytes    size of a job's payload                     (default: 200)
  --peers            also graphile-worker, pg-boss and BullMQ (installs them below apps/bench/peers)
  --rows n           rows to insert, in scenarios that fill tables
  --minutes n        duration of "retention" (at most) and "pinned"
  --against url      also the scenario "against": the same REST load on this server and on that one, in turns.
                     Jobs that it leaves pending there are in queues bench-against*
  --key key          API key for --against
  --pids a,b         processes of the server of --against, if it runs here: their CPU time is reported
  --json file        file of the report                         (default: .data/bench/<time>.json)
  --keep             keep data and logs of the stack
  --list             print the scenarios
  --help`;

const flags = {
  only: { type: 'string', default: '' },
  seconds: { type: 'string', default: '8' },
  warmup: { type: 'string', default: '2' },
  connections: { type: 'string', default: '' },
  payload: { type: 'string', default: '200' },
  peers: { type: 'boolean', default: false },
  rows: { type: 'string' },
  minutes: { type: 'string' },
  against: { type: 'string' },
  key: { type: 'string' },
  pids: { type: 'string', default: '' },
  json: { type: 'string' },
  keep: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** @throws Error naming the flag that is unknown or wrong */
export function readOptions(argv: string[]): OptionSpec {
  const { values } = parseArgs({ args: argv, options: flags, strict: true, allowPositionals: false });
  if (values.help) return { kind: 'help' };
  if (values.list) return { kind: 'list' };
  const options: Options = {
    only: listOf(values.only),
    seconds: numberOf('--seconds', values.seconds, 0.5),
    warmup: numberOf('--warmup', values.warmup, 0),
    connections: listOf(values.connections).map((text) => wholeOf('--connections', text, 1)),
    payloadBytes: wholeOf('--payload', values.payload, 16),
    json: values.json ?? null,
    rows: values.rows === undefined ? null : wholeOf('--rows', values.rows, 1),
    minutes: values.minutes === undefined ? null : numberOf('--minutes', values.minutes, 0.1),
    peers: values.peers,
    against: otherServer(values),
    keep: values.keep,
  };
  return { kind: 'run', options };
}

function otherServer({ against, key, pids }: { against?: string; key?: string; pids: string }): OtherServer | null {
  if (against === undefined) {
    if (key !== undefined || pids !== '') throw new Error('--key and --pids need --against');
    return null;
  }
  if (!key) throw new Error('--against needs --key');
  if (!URL.canParse(against)) throw new Error(`--against must be a URL, not "${against}"`);
  const ids = listOf(pids).map((text) => wholeOf('--pids', text, 1));
  return { baseUrl: new URL(against).origin, apiKey: key, pids: ids };
}

const listOf = (text: string): string[] => text.split(',').flatMap((part) => part.trim() || []);

function numberOf(flag: string, text: string, min: number): number {
  const number = Number(text);
  if (!Number.isFinite(number) || number < min) throw new Error(`${flag} must be at min ${min}, not "${text}"`);
  return number;
}

function wholeOf(flag: string, text: string, min: number): number {
  const number = numberOf(flag, text, min);
  if (!Number.isInteger(number)) throw new Error(`${flag} must be a whole number, not "${text}"`);
  return number;
}
