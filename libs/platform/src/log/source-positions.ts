import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

/** Source maps are kept in memory for this long after an error; parsed, that of the gateway takes 19 MB. */
const keptMs = 10_000;

/**
 * Replaces positions in bundled files by those in their sources, for stacks in logs and traces. Node's `--enable-source-maps` does the
 * same, but reads every map at the start and keeps it once an error has been created: 8 to 28 MB per service.
 */
export class SourcePositions {
  private readonly inBundle: RegExp;
  private readonly maps = new Map<string, SourceMap | null>();
  private expiry: NodeJS.Timeout | undefined;

  /** @param folder file URL of the folder with the bundled files and their maps, with a slash at the end */
  constructor(private readonly folder: string) {
    // RegExp.escape needs Node 24, and the published packages contain this.
    const escaped = folder.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
    this.inBundle = new RegExp(`${escaped}([\\w.-]+\\.js):(\\d+):(\\d+)`, 'g');
  }

  /** The text with the positions of sources; those that no map knows stay as they are. Reads a map from disk at the first one. */
  resolve(text: string): string {
    // Nearly all log lines.
    if (!text.includes(this.folder)) return text;
    return text.replace(this.inBundle, (whole, file: string, line: string, column: string) => {
      const origin = this.mapOf(file)?.findOrigin(Number(line), Number(column));
      if (!origin || !('fileName' in origin)) return whole;
      return `${new URL(origin.fileName, this.folder).href}:${origin.lineNumber}:${origin.columnNumber}`;
    });
  }

  /**
   * As `resolve`, for a log line as JSON: only if it has a stack. Callers choose parts of other lines, such as paths, and must not make
   * the server read maps.
   */
  resolveLine(line: string): string {
    // Within a text of the line the quotes are escaped.
    return line.includes('"stack":"') ? this.resolve(line) : line;
  }

  private mapOf(file: string): SourceMap | null {
    let map = this.maps.get(file);
    if (map === undefined) {
      map = readMap(new URL(`${file}.map`, this.folder));
      this.maps.set(file, map);
    }
    this.expiry ??= setTimeout(() => this.forget(), keptMs).unref();
    return map;
  }

  private forget(): void {
    this.expiry = undefined;
    this.maps.clear();
  }
}

/** Null for a file without a map, and for a map that cannot be read: an error must be logged all the same. */
function readMap(file: URL): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}

/** Of this process: the libraries are bundled into the same folder as the service. */
const ownPositions = new SourcePositions(new URL('.', import.meta.url).href);

/** Replaces positions in the bundles of this process by those in their sources. */
export const withSourcePositions = (text: string): string => ownPositions.resolve(text);

/** As `withSourcePositions`, in the stacks of a log line. */
export const withSourcePositionsInLine = (line: string): string => ownPositions.resolveLine(line);
