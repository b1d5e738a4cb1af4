/**
 * The path, query and fragment of a page that a sign-in was asked to lead to; null for what is no page of the console, and for the
 * page of the sign-in itself.
 * @param basepath where the console is, such as `/console`
 */
export function pageAddress(basepath: string, page: string): string | null {
  // As the browser reads it: `/../x` leaves the console, and a backslash is a slash. Without URL.parse, which Safari 17 lacks.
  const address = [basepath + page, 'http://console'] as const;
  const url = URL.canParse(...address) ? new URL(...address) : null;
  const path = url?.pathname.startsWith(`${basepath}/`) ? url.pathname.slice(basepath.length) : '//';
  return path.startsWith('//') || path === '/login' ? null : url!.href.slice(url!.origin.length);
}
