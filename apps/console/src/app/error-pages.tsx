import { SpooledError } from '@spooled/sdk/browser';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from '../ui/button';
import { explainError } from '../ui/error-text';
import { retryMs } from '../ui/retry-ms';
import styles from './error-pages.module.css';
import { isLoadError } from './load-error';

export const NotFoundPage = () => (
  <main className={styles.page}>
    <h1>Page not found</h1>
    <p>There is no screen with this address.</p>
    <Link to="/">Go to the start</Link>
  </main>
);

export const ErrorPage = (props: ErrorComponentProps) =>
  isLoadError(props.error) ? <LoadFailed /> : <ScreenFailed {...props} />;

/** The browser keeps what it failed to import, so only a new page can show the screen. */
function LoadFailed() {
  useEffect(() => window.loadConsoleAgain(), []);
  return (
    <main className={styles.page}>
      <h1>This screen could not be loaded</h1>
      <p role="alert">
        A file of it did not arrive: the server may be restarting, or be updated. The page is loaded again by itself
        once the server answers.
      </p>
      <Button onPress={() => window.location.reload()}>Load it now</Button>
    </main>
  );
}

function ScreenFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  const isOfServer = error instanceof SpooledError;
  useEffect(() => {
    if (!isOfServer) return;
    const timer = setTimeout(retry, retryMs);
    return () => clearTimeout(timer);
  });
  return (
    <main className={styles.page}>
      <h1>{isOfServer ? 'The server did not answer this page' : 'This page failed'}</h1>
      <p role="alert">{explainError(error)}</p>
      {isOfServer && <p>It is asked again every {retryMs / 1_000} seconds.</p>}
      <Button onPress={retry}>Try again</Button>
    </main>
  );
}
