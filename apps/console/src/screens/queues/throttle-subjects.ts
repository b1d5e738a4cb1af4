import type { Job, JobTimeline } from '@spooled/sdk/browser';

/** Whose new jobs a throttle limits. */
export type ThrottleSubject =
  | { kind: 'queue' }
  | { kind: 'key'; apiKeyId: string; name: string }
  | { kind: 'tag'; tag: string; value: string };

/** Whose jobs flood, and in which queue. */
export interface Flood {
  queueName: string;
  /** At least one; of several the user chooses. */
  subjects: readonly [ThrottleSubject, ...ThrottleSubject[]];
}

/** A tag without a value stands for all of its values. */
export function subjectName(subject: ThrottleSubject, queueName: string): string {
  if (subject.kind === 'queue') return `the queue ${queueName}`;
  if (subject.kind === 'key') return subject.name;
  return `the tag ${subject.tag}${subject.value === '' ? '' : `=${subject.value}`}`;
}

/** What a job has in common with the flood that it may be a part of: its queue, the key that created it, its tags. */
export function floodOfJob(
  { queueName, tags }: Pick<Job, 'queueName' | 'tags'>,
  createdBy: JobTimeline['job']['createdBy'],
): Flood {
  const isKey = createdBy?.kind === 'key' && createdBy.id !== null;
  const key = isKey
    ? [{ kind: 'key' as const, apiKeyId: createdBy.id!, name: createdBy.name ?? `the key ${createdBy.id!}` }]
    : [];
  return { queueName, subjects: [{ kind: 'queue' }, ...key, ...tagsOf(tags)] };
}

/** As the server matches them: members by name and text, items and a text by name. */
function tagsOf(tags: unknown): ThrottleSubject[] {
  const named = (tag: string, value = ''): ThrottleSubject => ({ kind: 'tag', tag, value });
  if (typeof tags === 'string') return [named(tags)];
  if (Array.isArray(tags)) return tags.filter((tag) => typeof tag === 'string').map((tag) => named(tag));
  if (typeof tags !== 'object' || tags === null) return [];
  return Object.entries(tags).map(([tag, value]) => named(tag, textOf(value)));
}

/** Of values whose text in the database is certain. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint' || Number.isSafeInteger(value)
    ? String(value)
    : '';
