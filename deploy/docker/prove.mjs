// npm run prove:images – follows the Dockerfile in a clean folder without a container engine, starts every image with
// its production packages only, waits for its HEALTHCHECK, sends a job through, stops it with SIGTERM.
//
// DATABASE_DIRECT_URL and REDIS_URL: stores to use; without them they are started here. Where `pgbouncer` is
// installed, the services reach PostgreSQL through it, as they do in production. `--keep` leaves the folder behind.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { continueOnSupportedNode } from '../local/node-runtime.mjs';
import { copyBuildContext } from './build-context.mjs';
import { accountOf, Container } from './container.mjs';
import { readDockerfile } from './dockerfile.mjs';
import { freePort } from './ports.mjs';
import { providePgBouncer, provideStores } from './proof-stores.mjs';
import { sendOneJob } from './one-job.mjs';
import { StageBuilder } from './stage-builder.mjs';

await continueOnSupportedNode();
const root = join(import.meta.dirname, '../..');
const adminKey = 'admin-key-of-the-proof';
const say = (line) => console.log(`  ${line}`);

const folder = mkdtempSync(join(tmpdir(), 'spooled-images-'));
// The images' user is not the one who runs this.
chmodSync(folder, 0o755);
const undo = [() => process.argv.includes('--keep') || rmSync(folder, { recursive: true, force: true })];
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void cleanUp().then(() => process.exit(1)));
try {
  provideNode();
  const images = await buildImages();
  await prove(images);
  console.log('Every image is built, serves and stops as it should.');
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
} finally {
  await cleanUp();
}

/** Everything that was started ends, the latest first. */
async function cleanUp() {
  for (const step of undo.splice(0).reverse()) await step();
}

/** In place of the base image's: the images' user may not reach the checkout. */
function provideNode() {
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  copyFileSync(process.execPath, join(programs, 'node'));
  process.env.PATH = [programs, process.env.PATH].join(delimiter);
}

async function buildImages() {
  for (const name of ['context', 'stages']) mkdirSync(join(folder, name));
  copyBuildContext(root, join(folder, 'context'));
  const stages = readDockerfile(readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8'));
  const builder = new StageBuilder(stages, join(folder, 'context'), join(folder, 'stages'), say);
  const images = {};
  for (const target of builder.targets) {
    console.log(`building ${target}`);
    images[target] = await builder.build(target);
    if (!images[target].user) throw new Error(`${target} would run as root`);
    say(`${sizeOf(images[target].root)} above its base image`);
  }
  return images;
}

async function prove({ migrate, ...services }) {
  console.log('bringing up the stores');
  const stores = await provideStores(folder, say);
  undo.push(stores.stop);
  console.log('migrating');
  await new Container('migrate', migrate, {
    DATABASE_DIRECT_URL: stores.ownerUrl,
    SPOOLED_APP_PASSWORD: stores.passwords.app,
    SPOOLED_SYSTEM_PASSWORD: stores.passwords.system,
  })
    .start()
    .succeed();
  const pooler = await providePgBouncer(folder, stores, accountOf(migrate.user));
  if (pooler) undo.push(pooler.stop);
  console.log(pooler ? 'services reach PostgreSQL through PgBouncer' : 'no pgbouncer here: services go to PostgreSQL');

  const running = await startServices(services, sharedEnvironment(stores, pooler));
  await sendOneJob(`http://127.0.0.1:${running.gateway.env.PORT}`, adminKey);
  say('a job was created, claimed and completed');
  for (const container of Object.values(running)) await container.stop();
  say('all services answered SIGTERM with exit code 0');
}

function sharedEnvironment({ ownerUrl, passwords, redisUrl }, pooler) {
  const as = (username, password) => {
    const url = Object.assign(new URL(ownerUrl), { username, password });
    if (pooler) url.host = pooler.host;
    return url.href;
  };
  return {
    HOST: '127.0.0.1',
    DATABASE_URL: as('spooled_app', passwords.app),
    DATABASE_SYSTEM_URL: as('spooled_system', passwords.system),
    REDIS_URL: redisUrl ?? '',
    ADMIN_API_KEY: adminKey,
    JWT_SECRET: 'what signs access tokens in the proof',
  };
}

async function startServices(services, shared) {
  const ports = {};
  for (const name of Object.keys(services)) ports[name] = String(await freePort());
  const running = {};
  for (const [name, image] of Object.entries(services)) {
    const own = {
      PORT: ports[name],
      GRPC_PORT: String(await freePort()),
      METRICS_PORT: String(await freePort()),
      REALTIME_URL: `http://127.0.0.1:${ports.realtime}`,
      WEBHOOKS_URL: `http://127.0.0.1:${ports.webhooks}`,
    };
    running[name] = new Container(name, image, { ...shared, ...own }).start();
    undo.push(() => running[name].kill());
  }
  for (const [name, container] of Object.entries(running)) {
    await container.healthy();
    say(`${name} is healthy`);
  }
  return running;
}

function sizeOf(path) {
  return execFileSync('du', ['-sh', path], { encoding: 'utf8' }).split('\t')[0];
}
