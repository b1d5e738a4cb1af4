import type { ResponseBody } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useSession } from '../../app/use-session';
import { FormDialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { formatCount, formatRate } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Fact, Facts } from '../../ui/page';
import { toast } from '../../ui/toast';
import { refreshKeys } from '../keys/queries';
import { producerKeyQuery } from './queries';

type ApiKey = ResponseBody<'GET /api/v1/api-keys/{id}'>;

interface LimitKeyDialogProps {
  id: string;
  name: string;
  /** What it creates in the queue, in jobs per second. */
  perSecond: number;
  share: number;
  onClose(): void;
}

/** Limits the requests of a key that floods a queue. */
export function LimitKeyDialog({ id, name, perSecond, share, onClose }: LimitKeyDialogProps) {
  const key = useQuery(producerKeyQuery(id));
  const [limit, setLimit] = useState('');
  const perMinute = Number(limit);
  const save = async () => {
    await api.apiKeys.update(id, { rateLimit: perMinute });
    await refreshKeys();
    toast.done(`${name} may send ${formatCount(perMinute)} requests per minute`);
  };
  return (
    <FormDialog
      title={`Limit ${name}`}
      act="Set the limit"
      disabled={!key.data?.isActive || limit === '' || !(perMinute >= 1)}
      onClose={onClose}
      onAct={save}
    >
      <Facts>
        <Fact name="Creates in this queue">
          {formatRate(perSecond * 3_600)}, {Math.round(share * 100)} % of its jobs
        </Fact>
        <Fact name="Present limit">{key.data ? limitOf(key.data) : '…'}</Fact>
      </Facts>
      <Loaded query={key} lines={1}>
        {(loaded) => <Remarks apiKey={loaded} />}
      </Loaded>
      <TextField
        label="Requests per minute"
        type="number"
        min={1}
        max={10_000}
        value={limit}
        onChange={setLimit}
        hint="A request may create up to 100 jobs. A limit can be changed later, but not removed."
      />
    </FormDialog>
  );
}

const limitOf = ({ rateLimit }: ApiKey): string =>
  rateLimit === null ? 'Only that of the plan' : `${formatCount(rateLimit)} requests per minute`;

function Remarks({ apiKey: { id, isActive } }: { apiKey: ApiKey }) {
  const session = useSession();
  if (!isActive) return <Notice title="This key is revoked">Its requests are refused already.</Notice>;
  return (
    <>
      <p>
        Requests above the limit are refused with status 429, and well-behaved clients send them again later. All
        requests of the key count, also those of workers that use it.
      </p>
      {session.apiKey?.id === id && (
        <Notice tone="warn" title="This is the key of your own session">
          The console has a limit of its own, so this page goes on.
        </Notice>
      )}
    </>
  );
}
