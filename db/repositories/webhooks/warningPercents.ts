/** The parts of the time after which a failing endpoint is disabled, in percent, at which its owner is warned. */
export const warningPercents = [50, 70, 90] as const;
export type WarningPercent = (typeof warningPercents)[number];
