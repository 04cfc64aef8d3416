/** What is stored of the last response to a delivery. */
export interface StoredResponse {
  /** Of the present cycle: null once it is replayed, until its first attempt ends. */
  response_code: number | null;
  cycle: number | null;
  /** Of the last attempt of any cycle; null without one, or once attempts are no longer stored. */
  last_cycle: number | null;
  last_response_code: number | null;
}

const responseText = (code: number | null): string => (code === null ? 'without a response' : `with HTTP ${code}`);

/** Returns how the last attempt was answered, behind the number of attempts; '' where that is no longer stored. */
export function lastResponseText({ response_code, cycle, last_cycle, last_response_code }: StoredResponse): string {
  const isReplayed = (cycle ?? 1) > 1;
  if (last_cycle === null) return isReplayed && response_code === null ? '' : `, the last one ${responseText(response_code)}`;
  return `, the last one ${responseText(last_response_code)}${last_cycle === cycle ? '' : ', and none since it was replayed'}`;
}
