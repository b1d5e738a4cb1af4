import type { Throttle } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { mayOperate, useSession } from '../../app/use-session';
import { Button } from '../../ui/button';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { throttlesQuery } from './queries';

/** The throttles that hold for new jobs of the queue, which can be released; nothing without any. */
export function QueueThrottles({ name }: { name: string }) {
  const session = useSession();
  const { data = [] } = useQuery(throttlesQuery);
  const throttles = data.filter(({ queueName }) => queueName === null || queueName === name);
  if (throttles.length === 0) return null;
  const refused = mayOperate(session) ? null : 'it takes the role operator';
  const act: Column<Throttle> = {
    title: 'Action',
    width: '7rem',
    cell: (row) => (
      <Button refused={refused} size="s" onPress={() => void release(row)}>
        Release
      </Button>
    ),
  };
  return <Table label="Throttled" columns={[...columns, act]} rows={throttles} rowKey={({ id }) => id} />;
}

async function release(throttle: Throttle): Promise<void> {
  try {
    await api.throttles.release(throttle.id);
    toast.done(`${subjectOf(throttle)} is no longer throttled`);
  } catch (error) {
    toast.failed(`${subjectOf(throttle)} was not released`, error);
  }
  await refresh('throttles', 'queues');
}

const columns: Column<Throttle>[] = [
  { title: 'Throttled', isRowHeader: true, cell: (row) => subjectOf(row) },
  { title: 'Where', width: '9rem', cell: ({ queueName }) => queueName ?? 'All queues' },
  { title: 'Jobs/s', numeric: true, width: '5rem', cell: ({ perSecond }) => perSecond },
  { title: 'Until', width: '13rem', cell: ({ expiresAt }) => <Time value={expiresAt} /> },
];

function subjectOf({ apiKeyId, apiKeyName, tag }: Throttle): string {
  const ofTag = tag && `${tag.name}${tag.value === null ? '' : `=${tag.value}`}`;
  const parts = [apiKeyId === null ? null : (apiKeyName ?? apiKeyId), ofTag].filter((part) => part !== null);
  return parts.length === 0 ? 'Every new job' : parts.join(', ');
}
