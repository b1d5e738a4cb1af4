import type { Operation, OperationPreview } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { filterWords } from '../../parts/filter-words';
import { holdSeconds, showHeld } from '../../parts/held-operations';
import { FormDialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { formatJobs } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import type { MatchingFilter } from './matching-filter';

/** What is done to all jobs of a filter. */
export type MatchingAct = 'cancel' | 'priority' | 'run_now' | 'move' | 'delete';

interface ActTexts {
  /** Before the filter in words. */
  title: string;
  about: string;
  /** On the button, before the number of jobs. */
  act: string;
  /** After the number of jobs. */
  would: string;
  will: string;
  danger: boolean;
}

const texts: Record<MatchingAct, ActTexts> = {
  cancel: {
    title: 'Cancel',
    about: 'Cancels jobs that wait, are scheduled or wait to retry. Jobs that a worker holds continue.',
    act: 'Cancel',
    would: 'would be cancelled',
    will: 'will be cancelled',
    danger: true,
  },
  priority: {
    title: 'Change the priority of',
    about: 'Jobs that have this priority already, and jobs that a worker holds, stay as they are.',
    act: 'Change',
    would: 'would get this priority',
    will: 'will get another priority',
    danger: false,
  },
  run_now: {
    title: 'Run now',
    about: 'Jobs that are scheduled or wait to retry become claimable. A job that fails meanwhile keeps its backoff.',
    act: 'Run now',
    would: 'would become claimable',
    will: 'will become claimable',
    danger: false,
  },
  move: {
    title: 'Move',
    about:
      'Moves jobs that wait to another queue. Those that its contract or receiver does not allow, and jobs that a worker holds, stay.',
    act: 'Move',
    would: 'would be moved',
    will: 'will be moved',
    danger: false,
  },
  delete: {
    title: 'Delete',
    about:
      'Deletes jobs that wait, with their history; jobs that cannot run without them are cancelled. Once it has begun it cannot be undone.',
    act: 'Delete',
    would: 'would be deleted',
    will: 'will be deleted',
    danger: true,
  },
};

const isPriority = (text: string): boolean => /^-?\d{1,3}$/.test(text) && Math.abs(Number(text)) <= 100;

/** What the user enters for an act. */
interface Entered {
  priority: number;
  toQueue: string;
}

interface Calls {
  preview(filter: MatchingFilter, entered: Entered, signal: AbortSignal): Promise<OperationPreview>;
  begin(filter: MatchingFilter, entered: Entered): Promise<Operation>;
}

const { operations } = api;
const calls: Record<MatchingAct, Calls> = {
  cancel: {
    preview: (filter, _, signal) => operations.previewCancelJobs(filter, { signal }),
    begin: (filter) => operations.cancelJobs({ ...filter, holdSeconds }),
  },
  priority: {
    preview: (filter, { priority }, signal) => operations.previewPrioritizeJobs({ ...filter, priority }, { signal }),
    begin: (filter, { priority }) => operations.prioritizeJobs({ ...filter, priority, holdSeconds }),
  },
  run_now: {
    preview: (filter, _, signal) => operations.previewRunJobsNow(filter, { signal }),
    begin: (filter) => operations.runJobsNow({ ...filter, holdSeconds }),
  },
  move: {
    preview: (filter, { toQueue }, signal) => operations.previewMoveJobs({ ...filter, toQueue }, { signal }),
    begin: (filter, { toQueue }) => operations.moveJobs({ ...filter, toQueue, holdSeconds }),
  },
  delete: {
    preview: (filter, _, signal) => operations.previewDeleteJobs(filter, { signal }),
    begin: (filter) => operations.deleteJobs({ ...filter, holdSeconds }),
  },
};

interface MatchingJobsDialogProps {
  act: MatchingAct;
  filter: MatchingFilter;
  onClose(): void;
}

/** Acts on the jobs of a filter that no worker holds, on every page: counted first, confirmed by typing, undone while held. */
export function MatchingJobsDialog({ act, filter, onClose }: MatchingJobsDialogProps) {
  const text = texts[act];
  const [priority, setPriority] = useState('10');
  const [toQueue, setToQueue] = useState('');
  const isMovable = toQueue !== '' && toQueue !== filter.queueName;
  const isValid = (act !== 'priority' || isPriority(priority)) && (act !== 'move' || isMovable);
  const entered = { priority: Number(priority), toQueue };
  const preview = useQuery({
    queryKey: ['jobs', 'matching', act, filter, entered],
    queryFn: ({ signal }) => calls[act].preview(filter, entered, signal),
    enabled: isValid,
  });
  const count = preview.data?.count;
  const start = async () => {
    const { id } = await calls[act].begin(filter, entered);
    showHeld(id, `${amount(count ?? 0, preview.data?.hasMore)} of ${filter.queueName} ${text.will}`);
    await refresh('jobs', 'queues', 'operations');
  };
  return (
    <FormDialog
      title={`${text.title} ${filterWords('jobs', filter)}`}
      act={count === undefined ? `${text.act} jobs` : `${text.act} ${amount(count, preview.data?.hasMore)}`}
      danger={text.danger}
      typed={filter.queueName}
      disabled={!count || !isValid}
      onClose={onClose}
      onAct={start}
    >
      <p>{text.about}</p>
      {act === 'priority' && (
        <TextField
          label="Priority"
          type="number"
          min={-100}
          max={100}
          value={priority}
          onChange={setPriority}
          error={isValid ? null : 'must be a whole number from -100 to 100'}
        />
      )}
      {act === 'move' && (
        <TextField
          label="To the queue"
          value={toQueue}
          onChange={setToQueue}
          error={toQueue === filter.queueName ? 'must be another queue' : null}
        />
      )}
      {isValid && (
        <Loaded query={preview} lines={1}>
          {({ count: found, hasMore }) => (
            <Notice tone={found === 0 ? 'neutral' : 'warn'} title={`${amount(found, hasMore)} ${text.would}`} />
          )}
        </Loaded>
      )}
    </FormDialog>
  );
}

const amount = (count: number, hasMore = false): string => (hasMore ? 'more than ' : '') + formatJobs(count);
