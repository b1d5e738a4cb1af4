import type { QueueScope } from '@spooled/contracts';
import { command, enqueue, newJob } from '@spooled/testing';
import { EngineFixture, workerCommands } from '../testing/job-lifecycle.fixture.js';

let fixture: EngineFixture;
let org: string;
beforeAll(async () => {
  fixture = await EngineFixture.open();
});
beforeEach(async () => {
  org = await fixture.organization();
});
afterAll(() => fixture?.close());

const cancel = (organizationId: string, jobId: string, queues: QueueScope = null) =>
  fixture.run(command('job.cancel', organizationId, { jobId, queues }));
const refused = (status: number, message: string) => expect.objectContaining({ status, message });

describe('cancelling a job', () => {
  it('is 404 for other tenants and for keys of other queues, and changes nothing', async () => {
    const job = newJob();
    await fixture.run(enqueue(org, [job]));
    const other = await fixture.organization();
    const attempts = [cancel(other, job.id), cancel(org, job.id, ['bills']), cancel(org, newJob().id)];
    await Promise.all(attempts.map((one) => expect(one).rejects.toEqual(refused(404, 'Job not found'))));
    expect(await fixture.job(job.id)).toMatchObject({ status: 'pending' });
    expect(await cancel(org, job.id, ['emails'])).toEqual({ oldStatus: 'pending' });
  });

  it('is refused with its status while a worker holds it and after its end', async () => {
    await fixture.run(enqueue(org, [newJob()]));
    const held = await fixture.claimOne(org);
    await expect(cancel(org, held.id)).rejects.toEqual(refused(409, 'Job cannot be cancelled: it is processing'));
    await fixture.run(workerCommands(org).complete(held));
    await expect(cancel(org, held.id)).rejects.toEqual(refused(409, 'Job cannot be cancelled: it is completed'));
  });
});
