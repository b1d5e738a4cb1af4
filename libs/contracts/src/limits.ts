/** How large a request may be, over every protocol. Schemas bound their own fields; these hold for whole requests. */
export const requestLimits = {
  /** REST and inbound webhooks. */
  bodyBytes: 5 * 1024 * 1024,
  grpcMessageBytes: 4 * 1024 * 1024,
  /** Deeper documents would overflow the stack of serializers, PostgreSQL's included. */
  depth: 500,
  /** Characters of one number. No double needs more than 25, exact decimal notation of the smallest needs about 330. */
  numberLength: 400,
  /** Members of all objects and elements of all arrays. */
  values: 250_000,
  /**
   * Members whose name has not followed the same names in an earlier object. The JSON parser shares the layout of objects that
   * repeat; each new layout costs it about ten times as much.
   */
  distinctMembers: 25_000,
  /**
   * Fields of one gRPC message and all that are inside of it; protobuf.js spends about 0.5 µs on each. An element of a list in a
   * Struct takes two, a member of a Struct four.
   */
  grpcFields: 60_000,
  /** Members of a small JSON object such as settings or metadata. */
  smallObjectMembers: 4096,
  /** Maximum problems reported in one response. */
  reportedIssues: 20,
  /** Characters of a path parameter. */
  pathParameterLength: 512,
} as const;

/** Steps of payload checks that every request includes, about 1 ms. An order with 5 lines takes 100. */
export const includedSteps = 50_000;
/** Steps beyond them that cost one token of the caller's rate, about 2 ms: what an ordinary request takes. */
export const stepsPerToken = 100_000;
