/**
 * Bytes of payloads, results and templates that one statement reads: a list ends, or continues without them, once it has so many (BX-03).
 * They are in memory on their whole way to the caller. 30 payloads of 1 MB kept the claims of all organizations waiting for 2.5 s.
 */
export const maxDocumentBytesPerStatement = 8_388_608;
