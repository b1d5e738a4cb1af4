import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Command } from 'commander';
import { Failure, UsageError } from '../errors.js';
import { type Finding, sentence } from '../doctor/finding.js';
import { printable } from '../io/printable.js';
import { findTarget, type TargetOptions } from '../session/connect.js';
import type { Add, Cli } from '../session/cli.js';

/** `spooled doctor` (BX-17): what is wrong with an installation, each finding in one sentence with its remedy. */
export function addDoctor(program: Command, add: Add): void {
  add(program, 'doctor', 'find out what is wrong with an installation: ports, PostgreSQL, Redis, gateway, key', doctor)
    // Not --env-file, which Node.js takes for itself.
    .option('--settings <file>', 'file with the settings of the services, such as .env')
    .addHelpText(
      'after',
      '\nReads DATABASE_URL, DATABASE_SYSTEM_URL, REDIS_URL, HOST, PORT, GRPC_PORT and METRICS_PORT from the environment or the file.',
    );
}

interface DoctorOptions extends TargetOptions {
  settings?: string;
}

async function doctor(cli: Cli, options: DoctorOptions): Promise<void> {
  const { out } = cli;
  const findings = await examine(cli, options);
  const tones = { ok: 'green', skipped: 'dim', warning: 'yellow', problem: 'red' } as const;
  const lines = findings.map((finding) => {
    const { status, check } = finding;
    return `${out.tone(tones[status], status.padEnd(7))}  ${check.padEnd(10)}  ${printable(sentence(finding))}`;
  });
  await out.drawing({ findings }, lines);
  if (findings.some(({ status }) => status === 'problem')) throw new Failure('There are problems');
}

/** Stores first: what is wrong with them explains what is wrong with the gateway. */
async function examine({ io }: Cli, options: DoctorOptions): Promise<Finding[]> {
  const env = { ...settingsOf(options.settings), ...io.env };
  // A command that only calls the API does not load these clients.
  const [{ checkPostgres }, { checkRedis }, { checkGateway }, { checkPorts }] = await Promise.all([
    import('../doctor/check-postgres.js'),
    import('../doctor/check-redis.js'),
    import('../doctor/check-gateway.js'),
    import('../doctor/check-ports.js'),
  ]);
  const { url, apiKey } = findTarget(io.env, options);
  const systemUrl = env.DATABASE_SYSTEM_URL;
  const [app, system, redis, gateway] = await Promise.all([
    checkPostgres('DATABASE_URL', env.DATABASE_URL),
    systemUrl ? checkPostgres('DATABASE_SYSTEM_URL', systemUrl) : [],
    checkRedis(env.REDIS_URL),
    checkGateway(url, apiKey),
  ]);
  // Its ports are in use while it runs; elsewhere they are not ours.
  const ports = gateway.isUp || !isLocal(url) ? [] : await checkPorts(env);
  return [...app, ...system, ...redis, ...ports, ...gateway.findings];
}

const isLocal = (url: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

function settingsOf(file: string | undefined): NodeJS.Dict<string> {
  if (file === undefined) return {};
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--settings ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
