import { isFilled } from '@spooled/contracts';
import { maxDocumentBytesPerStatement } from '@spooled/domain';
import { claim, enqueue, newJob } from '@spooled/testing';
import { useEngine } from '../testing/job-lifecycle.fixture.js';

const fixture = useEngine();

/** Payloads of `bytes` together, with characters of three bytes, and two small ones after them. */
function payloadsOf(bytes: number): string[] {
  const large = Array.from({ length: 8 }, () => JSON.stringify('…'.repeat(349_000)));
  const rest = bytes - large.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return [...large, JSON.stringify('x'.repeat(rest - 2)), '1', '2'];
}

// Callers decide by `isFilled` whether to claim again.
it.each([
  ['as many bytes as a claim takes', 0, 9],
  ['one byte less', -1, 10],
])('BX-03 a claim of payloads with %s is filled in the database as for its caller', async (_what, more, granted) => {
  const org = await fixture.organization();
  const payloads = payloadsOf(maxDocumentBytesPerStatement + more);
  for (const payload of payloads) await fixture.run(enqueue(org, [newJob({ payload })]));
  const { jobs } = await fixture.run(claim(org, { limit: 100 }));
  expect(jobs.map(({ payload }) => payload)).toEqual(payloads.slice(0, granted));
  // The last job is the one that filled it.
  expect([isFilled(jobs, 100), isFilled(jobs.slice(0, -1), 100)]).toEqual([true, false]);
  const rest = await fixture.run(claim(org, { limit: 100 }));
  expect(rest.jobs).toHaveLength(payloads.length - granted);
});

it('BX-03 a claim ends with the job whose payload reaches the bytes that it names', async () => {
  const org = await fixture.organization();
  const payloads = ['"1234"', '"1234"', '"1234"', '"1234"'];
  await fixture.run(
    enqueue(
      org,
      payloads.map((payload) => newJob({ payload })),
    ),
  );
  const granted = async (maxBytes: number) => (await fixture.run(claim(org, { limit: 100, maxBytes }))).jobs.length;
  expect([await granted(1), await granted(7), await granted(100)]).toEqual([1, 2, 1]);
});

it('a claim that its payloads fill leaves the jobs of its other places to nobody in its batch', async () => {
  const org = await fixture.organization();
  for (let i = 0; i < 3; i++) await fixture.run(enqueue(org, [newJob()]));
  const outcomes = await fixture.engine.execute([
    claim(org, { limit: 1 }),
    claim(org, { limit: 2, maxBytes: 1, workerId: 'w2' }),
  ]);
  expect(outcomes.map((outcome) => outcome.ok && (outcome.value as { jobs: unknown[] }).jobs.length)).toEqual([1, 1]);
});
