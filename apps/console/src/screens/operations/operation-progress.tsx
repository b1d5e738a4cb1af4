import type { Operation } from '@spooled/sdk/browser';
import { classes } from '../../ui/class-names';
import { formatCount } from '../../ui/format';
import { Icon, type IconName } from '../../ui/icon';
import { Notice } from '../../ui/notice';
import { facts } from '../../ui/page';
import { Progress } from '../../ui/progress';
import { formatAmount } from '../../parts/operation-names';
import { doneText } from './operation-columns';
import parts from '../../ui/progress-parts.module.css';
import styles from './operations.module.css';
import { type Stage, stagesOf } from './stages';

/** How far an operation is, in which stage, and how its jobs fared. */
export function OperationProgress({ operation }: { operation: Operation }) {
  const { kind, state, reason, processed, refused, succeeded, failed, waiting, endedOtherwise, total } = operation;
  const stages = stagesOf(operation);
  // Those that a worker held at the request are not of the total, and are taken when they wait again.
  const left = total === null ? 0 : Math.max(0, total - processed);
  return (
    <>
      {state === 'completed' && left > 0 && (
        <Notice title={`${formatCount(left)} of the jobs that matched at the request were left alone`}>
          They had ended, run or changed before their turn came, and no longer matched.
        </Notice>
      )}
      {reason !== null && (
        <Notice tone={state === 'stopped' ? 'danger' : 'info'} title={reason}>
          {(state === 'stopped' || state === 'cancelled') && processed > 0 && restText(operation, left)}
        </Notice>
      )}
      <div className={parts.progress}>
        <span className={parts.done}>
          <strong>{doneText(operation)}</strong> {kind === 'delivery.resend' ? 'deliveries' : 'jobs'}
        </span>
        <Progress label="Done" value={processed} total={total} failed={refused + failed} />
        {stages.length > 0 && <Stages stages={stages} />}
      </div>
      {kind === 'deadletter.replay' &&
        facts({
          Succeeded: formatCount(succeeded),
          'Failed again': formatCount(failed),
          'Not ended yet': formatCount(waiting),
          'Cancelled or deleted': formatCount(endedOtherwise),
          'Could not be replayed': formatCount(refused),
        })}
    </>
  );
}

/** What was not reached. */
function restText(operation: Operation, left: number): string {
  if (operation.total === null) return 'The others were not touched.';
  if (left === 0) return 'None was left.';
  return `The other ${formatAmount(operation, left)} ${left === 1 ? 'was' : 'were'} not touched.`;
}

const looks: Record<Stage['state'], { icon: IconName; text: string }> = {
  done: { icon: 'check', text: 'ended' },
  current: { icon: 'play', text: 'in progress' },
  waiting: { icon: 'clock', text: 'not begun' },
};

const Stages = ({ stages }: { stages: readonly Stage[] }) => (
  <ol className={styles.stages} aria-label="Stages">
    {stages.map(({ size, state }, index) => (
      <li key={index} className={classes(styles.stage, state === 'current' && styles.current)}>
        <Icon name={looks[state].icon} size={12} />
        {`Stage ${index + 1}: ${size === null ? 'the rest' : `${formatCount(size)} ${size === 1 ? 'job' : 'jobs'}`}, ${looks[state].text}`}
      </li>
    ))}
  </ol>
);
