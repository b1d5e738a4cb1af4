import type { Operation } from '@spooled/sdk/browser';
import { formatDeliveries, formatJobs } from '../ui/format';
import { filterWords } from './filter-words';

export type OperationKind = Operation['kind'];

const kinds: Record<OperationKind, string> = {
  'deadletter.replay': 'Replay dead letters',
  'deadletter.purge': 'Purge dead letters',
  'job.cancel': 'Cancel jobs',
  'job.prioritize': 'Change priority of jobs',
  'job.run_now': 'Run jobs now',
  'job.move': 'Move jobs',
  'job.patch': 'Patch payloads of jobs',
  'job.delete': 'Delete jobs',
  'delivery.resend': 'Send deliveries again',
  'queue.delete': 'Delete a queue',
  'organization.delete': 'Delete the organization',
};

export const operationKinds = Object.keys(kinds) as OperationKind[];
/** Kinds of later versions of the server show by the API's names. */
export const kindName = (kind: OperationKind): string => kinds[kind] ?? kind;

/** So many of what it takes. */
export const formatAmount = ({ kind }: Operation, count: number): string =>
  kind === 'delivery.resend' ? formatDeliveries(count) : formatJobs(count);

/** Which jobs it takes: of the key's queues or of all without a filter. */
export function operationTarget({ kind, filter, queues }: Operation): string {
  const noun = kind.startsWith('deadletter.') ? 'dead letters' : kind === 'delivery.resend' ? 'deliveries' : 'jobs';
  const text = filterWords(noun, filter);
  return text.startsWith('all ') && queues.length > 0 ? `${text} of ${queues.join(', ')}` : text;
}
