import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { holdSeconds, showHeld } from '../../parts/held-operations';
import { FormDialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { formatJobs } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import type { JobsSearch } from './jobs-search';

/** Cancels all jobs of a queue that no worker holds and that match, on every page: counted first, confirmed by typing. */
export function CancelJobsDialog({ search, onClose }: { search: JobsSearch; onClose(): void }) {
  const [queueName, setQueueName] = useState(search.queue ?? '');
  const [jobType, setJobType] = useState(search.type ?? '');
  const body = { queueName: queueName.trim(), jobType: jobType.trim() || null, createdBefore: search.before ?? null };
  const preview = useQuery({
    queryKey: ['jobs', 'cancellation', body],
    enabled: body.queueName !== '',
    queryFn: ({ signal }) => api.operations.previewCancelJobs(body, { signal }),
  });
  const count = preview.data?.count;
  const cancel = async () => {
    const { id } = await api.operations.cancelJobs({ ...body, holdSeconds });
    showHeld(id, `${amount(count ?? 0, preview.data?.hasMore)} of ${body.queueName} will be cancelled`);
    await refresh('jobs', 'queues', 'operations');
  };
  return (
    <FormDialog
      title="Cancel many jobs"
      act={count === undefined ? 'Cancel jobs' : `Cancel ${amount(count, preview.data?.hasMore)}`}
      danger
      typed={body.queueName || undefined}
      disabled={!count}
      onClose={onClose}
      onAct={cancel}
    >
      <p>Cancels jobs that wait, are scheduled or wait to retry. Jobs that a worker holds continue.</p>
      <TextField label="Queue" value={queueName} onChange={setQueueName} required />
      <TextField label="Type" value={jobType} onChange={setJobType} hint="Empty: all types." />
      {search.before && <p>Only jobs that were created before {search.before}.</p>}
      {hasOtherFilters(search) && (
        <Notice tone="warn" title="The other filters do not apply here">
          Only queue, type and &quot;created before&quot; limit which jobs are cancelled.
        </Notice>
      )}
      {body.queueName !== '' && (
        <Loaded query={preview} lines={1}>
          {({ count: found, hasMore }) => (
            <Notice tone={found === 0 ? 'neutral' : 'warn'} title={`${amount(found, hasMore)} would be cancelled`} />
          )}
        </Loaded>
      )}
    </FormDialog>
  );
}

const amount = (count: number, hasMore = false): string => (hasMore ? 'more than ' : '') + formatJobs(count);

const hasOtherFilters = ({ q, tag, after, status }: JobsSearch): boolean => Boolean(q ?? tag ?? after ?? status);
