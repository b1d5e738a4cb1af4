import type { AuditEntry } from '@spooled/sdk/browser';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { shortId } from '../ui/format';
import { ItemLink, QueueLink } from './links';
import { ChoiceFilter, FilterBar, FilterField } from '../ui/filters';
import { LoadedRows } from '../ui/loaded-rows';
import { Notice } from '../ui/notice';
import { Time } from '../ui/time';
import { type VirtualColumn, VirtualTable } from '../ui/virtual-table';
import { TimeField } from '../ui/time-field';
import { actorName } from './actor-name';
import { auditWords } from './audit-words';
import common from '../ui/common.module.css';
import { type ActorKind, actorKinds, type AuditSearch, auditSearch } from './audit-search';
import { Button } from '../ui/button';
import { Dialog, DialogActions } from '../ui/dialog';
import { JsonTree } from '../ui/json-tree';
import { facts } from '../ui/page';

const actorChoices = (Object.keys(actorKinds) as ActorKind[]).map((value) => ({ value, label: actorKinds[value] }));

const noEntries = (
  <Notice title="No entry matches">
    Changes of settings and acts on many jobs are entered here. Remove a filter to see more.
  </Notice>
);

interface AuditListProps {
  query: UseInfiniteQueryResult<{ pages: { data: AuditEntry[] }[] }>;
  search: AuditSearch;
  /** Changes filters of the address. */
  change(part: AuditSearch): void;
  /** Whether targets lead to screens of the organization, which an administrator's session cannot open. */
  isLinked?: boolean;
}

/** The audit log with its filters: who changed what, when and from where. */
export function AuditList({ query, search, change, isLinked = false }: AuditListProps) {
  return (
    <>
      <AuditFilters search={search} change={change} />
      <LoadedRows query={query} lines={8} empty={noEntries}>
        {(entries, more) => {
          const chosen = entries.find(({ id }) => id === search.entry);
          return (
            <>
              <VirtualTable
                label="Audit log"
                columns={columnsFor(isLinked, (entry) => change({ entry }))}
                rows={entries}
                rowKey={({ id }) => id}
                width={58}
                {...more}
              />
              {chosen && <AuditEntryDialog entry={chosen} onClose={() => change({ entry: undefined })} />}
            </>
          );
        }}
      </LoadedRows>
    </>
  );
}

function AuditFilters({ search, change }: Pick<AuditListProps, 'search' | 'change'>) {
  return (
    <FilterBar onClear={Object.values(search).some(Boolean) ? () => change(auditSearch({})) : undefined}>
      <FilterField label="Action" value={search.action} onChange={(action) => change({ action })} />
      <ChoiceFilter
        label="By"
        value={search.actorKind}
        choices={actorChoices}
        all="Anyone"
        onChange={(actorKind) => change({ actorKind })}
      />
      <FilterField label="Id of who" value={search.actorId} onChange={(actorId) => change({ actorId })} />
      <FilterField label="Kind of target" value={search.targetKind} onChange={(targetKind) => change({ targetKind })} />
      <FilterField label="Target" value={search.targetId} onChange={(targetId) => change({ targetId })} />
      <TimeField label="Since" value={search.since} onChange={(since) => change({ since })} />
      <TimeField label="Until" value={search.until} onChange={(until) => change({ until })} />
    </FilterBar>
  );
}

const columnsFor = (isLinked: boolean, open: (id: string) => void): VirtualColumn<AuditEntry>[] => [
  { title: 'When', width: '13rem', cell: ({ at }) => <Time value={at} /> },
  {
    title: 'Who',
    width: 'minmax(10rem, 1.3fr)',
    cell: ({ actor }) => <span title={actor?.id ?? undefined}>{actorName(actor)}</span>,
  },
  {
    title: 'What',
    width: 'minmax(17rem, 1.3fr)',
    cell: (entry) => (
      <button type="button" className={common.link} title={entry.action} onClick={() => open(entry.id)}>
        {auditWords(entry)}
      </button>
    ),
  },
  { title: 'Target', width: 'minmax(8rem, 1.3fr)', cell: (entry) => <Target entry={entry} isLinked={isLinked} /> },
  { title: 'From', width: '8.5rem', cell: ({ address }) => address ?? '–' },
];

const isUuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function Target({ entry: { targetKind, targetId }, isLinked }: { entry: AuditEntry; isLinked: boolean }) {
  if (targetId === null) return <>{targetKind}</>;
  if (isLinked && targetKind === 'queue') return <QueueLink name={targetId} />;
  if (isLinked && targetKind === 'webhook')
    return <ItemLink to="/webhooks/$id" id={targetId} text={`${targetKind} ${shortId(targetId)}`} />;
  return <span title={targetId}>{`${targetKind} ${isUuid.test(targetId) ? shortId(targetId) : targetId}`}</span>;
}

/** One entry: who, from where, and the members that changed. */
const AuditEntryDialog = ({ entry, onClose }: { entry: AuditEntry; onClose(): void }) => (
  <Dialog title={auditWords(entry)} size="l" onClose={onClose}>
    <div className={common.detail}>
      {facts({
        When: <Time value={entry.at} stacked />,
        Action: <code>{entry.action}</code>,
        Who: actorName(entry.actor),
        'Id of who': entry.actor?.id ?? '–',
        Target: [entry.targetKind, entry.targetId].filter(Boolean).join(' '),
        Address: entry.address ?? '–',
        Program: entry.userAgent ?? '–',
        Organization: entry.organizationId,
      })}
      <Values title="Before" value={entry.before} />
      <Values title="After" value={entry.after} />
    </div>
    <DialogActions>
      <Button onPress={onClose}>Close</Button>
    </DialogActions>
  </Dialog>
);

const Values = ({ title, value }: { title: string; value: unknown }) => (
  <>
    <h3>{title}</h3>
    {value === null ? <p className={common.muted}>Nothing</p> : <JsonTree label={title} value={value} />}
  </>
);
