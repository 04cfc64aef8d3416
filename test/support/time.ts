const dayMs = 86_400_000;

/** The moment that many days from now; negative numbers are in the past. */
export const inDays = (days: number): Date => new Date(Date.now() + days * dayMs);

/** The same as text, as a request sends it. */
export const isoInDays = (days: number): string => inDays(days).toISOString();

/** The moment that many days before another. */
export const daysBefore = (moment: Date, days: number): Date => new Date(moment.getTime() - days * dayMs);

/** The moment that many minutes ago. */
export const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
