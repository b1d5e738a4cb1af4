import { exactDocument, JsonDocument, readShortJson } from '@spooled/contracts';
import { invalidField, SpooledError } from '@spooled/domain';
import { nextTurn } from '@spooled/platform';
import { longBodyBytes, readJson } from '@spooled/service';

/**
 * Reads the JSON texts of one message, of which each keeps the digits of its numbers (BX-13). After every 128 KB it continues in
 * another turn of the event loop.
 */
export class DocumentReader {
  private bytesOfTurn = 0;
  private bytes = 0;

  /** @throws SpooledError 400 for text that is no JSON document, named by `field` */
  async read(bytes: Buffer, field: string): Promise<JsonDocument> {
    if (bytes.length === 0) throw invalidField(field, 'is required');
    this.bytes += bytes.length;
    this.bytesOfTurn += bytes.length;
    if (this.bytesOfTurn >= longBodyBytes) {
      this.bytesOfTurn = 0;
      await nextTurn();
    }
    const document = await this.parse(bytes, field);
    if (document.problem !== null) throw invalidField(field, document.problem);
    return document;
  }

  /** Null for no bytes and for `null`. @throws SpooledError 400 as `read` */
  async readOptional(bytes: Buffer, field: string): Promise<JsonDocument | null> {
    if (bytes.length === 0) return null;
    const document = await this.read(bytes, field);
    return document.value === null ? null : document;
  }

  /** Continues in another turn if the documents are long: what comes next goes through all of them. */
  async pause(): Promise<void> {
    if (this.bytes >= longBodyBytes) await nextTurn();
  }

  private async parse(bytes: Buffer, field: string): Promise<JsonDocument> {
    try {
      const isLong = bytes.length >= longBodyBytes;
      const { text, value, hasInexactNumbers } = isLong ? await readJson(bytes) : readShortJson(bytes);
      return hasInexactNumbers ? exactDocument(text, value) : new JsonDocument(value);
    } catch (error) {
      if (error instanceof SpooledError && error.code === 'INVALID_JSON')
        throw invalidField(field, error.details?.body ?? 'is not valid JSON');
      throw error;
    }
  }
}
