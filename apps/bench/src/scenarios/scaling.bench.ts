import type { StepReport } from '../report.js';
import type { BenchRun, Scenario } from '../scenario.js';
import { allCores, coreCount, pinProcess } from '../stack/pin-process.js';
import { cycleSettings, restCycles } from './cycle-rest.bench.js';

const sizes = [1, 2, 4];

/** With few cores this shows what more processes cost rather than what they bring: PostgreSQL and the load generator are not pinned. */
export const scaling: Scenario = {
  name: 'scaling',
  what: 'the cycle over REST with 1, 2 and 4 engines and as many gateways, each pinned to one core',
  onDemand: true,
  settings: (options) => ({ ...cycleSettings(options), cores: coreCount }),
  async run(bench) {
    const { stack } = bench;
    const { engine, gateway } = stack.services;
    const baseUrls = [stack.baseUrl];
    const added: string[] = [];
    pinPair(0, { engine, gateway });
    try {
      const steps: StepReport[] = [];
      for (const size of sizes) {
        while (baseUrls.length < size) baseUrls.push(await addPair(bench, baseUrls.length, added));
        await stack.empty();
        const { apiKey } = stack;
        const load = restCycles({ baseUrls, apiKey, payloadBytes: bench.options.payloadBytes });
        steps.push(await bench.measure({ name: size === 1 ? '1 of each' : `${size} of each` }, load));
      }
      for (const step of steps.slice(1)) bench.compare(steps[0]!, step);
    } finally {
      for (const pid of [engine, gateway]) pinProcess(pid, allCores);
      await Promise.all(added.map((instance) => stack.removeReplica(instance)));
    }
  },
};

/** @returns the address of the new gateway */
async function addPair({ stack }: BenchRun, index: number, added: string[]): Promise<string> {
  const start = (name: 'engine' | 'gateway') => {
    const instance = `${name}-${index + 1}`;
    added.push(instance);
    return stack.addReplica(name, instance);
  };
  const [engine, gateway] = await Promise.all([start('engine'), start('gateway')]);
  pinPair(index, { engine: engine.pid, gateway: gateway.pid });
  return gateway.baseUrl;
}

/** Engine and gateway of a pair run on neighbouring cores. */
function pinPair(index: number, { engine, gateway }: { engine: number; gateway: number }): void {
  pinProcess(engine, String(index % coreCount));
  pinProcess(gateway, String((index + 1) % coreCount));
}
