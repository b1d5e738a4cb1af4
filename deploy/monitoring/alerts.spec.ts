import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { evaluateRules, type RuleTest, type Series } from '@spooled/testing';

interface Rules {
  groups: { rules: { alert: string }[] }[];
}

const rules = readFileSync(join(import.meta.dirname, 'alerts.yaml'), 'utf8');
const flat = (series: string, value: number | string): Series => ({ series, values: `${value}x60` });

const failedRuns = 'spooled_scheduled_task_runs_total{instance="scheduler-0",task="expiry",outcome="failed"}';
const schedulerDatabase = 'spooled_dependency_up{instance="scheduler-0",dependency="database"}';

/** A system in which everything works. */
const healthy: Series[] = [
  flat('spooled_command_backlog_age_seconds{instance="engine-0"}', 0.01),
  flat('spooled_jobs_pending{instance="scheduler-0"}', 5),
  flat('spooled_workers_healthy{instance="scheduler-0"}', 2),
  flat('spooled_job_max_age_seconds{instance="scheduler-0"}', 3),
  flat('spooled_isolation_check_passed{instance="scheduler-0"}', 1),
  flat(failedRuns, 0),
  flat('spooled_scheduled_task_runs_total{task="expiry",outcome="succeeded"}', '0+12'),
  flat('spooled_api_requests_total{status="2xx"}', '0+6000'),
  flat('spooled_api_requests_total{status="5xx"}', 0),
  flat('spooled_api_request_duration_seconds_bucket{le="0.1"}', '0+6000'),
  flat('spooled_api_request_duration_seconds_bucket{le="+Inf"}', '0+6000'),
  flat('spooled_webhook_deliveries_total{outcome="delivered"}', '0+60'),
  flat('spooled_webhook_deliveries_total{outcome="retry"}', '0+1'),
  flat('spooled_jobs_deadlettered_total', '0+1'),
  flat('spooled_events_dropped_total', 0),
  flat('spooled_schedule_runs_total{outcome="failed"}', 0),
  flat('spooled_database_connections_waiting{instance="gateway-0"}', 0),
  flat('spooled_database_replica_lag_seconds{instance="gateway-0"}', 0.1),
  flat('spooled_dependency_up{instance="gateway-0",dependency="database"}', 1),
  flat('spooled_dependency_up{instance="gateway-0",dependency="cache"}', 1),
  flat(schedulerDatabase, 1),
  flat('up{job="spooled-gateway",instance="gateway-0"}', 1),
];

/** The healthy system with these series in place of its own. */
const but = (...changed: Series[]): Series[] => {
  const replaced = new Set(changed.map(({ series }) => series));
  return [...healthy.filter(({ series }) => !replaced.has(series)), ...changed];
};
const without = (metric: string): Series[] => healthy.filter(({ series }) => !series.startsWith(metric));

/** What fires each alert. */
const causes: Record<string, Series[]> = {
  SpooledNoEngine: without('spooled_command_backlog_age_seconds'),
  SpooledNoScheduler: without('spooled_jobs_pending'),
  SpooledScheduledTaskFails: but(flat(failedRuns, '0+1')),
  SpooledCronFails: but(flat('spooled_schedule_runs_total{outcome="failed"}', '0+1')),
  SpooledTenantsNotIsolated: but(flat('spooled_isolation_check_passed{instance="scheduler-0"}', 0)),
  SpooledServerErrors: but(flat('spooled_api_requests_total{status="5xx"}', '0+120')),
  SpooledSlowRequests: but(
    flat('spooled_api_request_duration_seconds_bucket{le="0.1"}', '0+5000'),
    flat('spooled_api_request_duration_seconds_bucket{le="1"}', '0+6000'),
  ),
  SpooledBacklogOfCommands: but(flat('spooled_command_backlog_age_seconds{instance="engine-0"}', 1.5)),
  SpooledJobsWait: but(flat('spooled_job_max_age_seconds{instance="scheduler-0"}', 1_000)),
  SpooledNoWorker: but(flat('spooled_workers_healthy{instance="scheduler-0"}', 0)),
  SpooledDeadLetters: but(flat('spooled_jobs_deadlettered_total', '0+5')),
  SpooledWebhooksFail: but(flat('spooled_webhook_deliveries_total{outcome="retry"}', '0+90')),
  SpooledEventsDropped: but(flat('spooled_events_dropped_total', '0+1')),
  SpooledConnectionsUsedUp: but(flat('spooled_database_connections_waiting{instance="gateway-0"}', 1)),
  SpooledReplicaLags: but(flat('spooled_database_replica_lag_seconds{instance="gateway-0"}', 8)),
  SpooledRedisDown: but(flat('spooled_dependency_up{instance="gateway-0",dependency="cache"}', 0)),
  SpooledDatabaseDown: but(flat('spooled_dependency_up{instance="gateway-0",dependency="database"}', 0)),
  SpooledServiceDown: but(flat('up{job="spooled-gateway",instance="gateway-0"}', 0)),
};

describe('SP-105 alert rules in a real Prometheus', () => {
  it('all have a cause here', () => {
    const { groups } = parse(rules) as Rules;
    expect(Object.keys(causes)).toEqual(groups.flatMap((group) => group.rules.map(({ alert }) => alert)));
  });

  it('do not fire while everything works', () => {
    expect(evaluateRules(rules, [{ fires: null, given: healthy }])).toBe('');
  });

  it('fire for their cause', () => {
    const tests = Object.entries(causes).map(([fires, given]): RuleTest => ({ fires, given }));
    expect(evaluateRules(rules, tests)).toBe('');
  });

  it('report an unavailable PostgreSQL once, and not also for each task that fails meanwhile', () => {
    const given = but(flat(failedRuns, '0+1'), flat(schedulerDatabase, 0));
    expect(evaluateRules(rules, [{ fires: 'SpooledDatabaseDown', alone: true, given }])).toBe('');
  });

  it('are the same as a resource of prometheus-operator', () => {
    const file = join(import.meta.dirname, '../kubernetes/components/monitoring/monitoring.yaml');
    const objects = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as object);
    expect(objects).toContainEqual(expect.objectContaining({ kind: 'PrometheusRule', spec: parse(rules) as Rules }));
  });
});
