import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServedDocument } from './served-documents.js';

/** A form of the OpenAPI document as it is sent, with its `ETag`. */
export interface ApiDocument {
  bytes: Buffer;
  /** Weak: it is the same for each encoding. */
  etag: string;
}

/** The OpenAPI document in the forms that the build has put beside the bundle. Each is read on first use, and kept. */
@Injectable()
export class ApiDescription {
  private readonly documents = new Map<ServedDocument, Promise<ApiDocument>>();
  /** Specs, which run sources, set another one. */
  read = (name: ServedDocument): Promise<Buffer> => readFile(new URL(name, import.meta.url));

  get(name: ServedDocument): Promise<ApiDocument> {
    const kept = this.documents.get(name);
    if (kept) return kept;
    const opened = this.open(name);
    this.documents.set(name, opened);
    opened.catch(() => this.documents.delete(name));
    return opened;
  }

  private async open(name: ServedDocument): Promise<ApiDocument> {
    const bytes = await this.read(name);
    return { bytes, etag: `W/"${createHash('sha256').update(bytes).digest('base64url')}"` };
  }
}
