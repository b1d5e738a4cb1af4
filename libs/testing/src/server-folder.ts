import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Waits for the end of its input, which closes when the process that started it ends, even by SIGKILL. Then it stops the
 * servers whose ids are in the folder: a paused PostgreSQL continues, so that it can stop its processes, and what would start it again
 * (`patroni.pid`) ends before it (`data/postmaster.pid`).
 */
const cleanUp = `
read -r _
for file in $(find -L "$0" -name '*.pid' | sort -r); do
  pid=$(head -n 1 "$file")
  case $(ps -o args= -p "$pid") in
    *"-m patroni"* | *haproxy* | *etcd* | *pgbouncer*) kill -s KILL "$pid" ;;
    *postgres*) kill -s QUIT "$pid" && kill -s CONT "$pid" ;;
    *redis* | *valkey*) kill -s KILL "$pid" ;;
    *) continue ;;
  esac
  while kill -s 0 "$pid"; do sleep 0.1; done
done
umount -l "$0" 2>&-
rm -rf -- "$0"`;

export interface ServerFolder {
  folder: string;
  /** Call it when the servers in the folder have stopped. */
  remove(): void;
}

/** Of Linux; Docker gives it 64 MB unless told otherwise. */
const memoryFolder = '/dev/shm';
const enoughBytes = 2 * 1024 ** 3;

/**
 * Where files are in memory, if there is room. A database has 700 files: to create and drop one takes 25 ms of CPU there, and 80 to
 * 150 ms on ext4. TMPDIR decides if it is set.
 */
export function fastestFolder(): string {
  if (process.env.TMPDIR || !existsSync(memoryFolder)) return tmpdir();
  const { bavail, bsize } = statfsSync(memoryFolder);
  return bavail * bsize < enoughBytes ? tmpdir() : memoryFolder;
}

/**
 * A temporary folder for a PostgreSQL or Redis servers. If this process ends without removing it, also when it is killed, they
 * are stopped and the folder is removed.
 *
 * @param options.diskMb a disk of its own of this size, in memory; only as root on Linux
 * @throws Error when the disk cannot be mounted
 */
export function createServerFolder(
  prefix: string,
  { parent = tmpdir(), diskMb }: { parent?: string; diskMb?: number | undefined } = {},
): ServerFolder {
  const folder = mkdtempSync(join(parent, prefix));
  if (diskMb !== undefined) mountDisk(folder, diskMb);
  // As root PostgreSQL runs under another account, which needs access to this folder.
  chmodSync(folder, 0o755);
  // In a process group of its own, which Ctrl-C does not reach.
  const watcher = spawn('/bin/sh', ['-c', cleanUp, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void }).unref();
  return {
    folder,
    remove: () => {
      watcher.kill('SIGKILL');
      if (diskMb !== undefined) spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function mountDisk(folder: string, megabytes: number): void {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`A disk in memory could not be mounted: ${stderr}`);
}
