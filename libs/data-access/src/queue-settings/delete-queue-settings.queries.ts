/** Types generated for queries found in "libs/data-access/src/queue-settings/delete-queue-settings.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'DeleteQueueSettings' parameters type */
export interface DeleteQueueSettingsParams {
  organizationId: string;
  queueName: string;
}

/** 'DeleteQueueSettings' return type */
export type DeleteQueueSettingsResult = void;

/** 'DeleteQueueSettings' query type */
export interface DeleteQueueSettingsQuery {
  params: DeleteQueueSettingsParams;
  result: DeleteQueueSettingsResult;
}

const deleteQueueSettingsIR: any = {"usedParamSet":{"organizationId":true,"queueName":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":68,"b":83},{"a":187,"b":202},{"a":284,"b":299}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":102,"b":112},{"a":221,"b":231},{"a":318,"b":328}]}],"statement":"WITH bucket AS (\n  DELETE FROM queue_tokens WHERE organization_id = :organizationId! AND queue_name = :queueName!\n), contract AS (\n  DELETE FROM payload_contracts WHERE organization_id = :organizationId! AND queue_name = :queueName!\n)\nDELETE FROM queue_config WHERE organization_id = :organizationId! AND queue_name = :queueName!"};

/**
 * Query generated from SQL:
 * ```
 * WITH bucket AS (
 *   DELETE FROM queue_tokens WHERE organization_id = :organizationId! AND queue_name = :queueName!
 * ), contract AS (
 *   DELETE FROM payload_contracts WHERE organization_id = :organizationId! AND queue_name = :queueName!
 * )
 * DELETE FROM queue_config WHERE organization_id = :organizationId! AND queue_name = :queueName!
 * ```
 */
export const deleteQueueSettings = new PreparedQuery<DeleteQueueSettingsParams,DeleteQueueSettingsResult>(deleteQueueSettingsIR);


