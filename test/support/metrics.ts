/** The samples of one scrape: the value of each `name` or `name{label="…"}`. */
export type Metrics = ReadonlyMap<string, number>;

/** The text that a listener on loopback serves at `/metrics`. */
export async function scrape(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
  return answer.text();
}

/** The samples that a listener on loopback serves at `/metrics`. */
export async function readMetrics(port: number): Promise<Metrics> {
  return new Map([...(await scrape(port)).matchAll(/^([a-z_]\S*) (\S+)$/gm)].map(([, sample = '', value]) => [sample, Number(value)]));
}
