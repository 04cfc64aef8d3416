/** How long a process waits for what its shutdown timeout has cut off, in ms. */
export const abortGraceMs = 2_000;
/** How long a process then takes to close its stores, in ms: what still holds one of their connections is given up, too. */
export const closeTimeoutMs = 2_000;
