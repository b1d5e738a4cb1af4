import type { ReportableGroup } from '@spooled/data-access';
import { causeReportRule, reportOf } from '@spooled/domain';

/** A cause with what decides about it, over its queues and types. */
export interface Cause {
  causeId: string;
  /** Of the last hour and the hour before it. */
  lastHour: number;
  hourBefore: number;
  since: string;
  lastSeenAt: string;
  /** Whether jobs died of it since the last look. */
  isSeen: boolean;
  report: { event: 'cause.appeared' | 'cause.grew'; group: ReportableGroup } | null;
}

/** The causes of these groups, and what is to be reported of each; those with the most dead letters first. */
export const causesOf = (groups: ReportableGroup[]): Cause[] =>
  [...Map.groupBy(groups, ({ cause_id: id }) => id).values()]
    .map(causeOf)
    .sort((one, other) => other.lastHour - one.lastHour);

function causeOf(groups: ReportableGroup[]): Cause {
  const [first] = groups as [ReportableGroup];
  const sum = (member: 'last_hour' | 'hour_before' | 'in_window', of = groups) =>
    of.reduce((total, group) => total + group[member], 0);
  const times = (member: 'since' | 'last_seen_at') =>
    groups.map((group) => group[member]).sort((a, b) => Date.parse(a) - Date.parse(b));
  const cause = {
    causeId: first.cause_id,
    lastHour: sum('last_hour'),
    hourBefore: sum('hour_before'),
    since: times('since')[0]!,
    lastSeenAt: times('last_seen_at').at(-1)!,
    isSeen: groups.some(({ is_seen: isSeen }) => isSeen),
  };
  const jobs = first.reported_jobs ?? null;
  const seen = {
    ...cause,
    isNew: groups.every(({ is_new: isNew }) => isNew),
    reported: jobs === null ? null : { jobs, hoursAgo: first.reported_hours_ago! },
  };
  const reports = [...Map.groupBy(groups, ({ queue_name: queue }) => queue).values()].flatMap((ofQueue) => {
    const [group] = ofQueue as [ReportableGroup];
    const rule = causeReportRule(group.settings ? (JSON.parse(group.settings) as Record<string, unknown>) : {});
    const event = reportOf({ ...seen, inWindow: sum('in_window', ofQueue) }, rule);
    return event ? [{ event, group }] : [];
  });
  return { ...cause, report: cause.isSeen ? (reports[0] ?? null) : null };
}
