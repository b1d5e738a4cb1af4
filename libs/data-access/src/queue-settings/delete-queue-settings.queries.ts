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

const deleteQueueSettingsIR: any = {"usedParamSet":{"organizationId":true,"queueName":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":49,"b":64}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":83,"b":93}]}],"statement":"DELETE FROM queue_config WHERE organization_id = :organizationId! AND queue_name = :queueName!"};

/**
 * Query generated from SQL:
 * ```
 * DELETE FROM queue_config WHERE organization_id = :organizationId! AND queue_name = :queueName!
 * ```
 */
export const deleteQueueSettings = new PreparedQuery<DeleteQueueSettingsParams,DeleteQueueSettingsResult>(deleteQueueSettingsIR);


