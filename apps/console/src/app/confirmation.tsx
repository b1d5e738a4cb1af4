import { type LinkProps, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { refresh, type Views } from '../api/refresh';
import { FormDialog, type FormDialogProps } from '../ui/dialog';

interface Confirmation extends Pick<FormDialogProps, 'title' | 'act' | 'danger' | 'typed'> {
  /** What it does and leaves as it is. */
  about: ReactNode;
  run(): Promise<unknown>;
  /** The views that it changes. */
  views: Views[];
  /** Told when it has succeeded. */
  done: string;
  /** The screen that shows then, where the present one is of something that is gone. */
  to?: LinkProps['to'];
}

/** A dialog that asks before it does one thing. @param of what it asks about something */
export const confirmation = <Of extends object>(of: (subject: Of) => Confirmation) =>
  function ConfirmationDialog(props: Of & { onClose(): void }) {
    const { about, run, views, done, to, ...dialog } = of(props);
    const navigate = useNavigate();
    const act = async () => {
      await run();
      if (to) await navigate({ to });
      await refresh(...views);
      return done;
    };
    return (
      <FormDialog {...dialog} onClose={props.onClose} onAct={act}>
        {typeof about === 'string' ? <p>{about}</p> : about}
      </FormDialog>
    );
  };
