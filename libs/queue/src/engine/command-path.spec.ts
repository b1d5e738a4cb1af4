import {
  type Command,
  type CommandTransport,
  type Outcome,
  takeoverDelivery,
  TransportLostError,
  type TransportState,
} from '@spooled/contracts';
import { conflict, unavailable } from '@spooled/domain';
import { claim, enqueue } from '@spooled/testing';
import { CommandPath, type PathMode } from './command-path.js';
import { GroupCommit } from './group-commit.js';

/** A transport in a given state. */
const transportThat = (state: TransportState, send: () => Promise<never> | Promise<{ jobs: [] }>) =>
  ({ state: () => state, send }) as unknown as CommandTransport;
const works = () => Promise.resolve({ jobs: [] as [] });

describe('CommandPath', () => {
  let ran: Command[];
  let local: GroupCommit;
  beforeEach(() => {
    ran = [];
    local = new GroupCommit({
      execute: (commands) => {
        ran.push(...commands);
        return Promise.resolve(commands.map(() => ({ ok: true, value: { jobs: [] } }) as Outcome));
      },
    });
  });
  const path = (mode: PathMode, transport: CommandTransport | null) => new CommandPath({ mode, transport, local });

  it('sends commands to an engine while one is available', async () => {
    for (const mode of ['auto', 'transport'] as const) await path(mode, transportThat('ready', works)).run(claim('a'));
    expect(ran).toEqual([]);
  });

  it('BX-08 KF-15 runs commands in-process when Redis or all engines are unavailable, or Redis is not configured', async () => {
    await path('auto', transportThat('down', works)).run(claim('a'));
    await path('auto', null).run(claim('a'));
    await path('direct', transportThat('ready', works)).run(claim('a'));
    await path('direct', transportThat('backlogged', works)).run(claim('a'));
    expect(ran.map(({ redelivered }) => redelivered)).toEqual([undefined, undefined, undefined, undefined]);
  });

  const lost = transportThat('ready', () => Promise.reject(new TransportLostError('connection closed')));

  it('BX-08 runs a command again, marked as redelivered, when its connection was lost, and fences off its first run', async () => {
    await path('auto', lost).run(enqueue('a', []));
    expect(ran).toMatchObject([{ redelivered: true, delivery: takeoverDelivery }]);
  });

  it('BX-02 releases what a claim was granted when its connection was lost, and the worker claims again', async () => {
    const sent = claim('a');
    await expect(path('auto', lost).run(sent)).resolves.toEqual({ jobs: [] });
    const { queueName, workerId } = sent.body;
    expect(ran).toMatchObject([
      { kind: 'job.release', body: { leases: [], claims: [{ claimId: sent.id, queueName, workerId }] } },
    ]);
  });

  it('refuses with 503 when only the transport may be used and its connection was lost', async () => {
    await expect(path('transport', lost).run(claim('a'))).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 });
    expect(ran).toEqual([]);
  });

  it('answers 500 to an error of the transport that is none of ours, and reports it', async () => {
    const unknown = new Error('no such thing');
    const transport = transportThat('ready', () => Promise.reject(unknown));
    const reported: unknown[] = [];
    const onError = (...of: unknown[]) => void reported.push(of);
    const broken = new CommandPath({ mode: 'auto', transport, local, onError });
    await expect(broken.run(claim('a'))).rejects.toMatchObject({ status: 500 });
    expect(reported).toEqual([[unknown, 'send job.claim']]);
    expect(ran).toEqual([]);
  });

  it('passes on a refusal to release what a lost claim was granted', async () => {
    const error = unavailable('PostgreSQL', 1).toShape();
    local = new GroupCommit({ execute: () => Promise.resolve([{ ok: false, error }]) });
    await expect(path('auto', lost).run(claim('a'))).rejects.toMatchObject({ status: 503 });
  });

  it('reports every outcome, whether an engine or this process ran the command', async () => {
    const reported: [string, boolean][] = [];
    const onOutcome = ({ id }: Command, { ok }: Outcome) => void reported.push([id, ok]);
    const [sent, here, refused] = [claim('a'), claim('a'), claim('a')];
    await new CommandPath({ mode: 'auto', transport: transportThat('ready', works), local, onOutcome }).run(sent);
    await new CommandPath({ mode: 'auto', transport: null, local, onOutcome }).run(here);
    const backlogged = transportThat('backlogged', works);
    await expect(
      new CommandPath({ mode: 'auto', transport: backlogged, local, onOutcome }).run(refused),
    ).rejects.toMatchObject({ status: 503 });
    expect(reported).toEqual([
      [sent.id, true],
      [here.id, true],
      [refused.id, false],
    ]);
  });

  it.each([
    ['the backlog is too old', () => path('auto', transportThat('backlogged', works)), 503],
    ['only the transport may be used and is down', () => path('transport', transportThat('down', works)), 503],
    [
      'the engine refuses',
      () =>
        path(
          'auto',
          transportThat('ready', () => Promise.reject(conflict('no'))),
        ),
      409,
    ],
  ])('refuses when %s', async (_, refusing, status) => {
    await expect(refusing().run(claim('a'))).rejects.toMatchObject({ status });
    expect(ran).toEqual([]);
  });
});
