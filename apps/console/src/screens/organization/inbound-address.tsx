import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { Loaded } from '../../ui/loaded';
import { Fact, Facts, Section } from '../../ui/page';
import { RenewTokenDialog } from './organization-dialogs';
import common from '../../ui/common.module.css';
import styles from './organization.module.css';
import { webhookTokenQuery } from './queries';

/** Where others send webhooks, with the token that they need. The token is read only when it is asked for. */
export function InboundAddress() {
  const [shows, setShows] = useState(false);
  const [renews, setRenews] = useState(false);
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
        <Address onRenew={() => setRenews(true)} />
      ) : (
        <p className={common.muted}>Others create jobs by calling an address with a token, which is a secret.</p>
      )}
      {renews && <RenewTokenDialog onClose={() => setRenews(false)} />}
    </Section>
  );
}

function Address({ onRenew }: { onRenew(): void }) {
  const query = useQuery(webhookTokenQuery);
  return (
    <Loaded query={query}>
      {({ webhookUrl, token }) => (
        <>
          <Facts>
            <Fact name="Address">
              <code>{webhookUrl}</code>
            </Fact>
            <Fact name="Token">
              <code>{token}</code>
            </Fact>
          </Facts>
          <div className={styles.acts}>
            <CopyButton label="Token" text={token} />
            <Button onPress={onRenew}>New token…</Button>
          </div>
        </>
      )}
    </Loaded>
  );
}
