import type { ClaimedJob, CommandBody } from '@spooled/contracts';
import { claim, command, newJob, unlimited } from '@spooled/testing';
import type { EngineFixture } from './job-lifecycle.fixture.js';

/** Steps of a workflow by name: what each waits for, and in which mode when not `all`. */
export type Plan = Record<string, { on?: string[]; any?: boolean; maxRetries?: number; queue?: string }>;

/** A workflow of an organization, its jobs called by their keys. */
export class TestWorkflow {
  readonly ids: Record<string, string> = {};
  private constructor(
    private readonly bench: EngineFixture,
    readonly org: string,
    readonly id: string,
  ) {}

  static async create(
    bench: EngineFixture,
    org: string,
    plan: Plan,
    more: Partial<CommandBody<'workflow.create'>> = {},
  ): Promise<TestWorkflow> {
    const flow = new TestWorkflow(bench, org, newJob().id);
    for (const key of Object.keys(plan)) flow.ids[key] = newJob().id;
    await bench.run(command('workflow.create', org, { ...flow.body(plan), ...more }));
    return flow;
  }

  body(plan: Plan): CommandBody<'workflow.create'> {
    return {
      workflow: { id: this.id, name: 'flow', description: null, metadata: '{"a":1}' },
      jobs: Object.entries(plan).map(([key, { on = [], any = false, maxRetries = 0, queue = 'emails' }]) => ({
        key,
        job: newJob({ id: this.ids[key], maxRetries, queueName: queue }),
        dependsOn: on.map((parent) => this.ids[parent]!),
        mode: any ? 'any' : 'all',
      })),
      quota: unlimited,
      maxWorkflows: null,
      defaults: { maxRetries: 3, timeoutSeconds: 300 },
    };
  }

  /** What may be claimed right now, claimed; keys in order. */
  async claim(limit = 100): Promise<{ keys: string[]; jobs: ClaimedJob[] }> {
    const { jobs } = await this.bench.run(claim(this.org, { limit }));
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
    await this.bench.run(this.completion(key));
  }

  async fail(key: string): Promise<void> {
    await this.bench.run(this.failure(key));
  }

  cancel() {
    return this.bench.run(command('workflow.cancel', this.org, { workflowId: this.id, queues: null }));
  }

  retry() {
    const body = { workflowId: this.id, queues: null, quota: unlimited };
    return this.bench.run(command('workflow.retry', this.org, body));
  }

  /** Status of each job by key. */
  async statuses(): Promise<Record<string, string>> {
    const entries = Object.entries(this.ids).map(async ([key, id]) => [key, (await this.bench.job(id)).status]);
    return Object.fromEntries(await Promise.all(entries)) as Record<string, string>;
  }

  /** The workflow's own row. */
  async row(): Promise<Record<string, unknown>> {
    const [row] = await this.bench.sql('SELECT * FROM workflows WHERE id = $1', [this.id]);
    return row!;
  }

  async status(): Promise<unknown> {
    return (await this.row()).status;
  }

  private keyOf(id: string): string {
    return Object.keys(this.ids).find((key) => this.ids[key] === id) ?? id;
  }
}
