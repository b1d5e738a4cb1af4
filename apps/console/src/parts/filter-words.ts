import type { Operation } from '@spooled/sdk/browser';
import { formatTime } from '../ui/format';

type Filter = Partial<Operation['filter']>;

const words: { [Name in keyof Filter]-?: (value: NonNullable<Filter[Name]>) => string } = {
  jobIds: (ids) => (ids.length === 1 ? 'that was chosen' : 'that were chosen'),
  groupId: () => 'of one cause',
  queueName: (queue) => `of ${queue}`,
  status: (status) => `that are ${status}`,
  jobType: (type) => (type === '' ? 'without a type' : `of type ${type}`),
  cause: (part) => `whose error or type contains “${part}”`,
  causeId: () => 'of one cause',
  q: (part) => `whose id, queue or type contains “${part}”`,
  search: (line) => `that match “${line}”`,
  tag: (tag) => `with the tag “${tag}”`,
  batchId: () => 'of one batch',
  webhookId: () => 'of one webhook',
  event: (event) => `of ${event}`,
  createdAfter: (at) => `created since ${formatTime(new Date(at))}`,
  createdBefore: (at) => `created before ${formatTime(new Date(at))}`,
  deadAfter: (at) => `dead since ${formatTime(new Date(at))}`,
  deadBefore: (at) => `dead before ${formatTime(new Date(at))}`,
};

/** A filter in words: `jobs of mail of type welcome`; without any: `all jobs`. */
export function filterWords(noun: string, filter: Filter): string {
  const parts = Object.entries(words).flatMap(([name, write]) => {
    const value = filter[name as keyof Filter];
    return value === undefined || value === null ? [] : [(write as (value: unknown) => string)(value)];
  });
  return parts.length === 0 ? `all ${noun}` : `${noun} ${parts.join(' ')}`;
}
