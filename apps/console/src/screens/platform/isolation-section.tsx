import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useAct } from '../../app/use-act';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { formatCount } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { facts, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { type Column, Table } from '../../ui/table';
import { type IsolationCheck, isolationQuery } from './queries';

type Finding = IsolationCheck['findings'][number];

const columns: Column<Finding>[] = [
  { title: 'Table', isRowHeader: true, cell: ({ table }) => table ?? 'All tables' },
  { title: 'What is wrong', cell: ({ problem }) => problem },
];

/** Whether the database isolates tenants, by the latest check. */
export function IsolationSection() {
  const query = useQuery(isolationQuery);
  const [busy, act] = useAct();
  const checkNow = () => act('Check the isolation of tenants', () => api.admin.checkIsolation(), 'platform');
  return (
    <Section
      title="Isolation of tenants"
      aside={
        <Button size="s" isDisabled={busy} onPress={checkNow}>
          Check now
        </Button>
      }
    >
      <Loaded query={query}>{(latest) => (latest ? <LatestCheck check={latest} /> : <NoCheck />)}</Loaded>
    </Section>
  );
}

const NoCheck = () => (
  <Notice title="Not checked yet">The scheduler checks soon after its first start, and then once a day.</Notice>
);

const Outcome = ({ check: { passed, tablesNotChecked } }: { check: IsolationCheck }) =>
  !passed ? (
    <Badge tone="danger" icon="stop" label="Failed" />
  ) : tablesNotChecked.length > 0 ? (
    <Badge tone="warn" icon="warning" label="Passed in part" />
  ) : (
    <Badge tone="ok" icon="check" label="Passed" />
  );

function LatestCheck({ check }: { check: IsolationCheck }) {
  const { finishedAt, tablesChecked, findings, tablesNotChecked, version } = check;
  return (
    <>
      {facts({
        'Latest check': <Outcome check={check} />,
        Checked: <Time value={finishedAt} stacked />,
        'Tables checked': formatCount(tablesChecked),
        'By version': version,
      })}
      {findings.length > 0 && (
        <Table
          label="What is wrong with the isolation of tenants"
          columns={columns}
          rows={findings}
          rowKey={({ table, problem }) => `${table} ${problem}`}
        />
      )}
      {tablesNotChecked.length > 0 && (
        <Notice tone="warn" title="Not every table could be checked">
          They were locked, or the time ended: {tablesNotChecked.join(', ')}
        </Notice>
      )}
    </>
  );
}
