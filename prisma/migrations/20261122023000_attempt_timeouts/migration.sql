-- How long the attempt of a leased job may take, copied from its record by the claim, so that renewals and recovery need the narrow row
-- only. Null: granted by a service of before this column, and not limited.
ALTER TABLE job_queue ADD COLUMN timeout_seconds integer;
