/** The code of a one-time link, taken from the address at once so that it stays in no history and no screenshot. */
let code = takeFromAddress();

function takeFromAddress(): string | null {
  const { pathname, search, hash } = window.location;
  const found = new URLSearchParams(hash.slice(1)).get('code');
  if (found !== null) window.history.replaceState(window.history.state, '', pathname + search);
  return found;
}

/** The code, once: it is valid for one sign-in. */
export function takeLoginCode(): string | null {
  const taken = code;
  code = null;
  return taken;
}
