-- The last progress that the worker of a leased job has reported: percent, text and when. Written at most once a second for each job.
ALTER TABLE job_queue ADD COLUMN progress double precision, ADD COLUMN progress_message text, ADD COLUMN progress_at timestamptz;
