import type { PipeTransform } from '@nestjs/common';
import { isUuid, notFound } from '@spooled/domain';

/** `@Param('id', idOf('Job')) id: string`: an id that is not a UUID is unknown, so it is 404. */
export const idOf = (what: string): PipeTransform<string, string> => ({
  transform(id) {
    if (!isUuid(id)) throw notFound(what);
    return id.toLowerCase();
  },
});
