const mark = '"judgement":{';

interface Judged {
  judgement?: { meaningful?: unknown };
}

/**
 * Whether a judge has dismissed an event, given as JSON. What has no judgement, or none that was had in time, is not
 * dismissed. An event without a judgement is not parsed.
 */
export function isDismissed(json: string): boolean {
  if (!json.includes(mark)) return false;
  const { data } = JSON.parse(json) as { data?: Judged & { page?: Judged } };
  // A page of a monitor has the judgement of its change.
  return (data?.judgement ?? data?.page?.judgement)?.meaningful === false;
}
