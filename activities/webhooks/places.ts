/** How many attempts of activities one institution may have under way in a worker, which runs 100 activities at once. */
const placesPerInstitution = 25;

/** Keeps one institution's receivers that hang from taking every place of a worker. */
export class Places {
  private readonly taken = new Map<string, number>();

  /** Runs the work if the institution has a place left; answers undefined, and has not run it, when it has none. */
  async within<Result>(institutionId: string, work: () => Promise<Result>): Promise<{ result: Result } | undefined> {
    const taken = this.taken.get(institutionId) ?? 0;
    if (taken >= placesPerInstitution) return undefined;
    this.taken.set(institutionId, taken + 1);
    try {
      return { result: await work() };
    } finally {
      const left = (this.taken.get(institutionId) ?? 1) - 1;
      if (left === 0) this.taken.delete(institutionId);
      else this.taken.set(institutionId, left);
    }
  }
}
