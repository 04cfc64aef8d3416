import type { ClockReading } from '../../../domain/sandbox/advanceClock';
import type { ClockResponse } from './clock.schemas';

/** What a sandbox's clock shows. */
export const presentClock = ({ now, offsetMs }: ClockReading): ClockResponse => ({ now: now.toISOString(), offset_seconds: offsetMs / 1_000 });
