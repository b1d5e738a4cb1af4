import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { refresh } from '../../api/refresh';
import { filterWords } from '../../parts/filter-words';
import { showHeld } from '../../parts/held-operations';
import { FormDialog } from '../../ui/dialog';
import { TextArea, TextField } from '../../ui/field';
import { formatFound, formatJobs } from '../../ui/format';
import { prettyJson } from '../../ui/json-text';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { type ActForm, emptyActForm, readActForm } from './act-options';
import { actCalls, actTexts, type JobAct } from './job-acts';
import type { JobSelection } from './job-selection';
import type { OperationPreview } from '@spooled/sdk/browser';
import { JsonTree } from '../../ui/json-tree';
import { type Column, Table } from '../../ui/table';
import { jobQuery } from '../job/queries';
import { JobLink } from '../../parts/links';
import { ErrorText } from './jobs-table';
import styles from './jobs-screen.module.css';

interface ActOnJobsDialogProps {
  act: JobAct;
  jobs: JobSelection;
  /** Called when the operation is requested. */
  onDone?: () => void;
  onClose(): void;
}

/** Acts on jobs that no worker holds: counted first, with the first of them, and undone while held. */
export function ActOnJobsDialog({ act, jobs, onDone, onClose }: ActOnJobsDialogProps) {
  const text = actTexts[act];
  const [form, setForm] = useState(emptyActForm);
  const { options, problem } = readActForm(act, form, jobs.queueName);
  const preview = useQuery({
    // As text: the library compares keys as JSON, which has no integers beyond 2^53.
    queryKey: ['jobs', 'act', act, jobs, prettyJson(options)],
    queryFn: ({ signal }) => actCalls[act].preview(jobs, options!, signal),
    enabled: options !== null,
    placeholderData: keepPreviousData,
  });
  const isCounted = options !== null && preview.isSuccess && !preview.isPlaceholderData;
  const count = isCounted ? formatFound(preview.data) : null;
  const start = async () => {
    const operation = await actCalls[act].begin(jobs, options!);
    showHeld(
      operation,
      (amount) => `${amount} ${jobs.queueName === undefined ? '' : `of ${jobs.queueName} `}${text.will}`,
    );
    onDone?.();
    await refresh('jobs', 'queues', 'operations');
  };
  return (
    <FormDialog
      title={`${text.title} ${filterWords(jobs.jobIds?.length === 1 ? 'job' : 'jobs', jobs)}`}
      size={act === 'patch' ? 'l' : 'm'}
      act={`${text.act} ${count ?? 'jobs'}`}
      danger={text.danger}
      typed={wordToType(act, jobs)}
      disabled={!isCounted || preview.data.count === 0}
      onClose={onClose}
      onAct={start}
    >
      <p>{text.about}</p>
      <ActFields act={act} form={form} problem={problem} onChange={setForm} />
      {options !== null && (
        <Loaded query={preview} lines={1}>
          {(found) => (
            <>
              <Notice tone={found.count === 0 ? 'neutral' : 'warn'} title={`${formatFound(found)} ${text.would}`}>
                {restOf(jobs, found.count)}
              </Notice>
              <ActPreview preview={found} isPatched={act === 'patch'} />
            </>
          )}
        </Loaded>
      )}
    </FormDialog>
  );
}

/** The queue of acts on all that match. Of jobs that were chosen one by one only the deletion is confirmed. */
const wordToType = (act: JobAct, { queueName }: JobSelection): string | undefined =>
  queueName ?? (act === 'delete' ? 'delete' : undefined);

/** Why fewer jobs are counted than were chosen. */
function restOf({ jobIds }: JobSelection, count: number): string | undefined {
  const others = (jobIds?.length ?? count) - count;
  return others > 0 ? `${formatJobs(others)} of those that were chosen will not change.` : undefined;
}

interface ActFieldsProps {
  act: JobAct;
  form: ActForm;
  problem: string | null;
  onChange(form: ActForm): void;
}

/** What an act asks for. */
function ActFields({ act, form, problem, onChange }: ActFieldsProps) {
  const field = (name: keyof ActForm) => ({
    value: form[name],
    error: problem,
    onChange: (text: string) => onChange({ ...form, [name]: text }),
  });
  if (act === 'priority')
    return <TextField label="Priority" type="number" min={-100} max={100} {...field('priority')} />;
  if (act === 'move') return <TextField label="To the queue" {...field('toQueue')} />;
  if (act !== 'patch') return null;
  return (
    <TextArea
      label="Change of the payload (JSON Merge Patch)"
      monospaced
      rows={4}
      hint={'Its members replace those of each payload, null removes one: {"country": "DE", "retry": null}'}
      {...field('patch')}
    />
  );
}

type SampledJob = OperationPreview['sample'][number];

const columns: Column<SampledJob>[] = [
  { title: 'Job', isRowHeader: true, cell: ({ jobId }) => <JobLink id={jobId} /> },
  { title: 'Queue', cell: ({ queueName }) => queueName },
  { title: 'Type', cell: ({ jobType }) => jobType || '–' },
];

const problemColumn: Column<SampledJob> = {
  title: 'Stays, because',
  width: '40%',
  cell: ({ problem }) => <ErrorText text={problem} />,
};

/** The first jobs that an act takes, those that it would refuse, and the payload of one before and after a patch. */
function ActPreview({ preview, isPatched }: { preview: OperationPreview; isPatched: boolean }) {
  const { sample, count } = preview;
  const [first] = sample;
  if (!first) return null;
  const refused = sample.filter(({ problem }) => problem !== null).length;
  return (
    <>
      {refused > 0 && <p>{`${refused} of the first ${sample.length} could not be changed.`}</p>}
      <Table
        label={sample.length < count ? `The first ${sample.length} jobs` : 'Jobs'}
        columns={refused > 0 ? [...columns, problemColumn] : columns}
        rows={sample}
        rowKey={({ jobId }) => jobId}
      />
      {isPatched && <BeforeAndAfter job={first} />}
    </>
  );
}

const BeforeAndAfter = ({ job: { jobId, payload } }: { job: SampledJob }) => (
  <div className={styles.compared}>
    <div>
      <p>First job, before</p>
      <Loaded query={useQuery(jobQuery(jobId))} lines={2}>
        {(job) => <JsonTree label="Payload before" value={job.payload} />}
      </Loaded>
    </div>
    <div>
      <p>After the patch</p>
      <JsonTree label="Payload after" value={payload} />
    </div>
  </div>
);
