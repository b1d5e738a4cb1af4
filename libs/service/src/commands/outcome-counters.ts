import type { Command, CommandResult, Outcome, ProductMetrics } from '@spooled/contracts';
import type { Metrics } from '@spooled/platform';

/** Counts results in the service that returns them, so that sums over services do not count a command twice. */
export const countOutcomes =
  (metrics: Metrics<ProductMetrics>) =>
  (command: Command, outcome: Outcome): void => {
    if (!outcome.ok) return;
    const value = outcome.value as Record<string, unknown>;
    switch (command.kind) {
      case 'job.enqueue':
      case 'batch.add':
        return metrics.jobsEnqueued.inc((value.jobs as { created: boolean }[]).filter(({ created }) => created).length);
      case 'workflow.create':
        return metrics.jobsEnqueued.inc(command.body.jobs.length);
      case 'schedule.trigger':
        return metrics.jobsEnqueued.inc();
      case 'job.complete':
        return countCompletion(metrics, value as unknown as CommandResult<'job.complete'>);
      case 'job.completeMany':
        for (const one of (value as unknown as CommandResult<'job.completeMany'>).outcomes) {
          if (one.ok) countCompletion(metrics, one.value);
        }
        return;
      case 'job.fail':
        // It acknowledged a request to cancel the job.
        if (value.cancelled) return;
        metrics.jobsFailed.inc();
        return value.willRetry ? metrics.jobsRetried.inc() : metrics.jobsDeadlettered.inc();
      case 'job.appendLogs':
        metrics.jobLogLines.inc({ outcome: 'kept' }, value.kept as number);
        return metrics.jobLogLines.inc({ outcome: 'omitted' }, value.omitted as number);
      case 'job.retry':
        return metrics.jobsRetried.inc();
      case 'deadletter.retry':
        return metrics.jobsRetried.inc((value.jobIds as string[]).length);
      case 'workflow.retry':
        return metrics.jobsRetried.inc(value.requeuedJobs as number);
    }
  };

function countCompletion(metrics: Metrics<ProductMetrics>, { durationMs }: CommandResult<'job.complete'>): void {
  if (durationMs !== null) metrics.jobDuration.observe(durationMs / 1000);
  metrics.jobsCompleted.inc();
}
