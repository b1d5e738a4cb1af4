import { Injectable } from '@nestjs/common';
import type { organizationSchemas } from '@spooled/contracts';
import { Database, findNamesInUse } from '@spooled/data-access';
import { numberedSlug, slugFrom, slugProblem } from '@spooled/domain';

/** Number of variants of a used slug that one query checks. */
const variants = 20;

/** Checks slugs and generates unused ones. */
@Injectable()
export class SlugsService {
  constructor(private readonly database: Database) {}

  async check(slug: string): Promise<organizationSchemas.SlugCheck> {
    const problem = slugProblem(slug);
    if (problem) {
      const suggestion = await this.generate(slug);
      return { slug, available: false, valid: false, error: `Slug ${problem}`, suggestion };
    }
    const { slugs } = await findNamesInUse(this.database, [slug]);
    if (slugs.length === 0) return { slug, available: true, valid: true };
    const suggestion = await this.generate(slug);
    return { slug, available: false, valid: true, error: 'Slug is already in use', suggestion };
  }

  /** Generates an unused slug from any text. */
  async generate(name: string): Promise<string> {
    const slug = slugFrom(name);
    const candidates = [slug, ...Array.from({ length: variants }, (_, i) => numberedSlug(slug, i + 2))];
    const taken = new Set((await findNamesInUse(this.database, candidates)).slugs);
    // If all variants are used, a random number from a wide range is almost certainly unused.
    return (
      candidates.find((one) => !taken.has(one)) ?? numberedSlug(slug, 1000 + Math.floor(Math.random() * 9_000_000))
    );
  }
}
