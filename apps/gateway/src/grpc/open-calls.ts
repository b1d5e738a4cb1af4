import type { Metadata, ServerInterceptor } from '@grpc/grpc-js';
import { constants, type ServerHttp2Stream } from 'node:http2';

type InterceptedCall = Parameters<ServerInterceptor>[1];

const calls = new WeakMap<Metadata, InterceptedCall>();

/** grpc-js has no interface for what waits to be sent, nor for a reset. */
const streamOf = (call: InterceptedCall): ServerHttp2Stream =>
  (call as unknown as { stream: ServerHttp2Stream }).stream;

/** For `resetCall`; handlers get the same metadata. */
export const rememberCall = (metadata: Metadata, call: InterceptedCall): void => void calls.set(metadata, call);

/**
 * Ends a call whose client does not read, with what it has not read: a status would wait behind that. Clients see RESOURCE_EXHAUSTED,
 * which gRPC maps ENHANCE_YOUR_CALM to.
 */
export function resetCall(metadata: Metadata): void {
  const call = calls.get(metadata);
  if (call) streamOf(call).close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
}

/** Bytes that flow control has not let through. */
export const unsentBytesOf = (call: InterceptedCall): number => streamOf(call).writableLength;
