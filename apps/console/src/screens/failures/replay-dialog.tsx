import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { OperationPreview } from '@spooled/sdk/browser';
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
import { countJobs } from './count-jobs';
import styles from './failures.module.css';
import { type DeadLetterSelection, replayPreviewQuery } from './queries';
import { defaultForm, readForm, type ReplayForm, type ReplayProblems } from './replay-options';

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
  const { count, hasMore } = preview.data ?? {};
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
      act={count === undefined ? 'Replay' : `Replay ${countJobs(count, hasMore)}`}
      disabled={!count || Object.keys(problems).length > 0}
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
  const { count, hasMore, sample } = preview;
  if (count === 0) return <Notice title="There is nothing to replay">The dead letters are gone already.</Notice>;
  const refused = sample.filter(({ problem }) => problem !== null);
  const [first] = sample;
  return (
    <>
      <Notice tone="info" title={`${countJobs(count, hasMore)} would be replayed`}>
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
