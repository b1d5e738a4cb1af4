import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { organizationQuery } from '../../api/organization';
import { useSession } from '../../app/use-session';
import { ManagersOnly } from '../../parts/managers-only';
import { mayManage } from '../../parts/roles';
import { Button } from '../../ui/button';
import { DialogButton } from '../../ui/dialog-buttons';
import { JsonSection } from '../../ui/json-tree';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { facts, Page, Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { HiddenValues } from './hidden-values';
import { ChangeOrganizationDialog, RenewTokenDialog } from './organization-dialogs';
import { type Member, membersQuery, webhookTokenQuery } from './queries';
import { CopyButton } from '../../ui/copy-button';
import common from '../../ui/common.module.css';
import styles from './organization.module.css';

/** The organization: its name, settings, inbound webhooks and members. */
export function OrganizationScreen() {
  const session = useSession();
  const id = session.organization!.id;
  const query = useQuery(organizationQuery(id));
  const may = mayManage(session);
  return (
    <Page
      title="Organization"
      actions={
        may &&
        query.data && (
          <DialogButton of={{ organization: query.data }} label="Change…" dialog={ChangeOrganizationDialog} />
        )
      }
    >
      <Loaded query={query} lines={5}>
        {(organization) => (
          <>
            {facts({
              Name: organization.name,
              Id: <code>{organization.id}</code>,
              'Short name': organization.slug,
              Plan: <Link to="/usage">{organization.planTier}</Link>,
              'E-mail for bills': organization.billingEmail ?? '–',
              Created: <Time value={organization.createdAt} stacked />,
            })}
            <JsonSection title="Settings" value={organization.settings} />
            <HiddenValues organization={organization} />
          </>
        )}
      </Loaded>
      {!query.isPending && (may ? <ManagedParts id={id} /> : <ManagersOnly what="Inbound webhooks and members" />)}
    </Page>
  );
}

/** They show when the parts above them have their height. */
const ManagedParts = ({ id }: { id: string }) => (
  <>
    <InboundAddress />
    <Members id={id} />
  </>
);

const columns: Column<Member>[] = [
  { title: 'Name', isRowHeader: true, cell: ({ name }) => name },
  { title: 'E-mail', cell: ({ email }) => email || '–' },
  { title: 'Role', cell: ({ role }) => (role === 'owner' ? 'Owner' : 'Member') },
  { title: 'Since', cell: ({ joinedAt }) => <Time value={joinedAt} /> },
];

const Members = ({ id }: { id: string }) => (
  <Section title="Members">
    <Loaded query={useQuery(membersQuery(id))}>
      {(members) => (
        <Table
          label="Members"
          columns={columns}
          rows={members}
          rowKey={(member) => member.id}
          empty={
            <Notice title="There are no members">
              People sign in with API keys. Give each of them a <Link to="/keys">key</Link> of their own.
            </Notice>
          }
        />
      )}
    </Loaded>
  </Section>
);

/** Where others send webhooks, with the token that they need. The token is read only when it is asked for. */
function InboundAddress() {
  const [shows, setShows] = useState(false);
  return (
    <Section
      title="Inbound webhooks"
      aside={
        <Button size="s" onPress={() => setShows(!shows)}>
          {shows ? 'Hide address and token' : 'Show address and token'}
        </Button>
      }
    >
      {shows ? (
        <Address />
      ) : (
        <p className={common.muted}>Others create jobs by calling an address with a token, which is a secret.</p>
      )}
    </Section>
  );
}

const Address = () => (
  <Loaded query={useQuery(webhookTokenQuery)}>
    {({ webhookUrl, token }) => (
      <>
        {facts({
          Address: <code>{webhookUrl}</code>,
          Token: <code>{token}</code>,
        })}
        <div className={styles.acts}>
          <CopyButton label="Token" text={token} />
          <DialogButton of={{}} label="New token…" dialog={RenewTokenDialog} />
        </div>
      </>
    )}
  </Loaded>
);
