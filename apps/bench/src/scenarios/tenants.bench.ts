import { cycles, lives, type Place, type Traffic } from '../load/traffic.js';
import { MemoryWatch } from '../measure/memory-watch.js';
import type { Window } from '../measure/window.js';
import { compareSteps } from '../output/compare.js';
import type { StepReport } from '../report.js';
import type { BenchRun, Scenario } from '../scenario.js';
import { createTenants, type Tenant } from '../stack/tenants.js';

const count = 1_000;
const livesPerSecond = 65;
const loops = 4;
const queue = 'bench-tenants';

export const tenants: Scenario = {
  name: 'tenants',
  what: 'steady traffic and whole cycles of one tenant, then of a thousand in turn, each with a key of its own',
  onDemand: true,
  settings: ({ payloadBytes }) => ({
    tenants: count,
    'payload bytes': payloadBytes,
    'lives a second': livesPerSecond,
    'cycle loops': loops,
  }),
  async run(bench) {
    const { stack, say } = bench;
    const made = await createTenants(stack, count);
    const one = () => ({ apiKey: stack.apiKey, queue });
    const inTurn = turnsOf(made);
    const alone = await measureAll(bench, 'one tenant', one);
    await measureFirstUse(bench, made);
    const many = await measureAll(bench, 'a thousand', inTurn);
    for (const [i, step] of alone.entries()) for (const line of compareSteps(step, many[i]!)) say(line);
  },
};

function turnsOf(made: Tenant[]): () => Place {
  let turn = 0;
  return () => ({ apiKey: made[turn++ % made.length]!.apiKey, queue });
}

async function measureAll(bench: BenchRun, who: string, next: () => Place): Promise<StepReport[]> {
  const seconds = bench.options.seconds * 3;
  return [
    await watched(bench, { name: `${who}, steady`, seconds, operationsIn: 'complete' }, next, (window, traffic) =>
      lives(window, traffic, livesPerSecond),
    ),
    await watched(bench, { name: `${who}, cycles`, operationsIn: 'cycle' }, next, (window, traffic) =>
      cycles(window, traffic, loops),
    ),
  ];
}

/** Each tenant once: keys are checked, and nothing is in any cache. */
async function measureFirstUse(bench: BenchRun, made: Tenant[]): Promise<void> {
  const inTurn = turnsOf(made);
  let left = made.length;
  const plan = { name: 'first use', warmup: 0, seconds: 600, operationsIn: 'cycle' };
  await watched(bench, plan, inTurn, (window, traffic) =>
    cycles(window, traffic, loops, () => {
      if (left-- <= 0) window.close();
    }),
  );
}

function watched(
  { stack, options, measure }: BenchRun,
  plan: Parameters<BenchRun['measure']>[0],
  next: () => Place,
  load: (window: Window, traffic: Traffic) => Promise<void>,
): Promise<StepReport> {
  return measure(plan, async (window) => {
    const memory = new MemoryWatch({ gateway: stack.services.gateway, engine: stack.services.engine });
    await load(window, { baseUrl: stack.baseUrl, next, payloadBytes: options.payloadBytes });
    for (const [name, value] of Object.entries(memory.stop())) window.figure(name, value, plan.operationsIn);
  });
}
