-- Which dead letters failed alike: the job's type and a hash of queue, type and normalized error (dead_letter_group_v1). Null until
-- computed: rows of earlier releases are filled in by the scheduler in small steps.
ALTER TABLE dead_letters ADD COLUMN job_type text, ADD COLUMN group_id uuid;
CREATE INDEX dead_letters_ungrouped ON dead_letters (job_id) WHERE group_id IS NULL;
