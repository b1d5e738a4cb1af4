import { bulkBody } from '../load/payload.js';
import { bulkSize } from '../load/producers.js';
import { openLoop, probeLoop } from '../load/open-loop.js';
import { quietJobs, quietPerSecond, quietRow } from '../load/quiet-jobs.js';
import type { Window } from '../measure/window.js';
import type { StepReport } from '../report.js';
import type { Scenario } from '../scenario.js';
import { request, send } from '../load/request.js';
import type { BenchStack } from '../stack/bench-stack.js';
import { createTenants, type Tenant } from '../stack/tenants.js';

const probesPerSecond = 100;
const attacksPerSecond = 5;
/** The free plan, but for the jobs that a dry run looks at. */
const limitsOfAttacker = { max_active_jobs: 2 * bulkSize };
/** What the attacker may do to the quiet tenant, and to the gateway's event loop. */
const bounds = { p99Factor: 2, stallMs: 50 };
/** The attacker does not wait for responses. */
const disconnectAfterMs = 300;
const windowFactor = 3;
const probes = 'gateway loop';
const longestProbe = 'longest health check, ms';

const depth = 60;
const both = (reference: string) => ({ anyOf: [{ $ref: reference }, { $ref: reference }] });
const definitions = Array.from({ length: depth }, (_, i) => [`d${i}`, both(`#/$defs/d${i + 1}`)]);
/** Takes 2^60 steps, unless a check ends before. */
const schema = { $ref: '#/$defs/d0', $defs: { ...Object.fromEntries(definitions), [`d${depth}`]: false } };

/** One request of the attacker: a row, a method, and a body for a path below `/api/v1`. */
interface Attack {
  row: string;
  method: 'POST' | 'PUT';
  path: string;
  body: string;
}

const triedQueue = 'hostile-tried';
const refusingQueue = 'hostile-refusing';
const contractOf = (queue: string) => `/queues/${queue}/payload-contract`;

export const hostile: Scenario = {
  name: 'hostile-checks',
  what: 'BX-03: latencies of a quiet tenant alone, and while a tenant of the free plan has payloads checked that take longest',
  onDemand: true,
  settings: ({ payloadBytes }) => ({
    'payload bytes': payloadBytes,
    'quiet jobs a second': quietPerSecond,
    'requests of the attacker a second': attacksPerSecond,
    'payloads in each of them': bulkSize,
    'the attacker disconnects after, ms': disconnectAfterMs,
  }),
  async run({ stack, options, say, compare, measure }) {
    const { payloadBytes } = options;
    const [attacker] = await createTenants(stack, 1, 'free', limitsOfAttacker);
    await request(attacker!, 'POST', '/jobs/bulk', bulkBody(triedQueue, 16, bulkSize));
    await request(attacker!, 'PUT', contractOf(refusingQueue), JSON.stringify({ schema }));
    const dryRun = JSON.stringify({ dry_run: true, compatibility: 'none', schema });
    const attacks: Attack[] = [
      { row: 'dry runs', method: 'PUT', path: contractOf(triedQueue), body: dryRun },
      { row: 'refused bulks', method: 'POST', path: '/jobs/bulk', body: bulkBody(refusingQueue, 16, bulkSize) },
    ];
    const seconds = options.seconds * windowFactor;
    const measureWith = (name: string, attack?: Attack) =>
      measure({ name, seconds, operationsIn: quietRow }, async (window) => {
        await Promise.all([
          quietJobs(window, stack, payloadBytes),
          probeGateway(window, stack),
          attack && repeat(window, attacker!, attack),
        ]);
      });
    const alone = await measureWith('quiet alone');
    for (const attack of attacks) {
      const beside = await measureWith(`during ${attack.row}`, attack);
      compare(alone, beside);
      judge(alone, beside).forEach(say);
    }
  },
};

/** Whether the quiet tenant and the event loop have stayed within their bounds. */
function judge(alone: StepReport, beside: StepReport): string[] {
  const [before, after] = [alone, beside].map(({ rows }) => {
    const p99 = rows.find(({ name }) => name === quietRow)?.latency?.p99;
    return { p99, stallMs: rows.find(({ name }) => name === probes)?.figures[longestProbe] };
  });
  if (!before?.p99 || !after?.p99 || before.stallMs === undefined || after.stallMs === undefined) return [];
  const factor = after.p99 / before.p99;
  const verdict = (isKept: boolean) => (isKept ? 'kept' : 'NOT KEPT');
  return [
    `    bound: p99 of the quiet tenant × ${factor.toFixed(2)} of ${bounds.p99Factor}: ${verdict(factor <= bounds.p99Factor)}`,
    `    bound: longest stall of the event loop ≤ ${after.stallMs.toFixed(0)} ms (alone ${before.stallMs.toFixed(0)}) of ${bounds.stallMs}: ` +
      verdict(after.stallMs <= bounds.stallMs),
  ];
}

/** Counts each request by its status, or by the name of the error. */
const repeat = (window: Window, attacker: Tenant, { row, method, path, body }: Attack): Promise<void> =>
  openLoop(attacker, window, attacksPerSecond, async () => {
    const sent = send(attacker, method, path, body, AbortSignal.timeout(disconnectAfterMs));
    const outcome = await sent.then(
      async (response) => (await response.text(), response.status),
      (error: Error) => error.name,
    );
    window.add(1, `${row}: ${outcome}`);
  });

/** The longest health check is at least as long as the longest pause of the gateway's event loop, less the time between checks. */
async function probeGateway(window: Window, { baseUrl }: BenchStack): Promise<void> {
  const longest = await probeLoop(window, probes, { baseUrl, path: '/health', perSecond: probesPerSecond });
  window.figure(longestProbe, longest, probes);
}
