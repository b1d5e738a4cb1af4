import type { ResponseBody } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actorName } from '../../parts/actor-name';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { formatCount } from '../../ui/format';
import { JsonTree } from '../../ui/json-tree';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { contractQuery, contractVersionsQuery } from './queries';

type Version = ResponseBody<'GET /api/v1/queues/{name}/payload-contract/versions'>['versions'][number];
type Sample = Version['violations']['samples'][number];

/** The payload contract of the queue: its versions, and which payloads violate the current one; nothing without a contract. */
export function QueueContract({ name }: { name: string }) {
  const { data: versions = [] } = useQuery(contractVersionsQuery(name));
  const [shown, show] = useState<number | null>(null);
  const current = versions.find(({ isCurrent }) => isCurrent);
  if (!current) return null;
  const schema: Column<Version> = {
    title: 'Schema',
    width: '6rem',
    cell: ({ version }) => (
      <Button size="s" onPress={() => show(version)} aria-label={`Show the schema of version ${version}`}>
        Show
      </Button>
    ),
  };
  return (
    <Section title="Payload contract">
      <Violations version={current} />
      <Table
        label="Versions of the contract"
        columns={[...columns, schema]}
        rows={versions}
        rowKey={({ version }) => String(version)}
      />
      {shown !== null && <SchemaDialog name={name} version={shown} onClose={() => show(null)} />}
    </Section>
  );
}

const modes = { reject: 'Refuses violations', warn: 'Counts violations' } as const;

const columns: Column<Version>[] = [
  {
    title: 'Version',
    isRowHeader: true,
    cell: ({ version, isCurrent }) => `${version}${isCurrent ? ', current' : ''}`,
  },
  { title: 'Mode', cell: ({ mode }) => <span title={mode}>{modes[mode]}</span> },
  { title: 'Since', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'By', cell: ({ createdBy }) => actorName(createdBy) },
  { title: 'Violations', numeric: true, cell: ({ violations }) => formatCount(violations.count) },
  { title: 'Last violation', cell: ({ violations }) => <Time value={violations.lastAt} /> },
];

/** Payloads that were accepted although they violate the current version, with the newest places and reasons. */
function Violations({ version: { version, violations } }: { version: Version }) {
  const { count, samples } = violations;
  if (count === 0) return null;
  const payloads = count === 1 ? '1 payload violates' : `${formatCount(count)} payloads violate`;
  return (
    <>
      <Notice tone="warn" title={`${payloads} version ${version}`}>
        They were accepted, because the mode of the contract is warn.
      </Notice>
      <Table
        label="Newest violations"
        columns={sampleColumns}
        rows={samples}
        rowKey={({ at, path, reason }) => [at, path, reason].join(' ')}
      />
    </>
  );
}

const sampleColumns: Column<Sample>[] = [
  { title: 'When', width: '13rem', cell: ({ at }) => <Time value={at} /> },
  { title: 'Place', isRowHeader: true, cell: ({ path }) => path },
  { title: 'Reason', width: '50%', cell: ({ reason }) => reason },
];

const SchemaDialog = ({ name, version, onClose }: { name: string; version: number; onClose(): void }) => (
  <Dialog title={`Version ${version} of the contract of ${name}`} size="l" onClose={onClose}>
    <Loaded query={useQuery(contractQuery(name, version))} lines={6}>
      {({ schema }) => <JsonTree label="Schema" value={schema} />}
    </Loaded>
  </Dialog>
);
