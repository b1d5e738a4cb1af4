import type { QueueExplanation } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayOperate } from '../../api/session';
import { useSession } from '../../app/use-session';
import { Button } from '../../ui/button';
import { formatDuration } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Fact, Facts, Section } from '../../ui/page';
import { causeReportWords, readCauseReports } from './cause-reports';
import { CauseReportsDialog } from './cause-reports-dialog';
import { queueQuery, settingsOf } from './queries';
import { SettingsDialog } from './settings-dialog';

export function QueueSettings({ name, explanation }: { name: string; explanation: QueueExplanation | undefined }) {
  const query = useQuery(queueQuery(name));
  const session = useSession();
  const [dialog, setDialog] = useState<'settings' | 'reports' | null>(null);
  const close = () => setDialog(null);
  return (
    <Section
      title="Settings"
      aside={
        mayOperate(session) &&
        query.data && (
          <>
            <Button size="s" onPress={() => setDialog('reports')}>
              Report failures…
            </Button>
            <Button size="s" onPress={() => setDialog('settings')}>
              Change settings
            </Button>
          </>
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
              <Fact name="Causes of failures are reported">
                {causeReportWords(readCauseReports(settings.settings))}
              </Fact>
              {settings.receiver && <Fact name="Receiver">{receiverStates[settings.receiver.state]}</Fact>}
            </Facts>
            {dialog === 'settings' && <SettingsDialog settings={settings} explanation={explanation} onClose={close} />}
            {dialog === 'reports' && <CauseReportsDialog settings={settings} onClose={close} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

const receiverStates = { closed: 'Responds', open: 'Does not respond; calls wait', unknown: 'Unknown' } as const;
