import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = process.cwd();
const run = promisify(execFile);

/**
 * A folder with the built packages and what they depend on, as an application has them. The caller removes it.
 * @param more packages of the repository that the application uses
 */
export function installPackages(...more: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'spooled-packages-'));
  for (const [name, built] of Object.entries({ 'spooled-embedded': 'embedded', 'spooled-sdk': 'sdk' })) {
    const target = join(folder, 'node_modules', name);
    cpSync(join(root, 'dist', built), target, { recursive: true });
    for (const dependency of dependenciesOf(target)) link(folder, dependency);
  }
  for (const name of ['@types/pg', '@types/node', ...more]) link(folder, name);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

/** @throws Error with what the compiler says about these files */
export const compile = (folder: string, ...files: string[]): Promise<void> => check(folder, '--skipLibCheck', ...files);

/** @throws Error with what the compiler says about these files and the types of all packages that they use */
export const compileWithPackages = (folder: string, ...files: string[]): Promise<void> => check(folder, ...files);

async function check(folder: string, ...args: string[]): Promise<void> {
  const compiler = join(root, 'node_modules/ts7/bin/tsc');
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
  // Several checkers would each check what they share.
  const command = [compiler, '--singleThreaded', ...options, '--allowImportingTsExtensions', ...args];
  await run(process.execPath, command, { cwd: folder }).catch((error: { stdout?: string }) => {
    throw new Error(error.stdout, { cause: error });
  });
}

function dependenciesOf(target: string): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  return Object.keys(dependencies).filter((name) => !name.startsWith('spooled-'));
}

function link(folder: string, name: string): void {
  const target = join(folder, 'node_modules', name);
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), target);
}
