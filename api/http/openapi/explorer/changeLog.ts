/** The line that begins the part of a release for some readers: `For integrators:`. */
const partStart = /^For ([^:\n]+):/m;

/** Returns what a release says to integrators: their part, all of a release without parts, nothing where it has parts for others alone. */
function partForIntegrators(text: string): string {
  if (!partStart.test(text)) return text.trim();
  const parts = text.split(/^(?=For [^:\n]+:)/m);
  return parts.filter((part) => partStart.exec(part)?.[1] === 'integrators').map((part) => part.replace(partStart, '').trim()).join('\n');
}

/** Returns the change log without what operators and those who change the service alone notice. */
export function changesForIntegrators(markdown: string): string {
  const [beginning = '', ...releases] = markdown.split(/^(?=## )/m);
  const kept = releases.flatMap((release) => {
    const [heading = '', ...lines] = release.split('\n');
    const part = partForIntegrators(lines.join('\n'));
    return part === '' ? [] : [`${heading}\n\n${part}`];
  });
  return `${[beginning.trim(), ...kept].join('\n\n')}\n`;
}
