import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServiceSpec } from '@spooled/local';
import type { Settings } from '../report.js';

const run = promisify(execFile);

/** Settings of the services that are set in the environment, which the services inherit as with `npm start`. */
export async function inheritedSettings(specs: ServiceSpec[], environment: NodeJS.ProcessEnv): Promise<Settings> {
  const found = await Promise.all(specs.map((spec) => inherited(spec, environment)));
  return Object.assign({}, ...found) as Settings;
}

async function inherited({ cwd, script, env }: ServiceSpec, environment: NodeJS.ProcessEnv): Promise<Settings> {
  const { stdout } = await run(process.execPath, [join(cwd, script), '--settings'], { cwd });
  const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
  const set = names.filter((name) => environment[name] !== undefined && env[name] === environment[name]);
  return Object.fromEntries(set.map((name) => [name, environment[name]!]));
}
