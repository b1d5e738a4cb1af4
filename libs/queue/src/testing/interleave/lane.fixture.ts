import pg from 'pg';
import { EngineFixture } from '../job-lifecycle.fixture.js';
import { Performer } from './performer.fixture.js';
import { installPoints } from './points.fixture.js';

const mostActors = 3;

/** A database whose functions have points, with actors and a session for the scheduler. Schedules run in it one after the other. */
export class Lane {
  private constructor(
    private readonly change: (fixture: EngineFixture) => Promise<void>,
    readonly fixture: EngineFixture,
    readonly session: pg.Client,
    readonly sessionPid: number,
    /** Passes all points: for what comes before and after the actors. */
    readonly alone: Performer,
    readonly actors: readonly Performer[],
  ) {}

  /** @param change what else is done to the database, before the points are put into its functions */
  static async open(change: (fixture: EngineFixture) => Promise<void> = async () => undefined): Promise<Lane> {
    const fixture = await EngineFixture.open();
    await fixture.pass('0 s');
    await change(fixture);
    const numbers = Array.from({ length: mostActors }, (_, i) => i + 1);
    await shrinkShares(fixture);
    await installPoints(fixture, numbers);
    // Its default of 1 s would be most of the time that a schedule with a deadlock takes.
    await fixture.sql(`ALTER DATABASE ${fixture.database.name} SET deadlock_timeout = '20ms'`);
    const session = new pg.Client({ connectionString: fixture.database.superuserUrl });
    await session.connect();
    const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const [alone, ...actors] = [0, ...numbers].map((number) => new Performer(fixture, number));
    return new Lane(change, fixture, session, rows[0]!.pid, alone!, actors);
  }

  /** Closes it. @returns one like it, with a database of its own */
  async replace(): Promise<Lane> {
    await this.close();
    return Lane.open(this.change);
  }

  async close(): Promise<void> {
    await Promise.all([this.alone, ...this.actors].map((performer) => performer.close()));
    await this.session.end();
    await this.fixture.close();
  }
}

/** Transactions of schedules end few jobs of a batch: three actors that end one each share its lock while four are left. */
async function shrinkShares(fixture: EngineFixture): Promise<void> {
  const [row] = await fixture.sql<{ source: string }>(
    `SELECT pg_get_functiondef(oid) AS source FROM pg_proc WHERE proname = 'settle_batches_v1'`,
  );
  const changes = { ':= 8000': ':= 3', 'BETWEEN 1 AND 500': '= 1', 'largest_share + 1000': 'largest_share + 1' };
  let { source } = row!;
  for (const [from, to] of Object.entries(changes)) {
    if (!source.includes(from)) throw new Error(`settle_batches_v1 has no "${from}"`);
    source = source.replace(from, to);
  }
  await fixture.sql(source);
}
