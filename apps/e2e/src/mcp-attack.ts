import { randomUUID } from 'node:crypto';
import type { Spooled } from '@spooled/sdk';
import type { SeededRandom } from '@spooled/testing';
import { newQueue } from './job-steps.js';
import type { McpAgent } from './mcp-agent.js';

/** What agents may not harm: dead letters, a pause, a throttle and a held replay of somebody else. */
export interface Prey {
  queue: string;
  paused: string;
  replay: string;
  throttle: string;
}

export async function makeDeadLetters(client: Spooled, queueName: string, count: number, error: string): Promise<void> {
  const jobs = Array.from({ length: count }, (_, n) => ({ payload: { n, password: 'of a customer' } }));
  await client.jobs.createMany({ queueName, jobs, defaultMaxRetries: 0 });
  const claimed = await client.jobs.claim({ queueName, workerId: 'w', limit: count });
  for (const { id, leaseId } of claimed) await client.jobs.fail(id, { workerId: 'w', leaseId, error });
}

export async function makePrey(client: Spooled): Promise<Prey> {
  const [queue, paused] = [newQueue(), newQueue()];
  await makeDeadLetters(client, queue, 5, 'timeout');
  await client.queues.configure(paused, { maxRetries: 1 });
  await client.queues.pause(paused, 'by a person');
  const { id } = await client.deadLetters.replay({ queueName: queue, holdSeconds: 600 });
  const throttle = await client.throttles.create({ queueName: paused, perSecond: 5, expiresInSeconds: 3_600 });
  return { queue, paused, replay: id, throttle: throttle.id };
}

/** Asserts that nothing was lost that could not be brought back. */
export async function expectUnharmed(client: Spooled, { queue, paused, replay, throttle }: Prey): Promise<void> {
  expect((await client.queues.get(paused)).pause).toMatchObject({ reason: 'by a person', expiresAt: null });
  expect(await client.operations.get(replay)).toMatchObject({ state: 'held' });
  expect(await client.jobs.stats(queue)).toMatchObject({ deadletter: 5 });
  expect((await client.throttles.list()).map(({ id }) => id)).toContain(throttle);
}

/** Calls tools at random, with ids that it has seen, wrong ones, and arguments that would widen an act. */
export async function attack(
  agent: McpAgent,
  random: SeededRandom,
  { queue, paused, replay, throttle }: Prey,
  calls: number,
) {
  const known: string[] = [randomUUID()];
  const one = <T>(values: readonly T[]): T => random.of(values)!;
  // Answers have so many ids that those of the prey would hardly ever be tried.
  const id = () => (random.happens(0.5) ? one([replay, throttle]) : one(known));
  for (let i = 0; i < calls; i++) {
    const [name, args] = one<[string, Record<string, unknown>]>([
      ['preview_replay', one([{ queue }, { queue, all: true }, {}, { job_type: 'x' }, { queue, groupId: 'x' }])],
      ['replay_dead_letters', { preview_id: id(), hold_seconds: one([600, 600, 0, -1]), ...one([{}, { all: true }]) }],
      ['cancel_operation', { id: id(), ...one([{}, { force: true }]) }],
      ['pause_queue', { queue: one([queue, paused, '*']), reason: 'x', duration_seconds: one([10, 600, 86_400]) }],
      ['resume_queue', { queue: one([queue, paused]) }],
      ['throttle', { jobs_per_second: 1, duration_seconds: one([60, 86_400]), ...one([{}, { queue }, { queue: '' }]) }],
      ['release_throttle', { id: id() }],
      one<[string, Record<string, unknown>]>([
        ['purge_queue', { queue }],
        ['search_jobs', { search: `queue:${queue}`, limit: 50 }],
        ['dead_letter_groups', {}],
      ]),
    ]);
    const { text } = await agent.call(name, args);
    known.push(...(text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []));
  }
}
