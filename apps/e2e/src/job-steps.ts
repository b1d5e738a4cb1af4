import { randomUUID } from 'node:crypto';
import type { RestCaller } from './rest-caller.js';

export const newQueue = (): string => `q-${randomUUID()}`;

/** Common steps of specs, as one caller. */
export class JobSteps {
  constructor(private readonly rest: RestCaller) {}

  /** Creates a job, in a new queue unless the body names one; returns its id. */
  async create(body: object = {}): Promise<string> {
    const created = await this.rest.post('/jobs', { queue_name: newQueue(), payload: {}, ...body });
    expect(created).toMatchObject({ status: 201, body: { created: true } });
    return created.body.id;
  }

  /** Claims as worker `w1`. */
  async claim(queueName: string, more: object = {}): Promise<Record<string, string>[]> {
    const { status, body } = await this.rest.post('/jobs/claim', { queue_name: queueName, worker_id: 'w1', ...more });
    expect(status).toBe(200);
    return body.jobs;
  }

  /** Creates a dead letter; returns its id. */
  async createDeadLetter(queueName: string): Promise<string> {
    const id = await this.create({ queue_name: queueName, max_retries: 0 });
    await this.claim(queueName);
    await this.rest.post(`/jobs/${id}/fail`, { worker_id: 'w1', error: 'broken' });
    return id;
  }

  async statusOf(id: string): Promise<string> {
    return (await this.rest.get(`/jobs/${id}`)).body.status;
  }
}
