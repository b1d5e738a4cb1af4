-- Jobs that were deleted soon after their creation. If the command that created them is delivered again, it must not create them a second
-- time. Rows are pruned like those of command_log.
CREATE TABLE deleted_jobs (
  organization_id uuid NOT NULL,
  job_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, job_id)
);
CREATE INDEX deleted_jobs_oldest ON deleted_jobs (created_at);
SELECT protect_tenant_table('deleted_jobs');
