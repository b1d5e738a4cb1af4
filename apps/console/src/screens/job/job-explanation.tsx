import type { JobExplanation as Explanation } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayEnqueue, useSession } from '../../app/use-session';
import type { Tone } from '../../ui/badge';
import { DialogButton } from '../../ui/dialog-buttons';
import { Loaded } from '../../ui/loaded';
import { NotChecked, Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { Message, Time } from '../../ui/time';
import { explanationQuery } from './queries';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { TextArea } from '../../ui/field';
import { readJson } from '../../ui/json-text';

type Reason = Explanation['reasons'][number];

const looks: Partial<Record<Reason['code'], { title: string; tone: Tone }>> = {
  queue_paused: { title: 'The queue is paused', tone: 'danger' },
  queue_deletion: { title: 'The queue is being deleted', tone: 'warn' },
  receiver_unavailable: { title: 'The receiver does not respond', tone: 'danger' },
  concurrency_limit: { title: 'The queue is at its concurrency limit', tone: 'info' },
  push_call_limit: { title: 'The plan allows no more push calls', tone: 'info' },
  no_free_push_call: { title: 'No push call is free', tone: 'warn' },
  rate_limit: { title: 'The queue is at its rate limit', tone: 'info' },
  no_workers: { title: 'The queue has no workers', tone: 'danger' },
  no_claims: { title: 'Its workers claim nothing', tone: 'danger' },
  scheduled: { title: 'Scheduled for later', tone: 'info' },
  step: { title: 'Waits in a step', tone: 'info' },
  retry_backoff: { title: 'Waits for its next attempt', tone: 'warn' },
  dependencies: { title: 'Waits for other jobs', tone: 'info' },
  behind: { title: 'Other jobs come first', tone: 'info' },
  ready: { title: 'Ready', tone: 'ok' },
  expires: { title: 'Expires', tone: 'warn' },
  expired: { title: 'Expired', tone: 'danger' },
  cancel_requested: { title: 'Cancel requested', tone: 'warn' },
  running: { title: 'Running', tone: 'info' },
  finished: { title: 'Finished', tone: 'ok' },
  dead_letter: { title: 'A dead letter', tone: 'danger' },
};

/** Why the job has not started, or what became of it. */
export function JobExplanation({ id }: { id: string }) {
  const query = useQuery(explanationQuery(id));
  return (
    <Section title="Why" aside={query.data && <Time value={query.data.checkedAt} />}>
      <Loaded query={query} lines={2}>
        {({ reasons, estimate, notChecked }) => (
          <>
            {reasons.map((reason, i) => (
              // Of the queue and of the job itself there may be one with the same code.
              <Notice key={i} tone={toneOf(reason)} title={looks[reason.code]?.title ?? reason.code}>
                <Message text={reason.message} />
                {reason.code === 'step' && reason.details.waits_for === 'signal' && (
                  <ResumeButton id={id} step={reason.details.step} />
                )}
              </Notice>
            ))}
            {estimate && (
              <Notice
                tone="info"
                title={
                  <>
                    Starts about <Time value={estimate.startsAt} />
                  </>
                }
              >
                {estimate.basis}
              </Notice>
            )}
            <NotChecked reasons={notChecked} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const ResumeButton = ({ id, step }: { id: string; step: string }) =>
  mayEnqueue(useSession()) && (
    <p>
      <DialogButton of={{ id, step }} label="Resume…" icon="play" dialog={SignalDialog} />
    </p>
  );

const toneOf = (reason: Reason): Tone =>
  reason.code === 'finished' && reason.details.outcome !== 'completed'
    ? 'danger'
    : (looks[reason.code]?.tone ?? 'neutral');

/** Gives a job the signal that it waits for. */
function SignalDialog({ id, step, onClose }: { id: string; step: string; onClose(): void }) {
  const [text, setText] = useState('{}');
  const { value, error } = readJson(text);
  const resume = async () => {
    const { accepted } = await api.jobs.signal(id, { step, payload: value });
    await refresh('jobs', 'queues');
    if (!accepted) throw new Error('An earlier signal counts');
    return 'The job goes on';
  };
  return (
    <FormDialog title="Resume this job" act="Resume the job" disabled={error !== null} onClose={onClose} onAct={resume}>
      <p>Its handler gets this value as the signal “{step}”. Only the first one counts.</p>
      <TextArea label="Payload (JSON)" monospaced rows={8} value={text} onChange={setText} error={error} />
    </FormDialog>
  );
}
