import type { AppName } from '../../db/repositories/devices/seats';

interface ModelSeat {
  app: AppName;
  device: string;
  session: string;
}

/** What seats and sessions of one person are to be, worked out without a database: the newest sign-in of each app first. */
export class SeatModel {
  readonly live = new Set<string>();
  private seats: ModelSeat[] = [];

  /** The seats of an app, the newest sign-in first. */
  of(app: AppName): ModelSeat[] {
    return this.seats.filter((seat) => seat.app === app);
  }

  signIn(seat: ModelSeat): void {
    this.live.add(seat.session);
    this.end(this.of(seat.app).filter(({ device }) => device === seat.device));
    this.end(this.of(seat.app).slice(1));
    this.seats = [seat, ...this.seats];
  }

  signOut(session: string): void {
    this.live.delete(session);
    this.end(this.seats.filter((seat) => seat.session === session));
  }

  endAll(): void {
    this.live.clear();
    this.seats = [];
  }

  private end(ended: readonly ModelSeat[]): void {
    for (const { session } of ended) this.live.delete(session);
    this.seats = this.seats.filter((seat) => !ended.includes(seat));
  }
}
