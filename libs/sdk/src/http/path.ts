import { ValidationError } from './errors.js';

/** What URLs leave out of a path, also when it is escaped. */
const noSegments: ReadonlySet<string | undefined> = new Set([undefined, '', '.', '..']);

/**
 * A name or id as a segment of a path.
 * @throws ValidationError for one without which the path is that of another route: `PUT /queues/./config` changes the queue `config`
 */
function segment(name: string, value: string | undefined): string {
  if (!noSegments.has(value)) return encodeURIComponent(value!);
  const problem = value ? `must not be "${value}"` : 'must not be empty';
  throw new ValidationError(`${name}: ${problem}`, 400, 'VALIDATION_ERROR', { [name]: problem });
}

/** The path of a route. @param template such as `/api/v1/queues/{name}` @throws ValidationError as `segment` */
export const pathOf = (template: string, params: Record<string, string>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]));
