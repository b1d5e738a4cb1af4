declare global {
  interface Window {
    /** Of `public/recover.js`: loads the page again once the server answers. @returns a function that stops it */
    loadConsoleAgain(): () => void;
  }
}

const loadErrors = new WeakSet<Error>();

window.addEventListener('vite:preloadError', ({ payload }) => {
  loadErrors.add(payload);
  // The router reloads the page for the message of the browser, also while no server answers.
  payload.message = 'A file of the console did not arrive';
});

/** Whether the files of a screen did not arrive: the page is older than the release of the server, or no server answers. */
export const isLoadError = (error: unknown): boolean => error instanceof Error && loadErrors.has(error);
