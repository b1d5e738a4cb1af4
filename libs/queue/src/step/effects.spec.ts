import type { Command } from '@spooled/contracts';
import { claim, enqueue, newJob } from '@spooled/testing';
import { JobEngine } from '../engine/job-engine.js';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';
import type { Effects } from './effects.js';

describe('an engine whose events nobody receives', () => {
  const fixture = useEngine();

  it('makes none, and wakes waiting claims as any other', async () => {
    const effects: Effects[] = [];
    const engine = new JobEngine(fixture.db, { onEffects: (of) => effects.push(of), events: false });
    const org = await fixture.organization();
    const run = async (command: Command) => (await engine.execute([command]))[0];
    await run(enqueue(org, [newJob()]));
    const claimed = await run(claim(org));
    const [job] = (claimed as { value: { jobs: { id: string; leaseId: string }[] } }).value.jobs;
    expect(await run(workerCommands(org).complete(job!))).toMatchObject({ ok: true });
    expect(effects.flatMap(({ events }) => events)).toEqual([]);
    expect(effects.flatMap(({ wakeups }) => wakeups)).toEqual([{ organizationId: org, queueName: 'emails' }]);
    expect(await fixture.job(job!.id)).toMatchObject({ status: 'completed' });
  });
});
