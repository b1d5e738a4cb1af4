import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { jobSchemas, readShortJson, workSchemas } from '@spooled/contracts';
import { EnqueueRequest, EnqueueResponse, GetJobResponse } from '@spooled/contracts/grpc';
import { Database } from '@spooled/data-access';
import { newId } from '@spooled/platform';
import { Authenticator, noCaller, noOrganization, openConnections, warmUp } from '@spooled/service';
import { RequestLimits } from './auth/request-limits.js';
import type { GatewayService } from './gateway.config.js';
import { JobsService } from './jobs/jobs.service.js';
import { WorkService } from './work/work.service.js';

/** Repetitions of pure code; a few dozen make V8 compile it. */
const rounds = 50;

/**
 * Runs the paths of the first requests: creating, reading, claiming and completing a job, for an organization that does not exist. The job
 * is refused because it names a parent that does not exist.
 */
export async function warmUpGateway(app: NestFastifyApplication, service: GatewayService): Promise<void> {
  const [database, jobs, work] = [app.get(Database), app.get(JobsService), app.get(WorkService)];
  const proof = { worker_id: 'warm-up', lease_id: newId() };
  const id = newId();
  await warmUp(
    service,
    () => openConnections(database, service.settings.DATABASE_MIN_CONNECTIONS),
    () => app.get(Authenticator).ofApiKey(`sk_test_${'0'.repeat(43)}`),
    () => app.get(RequestLimits).count(noCaller),
    async () => jobs.create(noCaller, noCaller, parseJobs().at(-1)!),
    () => jobs.get(noCaller, id),
    () => work.claim(noCaller, workSchemas.claimBody.parse({ queue_name: 'warm-up', worker_id: 'warm-up' })),
    () => work.complete(noCaller, id, workSchemas.completeBody.parse(proof)),
    () => work.fail(noCaller, id, workSchemas.failBody.parse({ ...proof, error: 'warm-up' })),
    async () => codeMessages(),
  );
}

function parseJobs(): jobSchemas.CreateJobBody[] {
  const sample = { queue_name: 'warm-up', payload: { event: 'warm-up', at: 1.5, items: [1, 'two'] }, tags: { a: 'b' } };
  const body = Buffer.from(JSON.stringify({ ...sample, priority: 1, parent_job_id: newId() }));
  return Array.from({ length: rounds }, () => jobSchemas.createJobBody.parse(readShortJson(body).value));
}

function codeMessages(): void {
  const unset = EnqueueRequest.decode(new Uint8Array());
  const bytes = EnqueueRequest.encode({
    ...unset,
    queue_name: 'warm-up',
    payload: { event: 'warm-up', n: 1 },
  }).finish();
  for (let i = 0; i < rounds; i++) {
    EnqueueRequest.decode(bytes);
    EnqueueResponse.encode({ job_id: noOrganization, created: true }).finish();
    GetJobResponse.encode({}).finish();
  }
}
