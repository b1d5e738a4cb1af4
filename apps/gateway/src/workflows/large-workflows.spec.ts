import { workflowSchemas } from '@spooled/contracts';
import { useSuperuser, useTenantForEach } from '@spooled/testing';
import { useGateway } from '../gateway.fixture.js';

const { database, gateway } = useGateway();
const tenant = useTenantForEach(database);
const superuser = useSuperuser(database);

const get = async (path: string) => {
  const { status, headers, body } = await gateway.request('GET', path, tenant.key);
  expect(status).toBe(200);
  return { headers, body };
};

/** A workflow of 25 jobs; of the first 20 every second has a payload of 1 MB and the others a result of 1 MB. */
async function largeWorkflow(): Promise<string> {
  const jobs = Array.from({ length: 25 }, (_, i) => ({ key: `job-${i}`, queue_name: 'mail', payload: { i } }));
  const { body } = await gateway.request('POST', '/workflows', tenant.key, { name: 'large', jobs });
  const id = body.workflow_id as string;
  await superuser.query(
    `UPDATE jobs SET payload = CASE WHEN large AND n % 2 = 0 THEN document ELSE payload END, result = CASE WHEN large AND n % 2 = 1 THEN document END
     FROM (
       SELECT job_id, n, n <= 20 AS large, json_build_object('text', repeat('x', 1000000)) AS document
       FROM (SELECT job_id, row_number() OVER (ORDER BY job_id) AS n FROM workflow_jobs WHERE workflow_id = $1) AS numbered
     ) AS m
     WHERE id = m.job_id`,
    [id],
  );
  return id;
}

type Documents = Pick<workflowSchemas.WorkflowJob, 'id' | 'payload' | 'result' | 'documents_omitted'>;
const omitted = { payload: null, result: null, documents_omitted: true };
const isOmitted = (job: Documents) => 'documents_omitted' in job;

it('BX-03 the jobs of a workflow come without documents once those before them have 8 MiB', async () => {
  const id = await largeWorkflow();
  const details = workflowSchemas.workflowDetail.parse((await get(`/workflows/${id}`)).body);
  const { body } = await get(`/workflows/${id}/jobs`);
  const listed = workflowSchemas.workflowJob.array().parse(body);
  for (const jobs of [details.jobs, listed] as Documents[][]) {
    expect(jobs.map(isOmitted)).toEqual(Array.from({ length: 25 }, (_, i) => i >= 9));
    for (const job of jobs.filter(isOmitted)) expect(job).toMatchObject(omitted);
    expect(jobs[0]).toMatchObject({ payload: { i: 0 }, result: { text: 'x'.repeat(1_000_000) } });
    expect(jobs[1]).toMatchObject({ payload: { text: 'x'.repeat(1_000_000) }, result: null });
  }
  expect(details.jobs.map(({ key }) => key)).toEqual(listed.map(({ key }) => key));
  const last = listed.at(-1)!.id;
  for (const path of [`/jobs/${last}`, `/workflows/${id}/jobs/${last}`]) {
    expect((await get(path)).body).toMatchObject({ payload: { i: 24 }, result: null });
    expect((await get(path)).body).not.toHaveProperty('documents_omitted');
  }
});

it('BX-03 a page of the jobs of a workflow counts the documents from its own first job', async () => {
  const id = await largeWorkflow();
  const { body: all } = await get(`/workflows/${id}/jobs/status`);
  const ids = (all as { job_id: string }[]).map(({ job_id }) => job_id);
  expect(ids).toHaveLength(25);
  const pageOf = (jobs: Documents[]) => ({ ids: jobs.map((job) => job.id), omitted: jobs.filter(isOmitted).length });
  expect(pageOf((await get(`/workflows/${id}/jobs?limit=5&offset=10`)).body)).toEqual({
    ids: ids.slice(10, 15),
    omitted: 0,
  });
  expect(pageOf((await get(`/workflows/${id}/jobs?limit=10&offset=10`)).body)).toEqual({
    ids: ids.slice(10, 20),
    omitted: 1,
  });
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await get(`/workflows/${id}/jobs?limit=8&cursor=${cursor}`);
    expect(pageOf(body.data).omitted).toBe(0);
    found.push(...pageOf(body.data).ids);
    cursor = body.next_cursor;
  }
  expect(found).toEqual(ids);
});
