import { currentRun } from './run';

/** Ends everything that the set-up started. */
export default async function globalTeardown(): Promise<void> {
  await currentRun()?.end();
}
