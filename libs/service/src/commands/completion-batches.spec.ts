import type { CommandBody, Completion } from '@spooled/contracts';
import { CompletionBatches } from './completion-batches.js';

const completion = (jobId: string, result: string | null = null): Completion => ({
  ...{ jobId, workerId: 'w1', leaseId: 'l1' },
  result,
});

/** Batches whose commands all succeed, except for jobs with the id `lost`. */
function recorded() {
  const commands: string[][] = [];
  const batches = new CompletionBatches((kind, body) => {
    const jobs = kind === 'job.completeMany' ? (body as CommandBody<'job.completeMany'>).jobs : [body as Completion];
    commands.push([kind, ...jobs.map(({ jobId }) => jobId)]);
    const outcomes = jobs.map(({ jobId }) =>
      jobId === 'lost'
        ? { ok: false, error: { status: 409, code: 'LEASE_EXPIRED', message: 'The lease has expired' } }
        : { ok: true, value: { durationMs: 1 } },
    );
    return Promise.resolve((kind === 'job.completeMany' ? { outcomes } : { durationMs: 1 }) as never);
  }, null);
  return { batches, commands };
}

describe('BX-10 completions of one turn of the event loop', () => {
  it('share a command, and each has its own outcome', async () => {
    const { batches, commands } = recorded();
    const outcomes = await Promise.allSettled(['a', 'lost', 'b'].map((id) => batches.complete(completion(id))));
    expect(commands).toEqual([['job.completeMany', 'a', 'lost', 'b']]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('are alone if there is one, and at most 100 or 1 MiB of results together', async () => {
    const { batches, commands } = recorded();
    await batches.complete(completion('alone'));
    const large = 'x'.repeat(600_000);
    await Promise.all([
      ...Array.from({ length: 100 }, () => batches.complete(completion('small'))),
      ...['large', 'larger'].map((id) => batches.complete(completion(id, large))),
    ]);
    expect(commands[0]).toEqual(['job.complete', 'alone']);
    expect(commands.map(([kind, ...ids]) => [kind, ids.length])).toEqual([
      ['job.complete', 1],
      ['job.completeMany', 100],
      ['job.complete', 1],
      ['job.complete', 1],
    ]);
  });

  it('are sent alone and whole if their result is larger than 1 MiB, and together up to exactly that', async () => {
    const { batches, commands } = recorded();
    const half = 'x'.repeat(512 * 1024);
    await Promise.all(
      [completion('huge', `${half}${half}x`), completion('a', half), completion('b', half)].map((one) =>
        batches.complete(one),
      ),
    );
    expect(commands).toEqual([
      ['job.complete', 'huge'],
      ['job.completeMany', 'a', 'b'],
    ]);
  });

  it('all learn that their command failed', async () => {
    const down = new Error('down');
    const batches = new CompletionBatches(() => Promise.reject(down), null);
    for (const ids of [['a'], ['a', 'b']]) {
      const outcomes = await Promise.allSettled(ids.map((id) => batches.complete(completion(id))));
      expect(outcomes).toEqual(ids.map(() => ({ status: 'rejected', reason: down })));
    }
  });
});
