-- What began a run: `schedule` or `manual`; null for runs that a service of the previous release has recorded.
ALTER TABLE schedule_runs ADD COLUMN source text;
