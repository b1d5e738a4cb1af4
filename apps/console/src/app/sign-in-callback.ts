/** The query with which the provider sent the browser back, taken from the address at once so that it stays in no history. */
let callback = takeFromAddress();
const nextKey = 'spooled.sign-in.next';

function takeFromAddress(): string | null {
  const { pathname, search } = window.location;
  if (!pathname.endsWith('/login') || !new URLSearchParams(search).has('state')) return null;
  window.history.replaceState(window.history.state, '', pathname);
  return search.slice(1);
}

/** The query, once: it is valid for one sign-in. */
export function takeSignInCallback(): string | null {
  const taken = callback;
  callback = null;
  return taken;
}

/** Keeps the page that was asked for while the browser is at the provider. */
export function keepNextPage(next: string | undefined): void {
  if (next === undefined) sessionStorage.removeItem(nextKey);
  else sessionStorage.setItem(nextKey, next);
}

/** The page that `keepNextPage` kept, once. */
export function takeNextPage(): string | undefined {
  const next = sessionStorage.getItem(nextKey) ?? undefined;
  keepNextPage(undefined);
  return next;
}
