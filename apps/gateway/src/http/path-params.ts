import type { PipeTransform } from '@nestjs/common';
import { isUuid, notFound } from '@spooled/domain';

/** `@Param('id', idParam('Job')) id: string`: an id that is not a UUID is unknown, so it is 404. */
export const idParam = (what: string): PipeTransform<string, string> => ({
  transform(id) {
    if (!isUuid(id)) throw notFound(what);
    return id.toLowerCase();
  },
});

/** `@Param('name', nameParam('Queue')) name: string`: a name that PostgreSQL cannot store is unknown, so it is 404. */
export const nameParam = (what: string): PipeTransform<string, string> => ({
  transform(name) {
    if (name.includes('\0')) throw notFound(what);
    return name;
  },
});
