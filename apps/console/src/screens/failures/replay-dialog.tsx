import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Body, OperationPreview } from '@spooled/sdk/browser';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { holdSeconds, showHeld } from '../../parts/held-operations';
import { FormDialog } from '../../ui/dialog';
import { Checkbox, TextArea, TextField } from '../../ui/field';
import { JsonTree } from '../../ui/json-tree';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { formatFound } from '../../ui/format';
import styles from './failures.module.css';
import { type DeadLetterSelection, replayPreviewQuery } from './queries';
import { readMergePatch } from '../../ui/json-text';

interface ReplayDialogProps {
  /** What is replayed, in words. */
  name: string;
  selection: DeadLetterSelection;
  onClose(): void;
}

/** Replays dead letters: counted first, with a changed payload if wanted, in stages that stop when the jobs fail again. */
export function ReplayDialog({ name, selection, onClose }: ReplayDialogProps) {
  const [form, setForm] = useState(defaultForm);
  const navigate = useNavigate();
  const { options, problems } = useMemo(() => readForm(form), [form]);
  const patch = useDeferredValue(problems.patch ? null : options.payloadPatch);
  const preview = useQuery({
    ...replayPreviewQuery({ ...selection, payloadPatch: patch }),
    placeholderData: keepPreviousData,
  });
  const change = (part: Partial<ReplayForm>) => setForm({ ...form, ...part });
  const replay = async () => {
    const operation = await api.jobs.deadLetters.replay({ ...selection, ...options, holdSeconds });
    showHeld(operation, (amount) => `${amount} will be replayed`);
    await Promise.all([
      navigate({ to: '/operations/$id', params: { id: operation.id } }),
      refresh('failures', 'jobs', 'operations'),
    ]);
  };
  return (
    <FormDialog
      title={`Replay ${name}`}
      size="l"
      act={preview.data ? `Replay ${formatFound(preview.data)}` : 'Replay'}
      disabled={!preview.data?.count || Object.keys(problems).length > 0}
      onClose={onClose}
      onAct={replay}
    >
      <TextArea
        label="Change of the payload (JSON Merge Patch), if wanted"
        monospaced
        rows={4}
        value={form.patch}
        onChange={(text) => change({ patch: text })}
        error={problems.patch}
        hint={'Its members replace those of each payload, null removes one: {"country": "DE", "retry": null}'}
      />
      <Loaded query={preview}>{(data) => <Preview preview={data} isPatched={Boolean(patch)} />}</Loaded>
      <PaceFields form={form} problems={problems} change={change} />
    </FormDialog>
  );
}

interface PaceFieldsProps {
  form: ReplayForm;
  problems: ReplayProblems;
  change(part: Partial<ReplayForm>): void;
}

function PaceFields({ form, problems, change }: PaceFieldsProps) {
  const field = (name: 'perSecond' | 'stages' | 'stopShare' | 'stopAfter') => ({
    value: form[name],
    error: problems[name],
    onChange: (text: string) => change({ [name]: text }),
  });
  return (
    <>
      <Checkbox
        label="In stages, and stop when the jobs fail again"
        checked={form.staged}
        onChange={(staged) => change({ staged })}
      />
      <div className={styles.row}>
        {form.staged && (
          <>
            <TextField label="Jobs per stage" {...field('stages')} hint="Then all others." />
            <TextField label="Stop above (% failed)" {...field('stopShare')} />
            <TextField label="Once so many ended" {...field('stopAfter')} />
          </>
        )}
        <TextField label="Jobs per second" {...field('perSecond')} hint="Empty: as fast as possible." />
      </div>
    </>
  );
}

function Preview({ preview, isPatched }: { preview: OperationPreview; isPatched: boolean }) {
  const { count, sample } = preview;
  if (count === 0) return <Notice title="There is nothing to replay">The dead letters are gone already.</Notice>;
  const refused = sample.filter(({ problem }) => problem !== null);
  const [first] = sample;
  return (
    <>
      <Notice tone="info" title={`${formatFound(preview)} would be replayed`}>
        They run again with all their attempts. What they did before they failed is not undone.
      </Notice>
      {refused.length > 0 && (
        <Notice tone="warn" title={`${refused.length} of the first ${sample.length} could not be replayed`}>
          {refused[0]!.problem}
        </Notice>
      )}
      {isPatched && first && <JsonTree label="Payload of the first job after the change" value={first.payload} />}
    </>
  );
}

/** What a user types. One job shows whether the cause is gone; ten show whether that was luck. */
const defaultForm = { patch: '', perSecond: '', staged: true, stages: '1, 10', stopShare: '20', stopAfter: '1' };

type ReplayForm = typeof defaultForm;
type ReplayProblems = Partial<Record<keyof ReplayForm, string>>;
type ReplayOptions = Omit<Body<'POST /api/v1/jobs/dlq/replays'>, 'dryRun'>;

/** The API's options, or what is wrong with the form. */
function readForm(form: ReplayForm): { options: ReplayOptions; problems: ReplayProblems } {
  const problems: ReplayProblems = {};
  const note = (field: keyof ReplayForm, problem: string | null) => {
    if (problem !== null) problems[field] = problem;
  };
  const patch = readMergePatch(form.patch);
  note('patch', patch.problem);
  const perSecond = form.perSecond.trim() === '' ? null : Number(form.perSecond);
  note('perSecond', perSecond === null ? null : wholeProblem(perSecond, 1_000));
  const options: ReplayOptions = { payloadPatch: patch.value, perSecond };
  if (!form.staged) return { options, problems };
  const stages = form.stages
    .split(/[\s,→>]+/)
    .filter(Boolean)
    .map(Number);
  note('stages', stagesProblem(stages));
  const share = Number(form.stopShare);
  note('stopShare', form.stopShare.trim() !== '' && share >= 0 && share <= 100 ? null : 'A share from 0 to 100 %');
  const minEnded = Number(form.stopAfter);
  note('stopAfter', wholeProblem(minEnded, 10_000));
  return { options: { ...options, stages, maxFailureShare: share / 100, minEnded }, problems };
}

const wholeProblem = (value: number, most: number): string | null =>
  Number.isInteger(value) && value >= 1 && value <= most ? null : `A whole number from 1 to ${most}`;

function stagesProblem(stages: readonly number[]): string | null {
  if (stages.length === 0 || stages.length > 10) return 'One to ten numbers of jobs';
  return stages.every((stage) => wholeProblem(stage, 1_000_000) === null) ? null : 'Whole numbers, such as 1, 10';
}
