import { StartError } from '@spooled/domain';

/** Explains a start that failed because of the machine's disk or rights; returns every other error as it is. */
export function folderProblem(error: unknown, dataDir: string): unknown {
  const { code, message, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || /No space left on device|Disk quota exceeded/.test(message))
    return new StartError(
      {
        finding: `The disk of ${dataDir} is full`,
        remedy: 'free some space (PostgreSQL needs about 200 MB to begin), or set DATA_DIR to a folder on another disk',
      },
      error,
    );
  if ((code === 'EACCES' || code === 'EPERM' || code === 'EROFS') && path !== undefined)
    return new StartError(
      {
        finding: `This user may not write ${path} (${code})`,
        remedy: 'set DATA_DIR to a folder that belongs to this user, or change the owner of that one',
      },
      error,
    );
  return error;
}
