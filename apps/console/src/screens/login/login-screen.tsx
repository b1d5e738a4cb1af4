import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type SignIn, sessionQuery, signIn } from '../../api/session';
import { takeLoginCode } from '../../app/login-code';
import { Button } from '../../ui/button';
import { explainError } from '../../ui/error-text';
import { SelectField, TextField } from '../../ui/field';
import { Notice } from '../../ui/notice';
import styles from './login-screen.module.css';
import { loginRoute } from './route';

type Kind = 'apiKey' | 'adminKey';

const kinds = [
  { value: 'apiKey', label: 'API key of an organization' },
  { value: 'adminKey', label: "Administrator's key" },
] as const;

/** Sign-in by key, or by the code of a one-time link, which `npm start` prints. */
export function LoginScreen() {
  const { reason } = loginRoute.useSearch();
  const { mutate, isPending, error, reset } = useSignIn();
  const [kind, setKind] = useState<Kind>('apiKey');
  const [secret, setSecret] = useState('');
  useEffect(() => {
    document.title = 'Sign in · Spooled';
    const code = takeLoginCode();
    if (code !== null) mutate({ code });
  }, [mutate]);
  return (
    <main className={styles.page}>
      <form
        className={styles.card}
        onSubmit={(event) => {
          event.preventDefault();
          mutate({ [kind]: secret.trim() });
        }}
      >
        <div className={styles.brand}>
          <img src="/console/icon.svg" alt="" width={32} height={32} />
          <h1>Sign in to Spooled</h1>
        </div>
        {reason === 'ended' && !error && (
          <Notice tone="info" title="Your session has ended">
            Sign in again to continue where you were.
          </Notice>
        )}
        <SelectField<Kind> label="Sign in with" value={kind} onChange={setKind} choices={kinds} />
        <TextField
          label={kind === 'apiKey' ? 'API key' : "Administrator's key"}
          type="password"
          autoComplete="off"
          value={secret}
          onChange={(value) => {
            setSecret(value);
            reset();
          }}
          error={error && `Sign-in failed. ${explainError(error)}`}
          hint="The browser keeps a session in a cookie that scripts cannot read, not the key."
          required
        />
        <Button type="submit" variant="primary" isDisabled={isPending || secret.trim() === ''}>
          {isPending ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
    </main>
  );
}

function useSignIn() {
  const client = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  const { next } = loginRoute.useSearch();
  return useMutation({
    mutationFn: (credential: SignIn) => signIn(credential),
    onSuccess: async (session) => {
      // What another user has seen must not show.
      client.clear();
      client.setQueryData(sessionQuery.queryKey, session);
      if (isInside(next)) router.history.replace(router.basepath + next);
      else await navigate({ to: '/', replace: true });
    },
  });
}

/** A path of the console, and no address of another server. */
const isInside = (path: string | undefined): path is string => path !== undefined && /^\/(?![/\\])/.test(path);
