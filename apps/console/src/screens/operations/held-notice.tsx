import type { Operation } from '@spooled/sdk/browser';
import { useState } from 'react';
import { useOperatorRefusal } from '../../app/use-refusal';
import { undo } from '../../parts/held-operations';
import { ActButton } from '../../ui/act-button';
import { useNow } from '../../ui/clock';
import { formatDuration, formatJobs } from '../../ui/format';
import { Notice } from '../../ui/notice';

/** An operation that has not begun: how long it can be undone. */
export function HeldNotice({ operation: { id, startsAt, total } }: { operation: Operation }) {
  const refused = useOperatorRefusal();
  const [busy, setBusy] = useState(false);
  const now = useNow();
  const left = startsAt === null ? 0 : Math.max(0, Math.ceil((new Date(startsAt).getTime() - now) / 1_000));
  const press = async () => {
    setBusy(true);
    await undo(id);
    setBusy(false);
  };
  return (
    <Notice
      tone="warn"
      title={left === 0 ? 'It begins now' : `It begins in ${left < 60 ? `${left} s` : formatDuration(left * 1_000)}`}
      action={
        <ActButton refused={refused} variant="primary" isDisabled={busy} onPress={() => void press()}>
          Undo
        </ActButton>
      }
    >
      {total === null ? 'Many jobs matched' : `${formatJobs(total)} matched`} when it was requested. Until it begins
      nothing is changed.
    </Notice>
  );
}
