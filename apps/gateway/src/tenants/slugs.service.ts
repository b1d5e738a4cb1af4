import { Injectable } from '@nestjs/common';
import type { organizationSchemas } from '@spooled/contracts';
import { Database, findTakenNames } from '@spooled/data-access';
import { numberedSlug, slugFrom, slugProblem } from '@spooled/domain';

/** How many numbered variants of a taken slug are looked at in one go. */
const variants = 20;

/** Finds slugs that nobody has. */
@Injectable()
export class SlugsService {
  constructor(private readonly database: Database) {}

  async check(slug: string): Promise<organizationSchemas.SlugCheck> {
    const problem = slugProblem(slug);
    if (problem) {
      const suggestion = await this.generate(slug);
      return { slug, available: false, valid: false, error: `Slug ${problem}`, suggestion };
    }
    const { slugs } = await findTakenNames(this.database, [slug]);
    if (slugs.length === 0) return { slug, available: true, valid: true };
    const suggestion = await this.generate(slug);
    return { slug, available: false, valid: true, error: 'Slug is already in use', suggestion };
  }

  /** A free slug made from any text. */
  async generate(name: string): Promise<string> {
    const slug = slugFrom(name);
    const candidates = [slug, ...Array.from({ length: variants }, (_, i) => numberedSlug(slug, i + 2))];
    const taken = new Set((await findTakenNames(this.database, candidates)).slugs);
    // Behind so many namesakes a number from a wide range is free for all practical purposes.
    return (
      candidates.find((one) => !taken.has(one)) ?? numberedSlug(slug, 1000 + Math.floor(Math.random() * 9_000_000))
    );
  }
}
