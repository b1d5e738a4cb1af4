import { useEffect, useState } from 'react';
import { takeLoginCode } from '../../app/login-code';
import { takeSignInCallback } from '../../app/sign-in-callback';
import { Button } from '../../ui/button';
import { explainError } from '../../ui/error-text';
import { SelectField, TextField } from '../../ui/field';
import { Notice } from '../../ui/notice';
import { LoginLink } from './login-link';
import styles from './login-screen.module.css';
import { ProviderSignIn, SignInCallback } from './provider-sign-in';
import { loginRoute } from './route';
import { useSignIn } from './use-sign-in';

type Kind = 'apiKey' | 'adminKey';

const kinds = [
  { value: 'apiKey', label: 'API key of an organization' },
  { value: 'adminKey', label: "Administrator's key" },
] as const;

/** Sign-in by key, by the code of a one-time link, which `npm start` prints, or at a provider. */
export function LoginScreen() {
  const [code, setCode] = useState(takeLoginCode);
  const [callback, setCallback] = useState(takeSignInCallback);
  useEffect(() => void (document.title = 'Sign in · Spooled'), []);
  return (
    <main className={styles.page}>
      {callback !== null ? (
        <SignInCallback callback={callback} onBack={() => setCallback(null)} />
      ) : code !== null ? (
        <LoginLink code={code} onDecline={() => setCode(null)} />
      ) : (
        <KeyForm />
      )}
    </main>
  );
}

function KeyForm() {
  const { reason } = loginRoute.useSearch();
  const { mutate, isPending, error, reset } = useSignIn();
  const [kind, setKind] = useState<Kind>('apiKey');
  const [secret, setSecret] = useState('');
  return (
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
      <ProviderSignIn />
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
  );
}
