import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from './button';

interface DialogOpener<Of> extends Pick<ButtonProps, 'variant' | 'size' | 'icon' | 'refused'> {
  label: string;
  /** Its properties are what it is about. */
  dialog(props: NoInfer<Of> & { onClose(): void }): ReactNode;
  /** Without its button, a dialog that is open stays. */
  shown?: boolean;
}

/** A button that opens a dialog. */
export function DialogButton<Of extends object>(props: DialogOpener<Of> & { of: Of }) {
  const { of, label, dialog: Dialog, shown = true, ...look } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {shown && (
        <Button {...look} onPress={() => setOpen(true)}>
          {label}
        </Button>
      )}
      {isOpen && <Dialog {...of} onClose={() => setOpen(false)} />}
    </>
  );
}

/** What can be done with something, each after a dialog. */
export const DialogButtons = <Of extends object>({ of, buttons }: { of: Of; buttons: readonly DialogOpener<Of>[] }) =>
  buttons.map((button) => <DialogButton key={button.label} of={of} {...button} />);
