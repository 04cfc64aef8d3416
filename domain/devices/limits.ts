/** Active seats of a person in each app (section Limits). */
export const seatsPerApp = 2;

/** Maximum number of devices that a license stores. */
export const activationsPerLicense = 100;

/** How long, in ms, a heartbeat without changes writes nothing. */
export const heartbeatWriteIntervalMs = 60_000;
