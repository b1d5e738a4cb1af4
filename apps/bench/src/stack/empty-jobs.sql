-- Empties all tables about jobs; keeps settings, organizations and keys. Run as superuser while no load runs.
TRUNCATE jobs, job_queue, job_history, idempotency_keys, dead_letters, dead_letter_counts, job_dependencies, workflow_jobs, workflows,
  webhook_deliveries, job_stats, workers, schedule_runs, job_steps, job_logs, batches, batch_jobs, batch_counts CASCADE;
