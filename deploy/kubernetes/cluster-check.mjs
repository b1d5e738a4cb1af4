import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { check, run, until } from '../local/checks.mjs';
import { chartValues, deployments, loadObjects, renderOverlay, storesOf } from './cluster-manifests.mjs';

// npm run cluster:check [-- --tag local] [--repository spooled] [--chart] [--namespace spooled-check] [--rate 5] [--keep]
//   [--kubectl <program>] [--context <name>]: installs the development overlay, or the chart, with two replicas of each service in
// a namespace of its own. Under load it restarts each Deployment, then all at once, and deletes one pod of each by force. A restart may
// fail no request and burn no attempt. Needs a cluster (KUBECONFIG) whose nodes have the images.

const { values: options } = parseArgs({
  options: {
    tag: { type: 'string', default: 'local' },
    /** Registry and path of the images. */
    repository: { type: 'string', default: 'spooled' },
    chart: { type: 'boolean', default: false },
    namespace: { type: 'string', default: 'spooled-check' },
    /** Jobs per second; each takes about four requests. */
    rate: { type: 'string', default: '5' },
    /** Leaves the namespace. */
    keep: { type: 'boolean', default: false },
    kubectl: { type: 'string', default: 'kubectl' },
    context: { type: 'string' },
  },
});
const { namespace } = options;
const place = [...(options.context ? ['--context', options.context] : []), '--namespace', namespace];
const folder = mkdtempSync(join(tmpdir(), 'spooled-cluster-'));
/** What callers may notice of a pod that ends without warning (docs/operations.md, "When something fails"). */
const tolerated = {
  gateway: /ECONN|socket hang up|EPIPE|grpc 14 /,
  webhooks: / \/webhooks\/.* 50[23] /,
  pgbouncer: / 503 /,
};
const rows = [];
const failures = [];
const violations = [];
const overlay = renderOverlay(options, folder);
let phase = phaseOf('start');
let result;

let made = false;
let failed = false;
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, () => {
    cleanUp();
    process.exit(code);
  });
try {
  await check('namespace', makeNamespace);
  await check(`${options.chart ? 'chart' : 'development overlay'} until all is ready`, install);
  const load = await check('load', startLoad);
  await measure('nothing is restarted', () => sleep(15_000));
  for (const name of deployments) await measure(`${name} restarted`, () => restart(name));
  await measure('all restarted at once', () => restart(...deployments));
  await measure('nothing is restarted again', () => sleep(15_000));
  const deletionsSince = Date.now();
  for (const name of deployments) await measure(`one ${name} deleted by force`, () => killOne(name), tolerated[name]);
  await measure('all jobs end', () => endLoad(load));
  judge(deletionsSince);
} catch (error) {
  failed = true;
  console.error(error.message);
  if (made) console.error(kubectl('get', 'pods,events', '--sort-by=.metadata.creationTimestamp'));
} finally {
  cleanUp();
}
process.exit(failed || violations.length > 0 ? 1 : 0);

function kubectl(...args) {
  return kubectlWith({}, ...args);
}

function kubectlWith(how, ...args) {
  return run(options.kubectl, [...place, ...args], how);
}

function apply(objects) {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  kubectlWith({ input }, 'apply', '--filename', '-');
}

function makeNamespace() {
  // Another one is never touched, nor deleted at the end.
  kubectl('create', 'namespace', namespace);
  made = true;
  kubectl('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted');
  return until(() => kubectl('get', 'serviceaccount', '--output=name').includes('default'));
}

function cleanUp() {
  rmSync(folder, { recursive: true });
  if (made && !options.keep) removeNamespace();
}

function removeNamespace() {
  // The load would wait for its jobs.
  kubectl('delete', 'pod', 'load', '--ignore-not-found', '--grace-period=0', '--force');
  kubectl('delete', 'namespace', namespace, '--timeout=5m');
}

async function install() {
  if (options.chart) installChart();
  else apply(overlay);
  kubectl('wait', '--for=condition=complete', '--timeout=10m', 'job', '--selector=app.kubernetes.io/name=migrate');
  await untilRolledOut(deployments);
}

function installChart() {
  apply(storesOf(overlay));
  const values = join(folder, 'values.yaml');
  writeFileSync(values, chartValues(options, overlay));
  const chart = join(import.meta.dirname, '../helm/spooled');
  const where = ['--namespace', namespace, ...(options.context ? ['--kube-context', options.context] : [])];
  run('helm', ['install', 'spooled', chart, ...where, '--values', values, '--wait', '--timeout', '10m']);
}

/** Until each has its replicas, and no pod of an older revision is left. */
async function untilRolledOut(names) {
  for (const name of names) kubectl('rollout', 'status', `deployment/${name}`, '--timeout=10m');
  await until(() => names.every((name) => podsOf(name).length === 2), 120);
}

/** Pods of a Deployment, also those that are ending. */
function podsOf(name) {
  return kubectl('get', 'pods', `--selector=app.kubernetes.io/name=${name}`, '--output=name').split('\n');
}

async function restart(...names) {
  kubectl('rollout', 'restart', ...names.map((name) => `deployment/${name}`));
  await untilRolledOut(names);
}

async function killOne(name) {
  kubectl('delete', podsOf(name)[0], '--grace-period=0', '--force');
  await untilRolledOut([name]);
}

function startLoad() {
  apply(loadObjects(options, overlay));
  kubectl('wait', '--for=condition=Ready', '--timeout=2m', 'pod/load');
  return readLoad();
}

/** Follows the output of the load. Lines that arrive while a command of this process runs are read before the phase ends. */
function readLoad() {
  const logs = spawn(options.kubectl, [...place, 'logs', '--follow', 'load'], { stdio: ['ignore', 'pipe', 'inherit'] });
  createInterface(logs.stdout).on('line', (line) => {
    const { second, failure, result: end } = JSON.parse(line);
    if (end) result = end;
    if (failure) failures.push({ phase, ...failure });
    if (!second) return;
    phase.requests += second.requests;
    phase.failed += second.failed;
    phase.slowestMs = Math.max(phase.slowestMs, second.slowestMs);
    phase.busy.push(second.busy);
  });
  return logs;
}

/** Does `work` as a phase of the load. `allowed`: failures that callers may notice; a restart has none. */
async function measure(name, work, allowed) {
  const probes = slowProbes();
  phase = phaseOf(name, allowed);
  const current = phase;
  await work();
  // The last second of the load, and what fails late.
  await sleep(2_000);
  const { requests, failed, slowestMs, busy, since } = current;
  rows.push({
    phase: name,
    seconds: Math.round((Date.now() - since) / 1_000),
    requests,
    failed,
    'slowest ms': slowestMs,
    'busy %': Math.round(busy.reduce((sum, share) => sum + share, 0) / Math.max(1, busy.length)),
    'slow probes': slowProbes() - probes,
  });
  console.log(`  ${name}: ${failed} of ${requests} requests failed`);
}

function phaseOf(name, allowed) {
  return { name, since: Date.now(), requests: 0, failed: 0, slowestMs: 0, busy: [], allowed };
}

/** Probes that got no answer in time so far: signs of too little CPU. Others fail whenever a pod starts or ends. */
function slowProbes() {
  const { items } = JSON.parse(kubectl('get', 'events', '--field-selector=reason=Unhealthy', '--output=json'));
  const slow = items.filter(({ message }) => /deadline exceeded|timed? ?out/i.test(message));
  return slow.reduce((sum, { count }) => sum + (count ?? 1), 0);
}

/** It ends when all its jobs have ended. */
async function endLoad(load) {
  kubectl('exec', 'load', '--', 'sh', '-c', 'kill -TERM 1');
  await until(() => load.exitCode !== null, 120);
  if (!result) throw new Error('the load ended without a result');
}

function judge(deletionsSince) {
  console.table(rows);
  let lostAnswers = 0;
  for (const { at, phase: during, request, connection, ms, why } of failures) {
    const line = `${at} ${during.name}: ${request} (${connection}) after ${ms} ms: ${why}`;
    if (!during.allowed?.test(`${request} ${connection} ${why} `)) violations.push(line);
    else {
      console.log(`tolerated ${line}`);
      if (/claim|complete|dequeue/i.test(request)) lostAnswers++;
    }
  }
  judgeAttempts(deletionsSince, lostAnswers);
  for (const kind of ['lost', 'unfinished', 'twice'])
    if (result[kind].length > 0) violations.push(`${kind}: ${result[kind].join(' ')}`);
  console.log(
    `${result.jobs} jobs, ${result.requests} requests, ${result.failed} failed, ${result.burnt.length} attempts burnt`,
  );
  for (const violation of violations) console.log(`VIOLATION ${violation}`);
}

/**
 * No handler fails, so each job needs one attempt. Only deletions may cost more: the lease of a claim whose answer was lost expires, and so
 * does that of a job whose completion was. One more job could have been on its way through the stream of the deleted gateway.
 */
function judgeAttempts(deletionsSince, lostAnswers) {
  // The last phase before the deletions is quiet: its jobs have ended by then, except the last ones.
  const before = result.burnt.filter(({ createdAt }) => Date.parse(createdAt) < deletionsSince - 5_000);
  const excess = result.burnt.length - before.length > lostAnswers + 1 ? result.burnt : before;
  if (excess.length > 0) violations.push(`attempts burnt: ${excess.map(({ id }) => id).join(' ')}`);
}
