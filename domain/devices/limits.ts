/** Active seats of a person in each app (section Limits). */
export const seatsPerApp = 2;

/** Devices that a license remembers at most. */
export const activationsPerLicense = 100;

/** How long, in ms, a heartbeat that says nothing new writes nothing. */
export const heartbeatWriteIntervalMs = 60_000;
