import { useEffect, useState } from 'react';
import { takeLoginCode } from '../../app/login-code';
import { keepNextPage, takeNextPage, takeSignInCallback } from '../../app/sign-in-callback';
import { Button } from '../../ui/button';
import { explainError } from '../../ui/error-text';
import { SelectField, TextField } from '../../ui/field';
import { Notice } from '../../ui/notice';
import styles from './login-screen.module.css';
import { loginRoute } from '../../app/screens';
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  beginSignIn,
  previewLogin,
  type Session,
  sessionQuery,
  type SignIn,
  signIn,
  signInOptionsQuery,
} from '../../api/session';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { roleNames } from '../../parts/roles';
import { loadFresh } from '../../app/load-fresh';
import { pageAddress } from '../../app/next-page';

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
        <div role="alert">
          <Notice tone="info" title="Your session has ended">
            Sign in again to continue where you were.
          </Notice>
        </div>
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

/** Leads to the provider of OpenID Connect, if the server has one. */
function ProviderSignIn() {
  const { next, organization } = loginRoute.useSearch();
  const { data: options } = useQuery(signInOptionsQuery);
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => beginSignIn(organization),
    onSuccess: ({ url }) => {
      keepNextPage(next);
      window.location.assign(url);
    },
  });
  if (!options?.provider) return null;
  return (
    <>
      <Button variant="primary" isDisabled={isPending || isSuccess} onPress={() => mutate()}>
        {`Sign in with ${options.provider}`}
      </Button>
      {error && <SignInError error={error} />}
    </>
  );
}

/** Ends a sign-in with what the provider sent the browser back with. */
function SignInCallback({ callback, onBack }: { callback: string; onBack(): void }) {
  const { mutate, error } = useSignIn();
  useEffect(() => mutate({ callback }), [mutate, callback]);
  return (
    <section className={styles.card} aria-label="Sign-in">
      <div className={styles.brand}>
        <img src="/console/icon.svg" alt="" width={32} height={32} />
        <h1>{error ? 'Sign in to Spooled' : 'Signing in…'}</h1>
      </div>
      {error && (
        <>
          <SignInError error={error} />
          <Button onPress={onBack}>Back to sign-in</Button>
        </>
      )}
    </section>
  );
}

/** Asks before a one-time link signs in: the sender of a link must not choose the organization that its reader works in. */
function LoginLink({ code, onDecline }: { code: string; onDecline(): void }) {
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

/** Begins a session and leads to the page that was asked for. */
function useSignIn() {
  const router = useRouter();
  const { next } = loginRoute.useSearch();
  return useMutation({
    mutationFn: (credential: SignIn) => signIn(credential),
    onSuccess: () => {
      const kept = takeNextPage();
      loadFresh(pageAddress(router.basepath, next ?? kept ?? '') ?? `${router.basepath}/`);
      // Pending until the page is replaced.
      return new Promise(() => undefined);
    },
  });
}

/** Why a sign-in failed, read out at once. */
const SignInError = ({ error }: { error: Error }) => (
  <div role="alert">
    <Notice tone="danger" title="Sign-in failed">
      {explainError(error)}
    </Notice>
  </div>
);
