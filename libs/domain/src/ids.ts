const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID. Anything else in place of an id is a 404, never a 400. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);
