import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { holdSeconds, showHeld } from '../../parts/held-operations';
import { FormDialog } from '../../ui/dialog';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { formatFound } from '../../ui/format';
import { type DeadLetterSelection, purgePreviewQuery } from './queries';

interface PurgeDialogProps {
  /** What is deleted, in words. */
  name: string;
  selection: DeadLetterSelection;
  onClose(): void;
}

/** Deletes dead letters: counted first, confirmed by typing. */
export function PurgeDialog({ name, selection, onClose }: PurgeDialogProps) {
  const navigate = useNavigate();
  const preview = useQuery(purgePreviewQuery(selection));
  const purge = async () => {
    const operation = await api.jobs.deadLetters.purgeAll({ ...selection, holdSeconds });
    showHeld(operation, (amount) => `${amount} will be purged`);
    await Promise.all([
      navigate({ to: '/operations/$id', params: { id: operation.id } }),
      refresh('failures', 'jobs', 'operations'),
    ]);
  };
  return (
    <FormDialog
      title={`Purge ${name}`}
      act={preview.data ? `Purge ${formatFound(preview.data)}` : 'Purge'}
      danger
      typed="purge"
      disabled={!preview.data?.count}
      onClose={onClose}
      onAct={purge}
    >
      <Loaded query={preview} lines={1}>
        {(found) => (
          <Notice tone={found.count === 0 ? 'neutral' : 'danger'} title={`${formatFound(found)} would be deleted`}>
            Deleted jobs cannot be brought back once it has begun, 10 s from now. Only dead letters that exist now are
            taken.
          </Notice>
        )}
      </Loaded>
    </FormDialog>
  );
}
