import { enqueue, newJob } from '@spooled/testing';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

describe('defaults of new jobs', () => {
  const bench = useEngine();

  it('are those of their own command, also in one batch with others', async () => {
    const org = await bench.organization();
    const defaults = [
      { maxRetries: 3, timeoutSeconds: 300 },
      { maxRetries: 7, timeoutSeconds: 60 },
      { maxRetries: 3, timeoutSeconds: 300 },
    ];
    const commands = defaults.map((each) => {
      const command = enqueue(org, [newJob()]);
      return { ...command, body: { ...command.body, defaults: each } };
    });
    const outcomes = await bench.engine.execute(commands);
    const ids = outcomes.map((outcome) =>
      outcome.ok ? (outcome.value as { jobs: { jobId: string }[] }).jobs[0]!.jobId : null,
    );
    expect(ids).toEqual(commands.map(({ body }) => body.jobs[0]!.id));
    const rows = await bench.sql('SELECT id, max_retries, timeout_seconds FROM jobs WHERE organization_id = $1', [org]);
    const stored = new Map(rows.map((row) => [row.id, [row.max_retries, row.timeout_seconds]]));
    expect(ids.map((id) => stored.get(id))).toEqual(defaults.map((each) => [each.maxRetries, each.timeoutSeconds]));
  });
});
