// Loads the page again when a file of it is missing: a release has its own files, and during an update each request may reach another
// one. This file imports nothing, and its name is the same in every release.
(() => {
  const storageKey = 'spooled.loaded-again-at';
  const pauseMs = 10_000;

  function msUntilReload() {
    try {
      return Math.min(pauseMs, Number(sessionStorage.getItem(storageKey)) + pauseMs - Date.now());
    } catch {
      // Storage may be forbidden.
      return pauseMs;
    }
  }

  function reload() {
    try {
      sessionStorage.setItem(storageKey, String(Date.now()));
    } catch {
      // Then each reload waits.
    }
    location.reload();
  }

  const serverAnswers = () =>
    fetch(location.pathname, { cache: 'no-store', signal: AbortSignal.timeout(pauseMs) }).then(
      ({ ok }) => ok,
      () => false,
    );

  /** Loads the page again as soon as the server answers: at once the first time, then every 10 s. Returns a function that stops it. */
  window.loadConsoleAgain = () => {
    let isStopped = false;
    const attempt = async () => {
      // Without an answer the browser would show a page of its own, which stays.
      const isThere = await serverAnswers();
      if (isStopped) return;
      if (isThere) reload();
      else timer = setTimeout(attempt, pauseMs);
    };
    let timer = setTimeout(attempt, Math.max(0, msUntilReload()));
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  };

  const element = (name, text, more = {}) =>
    Object.assign(document.createElement(name), { textContent: text, ...more });

  function explain() {
    const page = document.createElement('main');
    page.append(
      element('h1', 'The console could not be loaded'),
      element(
        'p',
        'A file of it did not arrive: the server may be restarting, or be updated. The page is loaded again by itself every 10 seconds.',
        { role: 'alert' },
      ),
      element('a', 'Load it now', { href: location.href }),
    );
    document.getElementById('root').append(page);
  }

  let hasFailed = false;
  // Errors of elements reach the window in the capturing phase alone. src/app/error-pages.tsx handles those of screens.
  window.addEventListener(
    'error',
    ({ target }) => {
      const isFile =
        target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel !== 'icon');
      if (!isFile || hasFailed || document.getElementById('root')?.hasChildNodes()) return;
      hasFailed = true;
      if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', explain, { once: true });
      else explain();
      window.loadConsoleAgain();
    },
    true,
  );
})();
