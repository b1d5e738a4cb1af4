import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { bundleOptions } from '../../rolldown.config.mjs';
import { freePort, untilListening } from './ports.mjs';

const root = bundleOptions.cwd;

/**
 * PostgreSQL and Redis for the proof: those of DATABASE_DIRECT_URL (an owner who may create roles) and REDIS_URL, or
 * else the ones that `npm start` would bring up, in `folder`.
 *
 * @returns addresses for the services, a way to stop what was started here
 */
export async function provideStores(folder, say) {
  const { embeddedDatabase, provideRedis, keptSecrets, externalDatabase } = await launcherModules();
  mkdirSync(join(folder, 'data'));
  const secrets = keptSecrets(join(folder, 'data'));
  const env = { ...process.env, DATABASE_URL: process.env.DATABASE_DIRECT_URL };
  const database = externalDatabase(env, secrets) ?? (await embeddedDatabase(join(folder, 'data'), secrets, say));
  const redis = await provideRedis(join(folder, 'data'), env, secrets, say);
  const stop = async () => {
    await redis.stop();
    await database.stop();
  };
  return { ownerUrl: database.urls.owner, passwords: database.urls.passwords, redisUrl: redis.urls, stop };
}

/** The launcher is TypeScript, so the two modules that are needed here are bundled first. */
async function launcherModules() {
  const bundle = await rolldown({
    ...bundleOptions,
    input: { stores: 'deploy/local/stores.ts', secrets: 'deploy/local/secrets.ts' },
    logLevel: 'warn',
  });
  // Inside the checkout, so that the bundle finds its packages.
  const dir = join(root, `dist/proof-${process.pid}`);
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js' });
  await bundle.close();
  const load = (name) => import(pathToFileURL(join(dir, `${name}.js`)).href);
  try {
    return { ...(await load('stores')), ...(await load('secrets')) };
  } finally {
    execFileSync('rm', ['-rf', dir]);
  }
}

/**
 * PgBouncer in front of PostgreSQL, with the very files of its image, where the program is installed; else null.
 *
 * @returns the address that replaces PostgreSQL's, a way to stop it
 */
export async function providePgBouncer(folder, { ownerUrl, passwords }, account) {
  if (!isInstalled('pgbouncer')) return null;
  const server = new URL(ownerUrl);
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  const ini = readFileSync(join(root, 'deploy/pgbouncer/pgbouncer.ini'), 'utf8');
  writeFileSync(settings, ini.replace(/^listen_port = .*$/m, `listen_port = ${port}`));
  const runDir = join(folder, 'pgbouncer');
  mkdirSync(runDir);
  chmodSync(runDir, 0o777);
  const child = spawn('bash', [join(root, 'deploy/pgbouncer/start.sh'), settings], {
    ...account,
    env: {
      PATH: process.env.PATH,
      POSTGRES_HOST: server.hostname,
      POSTGRES_PORT: server.port || '5432',
      POSTGRES_DATABASE: server.pathname.slice(1),
      SPOOLED_APP_PASSWORD: passwords.app,
      SPOOLED_SYSTEM_PASSWORD: passwords.system,
      PGBOUNCER_RUN_DIR: runDir,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await untilListening(port, child);
  const stop = async () => {
    // The image's STOPSIGNAL.
    child.kill('SIGINT');
    await once(child, 'exit');
  };
  return { host: `127.0.0.1:${port}`, stop };
}

function isInstalled(program) {
  try {
    execFileSync('which', [program]);
    return true;
  } catch {
    return false;
  }
}
