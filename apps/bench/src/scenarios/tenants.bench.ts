import { cycles, type TenantQueue, trafficOf } from '../load/traffic.js';
import { MemoryWatch } from '../measure/memory-watch.js';
import type { BenchRun, Scenario } from '../scenario.js';
import { createTenants, type Tenant } from '../stack/tenants.js';
import { loops, measureTraffic, trafficSettings } from './full-tables.js';

const count = 1_000;
const queue = 'bench-tenants';

export const tenants: Scenario = {
  name: 'tenants',
  what: 'steady traffic and whole cycles of one tenant, then of a thousand round-robin, each with its own key',
  onDemand: true,
  settings: (options) => ({ tenants: count, ...trafficSettings(options) }),
  async run(bench) {
    const created = await createTenants(bench.stack, count);
    const watched = { ...bench, measure: measureWithMemory(bench) };
    const nextQueue = roundRobin(created);
    const alone = await measureTraffic(watched, 'one tenant', queue);
    await measureFirstUse(watched, created);
    const many = await measureTraffic(watched, 'a thousand', nextQueue);
    for (const [i, step] of alone.entries()) bench.compare(step, many[i]!);
  },
};

function roundRobin(created: Tenant[]): () => TenantQueue {
  let index = 0;
  return () => ({ apiKey: created[index++ % created.length]!.apiKey, queue });
}

/** One cycle per tenant, with cold caches. */
async function measureFirstUse(bench: BenchRun, created: Tenant[]): Promise<void> {
  const traffic = trafficOf(bench, roundRobin(created));
  let left = created.length;
  const plan = { name: 'first use', warmup: 0, seconds: 600, operationsIn: 'cycle' };
  await bench.measure(plan, (window) =>
    cycles(window, traffic, loops, () => {
      if (left-- <= 0) window.close();
    }),
  );
}

const measureWithMemory =
  ({ stack, measure }: BenchRun): BenchRun['measure'] =>
  (plan, load) =>
    measure(plan, async (window) => {
      const { gateway, engine } = stack.services;
      const memory = new MemoryWatch({ gateway, engine });
      await load(window);
      memory.stop(window, plan.operationsIn);
    });
