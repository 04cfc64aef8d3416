/** The stream that a bar is drawn on: standard error, because standard output is for the command's output. */
export interface TerminalStream {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  write(text: string): unknown;
}

/** Shows the progress of long work. */
export interface ProgressBar {
  show(done: number, total: number): void;
  /** Removes the bar; later output begins on its own line. */
  end(): void;
}

const barWidth = 30;
const clearLine = '\r\u001b[K';

function renderBar(what: string, done: number, total: number): string {
  const fraction = total === 0 ? 0 : Math.min(done / total, 1);
  const filled = Math.round(fraction * barWidth);
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${done} of ${total} ${what}`;
}

/** A bar on one line of a terminal; nothing at all anywhere else. */
export function progressBar(screen: TerminalStream, what: string): ProgressBar {
  if (screen.isTTY !== true) return { show: () => undefined, end: () => undefined };
  // Some terminals have no width, or say that it is 0.
  const columns = screen.columns === undefined || screen.columns === 0 ? 80 : screen.columns;
  return {
    // A line that wraps could not be drawn over.
    show: (done, total) => screen.write(clearLine + renderBar(what, done, total).slice(0, columns - 1)),
    end: () => screen.write(clearLine),
  };
}
