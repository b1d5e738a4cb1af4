/**
 * Bytes of payloads and results that one statement reads: a list ends, or goes on without documents, once it has so many (BX-03).
 * They are in memory on their whole way to the caller, and 30 of 1 MB kept what other organizations share waiting for 2.5 s.
 */
export const maxDocumentBytesPerStatement = 8_388_608;
