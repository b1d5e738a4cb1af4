import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { useAct } from '../../app/use-act';
import { useOperatorRefusal } from '../../app/use-session';
import { Button } from '../../ui/button';
import { DialogButton } from '../../ui/dialog-buttons';
import { Badge } from '../../ui/badge';
import { FormDialog } from '../../ui/dialog';
import { formatCount, formatJobs } from '../../ui/format';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import type { WorkerVersion, WorkerVersions as Versions } from './queries';
import common from '../../ui/common.module.css';
import styles from './workers.module.css';

const nameOf = ({ version }: Pick<WorkerVersion, 'version'>): string => version ?? 'without a version';

const workersOf = (count: number): string => `${formatCount(count)} ${count === 1 ? 'worker' : 'workers'}`;

const columns: Column<WorkerVersion>[] = [
  { title: 'Version', isRowHeader: true, cell: nameOf },
  { title: 'State', cell: (version) => <VersionState version={version} /> },
  { title: 'Workers', numeric: true, cell: ({ workers }) => formatCount(workers) },
  { title: 'Running jobs', numeric: true, cell: ({ runningJobs }) => formatCount(runningJobs) },
  { title: 'First registered', cell: ({ firstRegisteredAt }) => <Time value={firstRegisteredAt} /> },
  { title: 'Acts', cell: (version) => <VersionActs version={version} /> },
];

/** The versions of the workers that are present. All workers of a version are drained together, and taken back. */
export const WorkerVersions = ({ found: { versions, notChecked } }: { found: Versions }) => (
  <Section title="Versions">
    {notChecked.length > 0 && <p className={common.muted}>{notChecked.join('. ')}</p>}
    <Table label="Versions" columns={columns} rows={versions} rowKey={({ version }) => version ?? ''} />
  </Section>
);

function VersionState({ version: { workers, toldToDrain, drained } }: { version: WorkerVersion }) {
  if (toldToDrain === 0) return <Badge tone="ok" icon="check" label="Takes jobs" />;
  if (drained === workers) return <Badge tone="neutral" icon="stop" label="Drained" />;
  const isWhole = toldToDrain === workers;
  return (
    <Badge
      tone="info"
      icon="pause"
      label={`${isWhole ? 'Draining' : 'Partly draining'}: ${formatCount(drained)} of ${formatCount(isWhole ? workers : toldToDrain)} drained`}
    />
  );
}

function VersionActs({ version }: { version: WorkerVersion }) {
  const refused = useOperatorRefusal();
  const [busy, act] = useAct();
  const { workers, toldToDrain } = version;
  const resume = () => api.workers.resumeVersion(version.version);
  const takeBack = () => act(`Workers of ${nameOf(version)} take jobs again`, resume, 'workers');
  return (
    <span className={styles.acts}>
      <DialogButton
        of={{ version }}
        label="Drain…"
        icon="pause"
        refused={refused ?? (toldToDrain === workers ? 'all of them drain already' : null)}
        dialog={DrainVersion}
      />
      {toldToDrain > 0 && (
        <Button refused={refused} isDisabled={busy} icon="play" onPress={takeBack}>
          Take back
        </Button>
      )}
    </span>
  );
}

function DrainVersion({ version, onClose }: { version: WorkerVersion; onClose(): void }) {
  const left = version.workers - version.toldToDrain;
  const drain = async () => {
    const { workers, more } = await api.workers.drainVersion(version.version);
    await refresh('workers');
    return `${workersOf(workers)} of ${nameOf(version)} ${workers === 1 ? 'drains' : 'drain'}${more ? ', more are left' : ''}`;
  };
  return (
    <FormDialog title={`Drain ${nameOf(version)}`} act={`Drain ${workersOf(left)}`} onClose={onClose} onAct={drain}>
      <p>
        They end the {formatJobs(version.runningJobs)} that they hold now, and get no more until they are taken back or
        register again. Workers of this version that register later get jobs.
      </p>
    </FormDialog>
  );
}
