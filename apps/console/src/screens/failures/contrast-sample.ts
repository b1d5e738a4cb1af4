import type { Job, JobTimeline } from '@spooled/sdk/browser';
import { api } from '../../api/client';
import { type HiddenPaths, isHidden, memberPath } from '../../ui/hidden-values';
import { type Contrast, contrast, type Feature } from './contrast';
import type { FailureGroupDetails } from './queries';

export interface ContrastSample extends Contrast {
  /** The time in which the jobs of both samples were created. */
  from: string;
  to: string;
}

/** Each job takes two requests. */
const sampleSize = 20;
const parallel = 4;
/** More members of a payload are left out. */
const maxMembers = 200;
/** Longer values are texts that few jobs share. */
const maxValueLength = 60;

/** Compares the newest jobs of a group with the newest completed jobs of its queue and type that were created in the same time. */
export async function readContrastSample(
  { group, jobs }: FailureGroupDetails,
  hidden: HiddenPaths,
  signal: AbortSignal,
): Promise<ContrastSample> {
  const failed = jobs.slice(0, sampleSize);
  const times = failed.map(({ createdAt }) => createdAt).sort();
  const from = times[0] ?? group.firstSeen;
  const to = new Date(new Date(times.at(-1) ?? group.lastSeen).getTime() + 1_000).toISOString();
  const completed = await api.jobs.list(
    {
      ...{ queue: group.queueName, jobType: group.jobType || undefined, status: 'completed', limit: sampleSize },
      ...{ createdAfter: from, createdBefore: to },
    },
    { signal },
  );
  const ids = [...failed, ...completed].map(({ id }) => id);
  // Of more jobs than that the newest are compared, which says nothing about their hours.
  const withHour = jobs.length <= sampleSize && completed.hasMore === false;
  const features = await mapInTurn(ids, (id) => featuresOf(id, { withHour, hidden }, signal));
  const present = (part: (Feature[] | null)[]) => part.filter((one) => one !== null);
  const result = contrast(present(features.slice(0, failed.length)), present(features.slice(failed.length)));
  return { ...result, from, to };
}

/** Null for a job that does not exist any more. */
async function featuresOf(
  id: string,
  { withHour, hidden }: { withHour: boolean; hidden: HiddenPaths },
  signal: AbortSignal,
): Promise<Feature[] | null> {
  try {
    const [job, timeline] = await Promise.all([api.jobs.get(id, { signal }), api.jobs.timeline(id, { signal })]);
    return [...(withHour ? [hourOf(job)] : []), ...ofJob(job, hidden), ...ofTimeline(timeline)];
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

function ofTimeline({ job, attempts }: JobTimeline): Feature[] {
  const worker = attempts.at(-1)?.workerId;
  const { createdBy } = job;
  return [
    ...(worker ? [{ kind: 'Worker', value: worker }] : []),
    ...(createdBy ? [{ kind: 'Created by', value: createdBy.name ?? createdBy.id ?? createdBy.kind }] : []),
  ];
}

const hourOf = ({ createdAt }: Job): Feature => ({
  kind: 'Hour created',
  value: `${new Date(createdAt).toISOString().slice(0, 13).replace('T', ' ')}:00 UTC`,
});

/** Its priority, its tags, and the short members of its payload, except those that hide. */
function ofJob({ priority, tags, payload }: Job, hidden: HiddenPaths): Feature[] {
  return [
    { kind: 'Priority', value: String(priority) },
    ...tagsOf(tags, hidden).map((value) => ({ kind: 'Tag', value })),
    ...membersOf(payload, hidden).map(([name, value]) => ({ kind: `Payload ${name}`, value })),
  ];
}

function tagsOf(tags: unknown, hidden: HiddenPaths): string[] {
  if (typeof tags === 'string') return [tags];
  if (Array.isArray(tags)) return tags.filter((tag) => typeof tag === 'string');
  return membersOf(tags, hidden).map(([name, value]) => `${name}: ${value}`);
}

const membersOf = (value: unknown, hidden: HiddenPaths): [string, string][] =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? []
    : Object.entries(value)
        .slice(0, maxMembers)
        .filter(([name, member]) => !isHidden(memberPath([], name), member, hidden))
        .filter(([, member]) => member === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof member))
        .map(([name, member]): [string, string] => [name, String(member)])
        .filter(([name, text]) => text.length <= maxValueLength && name.length <= maxValueLength);

/** Few at once, so that the page does not use up what other callers of its organization may do. */
async function mapInTurn<T, R>(values: readonly T[], map: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const run = async () => {
    while (next < values.length) {
      const index = next++;
      results[index] = await map(values[index]!);
    }
  };
  await Promise.all(Array.from({ length: parallel }, run));
  return results;
}
