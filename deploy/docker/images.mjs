import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { check, run, until } from '../local/checks.mjs';
import { engineNames, findEngine } from './engines.mjs';
import { checkImages, targets } from './image-checks.mjs';

// npm run images [-- --tag local] [--repository spooled] [--engine docker|podman|buildah] [--no-build]: builds each target of the
// Dockerfile, and verifies the images: their files, and each process with a read-only root, without capabilities and network, until SIGTERM.

const root = join(import.meta.dirname, '../..');
const { values: options } = parseArgs({
  options: {
    tag: { type: 'string', default: 'local' },
    /** Registry and path of the images. */
    repository: { type: 'string', default: 'spooled' },
    engine: { type: 'string' },
    'no-build': { type: 'boolean', default: false },
  },
});
if (options.engine && !engineNames.includes(options.engine)) {
  console.error(`--engine must be one of ${engineNames.join(', ')}`);
  process.exit(2);
}
/** Nothing listens there: a service waits for PostgreSQL, and PgBouncer connects when it is asked. */
const nowhere = '127.0.0.1:1';
const httpIsLive = `exec 3<>/dev/tcp/127.0.0.1/9090 && printf 'GET /health/live HTTP/1.0\\r\\n\\r\\n' >&3 && read -r line <&3 && [[ $line == *' 200 '* ]]`;

try {
  const engine = findEngine(options.engine);
  const labels = options['no-build'] ? {} : await buildAll(engine);
  await check('users, sizes, packages, secrets, labels, health checks', () => checkImages(engine, imageOf, labels));
  if (engine.runs)
    for (const name of targets.filter((target) => target !== 'migrate'))
      await check(`${name} runs on a read-only root and ends with 0 on its stop signal`, () => runOne(engine, name));
  if (engine.runs) await check('migrate says what it cannot reach', () => runMigration(engine));
  else console.log(`${engine.program} starts no images: docker or podman would also run them`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function imageOf(name) {
  return `${options.repository}/${name}:${options.tag}`;
}

/** @returns the labels that the images have now */
async function buildAll(engine) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const revision = run('git', ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], { cwd: root });
  for (const name of targets) await check(`${imageOf(name)} is built`, () => build(engine, name, version, revision));
  return { version, revision };
}

function build({ program, build: command }, name, version, revision) {
  const given = ['NODE_IMAGE', 'DEBIAN_IMAGE'].filter((argument) => process.env[argument]);
  const argumentsOf = [
    ...given.map((argument) => `${argument}=${process.env[argument]}`),
    `VERSION=${version}`,
    `REVISION=${revision}`,
  ];
  run(
    program,
    [
      ...command,
      ...argumentsOf.flatMap((argument) => ['--build-arg', argument]),
      ...['--file', 'deploy/docker/Dockerfile', '--target', name, '--tag', imageOf(name), '.'],
    ],
    { cwd: root },
  );
}

/** @throws Error unless the process answers as user 1000, and ends with 0 on its stop signal */
async function runOne({ program }, name) {
  const container = `spooled-images-${name}-${process.pid}`;
  const inContainer = (...command) => run(program, ['exec', container, ...command]);
  try {
    run(program, ['run', '--detach', '--name', container, ...isolated(name), imageOf(name)]);
    await until(() => answers(program, container, name), 60);
    if (inContainer('id', '-u') !== '1000') throw new Error(`runs as user ${inContainer('id', '-u')}`);
    run(program, ['stop', '--time', '30', container]);
    const code = run(program, ['inspect', '--format', '{{ .State.ExitCode }}', container]);
    if (code !== '0') throw new Error(`ended with ${code}: ${logsOf(program, container)}`);
  } finally {
    spawnSync(program, ['rm', '--force', container]);
  }
}

/** @throws Error as soon as the container has ended */
function answers(program, container, name) {
  const command = name === 'pgbouncer' ? '</dev/tcp/127.0.0.1/6432' : httpIsLive;
  if (spawnSync(program, ['exec', container, 'bash', '-c', command]).status === 0) return true;
  if (run(program, ['inspect', '--format', '{{ .State.Running }}', container]) !== 'true')
    throw new Error(`ended at once: ${logsOf(program, container)}`);
  return false;
}

function runMigration({ program }) {
  const { status, stdout, stderr } = spawnSync(program, ['run', '--rm', ...isolated('migrate'), imageOf('migrate')], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  const text = `${stdout}${stderr}`;
  if (status !== 1 || !text.includes('127.0.0.1:1')) throw new Error(`ended with ${status}: ${text.slice(-500)}`);
}

/** As Kubernetes and Compose run it. */
function isolated(name) {
  const flags = [
    '--read-only',
    '--tmpfs',
    '/tmp',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    '--network',
    'none',
  ];
  const secret = randomBytes(24).toString('hex');
  const variables = {
    SPOOLED_ENV: 'production',
    DATABASE_URL: `postgres://spooled_app:${secret}@${nowhere}/spooled`,
    DATABASE_SYSTEM_URL: `postgres://spooled_system:${secret}@${nowhere}/spooled`,
    DATABASE_DIRECT_URL: `postgres://spooled_owner:${secret}@${nowhere}/spooled`,
    REDIS_URL: `redis://${nowhere}`,
    ADMIN_API_KEY: secret,
    JWT_SECRET: secret,
    ...(name === 'gateway' && { REALTIME_URL: `http://${nowhere}`, WEBHOOKS_URL: `http://${nowhere}` }),
    POSTGRES_HOST: '127.0.0.1',
    POSTGRES_PORT: '1',
    POSTGRES_TLS: 'disable',
    SPOOLED_APP_PASSWORD: secret,
    SPOOLED_SYSTEM_PASSWORD: secret,
  };
  return [...flags, ...Object.entries(variables).flatMap(([key, value]) => ['--env', `${key}=${value}`])];
}

function logsOf(program, container) {
  const { stdout, stderr } = spawnSync(program, ['logs', '--tail', '5', container], { encoding: 'utf8' });
  return `${stdout}${stderr}`.trim();
}
