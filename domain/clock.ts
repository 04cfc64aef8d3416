/** How far the clock of an institution is ahead of the real time, in ms: 0 unless it is a sandbox. */
export interface ClockOffset {
  readonly clockOffsetMs: number;
}

/** Returns a moment of the real time by the clock of an institution. */
export const onClock = ({ clockOffsetMs }: ClockOffset, at: Date): Date => (clockOffsetMs === 0 ? at : new Date(at.getTime() + clockOffsetMs));

/** Returns a moment of an institution's clock by the real time: for signatures and deadlines that others keep, too. */
export const toRealTime = ({ clockOffsetMs = 0 }: Partial<ClockOffset>, at: Date): Date => onClock({ clockOffsetMs: -clockOffsetMs }, at);

/** Returns what a caller knows of time at this moment. */
export const clockOf = (clockOffsetMs = 0): ClockOffset & { readonly now: Date } => ({ now: onClock({ clockOffsetMs }, new Date()), clockOffsetMs });
