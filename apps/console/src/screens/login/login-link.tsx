import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { previewLogin, type Session, sessionQuery } from '../../api/session';
import { roleNames } from '../../parts/roles';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import styles from './login-screen.module.css';
import { SignInError } from './sign-in-error';
import { useSignIn } from './use-sign-in';

/** Asks before a one-time link signs in: the sender of a link must not choose the organization that its reader works in. */
export function LoginLink({ code, onDecline }: { code: string; onDecline(): void }) {
  const navigate = useNavigate();
  const { mutate: show, data: preview, error: unknown } = useMutation({ mutationFn: previewLogin });
  const { mutate, isPending, error: failed } = useSignIn();
  const { data: session } = useQuery(sessionQuery);
  useEffect(() => show(code), [show, code]);
  const decline = () => (session ? void navigate({ to: '/', replace: true }) : onDecline());
  const error = unknown ?? failed;
  return (
    <section className={styles.card} aria-label="Login link">
      <div className={styles.brand}>
        <img src="/console/icon.svg" alt="" width={32} height={32} />
        <h1>{preview ? `Sign in to ${preview.organization.name}?` : 'Sign in to Spooled'}</h1>
      </div>
      {preview && (
        <p>
          This link signs you in to the organization <strong>{preview.organization.name}</strong> (
          {preview.organization.slug}) with the key <strong>{preview.apiKey.name}</strong> ({roleNames[preview.role]}).
          Continue only if you expected it.
        </p>
      )}
      {session && (
        <Notice tone="warn" title={`You are signed in to ${nameOf(session)}`}>
          This link replaces that session in this browser.
        </Notice>
      )}
      {error && <SignInError error={error} />}
      {preview && !failed && (
        <Button variant="primary" isDisabled={isPending} onPress={() => mutate({ code })}>
          {isPending ? 'Signing in…' : `Sign in to ${preview.organization.name}`}
        </Button>
      )}
      <Button onPress={decline}>{session ? `Stay in ${nameOf(session)}` : 'Sign in with a key'}</Button>
    </section>
  );
}

const nameOf = ({ organization }: Session): string => organization?.name ?? 'the platform';
