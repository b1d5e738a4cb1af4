import type { AuditEntry } from '@spooled/sdk/browser';
import { kindName, type OperationKind } from './operation-names';

type Entry = Pick<AuditEntry, 'action' | 'after'>;

const targets: Record<string, string> = {
  api_key: 'an API key',
  organization: 'the organization',
  queue: 'the settings of a queue',
  payload_contract: 'a payload contract',
  throttle: 'a throttle',
  cause_mute: 'the mute of a cause of failures',
  webhook: 'a webhook',
  schedule: 'a schedule',
  batch: 'a batch',
};

const verbs: Record<string, string> = { created: 'Created', updated: 'Changed', deleted: 'Deleted' };

const others: Record<string, string> = {
  'api_key.login_refused': 'A sign-in with a key was refused',
  'queue.created': 'Set up a queue',
  'queue.deleted': 'Deleted a queue',
  'payload_contract.created': 'Set a version of a payload contract',
  'throttle.deleted': 'Released a throttle',
  'cause_mute.created': 'Muted a cause of failures',
  'cause_mute.deleted': 'Unmuted a cause of failures',
  'schedule.triggered': 'Ran a schedule by hand',
  'organization.usage_reset': 'Reset the usage of the organization',
  'operation.updated': 'Cancelled an operation on many jobs',
  'job.cancelled': 'Cancelled a job and those that wait for it',
  'job.retried': 'Retried a job',
  'deadletter.retried': 'Retried dead letters',
  'deadletter.purged': 'Purged dead letters',
  'workflow.retried': 'Retried a workflow',
  'workflow.cancelled': 'Cancelled a workflow',
  'batch.closed': 'Closed a batch',
  'batch.cancelled': 'Cancelled a batch',
  'worker.drained': 'Drained a worker',
  'worker.resumed': 'Took a worker back',
};

/** Members whose change is an act with a name of its own. */
const switches: Record<string, { member: string; on: string; off: string }> = {
  'queue.updated': { member: 'enabled', on: 'Resumed a queue', off: 'Paused a queue' },
  'schedule.updated': { member: 'is_active', on: 'Resumed a schedule', off: 'Paused a schedule' },
  'api_key.updated': { member: 'is_active', on: 'Allowed an API key again', off: 'Revoked an API key' },
  'webhook.updated': { member: 'enabled', on: 'Enabled a webhook', off: 'Disabled a webhook' },
};

/** What happened, as a sentence without its subject. Actions of later versions of the server show by their code. */
export function auditWords(entry: Entry): string {
  const { action, after } = entry;
  if (action === 'operation.created') return `Requested: ${kindName(memberOf(after, 'kind') as OperationKind)}`;
  return switchWords(entry) ?? others[action] ?? changeWords(action) ?? action;
}

/** Entries hold the members that changed. */
function switchWords({ action, after }: Entry): string | undefined {
  const found = switches[action];
  const is = found && memberOf(after, found.member);
  if (typeof is !== 'boolean') return undefined;
  return is ? found!.on : found!.off;
}

function changeWords(action: string): string | undefined {
  const [kind = '', verb = ''] = action.split('.');
  const [target, done] = [targets[kind], verbs[verb]];
  return target && done && `${done} ${target}`;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
