import { Inject, Injectable } from '@nestjs/common';
import {
  Database,
  endCauseLook,
  findCauseReaders,
  lookAtCauses,
  noteReportedCause,
  recordDeliveries,
  type ReportableGroup,
  type TenantTransaction,
} from '@spooled/data-access';
import { SETTINGS } from '@spooled/platform';
import type { ScheduledTask } from '@spooled/queue';
import { EffectsPublisher } from '@spooled/service';
import type { SchedulerSettings } from '../scheduler.config.js';
import { causeReportRule, reportOf } from '@spooled/domain';

/** Causes reported to the webhooks of an organization in an hour; of the others only the number is. */
const mostPerHour = 20;
/** Of the replay that a report proposes. */
const replayStages = [1, 10, 100];

/**
 * Reports causes of failures that appear or grow to the outgoing webhooks of their organization (BX-06). What is reported is decided and
 * recorded in one transaction per organization, so that a crash neither loses nor repeats it, and a look that was missed is made up for.
 */
@Injectable()
export class CauseReportsTask implements ScheduledTask {
  readonly name = 'cause-reports';
  readonly fullBatch = 200;

  constructor(
    private readonly db: Database,
    @Inject(EffectsPublisher) private readonly effects: EffectsPublisher,
    @Inject(SETTINGS) private readonly settings: Pick<SchedulerSettings, 'EXTERNAL_URL'>,
  ) {}

  /** @throws the first error after all others were looked at */
  async run(stopping?: AbortSignal): Promise<number> {
    const readers = await this.db.asSystem('find readers of causes', (tx) => findCauseReaders(tx, this.fullBatch));
    const errors: unknown[] = [];
    for (const organizationId of readers) {
      if (stopping?.aborted) break;
      await this.lookAt(organizationId).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
    return readers.length;
  }

  private async lookAt(organizationId: string): Promise<void> {
    const ids = await this.db.withTenant(organizationId, (tx) => this.report(tx));
    this.effects.publish({ deliveries: ids.map((id) => ({ id, organizationId })) });
  }

  /** @returns ids of the deliveries that are due */
  private async report(tx: TenantTransaction): Promise<string[]> {
    const found = await lookAtCauses(tx);
    if (!found) return [];
    const { look, isCut } = found;
    const causes = causesOf(found.groups);
    const reportable = causes.filter(({ report }) => report !== null);
    const told = reportable.slice(0, Math.max(0, mostPerHour - look.reported));
    const omitted = reportable.length - told.length;
    const deliveries: string[] = [];
    for (const cause of told) {
      deliveries.push(...(await recordDeliveries(tx, cause.report!.event, this.dataOf(cause))));
      const { causeId, lastHour: jobs, lastSeenAt } = cause;
      await tx.run(noteReportedCause, { causeId, jobs, lastSeenAt });
    }
    const isSummaryDue = omitted > 0 && look.omitted === null;
    if (isSummaryDue) {
      const data = { causes: omitted, at_least: isCut, since: look.hourBeganAt, console_url: this.consoleUrl('') };
      deliveries.push(...(await recordDeliveries(tx, 'cause.omitted', data)));
    }
    const ended = { ...look, reported: look.reported + told.length, omitted: isSummaryDue ? omitted : look.omitted };
    const seen = causes.filter(({ isSeen }) => isSeen);
    await endCauseLook(tx, ended, seen);
    return deliveries;
  }

  private dataOf({ causeId, lastHour, hourBefore, since, report }: Cause): Record<string, unknown> {
    const { queue_name, job_type, error, job_id, sample_error } = report!.group;
    return {
      cause_id: causeId,
      queue_name,
      job_type,
      error,
      sample: { job_id, error: sample_error ?? null },
      dead_letters_last_hour: lastHour,
      dead_letters_hour_before: hourBefore,
      since,
      console_url: this.consoleUrl(`?cause=${causeId}`),
      replay: {
        method: 'POST',
        path: '/api/v1/jobs/dlq/replays',
        body: { cause_id: causeId, stages: replayStages },
      },
    };
  }

  /** Null where the public URL of the installation is not known. */
  private consoleUrl(search: string): string | null {
    const { EXTERNAL_URL: origin } = this.settings;
    return origin === undefined ? null : `${origin.replace(/\/+$/, '')}/console/failures${search}`;
  }
}

/** A cause with what decides about it, over its queues and types. */
interface Cause {
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
const causesOf = (groups: ReportableGroup[]): Cause[] =>
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
