import type { Operation } from '@spooled/sdk/browser';
import { api } from '../../api/client';
import { refresh } from '../../api/refresh';
import { FormDialog } from '../../ui/dialog';
import { formatAmount } from '../../parts/operation-names';
import { toast } from '../../ui/toast';

/** Ends an operation early. What it has done stays done. */
export function CancelOperationDialog({ operation, onClose }: { operation: Operation; onClose(): void }) {
  const cancel = async () => {
    const { reason } = await api.operations.cancel(operation.id);
    await refresh('operations', 'jobs', 'failures');
    toast.done(reason ?? 'The operation is cancelled');
  };
  return (
    <FormDialog title="Cancel this operation" act="Cancel the operation" danger onClose={onClose} onAct={cancel}>
      <p>
        It ends after the step in progress. What it has changed by then stays changed, now{' '}
        {formatAmount(operation, operation.processed - operation.refused)}; the others are not touched.
      </p>
    </FormDialog>
  );
}
