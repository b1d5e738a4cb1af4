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
export type MatchingAct = 'cancel' | 'priority' | 'run_now';

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
};

const isPriority = (text: string): boolean => /^-?\d{1,3}$/.test(text) && Math.abs(Number(text)) <= 100;

const previewOf = (act: MatchingAct, filter: MatchingFilter, priority: number, signal: AbortSignal) =>
  act === 'cancel'
    ? api.operations.previewCancelJobs(filter, { signal })
    : act === 'priority'
      ? api.operations.previewPrioritizeJobs({ ...filter, priority }, { signal })
      : api.operations.previewRunJobsNow(filter, { signal });

const begin = (act: MatchingAct, filter: MatchingFilter, priority: number) =>
  act === 'cancel'
    ? api.operations.cancelJobs({ ...filter, holdSeconds })
    : act === 'priority'
      ? api.operations.prioritizeJobs({ ...filter, priority, holdSeconds })
      : api.operations.runJobsNow({ ...filter, holdSeconds });

interface MatchingJobsDialogProps {
  act: MatchingAct;
  filter: MatchingFilter;
  onClose(): void;
}

/** Acts on the jobs of a filter that no worker holds, on every page: counted first, confirmed by typing, undone while held. */
export function MatchingJobsDialog({ act, filter, onClose }: MatchingJobsDialogProps) {
  const text = texts[act];
  const [priority, setPriority] = useState('10');
  const isValid = act !== 'priority' || isPriority(priority);
  const preview = useQuery({
    queryKey: ['jobs', 'matching', act, filter, priority],
    queryFn: ({ signal }) => previewOf(act, filter, Number(priority), signal),
    enabled: isValid,
  });
  const count = preview.data?.count;
  const start = async () => {
    const { id } = await begin(act, filter, Number(priority));
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
