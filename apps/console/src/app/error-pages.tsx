import { SpooledError } from '@spooled/sdk/browser';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { Button } from '../ui/button';
import { explainError } from '../ui/error-text';
import styles from './error-pages.module.css';

export const NotFoundPage = () => (
  <main className={styles.page}>
    <h1>Page not found</h1>
    <p>There is no screen with this address.</p>
    <Link to="/">Go to the start</Link>
  </main>
);

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  const isOfServer = error instanceof SpooledError;
  return (
    <main className={styles.page}>
      <h1>{isOfServer ? 'The server did not answer this page' : 'This page failed'}</h1>
      <p role="alert">{explainError(error)}</p>
      <Button onPress={retry}>Try again</Button>
    </main>
  );
}
