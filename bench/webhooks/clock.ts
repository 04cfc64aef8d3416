/** Now in ms since 1970 with fractions, comparable across the processes of one machine. */
export const clock = (): number => performance.timeOrigin + performance.now();
