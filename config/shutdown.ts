/** How long a process waits for work aborted by its shutdown timeout, in ms. */
export const abortGraceMs = 2_000;
/** How long a process then takes to close its stores, in ms; work that still holds a connection is abandoned. */
export const closeTimeoutMs = 2_000;
