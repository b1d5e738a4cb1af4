import type { ResponseBody } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { PageOfQueue } from '../../parts/page-of-queue';
import { formatBounded, formatCount } from '../../ui/format';
import { Notice } from '../../ui/notice';
import { TableTools } from '../../ui/table-tools';
import { useHiddenColumns } from '../../ui/use-hidden-columns';
import { VirtualTable } from '../../ui/virtual-table';
import { type RunningJob, runningQuery } from './queries';
import { runningRoute } from './route';
import { runningColumns } from './running-columns';
import styles from './running.module.css';

/** The jobs that run now, the longest first: what hangs is at the top. */
export function RunningScreen() {
  const { queue } = runningRoute.useSearch();
  const navigate = runningRoute.useNavigate();
  return (
    <PageOfQueue
      title="Running now"
      queue={queue}
      onQueue={(text) => void navigate({ search: { queue: text }, replace: true })}
      query={useQuery(runningQuery(queue))}
    >
      {(running) => <RunningJobs running={running} />}
    </PageOfQueue>
  );
}

const keyOf = ({ id }: RunningJob): string => id;

function RunningJobs({ running: { jobs, running, checkedAt, notChecked } }: { running: Running }) {
  const [hidden, hide] = useHiddenColumns('running');
  const columns = useMemo(() => runningColumns(checkedAt), [checkedAt]);
  if (jobs.length === 0) return <Notice title="No job runs">Jobs show here while a worker holds them.</Notice>;
  return (
    <>
      {notChecked.length > 0 && (
        <Notice tone="warn" title="Not everything could be looked up">
          {notChecked.join(', ')}
        </Notice>
      )}
      <TableTools columns={columns} hidden={hidden} onHide={hide}>
        <span className={styles.summary} aria-live="polite">
          {jobs.length < running.count || running.atLeast
            ? `The ${formatCount(jobs.length)} longest of ${formatBounded(running)}`
            : `${formatCount(jobs.length)} in all`}
        </span>
      </TableTools>
      <VirtualTable label="Running jobs" columns={columns} hidden={hidden} rows={jobs} rowKey={keyOf} width={62} />
    </>
  );
}

type Running = ResponseBody<'GET /api/v1/jobs/running'>;
