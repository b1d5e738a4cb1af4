import { type ReactNode, useState } from 'react';
import { Button } from './button';
import { CopyButton } from './copy-button';
import { Dialog, DialogActions } from './dialog';
import { TextField } from './field';
import { Notice } from './notice';

interface SecretDialogProps {
  title: string;
  /** What the secret is, such as `API key`. */
  label: string;
  secret: string;
  /** What it is for. */
  hint: string;
  onClose(): void;
}

/** A window for a new secret, and what opens it. */
export function useSecretDialog(
  texts: Omit<SecretDialogProps, 'secret' | 'onClose'>,
): [dialog: ReactNode, show: (secret: string) => void] {
  const [secret, show] = useState<string | null>(null);
  return [secret !== null && <SecretDialog {...texts} secret={secret} onClose={() => show(null)} />, show];
}

/** Shows a new secret, once: nobody can read it later. */
function SecretDialog({ title, label, secret, hint, onClose }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Notice tone="warn" title="It is shown only now">
        Store it before you close this window. If it is lost, make another.
      </Notice>
      <TextField label={label} value={secret} hint={hint} onChange={() => undefined} />
      <DialogActions>
        <CopyButton label={label} text={secret} />
        <Button variant="primary" onPress={onClose}>
          I have stored it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
