import type { AuditEntry } from '@spooled/sdk/browser';
import { Button } from '../ui/button';
import { Dialog, DialogActions } from '../ui/dialog';
import { JsonTree } from '../ui/json-tree';
import { Fact, Facts, TimeFact } from '../ui/page';
import { actorName } from './actor-name';
import common from '../ui/common.module.css';
import { auditWords } from './audit-words';

/** One entry: who, from where, and the members that changed. */
export const AuditEntryDialog = ({ entry, onClose }: { entry: AuditEntry; onClose(): void }) => (
  <Dialog title={auditWords(entry)} size="l" onClose={onClose}>
    <div className={common.detail}>
      <Facts>
        <TimeFact name="When" value={entry.at} />
        <Fact name="Action">
          <code>{entry.action}</code>
        </Fact>
        <Fact name="Who">{actorName(entry.actor)}</Fact>
        <Fact name="Id of who">{entry.actor?.id ?? '–'}</Fact>
        <Fact name="Target">{[entry.targetKind, entry.targetId].filter(Boolean).join(' ')}</Fact>
        <Fact name="Address">{entry.address ?? '–'}</Fact>
        <Fact name="Program">{entry.userAgent ?? '–'}</Fact>
        <Fact name="Organization">{entry.organizationId}</Fact>
      </Facts>
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
