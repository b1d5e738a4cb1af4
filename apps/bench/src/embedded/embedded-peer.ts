import { EmbeddedSpooled } from '@spooled/embedded';

// Spooled in one process, with the interface of apps/bench/peers/peers.mjs and so under the same loads.

const queue = 'bench-embedded';
const worker = { concurrency: 800, leaseSeconds: 3_600 };

interface Urls {
  postgres: string;
  system: string;
  organization: string;
}

export const describe = () => ({ name: 'embedded', version: '0.1.0', settings: { ...worker, enqueue: 'createMany' } });

export async function open({ postgres: databaseUrl, system: systemUrl, organization }: Urls) {
  const spooled = await EmbeddedSpooled.open({ databaseUrl, systemUrl, organization, applicationName: 'bench' });
  return {
    async enqueue(count: number, payload: object): Promise<void> {
      await spooled.jobs.createMany({ queueName: queue, jobs: Array.from({ length: count }, () => ({ payload })) });
    },
    async work(done: (count: number) => void): Promise<() => Promise<void>> {
      const working = spooled.worker({ [queue]: () => undefined }, worker);
      working.on('completed', () => done(1));
      await working.start();
      return () => working.stop();
    },
    close: () => spooled.close(),
  };
}
