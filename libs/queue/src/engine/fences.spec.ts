import type { Command, Outcome } from '@spooled/contracts';
import { claim, command as newCommand, enqueue, newJob, untilLocked } from '@spooled/testing';
import pg from 'pg';
import { workerCommands, useEngine } from '../testing/job-lifecycle.fixture.js';

describe('the first delivery of a command that runs after the second one', () => {
  const fixture = useEngine();
  let org: string;
  beforeEach(async () => (org = await fixture.organization()));

  const runSecond = (command: Command) => fixture.run({ ...command, redelivered: true, delivery: 2 } as Command);
  /** In one batch with a command of another caller. */
  const runFirst = (command: Command): Promise<Outcome[]> =>
    fixture.engine.execute([
      { ...command, delivery: 1 },
      { ...enqueue(org, [newJob({ queueName: 'other' })]), delivery: 1 },
    ] as Command[]);
  const superseded = {
    ok: false,
    error: { status: 409, code: 'CONFLICT', message: 'A later delivery of the command has taken over' },
  };
  const refusedAlone = [superseded, { ok: true }];

  it('PB-29 is granted no jobs, and the rest of its batch runs', async () => {
    const command = claim(org);
    expect(await runSecond(command)).toMatchObject({ jobs: [] });
    const job = newJob();
    await fixture.run(enqueue(org, [job]));
    expect(await runFirst(command)).toMatchObject(refusedAlone);
    expect(await fixture.job(job.id)).toMatchObject({ status: 'pending', lease_id: null });
  });

  it.each(['complete', 'fail'] as const)('PB-29 does not %s a job', async (verb) => {
    await fixture.run(enqueue(org, [newJob()]));
    const command = workerCommands(org)[verb](await fixture.claimOne(org)) as Command;
    await runSecond(command);
    expect(await runFirst(command)).toMatchObject(refusedAlone);
  });

  it('PB-29 is not refused by the fence of another organization, also of one in the same batch', async () => {
    const [one, two] = [enqueue(org, [newJob()]), enqueue(await fixture.organization(), [newJob()])];
    await runSecond({ ...two, id: one.id });
    expect(await runFirst(one)).toMatchObject([{ ok: true }, { ok: true }]);
    const second = { redelivered: true, delivery: 2 };
    await fixture.engine.execute([one, two].map((command) => ({ ...command, ...second })) as Command[]);
    const owners = await fixture.sql('SELECT command_id, owner_id FROM command_fences WHERE command_id = ANY ($1)', [
      [one.id, two.id],
    ]);
    expect(owners).toHaveLength(3);
    expect(owners).toEqual(
      expect.arrayContaining([
        { command_id: one.id, owner_id: org },
        { command_id: one.id, owner_id: two.organizationId },
        { command_id: two.id, owner_id: two.organizationId },
      ]),
    );
  });

  it('PB-29 is refused in a batch where a command of another organization has the same id', async () => {
    const [one, two] = [enqueue(org, [newJob()]), enqueue(await fixture.organization(), [newJob()])];
    const same = { ...two, id: one.id };
    await runSecond(same);
    const first = { delivery: 1 };
    const outcomes = await fixture.engine.execute(
      [one, same].map((command) => ({ ...command, ...first })) as Command[],
    );
    expect(outcomes).toMatchObject([{ ok: true }, superseded]);
  });

  it('PB-29 creates no jobs', async () => {
    const command = enqueue(org, [newJob()]);
    await runSecond(command);
    expect(await runFirst(command)).toMatchObject(refusedAlone);
    expect(
      await fixture.sql("SELECT FROM jobs WHERE queue_name <> 'other' AND organization_id = $1", [org]),
    ).toHaveLength(1);
  });

  it('PB-29 is refused as each other one of its batch, beside those of which no later delivery has run', async () => {
    const other = await fixture.organization();
    const [one, two, current] = [enqueue(org, [newJob()]), enqueue(org, [newJob()]), enqueue(org, [newJob()])];
    const ofOther = { ...enqueue(other, [newJob()]), id: one.id };
    for (const command of [one, two, current]) await runSecond(command);
    const first = [one, two, ofOther].map((command) => ({ ...command, delivery: 1 }));
    const again = { ...current, redelivered: true, delivery: 2 };
    const outcomes = await fixture.engine.execute([...first, again] as Command[]);
    expect(outcomes).toMatchObject([superseded, superseded, { ok: true }, { ok: true }]);
  });

  it('PB-29 renews a lease that is still held', async () => {
    await fixture.run(enqueue(org, [newJob()]));
    const held = await fixture.claimOne(org);
    const renewal = newCommand('job.renew', org, { ...workerCommands(org).proof(held), leaseSeconds: 60 }) as Command;
    await runSecond(renewal);
    expect(await runFirst(renewal)).toMatchObject([{ ok: true }, { ok: true }]);
  });

  it('BX-01 leaves the organization of its connection as it was', async () => {
    const app = new pg.Client({ connectionString: fixture.database.appUrl });
    await app.connect();
    const fenceOther = async () => {
      const command = enqueue(await fixture.organization(), []);
      await app.query('SELECT fence_commands_v1($1, $2, $3)', [[command.organizationId], [command.id], [2]]);
      const { rows } = await app.query<{ org: string }>(`SELECT current_setting('app.current_org_id') AS org`);
      return rows[0]!.org;
    };
    expect(await fenceOther()).toBe('');
    await app.query('BEGIN');
    await app.query(`SELECT set_config('app.current_org_id', $1, true)`, [org]);
    expect(await fenceOther()).toBe(org);
    await app.end();
  });

  it('PB-29 is refused when the later one commits while it waits for its fence', async () => {
    const { id } = enqueue(org, []);
    const fences = (client: pg.Client, delivery: number) =>
      client.query('SELECT fence_commands_v1($1, $2, $3)', [[org], [id], [delivery]]);
    const clients = [1, 2].map(() => new pg.Client({ connectionString: fixture.database.appUrl }));
    const [later, earlier] = clients as [pg.Client, pg.Client];
    for (const client of clients) await client.connect();
    await later.query('BEGIN');
    await fences(later, 3);
    const refused = expect(fences(earlier, 2)).rejects.toMatchObject({ code: 'SPF01' });
    await untilLocked(fixture.superuser);
    await later.query('COMMIT');
    await refused;
    await expect(fences(earlier, 2)).rejects.toMatchObject({ code: 'SPF01' });
    for (const client of clients) await client.end();
  });
});
