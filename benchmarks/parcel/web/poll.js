// Refreshes the page of a parcel.
export const POLL_SECONDS = 15;
export const MAX_FAILURES = 4;

export function startPolling(number, interval = POLL_SECONDS, onChange = null) {
  return setInterval(() => onChange && onChange(number), interval * 1000);
}
