const UNITS: Array<[Intl.RelativeTimeFormatUnit, number]> = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];

const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** How long ago something was, with the exact time for who wants it. */
export function Ago({ at, now }: { at: string; now: number }) {
  const elapsed = now - Date.parse(at);
  const [unit, size] = UNITS.find(([, size]) => elapsed >= size) ?? ["second", 1_000];
  return (
    <time dateTime={at} title={at}>
      {format.format(-Math.max(0, Math.floor(elapsed / size)), unit)}
    </time>
  );
}
