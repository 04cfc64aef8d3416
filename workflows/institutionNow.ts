/**
 * Returns the time by the clock of an institution, in ms: that of a sandbox is ahead, and the activities that read a state say how
 * far. Results recorded by earlier versions do not, and those of other institutions have no need to.
 */
export const institutionNowMs = ({ clockOffsetMs = 0 }: { clockOffsetMs?: number }): number => Date.now() + clockOffsetMs;
