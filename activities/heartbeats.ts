import { Context } from '@temporalio/activity';

const heartbeatIntervalMs = 2_000;

/** Runs an activity's work and sends a heartbeat every 2 s, so that a killed worker is replaced soon. */
export async function withHeartbeats<Result>(work: () => Promise<Result>): Promise<Result> {
  const { heartbeat } = Context.current();
  const timer = setInterval(() => heartbeat(), heartbeatIntervalMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
