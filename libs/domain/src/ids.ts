const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID. Everything else that stands where an id belongs is answered with 404, never with 400. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);
