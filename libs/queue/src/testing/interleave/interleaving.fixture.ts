import { v7 as newId } from 'uuid';
import { checkHistory, History, readFinalState, SeededRandom } from '@spooled/testing';
import { type OfLease, claimCall, completeCall } from '../job-calls.fixture.js';
import { type Act, apply, type Told } from './acts.fixture.js';
import type { Lane } from './lane.fixture.js';
import { batchState, type DescribedBatch, unfinishedBatch } from './batch-model.fixture.js';
import { type DescribedJob, describeModel, describeState, emptyModel, type Model } from './model.fixture.js';
import { callbackQueue, passTime, type Performer, queueName, type Tenant } from './performer.fixture.js';
import { type Later, Program } from './program.fixture.js';
import { type Chooser, Scheduler, type Step } from './scheduler.fixture.js';

/** One actor for some steps, then the next. */
export type Segments = readonly { actor: number; steps: number }[];

export interface Outcome {
  seed: number;
  acts: readonly Act[];
  /** What each actor was told. */
  told: readonly Told[];
  steps: readonly Step[];
  /** What breaks a promise; none = all is well. */
  problems: string[];
  /** Names of jobs, for print. */
  names: ReadonlyMap<string, string>;
  /** How all stood before the actors began. */
  before: string;
}

export interface Replay {
  /** Absent = chosen by the seed. */
  segments?: Segments;
  /** Indexes of the actors that do something; absent = all. */
  actors?: readonly number[];
  /** Without the acts that came later: then a seed has those with which it found a defect. */
  isFirst?: boolean;
}

const mostDrains = 12;

/** Runs what a seed says: a setup, two or three acts whose statements are interleaved, and the judgement of what came of it. */
export async function runSeed(lane: Lane, seed: number, replay: Replay = {}): Promise<Outcome> {
  const random = new SeededRandom(seed);
  const program = new Program(random, replay.isFirst ? null : laterChoices(seed));
  const run = await Run.begin(lane, program);
  await program.setUp((act) => run.prepare(act), run.leases);
  const all = program.acts(run.leases);
  const before = describeModel(run.model);
  const acts = replay.actors ? replay.actors.map((i) => all[i]!) : all;
  const choose = replay.segments ? following(replay.segments) : byChance(random);
  const { told, scheduler } = await run.interleave(acts, choose);
  const names = new Map([...program.ids].map(([name, id]) => [id, name]));
  const problems = await run.judge(acts, told, scheduler);
  return { seed, acts, told, steps: scheduler.steps, names, problems, before: named(before, names) };
}

/** Runs seeds on all lanes. A lane with a failure is closed and replaced: what it left would disturb the next seeds. */
export async function runSeeds(
  lanes: Lane[],
  { first, count }: { first: number; count: number },
  onFailure: (lane: Lane, outcome: Outcome) => Promise<void>,
): Promise<void> {
  let next = first;
  const work = async (_: Lane, i: number): Promise<void> => {
    for (let seed = next++; seed < first + count; seed = next++) {
      const outcome = await runSeed(lanes[i]!, seed);
      if (outcome.problems.length === 0) continue;
      await onFailure(lanes[i]!, outcome);
      lanes[i] = await lanes[i]!.replace();
    }
  };
  await Promise.all(lanes.map(work));
}

export const named = (text: string, names: ReadonlyMap<string, string>): string =>
  [...names].reduce((renamed, [id, name]) => renamed.replaceAll(id, name), text);

/** What came later draws from streams of its own, so that the earlier acts of a seed stay. */
const laterChoices = (seed: number): Later => ({
  acts: new SeededRandom(~seed),
  batches: new SeededRandom(Math.imul(seed, 0x9e3779b1)),
});

/** Few switches in some schedules, many in others. */
function byChance(random: SeededRandom): Chooser {
  const stays = random.of([0.3, 0.6, 0.85])!;
  return (ready, previous) =>
    previous !== undefined && ready.includes(previous) && random.happens(stays) ? previous : random.of(ready)!;
}

function following(segments: Segments): Chooser {
  const left = segments.flatMap(({ actor, steps }) => Array.from({ length: steps }, () => actor));
  return (ready, previous) => {
    while (left.length > 0) {
      const next = left.shift()!;
      if (ready.includes(next)) return next;
    }
    return previous !== undefined && ready.includes(previous) ? previous : ready[0]!;
  };
}

class Run {
  readonly leases: OfLease[] = [];
  private readonly verbs = new Set<Act['verb']>();
  private history = new History(0);

  private constructor(
    private readonly lane: Lane,
    private readonly tenant: Tenant,
    public model: Model,
    private readonly program: Program,
  ) {
    this.history = tenant.history;
  }

  static async begin(lane: Lane, program: Program): Promise<Run> {
    await lane.fixture.sql(`UPDATE moved_clock SET moved_by = '0'`);
    const id = await lane.fixture.organization();
    if (program.places !== null) {
      await lane.fixture.sql(`INSERT INTO queue_config (organization_id, queue_name, settings) VALUES ($1, $2, $3)`, [
        id,
        queueName,
        { concurrency: program.places },
      ]);
    }
    const history = new History(0);
    return new Run(
      lane,
      { id, batch: newId(), history, now: () => history.now() },
      emptyModel(program.places),
      program,
    );
  }

  /** One act before the actors begin. */
  async prepare(act: Act): Promise<void> {
    this.verbs.add(act.verb);
    const told = await this.lane.alone.perform(act, this.tenant);
    for (const { job, lease } of told.granted ?? []) this.leases.push({ job, lease, worker: 'w1' });
    const [next] = apply(this.model, act, told).toReversed();
    if (!next) throw new Error(`the model does not explain the setup: ${JSON.stringify({ act, told })}`);
    this.model = next;
  }

  async interleave(acts: readonly Act[], choose: Chooser): Promise<{ told: Told[]; scheduler: Scheduler }> {
    for (const { verb } of acts) this.verbs.add(verb);
    const performers = this.lane.actors.slice(0, acts.length);
    const told = new Array<Told>(acts.length);
    const actors = await Promise.all(
      performers.map(async (performer, i) => ({
        number: performer.number,
        pids: await performer.pids(),
        run: async () => void (told[i] = await performer.perform(acts[i]!, this.tenant)),
      })),
    );
    const scheduler = new Scheduler(this.lane.session, actors, this.lane.sessionPid);
    await scheduler.run(choose);
    return { told, scheduler };
  }

  /** @returns what breaks a promise */
  async judge(acts: readonly Act[], told: readonly Told[], scheduler: Scheduler): Promise<string[]> {
    const problems = [...this.lane.actors, this.lane.alone].flatMap(takeErrors);
    const found = await this.describe();
    const possible = possibleEnds(this.model, acts, told, (a, b) => scheduler.precedes(a + 1, b + 1));
    if (!possible.has(found)) {
      const explained = [...possible].join('\n  or\n') || 'nothing: no order explains what the callers were told';
      problems.push(`no order of the acts explains the end:\n${found}\n  expected\n${explained}`);
    }
    problems.push(...(await this.finish()));
    return problems;
  }

  private async describe(): Promise<string> {
    const [jobs, [batch], paused] = await Promise.all([
      this.lane.fixture.sql<DescribedJob>(endState, [this.tenant.id]),
      this.lane.fixture.sql<DescribedBatch>(batchState, [this.tenant.id]),
      this.lane.fixture.sql('SELECT FROM queue_config WHERE organization_id = $1 AND NOT enabled', [this.tenant.id]),
    ]);
    return describeState(jobs, paused.length > 0, batch ?? null);
  }

  /** Ends all jobs; then the rules for histories judge. */
  private async finish(): Promise<string[]> {
    const { lane, tenant } = this;
    await lane.alone.perform({ verb: 'resume' }, tenant);
    await lane.alone.perform({ verb: 'closeBatch' }, tenant);
    for (let i = 0; i < mostDrains; i++) {
      await this.drain(lane.alone);
      const left = await lane.fixture.sql(
        'SELECT FROM job_queue WHERE organization_id = $1 AND queue_name = $2 LIMIT 1',
        [tenant.id, queueName],
      );
      if (left.length === 0) break;
      await passTime(lane.fixture, this.history, 600);
      await lane.alone.maintain();
    }
    const found = await readFinalState((text, parameters) => lane.fixture.sql(text, parameters), [tenant.id]);
    const state = { ...found, jobs: found.jobs.filter(({ queue }) => queue !== callbackQueue) };
    const unfinished = await lane.fixture.sql<{ problem: string }>(unfinishedBatch, [tenant.id]);
    const problems = [...unfinished.map(({ problem }) => problem), ...takeErrors(lane.alone)];
    // What a deleted queue has counted is gone with it.
    if (this.verbs.has('deleteQueue') || this.verbs.has('deleteCallbacks'))
      return [...problems, ...state.jobs.flatMap(({ id, outcome }) => (outcome === null ? [`${id} never ends`] : []))];
    const places = this.program.places;
    const concurrency = new Map(places === null ? [] : [[queueName, places]]);
    return [
      ...checkHistory(this.history.calls, state, { concurrency })
        // No call of the history names the jobs that the end of a batch cancels.
        .filter(({ rule }) => rule !== 'childrenCancelledWithReason' || !this.verbs.has('cancelBatch'))
        .map(({ rule, what }) => `${rule}: ${what}`),
      ...problems,
    ];
  }

  private async drain(performer: Performer): Promise<void> {
    for (;;) {
      const { granted = [] } = await performer.call(
        claimCall(queueName, 'w1', { limit: 20, leaseSeconds: 30 }),
        this.tenant,
      );
      if (granted.length === 0) return;
      await Promise.all(
        granted.map(({ job, lease }) => performer.call(completeCall({ job, lease, worker: 'w1' }), this.tenant)),
      );
    }
  }
}

/** Deadlocks are run again, so no caller notices them; a lock that is taken in two orders is a defect all the same. */
function takeErrors(performer: Performer): string[] {
  return performer.errors.splice(0).map((error) => {
    const { code = '', message } = error as { code?: string; message: string };
    return `error of actor ${performer.number}: ${code} ${message}`;
  });
}

/** Every state in which some order of the acts leaves the model, among orders that keep what ended before another began. */
function possibleEnds(
  model: Model,
  acts: readonly Act[],
  told: readonly Told[],
  precedes: (a: number, b: number) => boolean,
): Set<string> {
  const ends = new Set<string>();
  const extend = (from: Model, left: readonly number[]): void => {
    if (left.length === 0) ends.add(describeModel(from));
    for (const next of left) {
      if (left.some((other) => other !== next && precedes(other, next))) continue;
      for (const after of apply(from, acts[next]!, told[next]!))
        extend(
          after,
          left.filter((each) => each !== next),
        );
    }
  };
  extend(
    model,
    acts.map((_, i) => i),
  );
  return ends;
}

const endState = `
  SELECT coalesce(j.id, q.job_id) AS id,
    CASE WHEN j.id IS NULL THEN 'live without a record'
      WHEN j.outcome IS NOT NULL AND q.job_id IS NOT NULL THEN 'live and ' || j.outcome
      WHEN j.outcome = 'deadletter' THEN 'dead'
      WHEN j.outcome IS NOT NULL THEN j.outcome::text
      WHEN q.job_id IS NULL THEN 'neither live nor ended'
      WHEN q.state = 'leased' THEN 'leased' ELSE 'waiting' END AS state,
    coalesce(q.retry_count, j.retry_count)::int AS attempts,
    coalesce(q.lease_id, j.lease_id)::text AS lease,
    coalesce(q.dependencies_met, true) AS met, q.cancel_requested_at IS NOT NULL AS asked,
    (SELECT s.result #>> '{}' FROM job_steps s WHERE s.job_id = j.id AND s.kind = 'step') AS result,
    EXISTS (SELECT FROM job_steps s WHERE s.job_id = j.id AND s.kind = 'signal' AND s.finished_at IS NOT NULL) AS "isSignalled"
  FROM (SELECT * FROM jobs WHERE organization_id = $1 AND queue_name <> 'callbacks') j
  FULL JOIN (SELECT * FROM job_queue WHERE organization_id = $1 AND queue_name <> 'callbacks') q ON q.job_id = j.id`;
