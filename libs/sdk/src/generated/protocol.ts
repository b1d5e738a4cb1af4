// Written by generate.mjs from libs/contracts/proto. Do not edit.

/** The gRPC contract, as @grpc/proto-loader's `fromJSON` reads it. */
export const protocol = {
  nested: {
    spooled: {
      nested: {
        v1: {
          nested: {
            JobStatus: {
              values: {
                JOB_STATUS_UNSPECIFIED: 0,
                JOB_STATUS_PENDING: 1,
                JOB_STATUS_SCHEDULED: 2,
                JOB_STATUS_PROCESSING: 3,
                JOB_STATUS_COMPLETED: 4,
                JOB_STATUS_FAILED: 5,
                JOB_STATUS_DEADLETTER: 6,
                JOB_STATUS_CANCELLED: 7,
              },
            },
            Job: {
              fields: {
                id: { type: 'string', id: 1 },
                organizationId: { type: 'string', id: 2 },
                queueName: { type: 'string', id: 3 },
                status: { type: 'JobStatus', id: 4 },
                payload: { type: 'google.protobuf.Struct', id: 5 },
                result: { type: 'google.protobuf.Struct', id: 6 },
                retryCount: { type: 'int32', id: 7 },
                maxRetries: { type: 'int32', id: 8 },
                lastError: { type: 'string', id: 9 },
                priority: { type: 'int32', id: 10 },
                timeoutSeconds: { type: 'int32', id: 11 },
                createdAt: { type: 'google.protobuf.Timestamp', id: 12 },
                scheduledAt: { type: 'google.protobuf.Timestamp', id: 13 },
                startedAt: { type: 'google.protobuf.Timestamp', id: 14 },
                completedAt: { type: 'google.protobuf.Timestamp', id: 15 },
                leaseExpiresAt: { type: 'google.protobuf.Timestamp', id: 16 },
                assignedWorkerId: { type: 'string', id: 17 },
                idempotencyKey: { type: 'string', id: 18 },
                leaseId: { type: 'string', id: 19 },
              },
            },
            QueueService: {
              methods: {
                Enqueue: { requestType: 'EnqueueRequest', responseType: 'EnqueueResponse' },
                Dequeue: { requestType: 'DequeueRequest', responseType: 'DequeueResponse' },
                Complete: { requestType: 'CompleteRequest', responseType: 'CompleteResponse' },
                Fail: { requestType: 'FailRequest', responseType: 'FailResponse' },
                RenewLease: { requestType: 'RenewLeaseRequest', responseType: 'RenewLeaseResponse' },
                GetJob: { requestType: 'GetJobRequest', responseType: 'GetJobResponse' },
                GetQueueStats: { requestType: 'GetQueueStatsRequest', responseType: 'GetQueueStatsResponse' },
                StreamJobs: { requestType: 'StreamJobsRequest', responseType: 'Job', responseStream: true },
                ProcessJobs: {
                  requestType: 'ProcessRequest',
                  requestStream: true,
                  responseType: 'ProcessResponse',
                  responseStream: true,
                },
              },
            },
            EnqueueRequest: {
              fields: {
                queueName: { type: 'string', id: 1 },
                payload: { type: 'google.protobuf.Struct', id: 2 },
                priority: { type: 'int32', id: 3 },
                maxRetries: { type: 'int32', id: 4 },
                timeoutSeconds: { type: 'int32', id: 5 },
                scheduledAt: { type: 'google.protobuf.Timestamp', id: 6 },
                idempotencyKey: { type: 'string', id: 7 },
                tags: { keyType: 'string', type: 'string', id: 8 },
              },
            },
            EnqueueResponse: { fields: { jobId: { type: 'string', id: 1 }, created: { type: 'bool', id: 2 } } },
            DequeueRequest: {
              fields: {
                queueName: { type: 'string', id: 1 },
                workerId: { type: 'string', id: 2 },
                leaseDurationSecs: { type: 'int32', id: 3 },
                batchSize: { type: 'int32', id: 4 },
              },
            },
            DequeueResponse: { fields: { jobs: { rule: 'repeated', type: 'Job', id: 1 } } },
            CompleteRequest: {
              fields: {
                jobId: { type: 'string', id: 1 },
                workerId: { type: 'string', id: 2 },
                result: { type: 'google.protobuf.Struct', id: 3 },
                leaseId: { type: 'string', id: 4 },
              },
            },
            CompleteResponse: { fields: { success: { type: 'bool', id: 1 } } },
            FailRequest: {
              fields: {
                jobId: { type: 'string', id: 1 },
                workerId: { type: 'string', id: 2 },
                error: { type: 'string', id: 3 },
                retry: { type: 'bool', id: 4 },
                leaseId: { type: 'string', id: 5 },
              },
            },
            FailResponse: {
              fields: {
                success: { type: 'bool', id: 1 },
                willRetry: { type: 'bool', id: 2 },
                nextRetryDelaySecs: { type: 'int32', id: 3 },
              },
            },
            RenewLeaseRequest: {
              fields: {
                jobId: { type: 'string', id: 1 },
                workerId: { type: 'string', id: 2 },
                extensionSecs: { type: 'int32', id: 3 },
                leaseId: { type: 'string', id: 4 },
              },
            },
            RenewLeaseResponse: {
              fields: { success: { type: 'bool', id: 1 }, newExpiresAt: { type: 'google.protobuf.Timestamp', id: 2 } },
            },
            GetJobRequest: { fields: { jobId: { type: 'string', id: 1 } } },
            GetJobResponse: { fields: { job: { type: 'Job', id: 1 } } },
            GetQueueStatsRequest: { fields: { queueName: { type: 'string', id: 1 } } },
            GetQueueStatsResponse: {
              fields: {
                queueName: { type: 'string', id: 1 },
                pending: { type: 'int64', id: 2 },
                scheduled: { type: 'int64', id: 3 },
                processing: { type: 'int64', id: 4 },
                completed: { type: 'int64', id: 5 },
                failed: { type: 'int64', id: 6 },
                deadletter: { type: 'int64', id: 7 },
                total: { type: 'int64', id: 8 },
                maxAgeMs: { type: 'int64', id: 9 },
              },
            },
            StreamJobsRequest: {
              fields: {
                queueName: { type: 'string', id: 1 },
                workerId: { type: 'string', id: 2 },
                leaseDurationSecs: { type: 'int32', id: 3 },
              },
            },
            ProcessRequest: {
              oneofs: { request: { oneof: ['dequeue', 'complete', 'fail', 'renewLease'] } },
              fields: {
                dequeue: { type: 'DequeueRequest', id: 1 },
                complete: { type: 'CompleteRequest', id: 2 },
                fail: { type: 'FailRequest', id: 3 },
                renewLease: { type: 'RenewLeaseRequest', id: 4 },
              },
            },
            ProcessResponse: {
              oneofs: { response: { oneof: ['job', 'complete', 'fail', 'renewLease', 'error'] } },
              fields: {
                job: { type: 'Job', id: 1 },
                complete: { type: 'CompleteResponse', id: 2 },
                fail: { type: 'FailResponse', id: 3 },
                renewLease: { type: 'RenewLeaseResponse', id: 4 },
                error: { type: 'ErrorResponse', id: 5 },
              },
            },
            ErrorResponse: { fields: { code: { type: 'string', id: 1 }, message: { type: 'string', id: 2 } } },
            WorkerService: {
              methods: {
                Register: { requestType: 'RegisterWorkerRequest', responseType: 'RegisterWorkerResponse' },
                Heartbeat: { requestType: 'HeartbeatRequest', responseType: 'HeartbeatResponse' },
                Deregister: { requestType: 'DeregisterRequest', responseType: 'DeregisterResponse' },
              },
            },
            RegisterWorkerRequest: {
              fields: {
                queueName: { type: 'string', id: 1 },
                hostname: { type: 'string', id: 2 },
                workerType: { type: 'string', id: 3 },
                maxConcurrency: { type: 'int32', id: 4 },
                version: { type: 'string', id: 5 },
                metadata: { keyType: 'string', type: 'string', id: 6 },
              },
            },
            RegisterWorkerResponse: {
              fields: {
                workerId: { type: 'string', id: 1 },
                leaseDurationSecs: { type: 'int32', id: 2 },
                heartbeatIntervalSecs: { type: 'int32', id: 3 },
              },
            },
            HeartbeatRequest: {
              fields: {
                workerId: { type: 'string', id: 1 },
                currentJobs: { type: 'int32', id: 2 },
                status: { type: 'string', id: 3 },
                metadata: { keyType: 'string', type: 'string', id: 4 },
              },
            },
            HeartbeatResponse: {
              fields: { acknowledged: { type: 'bool', id: 1 }, shouldDrain: { type: 'bool', id: 2 } },
            },
            DeregisterRequest: { fields: { workerId: { type: 'string', id: 1 } } },
            DeregisterResponse: { fields: { success: { type: 'bool', id: 1 } } },
          },
        },
      },
    },
    google: {
      nested: {
        protobuf: {
          nested: {
            Struct: { fields: { fields: { keyType: 'string', type: 'Value', id: 1 } } },
            Value: {
              oneofs: {
                kind: { oneof: ['nullValue', 'numberValue', 'stringValue', 'boolValue', 'structValue', 'listValue'] },
              },
              fields: {
                nullValue: { type: 'NullValue', id: 1 },
                numberValue: { type: 'double', id: 2 },
                stringValue: { type: 'string', id: 3 },
                boolValue: { type: 'bool', id: 4 },
                structValue: { type: 'Struct', id: 5 },
                listValue: { type: 'ListValue', id: 6 },
              },
            },
            NullValue: { values: { NULL_VALUE: 0 } },
            ListValue: { fields: { values: { rule: 'repeated', type: 'Value', id: 1 } } },
            Timestamp: { fields: { seconds: { type: 'int64', id: 1 }, nanos: { type: 'int32', id: 2 } } },
          },
        },
      },
    },
  },
};
