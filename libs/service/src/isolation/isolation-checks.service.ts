import { Inject, Injectable } from '@nestjs/common';
import {
  Database,
  type IsolationCheckRow,
  type LatestIsolationCheck,
  latestIsolationCheck,
  recordIsolation,
} from '@spooled/data-access';
import { AppLogger, SERVICE, type ServiceContext } from '@spooled/platform';

/** Checks tenant isolation in the database (SP-59, BX-01) and logs the findings. */
@Injectable()
export class IsolationChecks {
  constructor(
    private readonly db: Database,
    @Inject(SERVICE) private readonly service: Pick<ServiceContext, 'version'>,
    private readonly logger: AppLogger,
  ) {}

  /** Checks now, in 10 s at most, and records the result. @returns null when another process is checking @throws SpooledError 503 */
  async run(): Promise<IsolationCheckRow | null> {
    const check = await recordIsolation(this.db, this.service.version);
    if (check) this.report(check);
    return check;
  }

  private report({ passed, findings, tables_checked, tables_not_checked }: IsolationCheckRow): void {
    const where = new Set(findings.map(({ table }) => table ?? 'all tables'));
    if (!passed) {
      this.logger.error(
        { findings, tables_checked, tables_not_checked },
        `tenants are not isolated: ${[...where].join(', ')}`,
      );
    } else if (tables_not_checked.length > 0) {
      this.logger.warn({ tables_checked, tables_not_checked }, 'the isolation of some tables was not checked');
    }
  }

  /** The latest check, and whether a service of this version has checked. @throws SpooledError 503 */
  latest(): Promise<LatestIsolationCheck | null> {
    return latestIsolationCheck(this.db, this.service.version);
  }
}
