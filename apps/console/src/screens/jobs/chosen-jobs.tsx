import { useState } from 'react';
import { useOperatorRefusal } from '../../app/use-refusal';
import { ActButton } from '../../ui/act-button';
import { Button } from '../../ui/button';
import { formatCount } from '../../ui/format';
import { ReplayDialog } from '../failures/replay-dialog';
import { ActOnJobsDialog } from './act-on-jobs-dialog';
import { actTexts, type JobAct, jobActs } from './job-acts';
import { chosenJobs } from './job-selection';
import styles from './jobs-screen.module.css';

interface ChosenJobsProps {
  ids: readonly string[];
  /** Chooses none. */
  onClear(): void;
}

/** The acts on jobs that were chosen one by one, at the bottom of the window. */
export function ChosenJobs({ ids, onClear }: ChosenJobsProps) {
  const [dialog, setDialog] = useState<{ act: JobAct | 'replay'; jobIds: string[] } | null>(null);
  const close = () => setDialog(null);
  const mayNot = useOperatorRefusal();
  const jobs = chosenJobs([...ids]);
  const refused = mayNot ?? (typeof jobs === 'string' ? jobs : null);
  const open = (act: JobAct | 'replay') => () => setDialog({ act, jobIds: [...ids] });
  return (
    <>
      {ids.length > 0 && (
        <div className={styles.chosen} role="group" aria-label="Chosen jobs">
          <span aria-live="polite">{formatCount(ids.length)} chosen</span>
          {jobActs.map((act) => (
            <ActButton key={act} size="s" refused={refused} onPress={open(act)}>
              {actTexts[act].label}
            </ActButton>
          ))}
          <ActButton size="s" refused={refused} onPress={open('replay')}>
            Retry…
          </ActButton>
          <Button size="s" variant="quiet" onPress={onClear}>
            Choose none
          </Button>
        </div>
      )}
      {dialog?.act === 'replay' && (
        <ReplayDialog name="the dead letters that were chosen" selection={{ jobIds: dialog.jobIds }} onClose={close} />
      )}
      {dialog && dialog.act !== 'replay' && (
        <ActOnJobsDialog act={dialog.act} jobs={{ jobIds: dialog.jobIds }} onDone={onClear} onClose={close} />
      )}
    </>
  );
}
