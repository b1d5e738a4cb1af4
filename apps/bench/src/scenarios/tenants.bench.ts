import { cycles, steadyTraffic, type TenantQueue, type Traffic, trafficOf } from '../load/traffic.js';
import { MemoryWatch } from '../measure/memory-watch.js';
import type { Window } from '../measure/window.js';
import type { StepReport } from '../report.js';
import type { BenchRun, Scenario } from '../scenario.js';
import { createTenants, type Tenant } from '../stack/tenants.js';

const count = 1_000;
const jobsPerSecond = 65;
const loops = 4;
const queue = 'bench-tenants';

export const tenants: Scenario = {
  name: 'tenants',
  what: 'steady traffic and whole cycles of one tenant, then of a thousand round-robin, each with its own key',
  onDemand: true,
  settings: ({ payloadBytes }) => ({
    tenants: count,
    'payload bytes': payloadBytes,
    'jobs a second': jobsPerSecond,
    'cycle loops': loops,
  }),
  async run(bench) {
    const { stack, compare } = bench;
    const created = await createTenants(stack, count);
    const one = () => ({ apiKey: stack.apiKey, queue });
    const nextQueue = roundRobin(created);
    const alone = await measureAll(bench, 'one tenant', one);
    await measureFirstUse(bench, created);
    const many = await measureAll(bench, 'a thousand', nextQueue);
    for (const [i, step] of alone.entries()) compare(step, many[i]!);
  },
};

function roundRobin(created: Tenant[]): () => TenantQueue {
  let index = 0;
  return () => ({ apiKey: created[index++ % created.length]!.apiKey, queue });
}

async function measureAll(bench: BenchRun, label: string, next: () => TenantQueue): Promise<StepReport[]> {
  const seconds = bench.options.seconds * 3;
  return [
    await measureWithMemory(
      bench,
      { name: `${label}, steady`, seconds, operationsIn: 'complete' },
      next,
      (window, traffic) => steadyTraffic(window, traffic, jobsPerSecond),
    ),
    await measureWithMemory(bench, { name: `${label}, cycles`, operationsIn: 'cycle' }, next, (window, traffic) =>
      cycles(window, traffic, loops),
    ),
  ];
}

/** One cycle per tenant, with cold caches. */
async function measureFirstUse(bench: BenchRun, created: Tenant[]): Promise<void> {
  const nextQueue = roundRobin(created);
  let left = created.length;
  const plan = { name: 'first use', warmup: 0, seconds: 600, operationsIn: 'cycle' };
  await measureWithMemory(bench, plan, nextQueue, (window, traffic) =>
    cycles(window, traffic, loops, () => {
      if (left-- <= 0) window.close();
    }),
  );
}

function measureWithMemory(
  bench: BenchRun,
  plan: Parameters<BenchRun['measure']>[0],
  next: () => TenantQueue,
  load: (window: Window, traffic: Traffic) => Promise<void>,
): Promise<StepReport> {
  const { gateway, engine } = bench.stack.services;
  return bench.measure(plan, async (window) => {
    const memory = new MemoryWatch({ gateway, engine });
    await load(window, trafficOf(bench, next));
    memory.stop(window, plan.operationsIn);
  });
}
