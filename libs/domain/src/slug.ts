/** Names reserved for routes, hosts and mail of an installation. */
const reserved = new Set(
  'admin api app auth dashboard docs help internal login logout metrics root settings signup status support system test www'.split(
    ' ',
  ),
);

const wellFormed = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const [shortest, longest] = [3, 50];

/** The problem with a slug, or null. */
export function slugProblem(slug: string): string | null {
  if (slug.length < shortest || slug.length > longest) return `must be ${shortest} to ${longest} characters`;
  if (!wellFormed.test(slug)) {
    return 'must hold lower-case letters and digits, separated by single hyphens, and begin with a letter';
  }
  return reserved.has(slug) ? 'is reserved' : null;
}

/** A slug made from any name: accents dropped, everything except letters and digits replaced by hyphens. */
export function slugFrom(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const joined = words.join('-');
  const led = /^[a-z]/.test(joined) ? joined : `org-${joined}`;
  const cut = led.slice(0, longest).replace(/-+$/, '');
  const slug = cut.length < shortest ? `${cut}-org` : cut;
  return slugProblem(slug) === null ? slug : `${slug}-org`;
}

/** The slug with a number appended, within the maximum length. */
export const numberedSlug = (slug: string, number: number): string => {
  const ending = `-${number}`;
  return slug.slice(0, longest - ending.length).replace(/-+$/, '') + ending;
};
