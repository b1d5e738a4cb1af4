import type { Command, Outcome, ProductMetrics } from '@spooled/contracts';
import type { Metrics } from '@spooled/platform';

/** Counts what callers were told is done, where they were told: summed over services nothing counts twice. */
export const countOutcomes =
  (metrics: Metrics<ProductMetrics>) =>
  (command: Command, outcome: Outcome): void => {
    if (!outcome.ok) return;
    const value = outcome.value as Record<string, unknown>;
    switch (command.kind) {
      case 'job.enqueue':
        return metrics.jobsEnqueued.inc((value.jobs as { created: boolean }[]).filter(({ created }) => created).length);
      case 'schedule.trigger':
        return metrics.jobsEnqueued.inc();
      case 'job.complete':
        if (value.durationMs !== null) metrics.jobDuration.observe((value.durationMs as number) / 1000);
        return metrics.jobsCompleted.inc();
      case 'job.fail':
        metrics.jobsFailed.inc();
        return value.willRetry ? metrics.jobsRetried.inc() : metrics.jobsDeadlettered.inc();
      case 'job.retry':
        return metrics.jobsRetried.inc();
      case 'deadletter.retry':
        return metrics.jobsRetried.inc((value.jobIds as string[]).length);
    }
  };
