import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button, IconButton } from './button';
import styles from './dialog.module.css';
import { explainFailedAct, mayBeDone } from './error-text';
import { TextField } from './field';
import { Notice } from './notice';
import { toast } from './toast';

interface DialogProps {
  title: string;
  onClose(): void;
  size?: 'm' | 'l';
  children: ReactNode;
}

/** A window over the page that holds the focus until it is closed; Escape closes it. */
export function Dialog({ title, onClose, size = 'm', children }: DialogProps) {
  useEffect(() => keepFocusInPage, []);
  return (
    <ModalOverlay isOpen isDismissable className={styles.overlay} onOpenChange={(open) => open || onClose()}>
      <Modal className={size === 'l' ? styles.large : styles.medium}>
        <AriaDialog className={styles.dialog}>
          <div className={styles.head}>
            <Heading slot="title" className={styles.title}>
              {title}
            </Heading>
            <IconButton label="Close" icon="close" onPress={onClose} />
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/**
 * The button that opened a dialog may be gone with the row of what the dialog has deleted: with the dialog, or when the page has
 * read its list again. Without it the focus would be nowhere.
 */
function keepFocusInPage(): void {
  const focusMain = () => {
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  };
  // React Aria gives the focus back in the next frame.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      focusMain();
      const opener = document.activeElement;
      const changes = new MutationObserver(() => {
        if (opener?.isConnected) return;
        changes.disconnect();
        focusMain();
      });
      changes.observe(document.body, { childList: true, subtree: true });
      document.addEventListener('focusin', () => changes.disconnect(), { once: true });
    }),
  );
}

export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);

/** A long form scrolls below its buttons, where an error would not be seen. */
const showAtOnce = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'center' });

export interface FormDialogProps extends DialogProps {
  /** On the button that does it. */
  act: string;
  danger?: boolean;
  /** The user has to type this word first. */
  typed?: string;
  disabled?: boolean;
  /** The dialog closes when this has succeeded, and tells the text that it returns; a failure is shown in it. */
  onAct(): string | void | Promise<string | void>;
}

/** While a dialog works, the page may take it away. */
function useIsOpen(): RefObject<boolean> {
  const isOpen = useRef(true);
  useEffect(() => () => void (isOpen.current = false), []);
  return isOpen;
}

/** A dialog that does one thing. */
export function FormDialog({ act, danger, typed, disabled, onAct, children, ...dialog }: FormDialogProps) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isOpen = useIsOpen();
  const wasLeft = useRef(false);
  const leave = () => {
    wasLeft.current = true;
    dialog.onClose();
  };
  const ready = !busy && !disabled && (typed === undefined || text === typed);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      const done = await onAct();
      if (done !== undefined) toast.done(done);
      // By now the user may have opened another dialog in its place.
      if (!wasLeft.current) dialog.onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
      if (!isOpen.current) toast.failed(dialog.title, failure);
    }
  };
  return (
    <Dialog {...dialog} onClose={leave}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void run();
        }}
      >
        {children}
        {typed !== undefined && (
          <TextField label={`Type "${typed}" to confirm`} value={text} onChange={setText} autoComplete="off" />
        )}
        {error !== null && (
          <div role="alert" ref={showAtOnce}>
            <Notice tone="danger" title={mayBeDone(error) ? 'This may have been done or not' : 'This did not work'}>
              {explainFailedAct(error)}
            </Notice>
          </div>
        )}
        <DialogActions>
          <Button onPress={leave}>Cancel</Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} isDisabled={!ready}>
            {busy ? 'Working…' : act}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
