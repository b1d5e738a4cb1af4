import type pg from 'pg';
import { pointClass } from './points.fixture.js';

/** What runs beside the others, on connections of its own. */
export interface Actor {
  /** From 1; the sessions have it as `interleave.actor`. */
  number: number;
  /** Its server processes. */
  pids: readonly number[];
  /** Settles when it has ended; never rejects. */
  run(): Promise<void>;
}

/** One actor took one step: it ran up to its next point, to its end, or until it waited for a lock. */
export interface Step {
  actor: number;
  /** Where it stands afterwards. */
  place: string;
}

/** Chooses who takes the next step, among actors that can. */
export type Chooser = (ready: readonly number[], previous: number | undefined) => number;

type Standing = 'new' | 'running' | 'point' | 'locked' | 'ended';

interface Watched extends Actor {
  standing: Standing;
  place: string;
  /** Points that it has passed. */
  passed: number;
  /** Numbers of steps: before the first, after the last. */
  began: number;
  ended: number;
}

interface Waiting {
  pid: number;
  blockers: number[];
  place: string | null;
}

/** An actor that runs on without a point for as many looks is taken to hang. */
const mostLooks = 20_000;

/**
 * Lets one actor run at a time, from point to point. An actor that waits for a lock of another, as `pg_blocking_pids` says, is left there;
 * when the lock is freed it runs on by itself to its next point, before anyone else takes a step.
 */
export class Scheduler {
  private readonly actors: Watched[];
  readonly steps: Step[] = [];

  /** @param session its own connection; nothing else uses it */
  constructor(
    private readonly session: pg.Client,
    actors: readonly Actor[],
    private readonly ownPid: number,
  ) {
    this.actors = actors.map((actor) => ({
      ...actor,
      standing: 'new',
      place: 'not begun',
      passed: 0,
      began: 0,
      ended: 0,
    }));
  }

  /** Runs all actors to their end. @throws Error when none can run on */
  async run(choose: Chooser): Promise<void> {
    await this.lock(this.actors.map(({ number }) => number));
    const running: Promise<void>[] = [];
    for (;;) {
      const ready = this.actors.filter(({ standing }) => standing === 'new' || standing === 'point');
      if (ready.length === 0) break;
      const chosen = choose(
        ready.map(({ number }) => number),
        this.steps.at(-1)?.actor,
      );
      const actor = ready.find(({ number }) => number === chosen)!;
      const step: Step = { actor: chosen, place: '' };
      this.steps.push(step);
      if (actor.standing === 'new') running.push(this.start(actor));
      else await this.release(actor);
      await this.settle();
      step.place = actor.place;
    }
    await Promise.all(running);
    await this.session.query('SELECT pg_advisory_unlock_all()');
  }

  /** Whether `a` had ended before `b` began. */
  precedes(a: number, b: number): boolean {
    const [first, second] = [this.watched(a), this.watched(b)];
    return first.ended < second.began;
  }

  private watched(number: number): Watched {
    return this.actors.find((actor) => actor.number === number)!;
  }

  private async start(actor: Watched): Promise<void> {
    actor.standing = 'running';
    actor.began = this.steps.length;
    await actor.run();
    actor.standing = 'ended';
    actor.place = 'ended';
    actor.ended = this.steps.length;
  }

  private async lock(actors: number[]): Promise<void> {
    await this.session.query(
      `SELECT pg_advisory_lock(${pointClass}, 2 * n), pg_advisory_lock(${pointClass}, 2 * n + 1), setval('interleave_' || n, 1, false)
       FROM unnest($1::integer[]) AS n`,
      [actors],
    );
  }

  /** The actor waits for its lock, so it gets it before this session gets it back, and has another one at its next point. */
  private async release(actor: Watched): Promise<void> {
    actor.standing = 'running';
    const lock = `(${pointClass}, ${2 * actor.number + (++actor.passed % 2)})`;
    await this.session.query(`SELECT pg_advisory_unlock${lock}; SELECT pg_advisory_lock${lock}`);
  }

  /** Waits until each actor stands at a point, waits for a lock of another that stands too, or has ended. */
  private async settle(): Promise<void> {
    let before = '';
    for (let look = 0; look < mostLooks; look++) {
      const moving = this.actors.filter(({ standing }) => standing === 'running' || standing === 'locked');
      if (moving.length === 0) return;
      const waiting = await this.look(moving);
      for (const actor of moving) if (actor.standing !== 'ended') this.place(actor, waiting);
      const standings = this.actors.map(({ standing }) => standing).join();
      const isLocked = standings.includes('locked');
      // Among locks alone there is a deadlock, which PostgreSQL ends by itself.
      const isOpen = !isLocked || /new|point/.test(standings);
      // The processes are looked at one after the other, so what waits is looked at twice.
      if (!standings.includes('running') && isOpen && (!isLocked || standings === before)) return;
      before = standings;
    }
    throw new Error(`an actor hangs: ${this.actors.map(({ number, place }) => `${number} at ${place}`).join(', ')}`);
  }

  private async look(actors: readonly Actor[]): Promise<Waiting[]> {
    const { rows } = await this.session.query<Waiting>({
      name: 'look',
      // The names of places are read last: they are those of the points at which actors were found.
      text: `SELECT (e ->> 'pid')::integer AS pid, e -> 'blockers' AS blockers, a.application_name AS place
        FROM jsonb_array_elements((
          SELECT jsonb_agg(jsonb_build_object('pid', p, 'blockers', pg_blocking_pids(p))) FROM unnest($1::integer[]) AS p
        )) AS e CROSS JOIN LATERAL pg_stat_get_activity((e ->> 'pid')::integer) AS a`,
      values: [actors.flatMap(({ pids }) => pids)],
    });
    return rows;
  }

  private place(actor: Watched, waiting: readonly Waiting[]): void {
    const own = waiting.filter(({ pid, blockers }) => actor.pids.includes(pid) && blockers.length > 0);
    const at = own.find(({ blockers }) => blockers.includes(this.ownPid));
    if (at) actor.place = at.place ?? '';
    else if (own.length > 0) actor.place = `a lock after ${(own[0]!.place ?? '').replace(/^a lock after /, '')}`;
    actor.standing = at ? 'point' : own.length > 0 ? 'locked' : 'running';
  }
}
