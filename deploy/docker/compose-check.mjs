import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { check, run, until } from '../local/checks.mjs';
import { freePort } from '../local/ports.ts';
import { findEngine } from './engines.mjs';
import { checkImages, services } from './image-checks.mjs';

// npm run compose:check [-- --build]: starts docker-compose.yml as a project of its own, on free ports, and checks images and system:
// users, sizes, packages, a job, webhooks both ways, a stream, the console, a killed service, a restart of everything, and the end.

const root = join(import.meta.dirname, '../..');
const { values: options } = parseArgs({ options: { build: { type: 'boolean', default: false } } });
const project = 'spooled-check';
const folder = mkdtempSync(join(tmpdir(), 'spooled-compose-'));
const envFile = join(folder, '.env');

const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    received.push({ headers: request.headers, body });
    response.end();
  });
});
const received = [];
receiver.listen(0);
await once(receiver, 'listening');
const env = await writeEnv();
const base = `http://${env.PORT}/api/v1`;
let failed = 0;

try {
  if (options.build) await check('build', () => compose('--profile', 'console', 'build'));
  await check('images: users, sizes, packages, secrets, labels, health checks', () =>
    checkImages(findEngine('docker'), imageOf),
  );
  await check('start from nothing until all are healthy', () => compose('up', '--no-build', '--wait'));
  const organization = await check('organization and key', () =>
    api('POST', '/organizations', { name: 'Check', slug: 'check' }, { 'x-admin-key': env.ADMIN_API_KEY }),
  );
  const key = { authorization: `Bearer ${organization.api_key.key}` };
  await check('outgoing webhook', () =>
    api(
      'POST',
      '/outgoing-webhooks',
      {
        name: 'check',
        url: `http://host.docker.internal:${receiver.address().port}/`,
        events: ['job.completed'],
        secret: randomBytes(24).toString('hex'),
      },
      key,
    ),
  );
  const stream = await check('stream of events', () => openStream(key));
  const id = await check('life of a job', () => liveJob(key));
  await check('its event arrives', () => until(() => stream.text.includes(id)));
  await check('its webhook arrives, signed', () =>
    until(() =>
      received.some(
        ({ body, headers }) => body.includes(id) && Object.keys(headers).some((name) => name.endsWith('signature')),
      ),
    ),
  );
  await check('inbound webhook becomes a job', () => receiveWebhook(organization.organization.id, key));
  await check('console', readConsole);
  for (const service of services) await check(`${service} is killed and restarted`, () => killService(service, key));
  await check('all five end with 0 on SIGTERM', stopAll);
  await check('everything is restarted, and the job is found', async () => {
    compose('down', '--timeout', '60');
    compose('up', '--no-build', '--wait');
    // The ends of the old connections are read now.
    await sleep(100);
    const { status } = await api('GET', `/jobs/${id}`, undefined, key);
    if (status !== 'completed') throw new Error(`the job is ${status}`);
    await liveJob(key);
  });
} catch (error) {
  failed++;
  console.error(error.message);
  console.error(spawnSync('docker', [...composeArgs(), 'ps', '--all'], { encoding: 'utf8' }).stdout);
} finally {
  receiver.close();
  receiver.closeAllConnections();
  spawnSync('docker', [...composeArgs(), 'down', '--volumes', '--timeout', '60']);
  rmSync(folder, { recursive: true });
}
process.exit(failed ? 1 : 0);

function composeArgs() {
  return ['compose', '--project-directory', root, '--project-name', project, '--env-file', envFile];
}

function docker(...args) {
  return run('docker', args);
}

function compose(...args) {
  return docker(...composeArgs(), ...args);
}

/** A secret for each empty value of .env.example; receivers of this machine may be called by plain http. */
async function writeEnv() {
  const required = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^([A-Z_]+)=$/gm);
  const names = [
    'PORT',
    'GRPC_PORT',
    'METRICS_PORT',
    ...services.slice(1).map((name) => `${name.toUpperCase()}_METRICS_PORT`),
  ];
  const ports = await Promise.all(names.map(() => freePort()));
  const values = {
    ...Object.fromEntries([...required].map(([, name]) => [name, randomBytes(24).toString('hex')])),
    ...Object.fromEntries(names.map((name, index) => [name, `127.0.0.1:${ports[index]}`])),
    SPOOLED_ENV: 'development',
    CALLBACK_HTTP_HOSTS: 'host.docker.internal',
  };
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(envFile, lines.join(''), { mode: 0o600 });
  return values;
}

function imageOf(name) {
  return `spooled/${name}:${process.env.SPOOLED_VERSION || 'local'}`;
}

async function api(method, path, body, headers = {}) {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return text ? JSON.parse(text) : null;
}

async function openStream(key) {
  const response = await fetch(`${base}/events`, { headers: key });
  if (!response.ok) throw new Error(`${response.status}`);
  const stream = { text: '' };
  void (async () => {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) stream.text += chunk;
  })().catch(() => undefined);
  return stream;
}

async function liveJob(key) {
  const { id } = await api('POST', '/jobs', { queue_name: 'check', payload: { n: 1 } }, key);
  const { jobs } = await api('POST', '/jobs/claim', { queue_name: 'check', worker_id: 'check' }, key);
  if (jobs[0]?.id !== id) throw new Error('another job, or none, was claimed');
  await api('POST', `/jobs/${id}/complete`, { worker_id: 'check', lease_id: jobs[0].lease_id, result: { n: 2 } }, key);
  const { status } = await api('GET', `/jobs/${id}`, undefined, key);
  if (status !== 'completed') throw new Error(`the job is ${status}`);
  return id;
}

async function receiveWebhook(organizationId, key) {
  const { webhook_token: token } = await api('GET', '/organizations/webhook-token', undefined, key);
  const { job_id: id } = await api(
    'POST',
    `/webhooks/${organizationId}/custom`,
    { queue_name: 'hooks', payload: { hook: true } },
    { 'x-webhook-token': token },
  );
  const { queue_name: queue } = await api('GET', `/jobs/${id}`, undefined, key);
  if (queue !== 'hooks') throw new Error(`the job is in ${queue}`);
}

async function readConsole() {
  const response = await fetch(`http://${env.PORT}/console`);
  const text = await response.text();
  const script = /<script[^>]+src="([^"]+)"/.exec(text)?.[1];
  if (!response.ok || !script) throw new Error(`${response.status} ${text.slice(0, 100)}`);
  const loaded = await fetch(new URL(script, response.url));
  if (!loaded.ok) throw new Error(`${script}: ${loaded.status}`);
}

/** From the machine's own process namespace, as the kernel does it: Compose does not restart what `docker kill` ends. */
async function killService(name, key) {
  const id = compose('ps', '--quiet', name);
  const inspect = (format) => docker('inspect', '--format', `{{ ${format} }}`, id);
  const restarts = () => Number(inspect('.RestartCount'));
  const before = restarts();
  const helper = ['run', '--rm', '--pid', 'host', '--user', '0', '--entrypoint', 'sh', imageOf(name)];
  docker(...helper, '-c', `kill -KILL ${inspect('.State.Pid')}`);
  await until(() => restarts() > before && inspect('.State.Health.Status') === 'healthy', 90);
  await liveJob(key);
}

function stopAll() {
  compose('stop', '--timeout', '60', ...services);
  for (const name of services) {
    const code = docker('inspect', '--format', '{{ .State.ExitCode }}', compose('ps', '--all', '--quiet', name));
    if (code !== '0') throw new Error(`${name} ended with ${code}`);
  }
}
