import type { SeededRandom } from '@spooled/testing';
import { v7 as newId } from 'uuid';
import type { OfLease } from '../job-calls.fixture.js';
import type { Act, NewJobAct } from './acts.fixture.js';

/** How the parent stands when the actors begin. */
const situations = {
  waiting: 3,
  leased: 4,
  expired: 3,
  completed: 2,
  dead: 4,
  cancelled: 2,
  retrying: 2,
};

type LaterVerb = 'requestCancel' | 'step' | 'wait' | 'signal';

const weights: Record<Exclude<Act['verb'], LaterVerb | keyof typeof batchWeights>, number> = {
  enqueue: 8,
  claim: 6,
  complete: 5,
  fail: 5,
  renew: 2,
  release: 2,
  cancel: 6,
  retry: 6,
  purge: 1,
  depend: 5,
  pause: 1,
  resume: 1,
  deleteQueue: 2,
  pass: 1,
  recover: 4,
  expire: 3,
};

/** Of acts that take the place of one in three. Seeds that have found defects keep what they drew without them. */
const laterWeights: Record<LaterVerb, number> = { requestCancel: 4, step: 2, wait: 4, signal: 3 };

/** Of acts that take the place of one in two where there is a batch; `end`: of one of its jobs. */
const batchWeights = {
  end: 20,
  add: 6,
  closeBatch: 5,
  cancelBatch: 2,
  advance: 2,
  createBatch: 1,
  deleteCallbacks: 2,
  retain: 3,
} satisfies Partial<Record<Act['verb'] | 'end', number>>;

/** Choices of what came later. */
export interface Later {
  acts: SeededRandom;
  batches: SeededRandom;
}

/** What the setup knows: ids by the names that schedules print, and leases that were granted. */
export interface Known {
  ids: ReadonlyMap<string, string>;
  leases: readonly OfLease[];
}

export type Setup = (act: Act) => Promise<void>;

/** Jobs of the setup: a parent, sometimes with a child and a grandchild, and one beside them. */
export class Program {
  readonly ids = new Map<string, string>();
  readonly places: number | null;
  private readonly later: SeededRandom | null;
  /** Absent without a batch. */
  private readonly batches: SeededRandom | null;
  /** Its batch has two jobs, which the actors end. */
  private readonly isNearlyDone: boolean;

  /** @param later chooses acts that came later; null = without them */
  constructor(
    private readonly random: SeededRandom,
    later: Later | null,
  ) {
    this.later = later?.acts ?? null;
    this.batches = later?.batches.happens(0.4) ? later.batches : null;
    this.isNearlyDone = this.batches?.happens(0.5) ?? false;
    this.places = random.happens(0.3) ? random.between(1, 2) : null;
  }

  /** Performs the acts of the setup, one after the other. @param leases those granted so far */
  async setUp(run: Setup, leases: readonly OfLease[]): Promise<void> {
    const { random } = this;
    const perform: Setup = (act) => run(this.asMember(act, 0.8));
    if (this.isNearlyDone) return this.setUpNearlyDone(run);
    await this.setUpBatch(perform);
    const situation = random.weighted(situations);
    const maxRetries = situation === 'dead' ? 0 : random.between(situation === 'retrying' ? 1 : 0, 2);
    await perform(
      this.enqueue('parent', { maxRetries, priority: 9, expires: situation === 'retrying' && random.happens(0.5) }),
    );
    if (random.happens(0.7)) {
      await perform(this.enqueue('child', { parent: 'parent', priority: 5 }));
      if (random.happens(0.4)) await perform(this.enqueue('grandchild', { parent: 'child' }));
    }
    await perform(this.enqueue('other', { priority: 3, expires: random.happens(0.3) }));
    const parent = this.ids.get('parent')!;
    if (situation === 'cancelled') await perform({ verb: 'cancel', job: parent });
    if (situation === 'waiting' || situation === 'cancelled') return this.finishSetup(perform);
    await perform({ verb: 'claim', limit: random.happens(0.4) ? 2 : 1 });
    const lease = leases.find(({ job }) => job === parent)!;
    if (situation === 'completed') await perform({ verb: 'complete', ...lease });
    if (situation === 'dead' || situation === 'retrying') await perform({ verb: 'fail', ...lease, retry: true });
    if (situation === 'leased') await this.setUpLater(perform, lease);
    if (situation === 'expired') await perform({ verb: 'pass' });
    await this.finishSetup(perform);
  }

  /** Acts of two or three actors. */
  acts(leases: readonly OfLease[]): Act[] {
    const count = this.random.happens(0.35) ? 3 : 2;
    const acts: Act[] = [];
    while (acts.length < count) {
      const act = this.act(leases, acts.length);
      if (act) acts.push(this.batchAct(act, leases, acts.length) ?? this.laterAct(leases, acts.length) ?? act);
    }
    return acts;
  }

  private async finishSetup(perform: Setup): Promise<void> {
    if (this.random.happens(0.1)) await perform({ verb: 'pass' });
    if (this.random.happens(0.05)) await perform({ verb: 'pause' });
    const { batches } = this;
    if (batches?.happens(0.1)) await perform({ verb: 'deleteQueue' });
    if (batches?.happens(0.4)) await perform({ verb: 'claim', limit: 2 });
    if (batches?.happens(0.6)) await perform({ verb: batches.happens(0.8) ? 'closeBatch' : 'cancelBatch' });
  }

  /** Sometimes with more jobs, so that transactions share its lock. */
  private async setUpBatch(perform: Setup): Promise<void> {
    const { batches } = this;
    if (!batches) return;
    await perform({ verb: 'createBatch' });
    if (batches.happens(0.4)) for (let i = 1; i <= 4; i++) await perform(this.enqueue(`more ${i}`));
  }

  private async setUpNearlyDone(perform: Setup): Promise<void> {
    const batches = this.batches!;
    await perform({ verb: 'createBatch' });
    for (const name of ['parent', 'other']) {
      await perform({ ...this.enqueue(name, { maxRetries: batches.between(0, 1) }), verb: 'add' });
    }
    if (batches.happens(0.8)) await perform({ verb: 'claim', limit: 2 });
    if (batches.happens(0.7)) await perform({ verb: 'closeBatch' });
  }

  private batchAct(act: Act, leases: readonly OfLease[], number: number): Act | null {
    const { batches } = this;
    if (!batches) return null;
    if (this.isNearlyDone && number < 2 && batches.happens(0.7)) return this.endOf(leases, number, batches);
    if (!batches.happens(0.5)) return act.verb === 'enqueue' ? this.asMember(act, 0.5) : null;
    const verb = batches.weighted(batchWeights);
    if (verb === 'end') return this.endOf(leases, number, batches);
    if (verb !== 'add') return { verb };
    const parent = batches.happens(0.5)
      ? batches.of(['parent', 'child'].filter((name) => this.ids.has(name)))
      : undefined;
    const key = batches.happens(0.2) ? 'key' : undefined;
    return { ...this.enqueue(`member ${number + 1}`, { parent, key, maxRetries: 1 }), verb };
  }

  /** Two actors end different jobs if they can. */
  private endOf(leases: readonly OfLease[], number: number, batches: SeededRandom): Act {
    const lease = leases.at(-1 - number);
    if (!lease) return { verb: 'cancel', job: this.someJob(batches) };
    const { job } = lease;
    const ways: Act[] = [
      { verb: 'complete', ...lease },
      { verb: 'complete', ...lease },
      { verb: 'fail', ...lease, retry: false },
      { verb: 'requestCancel', job, force: true },
    ];
    return batches.of(ways)!;
  }

  private asMember(act: Act, probability: number): Act {
    return act.verb === 'enqueue' && this.batches?.happens(probability) ? { ...act, verb: 'add' } : act;
  }

  private act(leases: readonly OfLease[], number: number): Act | null {
    const { random } = this;
    const verb = random.weighted(weights);
    switch (verb) {
      case 'enqueue': {
        const parent = random.happens(0.75)
          ? random.of(['parent', 'parent', 'child'].filter((name) => this.ids.has(name)))!
          : undefined;
        const key = random.happens(parent ? 0.1 : 0.6) ? 'key' : undefined;
        return this.enqueue(`new ${number + 1}`, { parent, key, maxRetries: 1 });
      }
      case 'claim':
        return { verb, limit: random.between(1, 2) };
      case 'complete':
      case 'renew':
      case 'release': {
        const lease = random.of(leases);
        return lease ? { verb, ...lease } : null;
      }
      case 'fail': {
        const lease = random.of(leases);
        return lease ? { verb, ...lease, retry: random.happens(0.6) } : null;
      }
      case 'cancel':
      case 'retry':
      case 'purge':
        return { verb, job: this.someJob() };
      case 'depend': {
        const [job, on] = [this.someJob(), this.someJob()];
        return job === on ? null : { verb, job, on };
      }
      default:
        return { verb };
    }
  }

  /** Asks a running job to end, or lets it wait. */
  private async setUpLater(perform: Setup, lease: OfLease): Promise<void> {
    const { later } = this;
    if (later?.happens(0.2)) await perform({ verb: 'requestCancel', job: lease.job, force: false });
    if (later?.happens(0.1)) await perform({ verb: 'signal', job: lease.job });
    if (later?.happens(0.4)) await perform({ verb: 'wait', ...lease });
  }

  private laterAct(leases: readonly OfLease[], number: number): Act | null {
    const { later } = this;
    if (!later?.happens(1 / 3)) return null;
    const verb = later.weighted(laterWeights);
    if (verb === 'requestCancel') return { verb, job: this.someJob(later), force: later.happens(0.3) };
    if (verb === 'signal') return { verb, job: this.someJob(later) };
    const lease = later.of(leases);
    if (!lease) return null;
    return verb === 'step' ? { verb, ...lease, value: `result ${number + 1}` } : { verb, ...lease };
  }

  private someJob(random = this.random): string {
    return this.ids.get(
      random.of(
        ['parent', 'parent', 'parent', 'child', 'child', 'other', 'grandchild'].filter((name) => this.ids.has(name)),
      )!,
    )!;
  }

  private enqueue(
    name: string,
    more: { parent?: string; key?: string; maxRetries?: number; priority?: number; expires?: boolean } = {},
  ): { verb: 'enqueue' } & NewJobAct {
    const job = newId();
    this.ids.set(name, job);
    return {
      verb: 'enqueue',
      job,
      parent: more.parent ? this.ids.get(more.parent)! : null,
      key: more.key ?? null,
      maxRetries: more.maxRetries ?? 0,
      priority: more.priority ?? 1,
      expires: more.expires ?? false,
    };
  }
}
