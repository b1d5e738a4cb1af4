import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperatorRefusal } from '../../app/use-session';
import { Button } from '../../ui/button';
import { formatCount, linkText } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Time } from '../../ui/time';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table';
import common from '../../ui/common.module.css';
import styles from './failures.module.css';
import { isEmpty, NoFailures } from './no-failures';
import { causesQuery, type FailureCause, filterOf } from './queries';
import type { FailuresSearch } from '../../app/screens';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { SelectField, TextField } from '../../ui/field';
import { toast } from '../../ui/toast';

/** A cause, and the search whose dead letters its figures are of. */
type Row = FailureCause & { search: string | undefined };

const columns: VirtualColumn<Row>[] = [
  {
    title: 'Cause',
    width: 'minmax(14rem, 3fr)',
    cell: ({ search, ...cause }) => (
      <div className={common.stacked}>
        <CauseLink cause={cause} search={search} />
        {cause.muted ? (
          <span className={common.small} title={cause.muted.reason}>
            Muted until <Time value={cause.muted.expiresAt} />: {cause.muted.reason}
          </span>
        ) : (
          <span className={common.small} title={typesOf(cause).join('\n')}>
            {typesOf(cause).join(', ')}
          </span>
        )}
      </div>
    ),
  },
  number('Types', ({ groups }) => groups, '5rem'),
  number('Queues', ({ queues }) => queues, '5.5rem'),
  number('Dead letters', ({ count }) => count, '7.5rem'),
  number('Last hour', ({ lastHour }) => lastHour, '6.5rem'),
  {
    title: 'New since',
    width: '11rem',
    value: ({ firstSeen }) => firstSeen,
    cell: ({ firstSeen }) => <Time value={firstSeen} stacked />,
  },
  {
    title: 'Last',
    width: '11rem',
    value: ({ lastSeen }) => lastSeen,
    cell: ({ lastSeen }) => <Time value={lastSeen} stacked />,
  },
];

function number(title: string, value: (cause: FailureCause) => number, width: string): VirtualColumn<Row> {
  return { title, width, numeric: true, value, cell: (cause) => formatCount(value(cause)) };
}

const typesOf = ({ types, groups }: FailureCause): string[] => [
  ...types.map(({ jobType, queueName }) => `${jobType || 'no type'} in ${queueName}`),
  ...(groups > types.length ? [`${formatCount(groups - types.length)} more`] : []),
];

/** To its groups, or to the only one. */
function CauseLink({ cause, search }: { cause: FailureCause; search: string | undefined }) {
  const { id, error, types, groups } = cause;
  const look = { className: styles.cause, title: error };
  const text = linkText(error) || 'No error text';
  return groups === 1 ? (
    <Link to="/failures/$id" params={{ id: types[0]!.groupId }} search={{ search }} {...look}>
      {text}
    </Link>
  ) : (
    <Link to="/failures" search={{ cause: id, search }} {...look}>
      {text}
    </Link>
  );
}

/** It would hide more than what shows. */
const wholeCause = 'a mute is of all dead letters of a cause; remove the filters first';

/** What jobs die of, over queues and types. */
export function Causes({ search }: { search: FailuresSearch }) {
  const query = useQuery(causesQuery(search));
  const byRole = useOperatorRefusal();
  const refused = byRole ?? (isEmpty(filterOf(search)) ? null : wholeCause);
  const [muting, setMuting] = useState<FailureCause | null>(null);
  const act: VirtualColumn<Row> = {
    title: 'Action',
    width: '6.5rem',
    cell: (cause) => (
      <Button refused={refused} size="s" onPress={() => (cause.muted ? void unmute(cause) : setMuting(cause))}>
        {cause.muted ? 'Unmute' : 'Mute…'}
      </Button>
    ),
  };
  return (
    <Loaded query={query} lines={8}>
      {({ causes, more, groupsLeft }) =>
        causes.length === 0 ? (
          <NoFailures search={search} />
        ) : (
          <>
            {more + groupsLeft > 0 && <Notice title={leftOut(more, groupsLeft)} />}
            <VirtualTable
              label="Failures by cause"
              columns={[...columns, act]}
              rows={causes.map((cause) => ({ ...cause, search: search.search }))}
              rowKey={({ id }) => id}
              width={66}
            />
            {muting && <MuteDialog cause={muting} onClose={() => setMuting(null)} />}
          </>
        )
      }
    </Loaded>
  );
}

const leftOut = (causes: number, groups: number): string =>
  [
    ...(causes > 0 ? [`${formatCount(causes)} more causes are not listed.`] : []),
    ...(groups > 0 ? [`Dead letters of ${formatCount(groups)} small groups are not counted here.`] : []),
    'Filter by queue to see them.',
  ].join(' ');

const ends = [
  { value: '3600', label: '1 hour' },
  { value: '14400', label: '4 hours' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
] as const;
type End = (typeof ends)[number]['value'];

/** Makes a cause no problem for a time, for a reason. */
function MuteDialog({ cause: { id, error, muted }, onClose }: { cause: FailureCause; onClose(): void }) {
  const [reason, setReason] = useState(muted?.reason ?? '');
  const [end, setEnd] = useState<End>('14400');
  const mute = async () => {
    await api.jobs.deadLetters.mute(id, { reason: reason.trim(), expiresInSeconds: Number(end) });
    await refreshMutes();
    return 'The cause is muted';
  };
  return (
    <FormDialog
      title={muted ? 'Change the mute of a cause' : 'Mute a cause'}
      act="Mute"
      disabled={reason.trim() === ''}
      onClose={onClose}
      onAct={mute}
    >
      <p>
        “{error || 'No error text'}” is no problem until then, in any queue. It stays in this list, and its dead letters
        are counted.
      </p>
      <TextField label="Reason" hint="Shown to everybody who looks at the cause." value={reason} onChange={setReason} />
      <SelectField<End> label="For" value={end} onChange={setEnd} choices={ends} />
    </FormDialog>
  );
}

/** Ends a mute before its time. */
async function unmute({ id }: FailureCause): Promise<void> {
  try {
    await api.jobs.deadLetters.unmute(id);
    toast.done('The cause is no longer muted');
  } catch (error) {
    toast.failed('The cause is still muted', error);
  }
  await refreshMutes();
}

const refreshMutes = (): Promise<unknown> => refresh('failures', 'queues');
