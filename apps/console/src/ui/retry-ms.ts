/** After this time a view is read again that could not be read, or of which no live events arrive. */
export const retryMs = 5_000;
