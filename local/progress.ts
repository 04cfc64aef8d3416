const firstNoteMs = 3_000;
const laterNotesMs = 10_000;

/** Says what is being done while it is done. */
export interface Progress {
  log(line: string): void;
  /** Runs `work`; shows its name, then how long it has taken so far with the last `detail`, then how long it took. */
  step<T>(name: string, work: (detail: (text: string) => void) => Promise<T>): Promise<T>;
}

/** `short`: a step that ends within 3 s goes unmentioned. */
export type Verbosity = 'every step' | 'short';

/** 4.2 s, 38 s, 3 min 30 s */
function elapsed(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Progress as plain lines, which read the same in a terminal and in a log. */
export function createProgress(write: (line: string) => void, verbosity: Verbosity): Progress {
  return {
    log: write,
    async step(name, work) {
      const startedAt = Date.now();
      let detail = '';
      let mentioned = verbosity === 'every step';
      if (mentioned) write(`  … ${name}`);
      const note = (): void => {
        mentioned = true;
        write(`  … ${name} (${elapsed(Date.now() - startedAt)}${detail === '' ? '' : `, ${detail}`})`);
      };
      let notes: NodeJS.Timeout | undefined;
      const first = setTimeout(() => {
        note();
        notes = setInterval(note, laterNotesMs);
      }, firstNoteMs);
      try {
        const result = await work((text) => { detail = text; });
        if (mentioned) write(`  ✓ ${name} (${elapsed(Date.now() - startedAt)})`);
        return result;
      } catch (error) {
        write(`  ✗ ${name} (${elapsed(Date.now() - startedAt)})`);
        throw error;
      } finally {
        clearTimeout(first);
        clearInterval(notes);
      }
    },
  };
}
