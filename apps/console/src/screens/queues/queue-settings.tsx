import type { QueueExplanation } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayOperate } from '../../api/session';
import { useSession } from '../../app/use-session';
import { Button } from '../../ui/button';
import { formatDuration } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Fact, Facts, Section } from '../../ui/page';
import { queueQuery, settingsOf } from './queries';
import { SettingsDialog } from './settings-dialog';

interface QueueSettingsProps {
  name: string;
  explanation: QueueExplanation | undefined;
}

export function QueueSettings({ name, explanation }: QueueSettingsProps) {
  const query = useQuery(queueQuery(name));
  const session = useSession();
  const [edits, setEdits] = useState(false);
  return (
    <Section
      title="Settings"
      aside={
        mayOperate(session) &&
        query.data && (
          <Button size="s" onPress={() => setEdits(true)}>
            Change settings
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(settings) => (
          <>
            <Facts>
              <Fact name="Retries">{settings.maxRetries}</Fact>
              <Fact name="Timeout">{formatDuration(settings.defaultTimeout * 1000)}</Fact>
              <Fact name="Rate limit">{settings.rateLimit === null ? 'None' : `${settings.rateLimit} jobs/s`}</Fact>
              <Fact name="Concurrency">{settingsOf(settings).concurrency ?? 'No limit'}</Fact>
              {settings.receiver && <Fact name="Receiver">{receiverStates[settings.receiver.state]}</Fact>}
            </Facts>
            {edits && <SettingsDialog settings={settings} explanation={explanation} onClose={() => setEdits(false)} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

const receiverStates = { closed: 'Responds', open: 'Does not respond; calls wait', unknown: 'Unknown' } as const;
