import { auditedKinds, type ClaimedJob, type Command, commandKinds, systemActor } from '@spooled/contracts';
import { callerContext } from '@spooled/data-access';
import { leaseExpired } from '@spooled/domain';
import { createLogger, withLogContext } from '@spooled/platform';
import { Commands } from './commands.service.js';
import { releaseUnclaimed } from './release-unclaimed.js';

const caller = { organizationId: 'a', actor: systemActor('spec'), apiKeyId: 'k' };
const audited = [...auditedKinds][0]!;
const unaudited = commandKinds.find((kind) => !auditedKinds.has(kind))!;

/** What is sent for the callers of a service. */
function open(throttles: ConstructorParameters<typeof Commands>[2] = null) {
  const sent: Command[] = [];
  const run = (command: Command) => (sent.push(command), Promise.resolve({ done: true }));
  return { commands: new Commands({ run } as never, 5_000, throttles), sent };
}

describe('a command', () => {
  it('says for whom it runs and how long its caller waits', async () => {
    const { commands, sent } = open();
    const body = { any: 'member' } as never;
    expect(await commands.run(unaudited, caller, body)).toEqual({ done: true });
    await commands.run(unaudited, caller, body);
    expect(sent[0]).toEqual({
      ...{ id: expect.any(String), kind: unaudited, organizationId: 'a', actor: caller.actor },
      ...{ ttlMs: 5_000, traceparent: null, body },
    });
    expect(sent[1]!.id).not.toBe(sent[0]!.id);
  });

  it('says where its caller is if the audit log records it, and knows the caller', async () => {
    const { commands, sent } = open();
    const origin = { address: '203.0.113.1', userAgent: 'curl/8' };
    await callerContext.run({ actor: caller.actor, ...origin }, async () => {
      for (const kind of [audited, unaudited]) await commands.run(kind, caller, {} as never);
    });
    await commands.run(audited, caller, {} as never);
    expect(sent.map(({ origin: of }) => of)).toEqual([origin, undefined, undefined]);
  });

  it('puts its job into the lines of the log', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: 'spec', level: 'info', destination });
    const { commands } = open();
    for (const body of [{ jobId: 'j1' }, {}])
      await withLogContext({}, async () => {
        await commands.run(unaudited, caller, body as never);
        logger.info('sent');
      });
    const jobs = lines.map((line) => (JSON.parse(line) as { job_id?: string }).job_id);
    expect(jobs).toEqual(['j1', undefined]);
  });

  it('is not sent if a throttle refuses it', async () => {
    const { commands, sent } = open({ run: () => Promise.reject(new Error('throttled')) });
    await expect(commands.run('job.enqueue', caller, { jobs: [] } as never)).rejects.toThrow('throttled');
    expect(sent).toEqual([]);
    const admitting = open({
      run: (kind, { apiKeyId }, _body, run) => (expect([kind, apiKeyId]).toEqual(['job.enqueue', 'k']), run()),
    });
    expect(await admitting.commands.run('job.enqueue', caller, { jobs: [] } as never)).toEqual({ done: true });
    expect(admitting.sent).toHaveLength(1);
  });
});

describe('BX-02 jobs of a claim that nobody waits for', () => {
  const jobs = [
    { id: '1', leaseId: 'l1' },
    { id: '2', leaseId: 'l2' },
  ] as ClaimedJob[];

  it.each([
    ['are released', { ok: true }, []],
    [
      'are left to their leases with a line in the log, if that fails',
      { ok: false, error: leaseExpired().toShape() },
      [{ error: leaseExpired().message, leases: 2 }],
    ],
  ])('%s', async (_, outcome, expected) => {
    const lines: object[] = [];
    const sent: Command[] = [];
    const local = { submit: (command: Command) => (sent.push(command), Promise.resolve(outcome)) };
    releaseUnclaimed({ warn: (facts: object) => void lines.push(facts) } as never, local as never)('a', jobs);
    await Promise.resolve();
    await Promise.resolve();
    const leases = [
      { jobId: '1', leaseId: 'l1' },
      { jobId: '2', leaseId: 'l2' },
    ];
    expect(sent).toEqual([
      expect.objectContaining({ kind: 'job.release', organizationId: 'a', ttlMs: 10_000, body: { leases } }),
    ]);
    expect(lines).toEqual(expected);
  });
});
