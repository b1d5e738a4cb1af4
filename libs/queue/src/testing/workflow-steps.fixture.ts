import type { ClaimedJob, CommandBody } from '@spooled/contracts';
import { claim, command, newJob, unlimited } from '@spooled/testing';
import type { EngineFixture } from './job-lifecycle.fixture.js';

/** Steps of a workflow by key: their parents, and the mode if not `all`. */
export type Plan = Record<string, { on?: string[]; any?: boolean; maxRetries?: number; queue?: string }>;

/** A workflow whose jobs are addressed by their keys. */
export class TestWorkflow {
  readonly ids: Record<string, string> = {};
  private constructor(
    private readonly fixture: EngineFixture,
    readonly org: string,
    readonly id: string,
  ) {}

  static async create(
    fixture: EngineFixture,
    org: string,
    plan: Plan,
    more: Partial<CommandBody<'workflow.create'>> = {},
  ): Promise<TestWorkflow> {
    const flow = new TestWorkflow(fixture, org, newJob().id);
    for (const key of Object.keys(plan)) flow.ids[key] = newJob().id;
    await fixture.run(command('workflow.create', org, { ...flow.body(plan), ...more }));
    return flow;
  }

  body(plan: Plan): CommandBody<'workflow.create'> {
    return {
      workflow: { id: this.id, name: 'flow', description: null, metadata: '{"a":1}' },
      jobs: Object.entries(plan).map(([key, { on = [], any = false, maxRetries = 0, queue = 'emails' }], index) => ({
        key,
        index,
        job: newJob({ id: this.ids[key], maxRetries, queueName: queue }),
        dependsOn: on.map((parent) => this.ids[parent]!),
        mode: any ? 'any' : 'all',
      })),
      quota: unlimited,
      maxWorkflows: null,
      defaults: { maxRetries: 3, timeoutSeconds: 300 },
    };
  }

  /** Claims everything claimable of a queue; keys sorted. */
  async claim(limit = 100, queueName = 'emails'): Promise<{ keys: string[]; jobs: ClaimedJob[] }> {
    const { jobs } = await this.fixture.run(claim(this.org, { limit, queueName }));
    return { keys: jobs.map(({ id }) => this.keyOf(id)).sort(), jobs };
  }

  completion(key: string) {
    const id = this.ids[key]!;
    return command('job.complete', this.org, { jobId: id, workerId: 'w1', leaseId: null, queues: null, result: null });
  }

  failure(key: string) {
    const lease = { jobId: this.ids[key]!, workerId: 'w1', leaseId: null, queues: null };
    return command('job.fail', this.org, { ...lease, error: 'broken', retry: false });
  }

  async complete(key: string): Promise<void> {
    await this.fixture.run(this.completion(key));
  }

  async fail(key: string): Promise<void> {
    await this.fixture.run(this.failure(key));
  }

  cancel() {
    return this.fixture.run(command('workflow.cancel', this.org, { workflowId: this.id, queues: null }));
  }

  /** From the job with this key on; otherwise what did not complete. */
  retry(fromJob?: string) {
    const body = { workflowId: this.id, queues: null, quota: unlimited, ...(fromJob !== undefined && { fromJob }) };
    return this.fixture.run(command('workflow.retry', this.org, body));
  }

  async statuses(): Promise<Record<string, string>> {
    const entries = Object.entries(this.ids).map(async ([key, id]) => [key, (await this.fixture.job(id)).status]);
    return Object.fromEntries(await Promise.all(entries)) as Record<string, string>;
  }

  /** The workflow's own row. */
  async row(): Promise<Record<string, unknown>> {
    const [row] = await this.fixture.sql('SELECT * FROM workflows WHERE id = $1', [this.id]);
    return row!;
  }

  async status(): Promise<unknown> {
    return (await this.row()).status;
  }

  private keyOf(id: string): string {
    return Object.keys(this.ids).find((key) => this.ids[key] === id) ?? id;
  }
}
