import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { beginSignIn, signInOptionsQuery } from '../../api/session';
import { keepNextPage } from '../../app/sign-in-callback';
import { Button } from '../../ui/button';
import styles from './login-screen.module.css';
import { loginRoute } from './route';
import { SignInError } from './sign-in-error';
import { useSignIn } from './use-sign-in';

/** Leads to the provider of OpenID Connect, if the server has one. */
export function ProviderSignIn() {
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
export function SignInCallback({ callback, onBack }: { callback: string; onBack(): void }) {
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
