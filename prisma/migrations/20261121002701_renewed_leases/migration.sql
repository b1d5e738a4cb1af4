-- Leases in Redis: a renewal writes the row only when the row holds too little, and Redis holds the rest.

-- True from the first renewal on that may have put a lease of this job into Redis; so the end of a job that nobody ever renewed,
-- which is nearly every job, asks nothing of Redis. Never reset: a later lease of the job costs a look into Redis at most.
ALTER TABLE job_queue ADD COLUMN renewed boolean NOT NULL DEFAULT false;
