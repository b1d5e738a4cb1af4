import type { PipeTransform } from '@nestjs/common';
import { notFound } from '@spooled/domain';

/** `@Param('name', nameOf('Queue')) name: string`: a name that PostgreSQL cannot store is unknown, so it is 404. */
export const nameOf = (what: string): PipeTransform<string, string> => ({
  transform(name) {
    if (name.includes('\0')) throw notFound(what);
    return name;
  },
});
