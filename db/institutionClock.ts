/**
 * The SQL of a moment by the clock of an institution: `time`, by the real clock, moved ahead by `offsetMs`, its column
 * `clock_offset_ms`. Only the clock of a sandbox is ahead; every other institution's offset is 0.
 */
export const onClock = (time: string, offsetMs: string): string => `(${time} + ${offsetMs} * interval '1 millisecond')`;
