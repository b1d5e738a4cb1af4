import { JobSteps, newQueue } from './job-steps.js';
import type { RestCaller } from './rest-caller.js';

/** Steps of specs about workflows and dependencies, in a queue of their own. */
export class WorkflowSteps {
  readonly queue = newQueue();
  private readonly jobs: JobSteps;

  constructor(private readonly rest: RestCaller) {
    this.jobs = new JobSteps(rest);
  }

  /** Creates a workflow. @returns its id and the ids of its jobs by key */
  async create(jobs: object[], more: object = {}): Promise<{ id: string; jobs: Record<string, string> }> {
    const body = { name: 'flow', jobs: jobs.map((job) => ({ queue_name: this.queue, payload: {}, ...job })), ...more };
    const { status, body: created } = await this.rest.post('/workflows', body);
    expect({ status, created }).toMatchObject({ status: 200, created: { status: 'pending' } });
    const entries = created.job_ids.map(({ key, job_id }: { key: string; job_id: string }) => [key, job_id]);
    return { id: created.workflow_id, jobs: Object.fromEntries(entries) as Record<string, string> };
  }

  /** Claims all jobs of the queue. @returns their ids */
  claim = async () => (await this.jobs.claim(this.queue, { limit: 100 })).map(({ id }) => id!);

  complete = (id: string, result: unknown = null) =>
    this.rest.post(`/jobs/${id}/complete`, { worker_id: 'w1', result });

  fail = (id: string) => this.rest.post(`/jobs/${id}/fail`, { worker_id: 'w1', error: 'broken' });
}
